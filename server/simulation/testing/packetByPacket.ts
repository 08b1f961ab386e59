import type { Cancellation } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import { receiverOf, senderOf, type Machine } from '../../model/machine.ts';
import type { Deadlock, MessageAdvance, MessageNetwork, MessageObserver, WaitingPacket } from '../messages.ts';
import type { PacketOptions } from '../engines/packets/packetTables.ts';
import { flitTimes } from '../engines/flitTimes.ts';
import { mixedBits, tiesOf } from '../engines/packetRoutes.ts';

interface Packet {
  readonly message: Message;
  readonly created: number;
  routedAt: number;
  /** Cycle from which each of its flits may leave the station that it comes to, and from which the last one will: it is foreseen. */
  flitAt: number[];
  tailAt: number;
  state: number;
  /** A bit for each axis: the way half-way round. */
  readonly ties: number;
  hops: number;
}

interface Message {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  toMake: number;
  toArrive: number;
}

/** Where packets stand one after the other: at the end of a channel of a link, or in a node. */
interface Queue {
  readonly index: number;
  readonly station: number;
  /** Link and channel; −1 of a node. */
  readonly link: number;
  readonly channel: number;
  port: number;
  readonly packets: Packet[];
  /** Flits that are in it or on the way to it. */
  flits: number;
  /** Flits of the first packet that have left. */
  left: number;
  /** What the first packet has been given: a queue, or the way out. */
  grant: Queue | 'out' | undefined;
  bet: number;
  since: number;
  /** Since the packet is first. */
  isNew: boolean;
  /** Cycle in which a flit will have crossed; those in which what came in last and what goes out began and end. */
  flitEnd: number;
  /** `flitAt` of the packet that goes out, here and where it goes. */
  here: readonly number[];
  there: number[];
  incoming: Span;
  outgoing: Span;
}

/** First and last cycle. */
type Span = readonly [number, number];
const never: Span = [-2, -2];

interface Choice {
  readonly queue: Queue | 'out';
  readonly needsBubble: boolean;
  readonly state: number;
}

/** Who asks for what in a cycle: by channel, or by node of those that are there. */
type Asked = Map<Queue | number, { readonly queue: Queue; readonly choice: Choice }[]>;

interface Choices {
  readonly choices: Choice[];
  readonly escape?: Choice;
}

/**
 * The plain simulation that the events of packets are held against: every cycle, every queue, flits counted, straight from
 * the rules. O(queues) a cycle.
 */
export class PacketByPacket implements MessageNetwork {
  readonly endpoints = 'nodes';
  readonly secondsPerCycle = undefined;
  now = -1;
  sent: number[] = [];
  arrived: number[] = [];
  messagesUnderWay = 0;
  deadlock: Deadlock | undefined;
  readonly #machine: Machine;
  readonly #options: PacketOptions;
  readonly #observer: MessageObserver;
  readonly #seed: number;
  readonly #queues: Queue[] = [];
  readonly #links: { readonly from: number; readonly to: number; channel: number; next: number }[] = [];
  /** Whole cycles of a flit by link; undefined where all take one. */
  readonly #times: Float64Array | undefined;
  readonly #nodes: { readonly messages: Message[]; buffer: number; made: number; readonly queue: Queue }[] = [];
  /** Of each queue, and of each node's way out: who has it, and the port that had it last. */
  readonly #holders = new Map<Queue | number, Queue>();
  readonly #winners = new Map<Queue | number, number>();
  readonly #lastLinks = new Map<Queue, number>();
  readonly #free: number[] = [];
  #numbers = 0;
  #moved = 0;

