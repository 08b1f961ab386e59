/** Which cores of the machine are taken (`Occupancy`), and which one a task of a job gets on a node (`FreeCores`). */
import { intAt } from '../../numeric/elements.ts';
import type { Machine } from '../../model/machine.ts';
import type { MappingProblem } from '../contract.ts';
import { accumulated } from '../../numeric/grouping.ts';
import { nodeOfSlot, socketOnNode } from '../../model/slots.ts';

/** What the jobs mapped so far hold of the machine; changed as tasks are put. */
export interface Occupancy {
  /** By SlotId: 1 where a task sits. */
  readonly taken: Uint8Array;
  /** Tasks of jobs with large messages, by node · sockets + socket. */
  readonly largeOnSocket: Int32Array;
}

export const emptyOccupancy = (machine: Machine): Occupancy => ({
  taken: new Uint8Array(machine.slotCount),
  largeOnSocket: new Int32Array(machine.nodeCount * machine.socketsPerNode),
});

/**
 * The cores that one job may still take, by site (a node with slots of the job, in the order of its
 * slots) and socket. A job with large messages puts its tasks of a node on different sockets while
 * there are any (rule 4 of Soryani et al. 2013); others keep away from the sockets of large ones.
 */
export class FreeCores {
  readonly siteCount: number;
  /** Cores that the job may still take, by site. */
  readonly idle: Int32Array;
  /** Tasks of the job, by site. */
  readonly used: Int32Array;
  readonly #machine: Machine;
  readonly #occupancy: Occupancy;
  readonly #large: boolean;
  readonly #nodes: Int32Array;
  readonly #slots: Int32Array;
  /**
   * Slots of socket s of site i are #first[k] … #first[k + 1] − 1 with k = i · sockets + s; #next[k] is the first
   * that may be free.
   */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #ownOnSocket: Int32Array;

  /** O(slots of the job). */
  constructor({ machine, slots }: MappingProblem, occupancy: Occupancy, large: boolean) {
    this.#machine = machine;
    this.#occupancy = occupancy;
    this.#large = large;
    this.#slots = bySocket(machine, slots);
    const nodes: number[] = [];
    for (const slot of slots) {
      const node = nodeOfSlot(machine, slot);
      if (nodes.at(-1) !== node) nodes.push(node);
    }
    this.#nodes = Int32Array.from(nodes);
    this.siteCount = nodes.length;
    this.idle = new Int32Array(nodes.length);
    this.used = new Int32Array(nodes.length);
    this.#first = new Int32Array(nodes.length * machine.socketsPerNode + 1);
    this.#ownOnSocket = new Int32Array(nodes.length * machine.socketsPerNode);
    this.#countSlots();
    this.#next = this.#first.slice();
  }

  /** NodeId of a site. */
  nodeOf(site: number): number {
    return intAt(this.#nodes, site);
  }

  /** All cores that the job may still take. */
  get idleCores(): number {
    return this.idle.reduce((sum, cores) => sum + cores, 0);
  }

  /** Takes a core of a site that has an idle one, and says which: SlotId. O(sockets), amortised. */
  put(site: number): number {
    const { socketsPerNode } = this.#machine;
    const { taken, largeOnSocket } = this.#occupancy;
    const socket = this.#socketFor(site);
    const key = site * socketsPerNode + socket;
    const slot = intAt(this.#slots, intAt(this.#next, key));
    taken[slot] = 1;
    this.#next[key] = intAt(this.#next, key) + 1;
    this.#ownOnSocket[key] = intAt(this.#ownOnSocket, key) + 1;
    if (this.#large)
      largeOnSocket[intAt(this.#nodes, site) * socketsPerNode + socket] =
        intAt(largeOnSocket, intAt(this.#nodes, site) * socketsPerNode + socket) + 1;
    this.idle[site] = intAt(this.idle, site) - 1;
    this.used[site] = intAt(this.used, site) + 1;
    return slot;
  }

  /**
   * Of the sockets with a free core: fewest tasks of the job, where its messages are large, then fewest large ones of
   * any.
   */
  #socketFor(site: number): number {
    const { socketsPerNode } = this.#machine;
    const { largeOnSocket } = this.#occupancy;
    let chosen = -1;
    let fewestOwn = 0;
    let fewestLarge = 0;
    for (let socket = 0; socket < socketsPerNode; socket++) {
      if (!this.#hasFree(site * socketsPerNode + socket)) continue;
      const own = this.#large ? intAt(this.#ownOnSocket, site * socketsPerNode + socket) : 0;
      const large = intAt(largeOnSocket, intAt(this.#nodes, site) * socketsPerNode + socket);
      if (chosen >= 0 && (own > fewestOwn || (own === fewestOwn && large >= fewestLarge))) continue;
      chosen = socket;
      fewestOwn = own;
      fewestLarge = large;
    }
    return chosen;
  }

  /** Passes over slots that are taken. */
  #hasFree(key: number): boolean {
    const end = intAt(this.#first, key + 1);
    let next = intAt(this.#next, key);
    while (next < end && this.#occupancy.taken[intAt(this.#slots, next)] === 1) next++;
    this.#next[key] = next;
    return next < end;
  }

  /** Slots of a node stand together, and of a node those of each socket. */
  #countSlots(): void {
    const { socketsPerNode } = this.#machine;
    let site = -1;
    let node = -1;
    for (const slot of this.#slots) {
      if (nodeOfSlot(this.#machine, slot) !== node) {
        site++;
        node = intAt(this.#nodes, site);
      }
      const socket = socketOnNode(this.#machine, slot);
      this.#first[site * socketsPerNode + socket + 1] = intAt(this.#first, site * socketsPerNode + socket + 1) + 1;
      if (this.#occupancy.taken[slot] === 0) this.idle[site] = intAt(this.idle, site) + 1;
    }
    accumulated(this.#first);
  }
}

/** The slots of each node socket by socket. Cores are so already; GPUs of the sockets may take turns. O(slots log slots). */
function bySocket(machine: Machine, slots: Int32Array): Int32Array {
  if (machine.inside.slots === 'cores') return slots;
  const position = new Map<number, number>();
  for (const slot of slots) {
    const node = nodeOfSlot(machine, slot);
    if (!position.has(node)) position.set(node, position.size);
  }
  const key = (slot: number): number =>
    (position.get(nodeOfSlot(machine, slot)) ?? 0) * machine.socketsPerNode + socketOnNode(machine, slot);
  return slots.toSorted((one, other) => key(one) - key(other) || one - other);
}
