/**
 * Routes without a choice that are followed link by link: those of forwarding tables, of the hash of a flow, and in dimension order where
 * coordinates are not those of a grid. What comes next depends on the router, the node that a packet goes to and, of a flow, the node that
 * it comes from.
 */
import { asAddressId, type LinkId } from '../../model/identifiers.ts';
import { receiverOf, senderOf, type Machine } from '../../model/machine.ts';
import { intAt } from '../../numeric/elements.ts';

/** Links of routes, and next links of routers, that are kept. */
const mostKept = 2 ** 25;

const unknown = -1;

export class FixedRoutes {
  readonly #machine: Machine;
  /** Of flows: their links, by sender and receiver. Of others: by receiver, the next link of each router, as far as it was asked for. */
  readonly #kept = new Map<number, Int32Array>();
  #keptEntries = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** What a packet of a node has to remember on its way: where its route begins. */
  senderOf(node: number): number {
    return senderOf(this.#machine, node);
  }

  /** The link that a packet takes from a router on its way, not its last one. O(1) where it was asked for before; O(hops) of a flow. */
  nextOf(router: number, sender: number, node: number): number {
    const { topology, routing } = this.#machine;
    const { links, routerCount } = topology;
    const receiver = receiverOf(this.#machine, node);
    if (routing.byNode === 'both') {
      for (const link of this.#flow(sender, receiver)) if (links.from[link] === router) return link;
      throw new RangeError(`The route from ${sender} to ${receiver} does not contain router ${router}.`);
    }
    if (routing.tables !== undefined) {
      return intAt(links.firstLink, router) + (routing.tables.port[receiver * routerCount + router] ?? Infinity);
    }
    const row = this.#rowOf(receiver);
    const known = row[router] ?? unknown;
    if (known !== unknown) return known;
    const [next] = this.#routeBetween(router, receiver);
    if (next === undefined) throw new RangeError(`No route from router ${router} to ${receiver}.`);
    return (row[router] = next);
  }

  #flow(sender: number, receiver: number): Int32Array {
    const key = sender * (this.#machine.topology.routerCount + this.#machine.nodeCount) + receiver;
    return this.#kept.get(key) ?? this.#keep(key, Int32Array.from(this.#routeBetween(sender, receiver)));
  }

  #rowOf(receiver: number): Int32Array {
    const { routerCount } = this.#machine.topology;
    return this.#kept.get(receiver) ?? this.#keep(receiver, new Int32Array(routerCount).fill(unknown));
  }

  #keep(key: number, entries: Int32Array): Int32Array {
    if (this.#keptEntries + entries.length > mostKept) {
      this.#kept.clear();
      this.#keptEntries = 0;
    }
    this.#keptEntries += entries.length;
    this.#kept.set(key, entries);
    return entries;
  }

  #routeBetween(from: number, to: number): readonly LinkId[] {
    return this.#machine.routing.route(asAddressId(from), asAddressId(to)) ?? [];
  }
}