  constructor(machine: Machine, options: PacketOptions, observer: MessageObserver, seed: number) {
    this.#machine = machine;
    this.#options = options;
    this.#observer = observer;
    this.#seed = seed;
    this.#times = flitTimes(machine);
    const { topology, nodeCount } = machine;
    const { links, routerCount, hasHostLinks, routerOfNode } = topology;
    for (let link = 0; link < links.routerLinkCount; link++) {
      this.#links.push({ from: links.from[link]!, to: links.to[link]!, channel: -1, next: 0 });
    }
    for (let node = 0; hasHostLinks && node < nodeCount; node++) {
      this.#links.push({ from: routerCount + node, to: routerOfNode[node]!, channel: -1, next: 0 });
      this.#links.push({ from: routerOfNode[node]!, to: routerCount + node, channel: -1, next: 0 });
    }
    const queueAt = (station: number, link: number, channel: number): Queue => {
      const queue: Queue = {
        ...{ index: this.#queues.length, station, link, channel, port: 0, packets: [], flits: 0, left: 0 },
        ...{
          grant: undefined,
          bet: 0,
          since: 0,
          isNew: true,
          flitEnd: -1,
          here: [],
          there: [],
          incoming: never,
          outgoing: never,
        },
      };
      this.#queues.push(queue);
      return queue;
    };
    for (const [link, { to }] of this.#links.entries()) {
      for (let channel = 0; channel < options.channels; channel++) queueAt(to, link, channel);
    }
    for (let node = 0; node < nodeCount; node++) {
      const queue = queueAt(this.#stationOf(node), -1, -1);
      this.#nodes.push({ messages: [], buffer: 0, made: 0, queue });
    }
    const ports = new Map<number, number>();
    const inOrder = [...this.#queues].sort((a, b) => this.#direction(a) - this.#direction(b) || a.index - b.index);
    for (const queue of inOrder) {
      queue.port = ports.get(queue.station) ?? 0;
      ports.set(queue.station, queue.port + 1);
    }
  }

  #stationOf(node: number): number {
    const { topology } = this.#machine;
    return topology.hasHostLinks ? topology.routerCount + node : topology.routerOfNode[node]!;
  }

  /** +x, −x, +y … of what comes along a link of a grid, by its two ends; all the same elsewhere, nodes last. */
  #direction({ link }: Queue): number {
    if (link < 0) return 1000;
    return this.#isGrid() ? 2 * this.#wayOf(link).axis + (this.#wayOf(link).step > 0 ? 0 : 1) : 0;
  }

  #isGrid(): boolean {
    return this.#machine.routing.kind === 'dimension-order';
  }

