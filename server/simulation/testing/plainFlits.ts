import type { Machine } from '../../model/machine.ts';
import type { FlitOptions } from '../engines/flits/flitOptions.ts';
import { flitCycles, flitTimes, isFreeAt, nextFree } from '../engines/flitTimes.ts';
import { PacketRoutes, tiesOf } from '../engines/packetRoutes.ts';
import { flitsOf, packetsOf } from '../messages.ts';

/** `turns` of packets: a link stays with a worm until its tail has passed, which worms do not stand. `seed`: of the coins half-way round rings. */
type PlainOptions = FlitOptions & { readonly turns?: 'packets'; readonly seed: number };

interface Sent {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

interface Worm {
  readonly message: number;
  readonly to: number;
  state: number;
}

interface Flit {
  readonly worm: Worm;
  readonly isHeader: boolean;
  readonly isTail: boolean;
  /** Cycle in which it is there. */
  readonly from: number;
}

interface Queue {
  readonly flits: Flit[];
  /** Channel that its first worm has. */
  out: number;
  isLeaving: boolean;
  /** Cycle from which the header of the first worm may ask; undefined until it is there as the first. */
  since: number | undefined;
  /** Cycle after that in which the worm before it had left. */
  free: number;
}

interface Wish {
  readonly channel: number;
  readonly state: number;
}

/**
 * Worms once more, as plainly as can be: every flit is an object, every cycle looks at every queue. Arrivals by message; undefined of
 * those that never arrive because nothing moves any more.
 */
export function plainFlits(machine: Machine, options: PlainOptions, messages: readonly Sent[]): (number | undefined)[] {
  const network = new PlainFlits(machine, options, messages);
  const patience = 200 + 10 * (options.router + options.link);
  for (let now = 0; network.arrived.includes(undefined) && network.quiet < patience; now++) network.cycle(now);
  return network.arrived;
}

class PlainFlits {
  readonly arrived: (number | undefined)[];
  /** Cycles in which nothing has moved. */
  quiet = 0;
  readonly #options: PlainOptions;
  readonly #messages: readonly Sent[];
  readonly #routes: PacketRoutes;
  readonly #linkQueues: number;
  readonly #queues: readonly Queue[];
  readonly #packetsLeft: number[];
  /** By channel and by link; −1 for none. */
  readonly #sender: number[];
  readonly #lastPort: number[];
  readonly #lastChannel: number[];
  readonly #turn: number[];
  /** By station: queue that leaves, and port of the last that did. */
  readonly #exit: number[];
  readonly #lastExit: number[];
  /** Of links that are not all as fast: what a flit takes, and from when on the next one can come. */
  readonly #times: Float64Array | undefined;
  readonly #free: number[];
  readonly #made = new Map<number, number>();
  #next = 0;

  constructor(machine: Machine, options: PlainOptions, messages: readonly Sent[]) {
    this.#options = options;
    this.#messages = messages;
    this.#times = flitTimes(machine);
    this.arrived = messages.map(() => undefined);
    this.#packetsLeft = messages.map(({ bytes }) => packetsOf(options.packing, bytes));
    const { channels, routing } = options;
    this.#routes = new PacketRoutes(machine, { channels, routing, hasBubble: false });
    const { linkCount, count } = this.#routes.stations;
    this.#linkQueues = linkCount * channels;
    this.#queues = Array.from({ length: this.#linkQueues + machine.nodeCount }, (): Queue => {
      return { flits: [], out: -1, isLeaving: false, since: undefined, free: 0 };
    });
    this.#free = new Array<number>(linkCount).fill(0);
    const nobody = (length: number): number[] => new Array<number>(length).fill(-1);
    [this.#sender, this.#lastPort] = [nobody(this.#linkQueues), nobody(this.#linkQueues)];
    [this.#lastChannel, this.#turn] = [nobody(linkCount).fill(0), nobody(linkCount)];
    [this.#exit, this.#lastExit] = [nobody(count), nobody(count)];
  }

  cycle(now: number): void {
    this.quiet++;
    this.#create(now);
    const leavers = this.#ask(now);
    for (const [station, asking] of leavers) {
      if (this.#options.ejection === 'multiple') for (const index of asking) this.#queue(index).isLeaving = true;
      else if (this.#exit[station] === -1) this.#giveExit(station, asking);
    }
    const moves = this.#moves(now);
    const gone = this.#queues.flatMap((queue, index) => {
      const flit = this.#firstOf(queue, now);
      return queue.isLeaving && flit !== undefined ? [{ index, flit }] : [];
    });
    // All flits move at once.
    for (const { queue, channel } of moves) this.#move(queue, channel, now);
    for (const { index, flit } of gone) this.#eject(index, flit, now);
  }

  #startOf(node: number): number {
    const serial = this.#made.get(node) ?? 0;
    this.#made.set(node, serial + 1);
    return this.#routes.startOf(node, tiesOf(this.#options.seed, node, serial));
  }

  #queue(index: number): Queue {
    return this.#queues[index]!;
  }

