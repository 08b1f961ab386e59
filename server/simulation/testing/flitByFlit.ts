import type { Cancellation } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import type { Deadlock, Figures, ObserveDelivery, Transmission } from '../messages.ts';
import type { WormholeAdvance, WormholeNetwork } from '../engines/headers/wormhole.ts';
import type { WormholeOptions } from '../engines/headers/wormholeOptions.ts';

interface Packet {
  readonly transmission: number;
  readonly number: number;
  readonly route: readonly number[];
  readonly start: number;
  /** Index on the route of the channel that each flit is in; −1 at its node, route.length where it is gone. */
  readonly place: number[];
  /** Cycle in which each flit came there. */
  readonly since: number[];
  /** Index of the channel granted last. */
  granted: number;
  /** Cycle in which it asked for the channel after that, where it has. */
  askedAt: number | undefined;
}

interface Sender {
  readonly transmission: number;
  readonly process: number;
  readonly firstNumber: number;
  sent: number;
}

/** What the plain simulation and header events have in common. */
export type Wormhole = Pick<
  WormholeNetwork,
  'now' | 'send' | 'advance' | 'completed' | 'figuresOf' | 'total' | 'packetsUnderWay' | 'deadlock'
>;

/**
 * The plain simulation that engine 1 is held against: every cycle, every packet, every flit, straight from the rules. Only
 * for machines with one route per pair of routers, or with a route that `routeOf` gives. O(flits under way) a cycle.
 */
export class FlitByFlit implements Wormhole {
  now = 0;
  completed: number[] = [];
  deadlock: Deadlock | undefined;
  readonly total = { packets: 0, hops: 0, latency: 0 };
  /** Flits that moved from one channel to the next, for benches. */
  flitHops = 0;
  readonly #transmissions: Transmission[] = [];
  readonly #figures: { packets: number; hops: number; latency: number }[] = [];
  readonly #owners = new Map<number, Packet>();
  readonly #senders: Sender[][];
  /** The sender of each node whose packet is being routed or leaves the node. */
  readonly #sending: (Sender | undefined)[];
  #packets: Packet[] = [];
  #finished: number[] = [];
  #numbered = 0;
  readonly #machine: Machine;
  readonly #options: WormholeOptions;
  readonly #observe: ObserveDelivery;

  constructor(machine: Machine, options: WormholeOptions, observe: ObserveDelivery = () => undefined) {
    this.#machine = machine;
    this.#options = options;
    this.#observe = observe;
    this.#senders = Array.from({ length: machine.nodeCount }, () => []);
    this.#sending = new Array<Sender | undefined>(machine.nodeCount).fill(undefined);
  }

  get packetsUnderWay(): number {
    return this.#packets.filter(({ place, route }) => place.at(-1)! < route.length - 1).length;
  }

  send(transmission: Transmission): number {
    const { source, nodeOfProcess } = transmission;
    const id = this.#transmissions.push(transmission) - 1;
    this.#figures.push({ packets: 0, hops: 0, latency: 0 });
    if (source.packetCount === 0) this.#finished.push(id);
    for (let process = 0; process < source.processCount; process++) {
      if (source.packetsOf(process) === 0) continue;
      const node = nodeOfProcess[process]!;
      this.#senders[node]!.push({ transmission: id, process, firstNumber: this.#numbered, sent: 0 });
      this.#numbered += source.packetsOf(process);
      this.#startNext(node);
    }
    return id;
  }

  figuresOf(transmission: number): Figures | undefined {
    return this.#figures[transmission];
  }

  advance(to: number, cancellation: Cancellation): WormholeAdvance {
    if (this.deadlock) return 'deadlock';
    this.completed = [];
    for (;;) {
      this.#askAndGrant();
      if (this.#finished.length > 0) {
        this.completed = this.#finished.sort((a, b) => a - b);
        this.#finished = [];
        return 'completed';
      }
      this.deadlock = this.#findDeadlock();
      if (this.deadlock) return 'deadlock';
      if (this.now >= to) return 'reached';
      if (cancellation.isCancelled()) return 'cancelled';
      this.now++;
      for (const packet of this.#packets) this.#move(packet);
      this.#packets = this.#packets.filter(({ place, route }) => place.at(-1)! < route.length);
    }
  }

  #startNext(node: number): void {
    if (this.#sending[node]) return;
    const sender = this.#senders[node]!.shift();
    this.#sending[node] = sender;
    if (sender === undefined) return;
    const { source, nodeOfProcess, flits } = this.#transmissions[sender.transmission]!;
    const packet: Packet = {
      transmission: sender.transmission,
      number: sender.firstNumber + sender.sent,
      route: routeOf(this.#machine, node, nodeOfProcess[source.destinationOf(sender.process, sender.sent)]!),
      start: this.now,
      place: new Array<number>(flits).fill(-1),
      since: new Array<number>(flits).fill(this.now),
      granted: -1,
      askedAt: undefined,
    };
    sender.sent++;
    this.#packets.push(packet);
  }

  /** A packet has left its node: its process queues up anew where it has more. */
  #goOnSending(node: number): void {
    const sender = this.#sending[node]!;
    const { source } = this.#transmissions[sender.transmission]!;
    if (sender.sent < source.packetsOf(sender.process)) this.#senders[node]!.push(sender);
    this.#sending[node] = undefined;
    this.#startNext(node);
  }

  /** Moves the flits of a packet, the header first, so that all of them may move up in the same cycle. */
  #move(packet: Packet): void {
    const { place, since, route } = packet;
    const tail = place.length - 1;
    for (let flit = 0; flit <= tail; flit++) {
      if (since[flit] === this.now || !this.#mayMove(packet, flit)) continue;
      place[flit]!++;
      since[flit] = this.now;
      this.flitHops++;
      if (flit === tail && place[flit] === route.length - 1) this.#deliver(packet);
      if (flit === tail && place[flit]! > 0) this.#release(packet, place[flit]! - 1);
    }
  }

  #mayMove({ place, since, route, granted }: Packet, flit: number): boolean {
    const next = place[flit]! + 1;
    if (next > route.length || (next < route.length && granted < next)) return false;
    if (flit > 0 && (place[flit - 1]! < next || (place[flit - 1] === next && since[flit - 1] === this.now)))
      return false;
    return next === route.length || place.filter((one) => one === next).length < this.#options.buffer;
  }

