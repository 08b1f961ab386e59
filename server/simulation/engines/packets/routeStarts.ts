/**
 * The state of its route in which a message begins, as the kernel numbers them (`kernels/packets/graph.ts`). Routes without a choice are
 * written into its memory when somebody first sends along them: of routings that look at receivers alone a step for each router on the way to
 * one, else a chain of steps for each flow.
 */
import { asAddressId } from '../../../model/identifiers.ts';
import { receiverOf, senderOf, type Machine } from '../../../model/machine.ts';
import { intAt } from '../../../numeric/elements.ts';
import { FixedRoutes } from '../fixedRoutes.ts';
import { gridAxesOf } from '../packetStations.ts';
import type { PacketMemory } from './packetMemory.ts';

/** Whether packets have no choice of links: their routes are neither axis by axis on a grid nor steps of a graph. */
export const hasFixedRoutes = (machine: Machine): boolean =>
  machine.routing.graph === undefined && gridAxesOf(machine) === undefined;

/** Links of the route of a flow, as much as is reckoned with. */
const usualHops = 8;

/** Steps of all routes without a choice that may come to be written. */
export function mostSteps({ nodeCount, topology, routing }: Machine): number {
  return nodeCount * (routing.byNode === 'both' ? nodeCount * usualHops : topology.routerCount);
}

export class RouteStarts {
  readonly #machine: Machine;
  readonly #memory: PacketMemory;
  readonly #fixed: FixedRoutes | undefined;
  /** The first step by receiver, or by flow. */
  readonly #firstSteps = new Map<number, number>();

  constructor(machine: Machine, memory: PacketMemory) {
    this.#machine = machine;
    this.#memory = memory;
    if (hasFixedRoutes(machine)) this.#fixed = new FixedRoutes(machine);
  }

  /** Of a message from one node to another; 0 on a grid. O(1), or O(hops) for the first of its route, and of its receiver once O(routers). */
  of(from: number, to: number): number {
    const { routing, topology } = this.#machine;
    if (this.#fixed === undefined) {
      return routing.graph === undefined ? 0 : intAt(routing.graph.startOf, intAt(topology.routerOfNode, from));
    }
    if (topology.routerOfNode[from] === topology.routerOfNode[to]) return 0;
    return routing.byNode === 'both' ? this.#startOfFlow(from, to) : this.#startTowards(this.#fixed, from, to);
  }

  #startOfFlow(from: number, to: number): number {
    const flow = from * this.#machine.nodeCount + to;
    const known = this.#firstSteps.get(flow);
    if (known !== undefined) return known;
    const [sender, receiver] = [senderOf(this.#machine, from), receiverOf(this.#machine, to)];
    const links = this.#machine.routing.route(asAddressId(sender), asAddressId(receiver)) ?? [];
    const first = this.#add(flow, links.length);
    for (const [index, link] of links.entries()) {
      this.#memory.kernel.placeStep(first + index, link, first + Math.min(index + 1, links.length - 1));
    }
    return first;
  }

  /** A receiver has a step for each router: those from the sender's on are written as far as they are not. */
  #startTowards(fixed: FixedRoutes, from: number, to: number): number {
    const { routerCount, routerOfNode, links } = this.#machine.topology;
    const receiver = receiverOf(this.#machine, to);
    const first = this.#firstSteps.get(receiver) ?? this.#add(receiver, routerCount);
    const start = intAt(routerOfNode, from);
    const target = intAt(routerOfNode, to);
    const { kernel } = this.#memory;
    for (let router = start; router !== target && kernel.hasStep(first + router) === 0;) {
      const link = fixed.nextOf(router, senderOf(this.#machine, from), to);
      const next = intAt(links.to, link);
      kernel.placeStep(first + router, link, first + next);
      router = next;
    }
    return first + start;
  }

  #add(key: number, count: number): number {
    let first = this.#memory.kernel.addSteps(count);
    while (first < 0) {
      this.#memory.grow();
      first = this.#memory.kernel.addSteps(count);
    }
    this.#firstSteps.set(key, first);
    return first;
  }
}