  #position(router: number, axis: number): number {
    const shape = this.#machine.topology.shape!;
    return Math.floor(router / shape.slice(0, axis).reduce((product, side) => product * side, 1)) % shape[axis]!;
  }

  #isRing(axis: number): boolean {
    return this.#machine.topology.wraps![axis]! && this.#machine.topology.shape![axis]! > 2;
  }

  #wayOf(link: number): { readonly axis: number; readonly step: number } {
    const { from, to } = this.#links[link]!;
    const { shape } = this.#machine.topology;
    const axis = shape!.findIndex((_, each) => this.#position(from, each) !== this.#position(to, each));
    const step = this.#position(to, axis) - this.#position(from, axis);
    return { axis, step: Math.abs(step) === 1 || !this.#isRing(axis) ? step : -Math.sign(step) };
  }

  /** Signed steps left along an axis, half-way round as the packet was made. */
  #stepsLeft(router: number, target: number, axis: number, ties: number): number {
    const side = this.#machine.topology.shape![axis]!;
    const straight = this.#position(target, axis) - this.#position(router, axis);
    if (!this.#isRing(axis)) return straight;
    const onwards = (straight + side) % side;
    if (onwards === side - onwards) return ((ties >> axis) & 1) === 0 ? onwards : -onwards;
    return onwards < side - onwards ? onwards : onwards - side;
  }

  send(from: number, to: number, bytes: number): number {
    const number = this.#free.pop() ?? this.#numbers++;
    const packets = Math.max(1, Math.ceil(bytes / (this.#options.packet * this.#options.flit)));
    this.#nodes[from]!.messages.push({ number, from, to, toMake: packets, toArrive: packets });
    this.messagesUnderWay++;
    return number;
  }

  advance(to: number, cancellation: Cancellation): MessageAdvance {
    if (this.deadlock) return 'deadlock';
    this.#free.push(...this.arrived);
    this.sent = [];
    this.arrived = [];
    while (this.now < to) {
      if (cancellation.isCancelled()) return 'cancelled';
      this.now++;
      this.#runCycle();
      if (this.#isDeadlocked()) {
        this.deadlock = { since: this.now, waits: [] };
        return 'deadlock';
      }
      if (this.sent.length + this.arrived.length === 0) continue;
      this.sent.sort((a, b) => a - b);
      this.arrived.sort((a, b) => a - b);
      return 'events';
    }
    return 'reached';
  }

  /** Nothing has moved, nobody waits for his time, and packets are there. */
  #isDeadlocked(): boolean {
    const waiting = this.#queues.filter(({ packets }) => packets.length > 0);
    const isTimed = waiting.some(({ packets }) => packets[0]!.routedAt > this.now);
    const makes = this.#nodes.some(({ messages, buffer }) => messages.length > 0 && this.#hasSpace(buffer));
    return waiting.length > 0 && this.#moved === 0 && !isTimed && !makes && this.#idleFor++ > 40 * this.#options.packet;
  }

  #idleFor = 0;

  #hasSpace(buffer: number): boolean {
    return buffer + this.#options.packet <= this.#options.queue * this.#options.packet;
  }

  waiting(): readonly WaitingPacket[] {
    return [];
  }

  #runCycle(): void {
    this.#moved = 0;
    this.#makePackets();
    this.#arbitrate(this.#askAll());
    this.#moveAll();
  }

  #makePackets(): void {
    const { packet: flits, queue: capacity } = this.#options;
    for (const node of this.#nodes) {
      const [message] = node.messages;
      if (message && this.#hasSpace(node.buffer)) {
        const routedAt = this.now + this.#options.router;
        const { routing, topology } = this.#machine;
        const state = routing.graph?.startOf[topology.routerOfNode[message.from]!] ?? 0;
        const ties = this.#options.routing === 'adaptive' ? tiesOf(this.#seed, message.from, node.made++) : 0;
        const flitAt = new Array<number>(flits).fill(this.now);
        node.queue.packets.push({
          message,
          created: this.now,
          routedAt,
          flitAt,
          tailAt: this.now,
          state,
          ties,
          hops: 0,
        });
        node.buffer += flits;
        if (--message.toMake === 0) {
          this.sent.push(message.number);
          node.messages.shift();
        }
      }
      const passing = Math.min(node.buffer, capacity * flits - node.queue.flits);
      node.buffer -= passing;
      node.queue.flits += passing;
    }
  }

  #askAll(): Asked {
    const asked: Asked = new Map();
    for (const queue of this.#queues) {
      const [packet] = queue.packets;
      if (!packet || queue.grant !== undefined || packet.routedAt > this.now) continue;
      if (queue.isNew) {
        queue.isNew = false;
        queue.since = this.now;
        queue.bet = 0;
        this.#choicesOf.set(queue, this.#choices(queue, packet));
      }
      const { choices, escape } = this.#choicesOf.get(queue)!;
      if (choices[0]?.queue === 'out' && this.#options.ejection === 'multiple') {
        queue.grant = 'out';
        continue;
      }
      const choice = this.#pick(queue, choices, escape);
      if (choice === undefined) continue;
      const output = choice.queue === 'out' ? packet.message.to : choice.queue;
      if (!this.#holders.has(output)) asked.set(output, [...(asked.get(output) ?? []), { queue, choice }]);
    }
    return asked;
  }

  #arbitrate(asked: Asked): void {
    for (const [output, asking] of asked) {
      const last = this.#winners.get(output) ?? -1;
      const isFirstCome = this.#options.arbiter === 'first-come';
      const { queue, choice } = asking.sort((a, b) =>
        isFirstCome
          ? a.queue.since - b.queue.since || a.queue.port - b.queue.port
          : this.#turn(a.queue.port, last) - this.#turn(b.queue.port, last),
      )[0]!;
      this.#holders.set(output, queue);
      this.#winners.set(output, queue.port);
      queue.grant = choice.queue;
      if (choice.queue !== 'out') queue.packets[0]!.state = choice.state;
    }
  }

  #turn = (port: number, last: number): number => (port > last ? port - last : port - last + 1_000_000);

  readonly #choicesOf = new Map<Queue, Choices>();

  #hasRoom({ queue, needsBubble }: Choice): boolean {
    if (queue === 'out') return true;
    const { packet: flits, queue: capacity, bubble } = this.#options;
    const room = (of: Queue): number => capacity * flits - (this.#times ? flits * this.#placesTaken(of) : of.flits);
    if (room(queue) < flits) return false;
    if (!needsBubble) return true;
    return room(bubble!.here ? this.#ownQueue(queue)! : queue) >= bubble!.packets * flits;
  }

  /** Where links are unequal a packet has a whole place, or that of one that began to go out no later and ends no later. */
  #placesTaken({ packets, incoming, outgoing }: Queue): number {
    const areMoving = incoming[1] >= this.now && outgoing[1] >= this.now;
    return packets.length - (areMoving && outgoing[0] <= incoming[0] && outgoing[1] <= incoming[1] ? 1 : 0);
  }

  /** The queue of the same ring and direction at the station that a link leaves. */
  #ownQueue({ link, channel }: Queue): Queue | undefined {
    if (link >= this.#machine.topology.links.routerLinkCount || !this.#isGrid()) return undefined;
    const { axis, step } = this.#wayOf(link);
    if (!this.#isRing(axis)) return undefined;
    const { from } = this.#links[link]!;
    return this.#queues.find((other) => {
      if (other.station !== from || other.channel !== channel || other.link < 0) return false;
      const way = this.#wayOf(other.link);
      return way.axis === axis && way.step === step;
    });
  }

  #pick(queue: Queue, choices: Choice[], escape: Choice | undefined): Choice | undefined {
    const withRoom = choices.filter((choice) => this.#hasRoom(choice));
    const last = escape && this.#hasRoom(escape) ? escape : undefined;
    if (this.#options.select === 'random' && choices.length + (escape ? 1 : 0) > 1) {
      return withRoom.length === 0 ? last : withRoom[drawn(this.#seed, queue.index, this.now, withRoom.length)];
    }
    if (this.#options.select === 'least-filled' && withRoom.length > 0) {
      const taken = (to: Queue): number => (this.#times ? this.#placesTaken(to) : to.flits / this.#options.packet);
      const room = ({ queue: to }: Choice): number => (to === 'out' ? 1 : Math.floor(-taken(to)));
      return withRoom.reduce((best, choice) => (room(choice) > room(best) ? choice : best));
    }
    if (this.#options.select === 'least-filled') return last;
    for (let each = queue.bet; each < choices.length; each++) {
      if (!this.#hasRoom(choices[each]!)) continue;
      queue.bet = each + 1;
      return choices[each];
    }
    const bet = queue.bet;
    queue.bet = 0;
    if (escape) return last;
    for (let each = 0; each < bet; each++) {
      if (!this.#hasRoom(choices[each]!)) continue;
      queue.bet = each + 1;
      return choices[each];
    }
    return undefined;
  }

  #linksFrom(station: number, is: (link: number) => boolean): number {
    return this.#links.findIndex(({ from }, link) => from === station && is(link));
  }

  #channelsOf(link: number, from: number, to: number, state = 0, needsBubble = false): Choice[] {
    const { channels } = this.#options;
    const found: Choice[] = [];
    for (let channel = from; channel < to; channel++) {
      found.push({ queue: this.#queues[link * channels + channel]!, needsBubble, state });
    }
    return found;
  }

  #choices(queue: Queue, packet: Packet): Choices {
    const { topology } = this.#machine;
    const { to } = packet.message;
    const { station } = queue;
    const target = topology.routerOfNode[to]!;
    const all = (link: number): Choices => ({ choices: this.#allChannelsOf(link, packet.state) });
    if (station === this.#stationOf(to)) return { choices: [{ queue: 'out', needsBubble: false, state: 0 }] };
    if (station >= topology.routerCount) return all(this.#linksFrom(station, () => true));
    if (station === target)
      return all(this.#linksFrom(station, (link) => this.#links[link]!.to === this.#stationOf(to)));
    if (this.#machine.routing.byNode !== undefined) return all(this.#linkOfRoute(station, packet.message));
    if (!this.#isGrid()) return { choices: this.#graphChoices(queue, packet.state, target) };
    return this.#options.routing === 'adaptive'
      ? this.#adaptiveChoices(queue, target, packet.ties)
      : { choices: this.#orderedChoices(queue, target) };
  }

  #allChannelsOf(link: number, state: number): Choice[] {
    return this.#channelsOf(link, 0, this.#options.channels, state);
  }

  /** The link that leaves a router on the one route of a message. */
  #linkOfRoute(router: number, { from, to }: Message): number {
    const route = this.#machine.routing.route(senderOf(this.#machine, from), receiverOf(this.#machine, to))!;
    return route.find((link) => this.#links[link]!.from === router)!;
  }

  #graphChoices(queue: Queue, state: number, target: number): Choice[] {
    const { routing } = this.#machine;
    const graph = routing.graph!;
    const left = routing.stepsTo(asRouterId(target))!;
    const steps: number[] = [];
    for (let step = graph.firstStep[state]!; step < graph.firstStep[state + 1]!; step++) {
      if (left[graph.stepTo[step]!]! < left[state]!) steps.push(step);
    }
    const last = this.#lastLinks.get(queue) ?? -1;
    const behind = (step: number): number => (graph.stepLink[step]! > last ? 0 : 1);
    const isAdaptive = this.#options.routing === 'adaptive';
    const turned = isAdaptive ? steps.sort((a, b) => behind(a) - behind(b) || a - b) : steps.slice(0, 1);
    return turned.flatMap((step) => this.#allChannelsOf(graph.stepLink[step]!, graph.stepTo[step]!));
  }

  /** The next link in dimension order, and what concerns rings there. */
  #ordered(
    station: number,
    target: number,
    ties: number,
  ): { link: number; isRing: boolean; wrapsAhead: boolean; own: Queue | undefined } {
    const { axis } = this.#wayOf(this.#machine.routing.route(asRouterId(station), asRouterId(target))![0]!);
    const step = this.#stepsLeft(station, target, axis, ties);
    const link = this.#linkAlong(station, axis, step > 0);
    const ahead = this.#position(target, axis) - this.#position(station, axis);
    const own = this.#ownQueue(this.#queues[link * this.#options.channels]!);
    return { link, isRing: this.#isRing(axis), wrapsAhead: step > 0 ? ahead < 0 : ahead > 0, own };
  }

  #orderedChoices(queue: Queue, target: number): Choice[] {
    const { channels, bubble } = this.#options;
    const { link, isRing, wrapsAhead, own } = this.#ordered(queue.station, target, 0);
    if (isRing && bubble) {
      const isStraight = own?.link === queue.link && queue.link >= 0;
      return isStraight
        ? this.#channelsOf(link, queue.channel, queue.channel + 1)
        : this.#channelsOf(link, 0, channels, 0, true);
    }
    const middle = channels >> 1;
    if (!isRing || middle === 0) return this.#channelsOf(link, 0, channels);
    return wrapsAhead ? this.#channelsOf(link, 0, middle) : this.#channelsOf(link, middle, channels);
  }

  #linkAlong(station: number, axis: number, isOnwards: boolean): number {
    return this.#linksFrom(station, (link) => {
      const way = this.#wayOf(link);
      return way.axis === axis && way.step > 0 === isOnwards;
    });
  }

  /** Channels of each link that are for escape. */
  #reserved(): number {
    const { channels, bubble } = this.#options;
    const hasRings = this.#machine.topology.shape!.some((_, axis) => this.#isRing(axis));
    return channels === 1 ? 0 : hasRings && !bubble && channels > 2 ? 2 : 1;
  }

  #adaptiveChoices(queue: Queue, target: number, ties: number): Choices {
    const { channels, bubble } = this.#options;
    const { station } = queue;
    const { length: axes } = this.#machine.topology.shape!;
    const arrived = queue.link < 0 ? undefined : this.#wayOf(queue.link);
    const reserved = this.#reserved();
    const choices: Choice[] = [];
    for (let turn = 0; turn < axes; turn++) {
      const axis = ((arrived?.axis ?? 0) + turn) % axes;
      const steps = this.#stepsLeft(station, target, axis, ties);
      if (steps === 0) continue;
      const ofLink = this.#channelsOf(this.#linkAlong(station, axis, steps > 0), reserved, channels);
      const isStraight = arrived?.axis === axis && queue.channel >= reserved;
      const begin = isStraight ? queue.channel - reserved : 0;
      choices.push(...ofLink.slice(begin), ...ofLink.slice(0, begin));
    }
    if (reserved === 0) return { choices };
    const { link, isRing, wrapsAhead, own } = this.#ordered(station, target, ties);
    const channel = reserved === 2 && isRing && !wrapsAhead ? 1 : 0;
    const needsBubble = bubble !== undefined && isRing && own !== queue;
    return { choices, escape: { queue: this.#queues[link * channels + channel]!, needsBubble, state: 0 } };
  }

  #moveAll(): void {
    const { channels } = this.#options;
    for (const queue of this.#queues) if (queue.grant === 'out') this.#moveFlit(queue);
    for (const [link, state] of this.#links.entries()) {
      for (let turn = 0; state.channel < 0 && turn < channels; turn++) {
        const channel = (state.next + turn) % channels;
        if (!this.#holders.has(this.#queues[link * channels + channel]!)) continue;
        state.channel = channel;
        state.next = (channel + 1) % channels;
      }
      if (state.channel < 0) continue;
      if (this.#moveFlit(this.#holders.get(this.#queues[link * channels + state.channel]!)!)) state.channel = -1;
    }
    for (const queue of this.#queues) if (queue.left === this.#options.packet) this.#leave(queue);
  }

  /** Whether it was the last one. */
  #moveFlit(queue: Queue): boolean {
    return this.#times === undefined ? this.#moveFlitAtOnce(queue) : this.#moveFlitInTime(queue, this.#times);
  }

  /** A flit begins to cross when it is there and the one before it has crossed; it has in the last of its cycles. */
  #moveFlitInTime(queue: Queue, times: Float64Array): boolean {
    const { packet: flits, link } = this.#options;
    const packet = queue.packets[0]!;
    const { grant } = queue;
    const to = grant === 'out' || grant === undefined ? undefined : grant;
    const time = to === undefined ? 1 : times[to.link]!;
    this.#idleFor = 0;
    this.#moved++;
    if (queue.flitEnd < this.now) {
      if (queue.left === 0) {
        queue.here = packet.flitAt;
        packet.flitAt = queue.there = new Array<number>(flits).fill(Infinity);
      }
      if (queue.here[queue.left]! > this.now) return false;
      queue.flitEnd = this.now + time - 1;
      if (queue.left === 0) {
        queue.outgoing = [this.now, Math.max(this.now + flits * time, packet.tailAt + time) - 1];
        if (to !== undefined) this.#enterInTime(queue, to);
      }
    }
    if (queue.flitEnd > this.now) return false;
    queue.there[queue.left] = this.now + Math.max(link, 1);
    queue.flits--;
    queue.left++;
    if (queue.left < flits) return false;
    if (this.now !== queue.outgoing[1]) throw new Error('A packet has left in another cycle than was foreseen.');
    const [start, end] = queue.outgoing;
    if (to !== undefined) this.#observer.crossed?.(to.link, start, end - start + 1, packet.message.number);
    return true;
  }

  /** The first flit of a packet begins to cross a link: it has a place in the queue there. */
  #enterInTime(queue: Queue, to: Queue): void {
    const { switching, router, link } = this.#options;
    const packet = queue.packets[0]!;
    to.packets.push(packet);
    to.incoming = queue.outgoing;
    const first = switching === 'store-and-forward' ? queue.outgoing[1] : queue.flitEnd;
    packet.routedAt = first + router + link;
    packet.tailAt = queue.outgoing[1] + Math.max(link, 1);
    if (to.link < this.#machine.topology.links.routerLinkCount) packet.hops++;
    this.#lastLinks.set(queue, to.link);
  }

  #moveFlitAtOnce(queue: Queue): boolean {
    const { packet: flits, switching, router, link } = this.#options;
    const packet = queue.packets[0]!;
    this.#moved++;
    this.#idleFor = 0;
    queue.flits--;
    queue.left++;
    const { grant } = queue;
    if (grant !== undefined && grant !== 'out') {
      grant.flits++;
      if (queue.left === 1) {
        packet.routedAt = this.now + router + link + (switching === 'store-and-forward' ? flits - 1 : 0);
        if (grant.link < this.#machine.topology.links.routerLinkCount) packet.hops++;
        grant.packets.push(packet);
        this.#lastLinks.set(queue, grant.link);
        this.#observer.crossed?.(grant.link, this.now, flits, packet.message.number);
      }
    }
    return queue.left === flits;
  }

  #leave(queue: Queue): void {
    const packet = queue.packets.shift()!;
    const { message } = packet;
    this.#holders.delete(queue.grant === 'out' ? message.to : queue.grant!);
    if (queue.grant === 'out') {
      this.#observer.delivered?.(message.number, packet.created, this.now, packet.hops, this.#options.packet);
      if (--message.toArrive === 0) {
        this.arrived.push(message.number);
        this.messagesUnderWay--;
      }
    }
    queue.grant = undefined;
    queue.left = 0;
    queue.isNew = true;
  }
}

/** A number below `bound` that depends on its arguments alone. */
const drawn = (seed: number, queue: number, cycle: number, bound: number): number =>
  Math.floor((mixedBits(seed, queue, cycle) / 2 ** 32) * bound);