  #release(packet: Packet, index: number): void {
    this.#owners.delete(packet.route[index]!);
    if (index === 0) this.#goOnSending((packet.route[0]! - this.#machine.topology.links.routerLinkCount) / 2);
  }

  #deliver({ transmission, number, start, route }: Packet): void {
    for (const figures of [this.#figures[transmission]!, this.total]) {
      figures.packets++;
      figures.hops += route.length - 2;
      figures.latency += this.now - start;
    }
    const first = this.#transmissions.slice(0, transmission).reduce((sum, { source }) => sum + source.packetCount, 0);
    this.#observe(transmission, number - first, start, this.now, route.length - 2);
    const { packetCount } = this.#transmissions[transmission]!.source;
    if (this.#figures[transmission]!.packets === packetCount) this.#finished.push(transmission);
  }

  #askAndGrant(): void {
    const waiting = new Map<number, Packet[]>();
    for (const packet of this.#packets) {
      const { granted, route, place, since } = packet;
      const arrived = granted < 0 ? packet.start : since[0]!;
      if (granted === place[0] && granted < route.length - 1 && arrived + this.#options.routing <= this.now) {
        packet.askedAt ??= this.now;
        const channel = route[granted + 1]!;
        waiting.set(channel, [...(waiting.get(channel) ?? []), packet]);
      }
    }
    for (const [channel, packets] of waiting) {
      if (this.#owners.has(channel)) continue;
      const [first] = packets.sort((a, b) => a.askedAt! - b.askedAt! || a.number - b.number);
      this.#owners.set(channel, first!);
      first!.granted++;
      first!.askedAt = undefined;
    }
  }

  #blocker(packet: Packet): Packet | undefined {
    return packet.askedAt === undefined ? undefined : this.#owners.get(packet.route[packet.granted + 1]!);
  }

  #findDeadlock(): Deadlock | undefined {
    const inOrder = [...this.#packets].sort((a, b) => a.number - b.number);
    for (const first of inOrder) {
      const circle = [first];
      for (let each = this.#blocker(first); each && !circle.includes(each); each = this.#blocker(each))
        circle.push(each);
      if (this.#blocker(circle.at(-1)!) !== first) continue;
      const waits = circle.map(({ number, transmission, route, granted, askedAt }, index) => ({
        packet: number,
        transmission,
        since: askedAt!,
        holds: route.filter((channel, at) => at <= granted && this.#owners.get(channel) === circle[index]),
        wants: route[granted + 1]!,
      }));
      return { since: Math.max(...circle.map(({ askedAt }) => askedAt!)), waits };
    }
    return undefined;
  }
}

/** Injection, links, ejection; of several shortest legal ways the one whose links come first in the routing's order. */
export function routeOf({ topology, routing }: Machine, from: number, to: number): number[] {
  const { links, routerOfNode } = topology;
  const [first, last] = [routerOfNode[from]!, routerOfNode[to]!];
  const target = asRouterId(last);
  const route = [...(routing.route(asRouterId(first), target) ?? [])] as number[];
  const { graph } = routing;
  if (routing.route(asRouterId(first), target) === undefined && graph) {
    const left = routing.stepsTo(target)!;
    for (let state = graph.startOf[first]!; graph.routerOf[state] !== last;) {
      let step = graph.firstStep[state]!;
      while (left[graph.stepTo[step]!]! >= left[state]!) step++;
      route.push(graph.stepLink[step]!);
      state = graph.stepTo[step]!;
    }
  }
  return [links.routerLinkCount + 2 * from, ...route, links.routerLinkCount + 2 * to + 1];
}