  #room(channel: number): number {
    return this.#options.buffer - this.#queue(channel).flits.length;
  }

  #firstOf({ flits }: Queue, now: number): Flit | undefined {
    return flits[0] === undefined || flits[0].from > now ? undefined : flits[0];
  }

  #create(now: number): void {
    for (; this.#messages[this.#next] !== undefined && this.#messages[this.#next]!.at < now; this.#next++) {
      const message = this.#next;
      const { from, to, bytes } = this.#messages[message]!;
      const length = flitsOf(this.#options.packing, bytes);
      for (let packet = 0; packet < this.#packetsLeft[message]!; packet++) {
        const worm: Worm = { message, to, state: this.#startOf(from) };
        for (let flit = 0; flit < length; flit++) {
          const place = { worm, isHeader: flit === 0, isTail: flit === length - 1, from: now };
          this.#queue(this.#linkQueues + from).flits.push(place);
        }
      }
      this.quiet = 0;
    }
    if (this.#next < this.#messages.length) this.quiet = 0;
  }

  /** Headers ask on the state that the last cycle left; by station the queues whose worm is there. */
  #ask(now: number): Map<number, number[]> {
    const wishes = new Map<number, Wish & { readonly queue: number }>();
    const leavers = new Map<number, number[]>();
    for (const [index, queue] of this.#queues.entries()) {
      const first = this.#firstOf(queue, now);
      if (first?.isHeader !== true || queue.out !== -1 || queue.isLeaving) continue;
      queue.since ??= Math.max(first.from, queue.free) + this.#options.router;
      if (queue.since > now) continue;
      if (this.#routes.find(index, first.worm.to, first.worm.state)) {
        const station = this.#routes.stations.ofQueue[index]!;
        leavers.set(station, [...(leavers.get(station) ?? []), index]);
        continue;
      }
      const wish = this.#wish(first.worm.state);
      const rival = wish && wishes.get(wish.channel);
      if (wish && (rival === undefined || this.#wins(index, rival.queue, this.#lastPort[wish.channel]!)))
        wishes.set(wish.channel, { ...wish, queue: index });
    }
    for (const { channel, queue, state } of wishes.values()) {
      this.#sender[channel] = queue;
      this.#lastPort[channel] = this.#routes.stations.portOfQueue[queue]!;
      this.#queue(queue).out = channel;
      this.#queue(queue).flits[0]!.worm.state = state;
      this.#routes.used(queue, Math.floor(channel / this.#options.channels));
    }
    return leavers;
  }

  #wish(state: number): Wish | undefined {
    const { queues, states, count, hasEscape, escape } = this.#routes;
    const isFree = ({ channel }: Wish): boolean => this.#sender[channel] === -1 && this.#room(channel) > 0;
    const isEmpty = ({ channel }: Wish): boolean => this.#room(channel) === this.#options.buffer;
    const found = [...queues.subarray(0, count)]
      .map((channel, at) => ({ channel, state: states[at]! }))
      .filter((wish) => isFree(wish) && (!hasEscape || isEmpty(wish)));
    if (found.length === 0 && hasEscape) return [{ channel: escape, state }].find(isFree);
    if (this.#options.select !== 'least-filled') return found[0];
    return found.toSorted((a, b) => this.#room(b.channel) - this.#room(a.channel))[0];
  }

  #wins(one: number, other: number, last: number): boolean {
    const [port, against] = [one, other].map((queue) => this.#routes.stations.portOfQueue[queue]!) as [number, number];
    const [since, otherSince] = [this.#queue(one).since!, this.#queue(other).since!];
    if (this.#options.arbiter === 'first-come') return since < otherSince || (since === otherSince && port < against);
    const distance = (each: number): number => (each > last ? each : each + 1e6);
    return distance(port) < distance(against);
  }

  #giveExit(station: number, asking: readonly number[]): void {
    const waiting = asking.filter((index) => !this.#queue(index).isLeaving && this.#queue(index).since !== undefined);
    const [best] = waiting.toSorted((a, b) => (this.#wins(a, b, this.#lastExit[station]!) ? -1 : 1));
    if (best === undefined) return;
    this.#exit[station] = best;
    this.#lastExit[station] = this.#routes.stations.portOfQueue[best]!;
    this.#queue(best).isLeaving = true;
  }

  /** One flit over each link. */
  #moves(now: number): { readonly queue: number; readonly channel: number }[] {
    const { channels, turns } = this.#options;
    return this.#lastChannel.flatMap((last, link) => {
      const canSend = (channel: number): boolean => {
        const queue = this.#sender[channel]!;
        if (queue === -1 || (turns !== undefined && ![-1, channel].includes(this.#turn[link]!))) return false;
        return this.#room(channel) > 0 && this.#firstOf(this.#queue(queue), now) !== undefined;
      };
      const inTurn = Array.from({ length: channels }, (_, each) => link * channels + ((last + 1 + each) % channels));
      if (!isFreeAt(this.#free[link]!, now)) return [];
      const channel = inTurn.find(canSend);
      if (channel === undefined) return [];
      const queue = this.#sender[channel]!;
      this.#lastChannel[link] = channel - link * channels;
      this.#turn[link] = this.#queue(queue).flits[0]!.isTail ? -1 : channel;
      return [{ queue, channel }];
    });
  }

  #move(index: number, channel: number, now: number): void {
    const queue = this.#queue(index);
    const flit = queue.flits.shift()!;
    const link = Math.floor(channel / this.#options.channels);
    const time = this.#times?.[link] ?? 1;
    this.#free[link] = nextFree(this.#free[link]!, now, time);
    this.#queue(channel).flits.push({ ...flit, from: now + this.#options.link + flitCycles(time) - 1 });
    this.quiet = 0;
    if (!flit.isTail) return;
    this.#sender[channel] = -1;
    Object.assign(queue, { out: -1, since: undefined, free: now + 1 });
  }

  #eject(index: number, { isTail, worm }: Flit, now: number): void {
    const queue = this.#queue(index);
    queue.flits.shift();
    this.quiet = 0;
    if (!isTail) return;
    this.#exit[this.#routes.stations.ofQueue[index]!] = -1;
    Object.assign(queue, { isLeaving: false, since: undefined, free: now + 1 });
    if (--this.#packetsLeft[worm.message]! === 0) this.arrived[worm.message] = now;
  }
}
