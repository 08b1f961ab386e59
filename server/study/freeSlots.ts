import { neverCancelled, WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { nodeWorks, type Machine } from '../model/machine.ts';
import type { Allocation, Mapping, TaskNeeds } from '../model/placement.ts';
import { nodeOfSlot } from '../model/slots.ts';
import { firstSlotsOfNode } from '../model/taskSlots.ts';
import { intAt } from '../numeric/elements.ts';

/** What limits the slots of a job, beside those that other jobs have. */
export interface SlotLimits {
  /** By NodeId: tasks of all jobs that may run on the node. */
  readonly room?: Int32Array | undefined;
  readonly needs?: TaskNeeds | undefined;
}

/** Which cores of a machine the jobs of one placement have left free. */
export class FreeSlots {
  readonly #machine: Machine;
  readonly #taken: Uint8Array;
  /** By NodeId. */
  readonly #tasks: Int32Array;
  /** Free cores of each node, indexed by NodeId. */
  readonly cores: Int32Array;

  /** `excluded`: 1 for each node, by NodeId, that takes no tasks. */
  constructor(machine: Machine, excluded?: Uint8Array) {
    this.#machine = machine;
    this.#taken = new Uint8Array(machine.slotCount);
    this.#tasks = new Int32Array(machine.nodeCount);
    this.cores = new Int32Array(machine.nodeCount);
    for (let node = 0; node < this.cores.length; node++)
      this.cores[node] = nodeWorks(machine.topology, node) && excluded?.[node] !== 1 ? machine.coresPerNode : 0;
  }

  /** Tasks of other jobs on a node. */
  tasksOn(node: number): number {
    return intAt(this.#tasks, node);
  }

  /** Tasks that each node can take, by NodeId: one for each free core where nothing limits them. O(nodes), or O(slots) with needs. */
  tasksWithin(limits: SlotLimits): Int32Array {
    const { room, needs } = limits;
    if (room === undefined && needs === undefined) return this.cores;
    return this.cores.map((_, node) => this.#tasksOfNode(node, limits));
  }

  /** What jobs before have on the node counts: they stand in the same file, or could. */
  #roomOf(node: number, room: Int32Array | undefined): number {
    return room === undefined ? Infinity : Math.max(0, intAt(room, node) - intAt(this.#tasks, node));
  }

  #tasksOfNode(node: number, { room, needs }: SlotLimits): number {
    const cores = intAt(this.cores, node);
    if (cores === 0) return 0;
    const most = this.#roomOf(node, room);
    return needs === undefined ? Math.min(cores, most) : this.#firstSlots(node, needs, most).length;
  }

  #firstSlots(node: number, needs: TaskNeeds, most: number): readonly number[] {
    if (this.cores[node] === 0) return [];
    const first = node * this.#machine.coresPerNode;
    return firstSlotsOfNode(this.#machine.inside, needs, (slot) => this.#taken[first + slot] === 0, most);
  }

  /**
   * Free slots of the nodes on which tasks may begin, in the order of the nodes, cores ascending, within the limits; SlotIds. `mostOf` limits the
   * tasks of a node too, by its place in `nodes`. Leaves off where cancelled. O(slots of the nodes).
   */
  on(
    nodes: Allocation,
    limits: SlotLimits = {},
    cancellation: Cancellation = neverCancelled,
    mostOf: (place: number) => number = () => Infinity,
  ): Int32Array {
    const { coresPerNode } = this.#machine;
    const meter = new WorkMeter(cancellation);
    const { room, needs } = limits;
    if (needs !== undefined) {
      const found: number[] = [];
      for (const [place, node] of nodes.entries()) {
        if (meter.isCancelledAfter(coresPerNode)) break;
        const most = Math.min(this.#roomOf(node, room), mostOf(place));
        for (const slot of this.#firstSlots(node, needs, most)) found.push(node * coresPerNode + slot);
      }
      return Int32Array.from(found);
    }
    let count = 0;
    for (const node of nodes) count += this.#tasksOfNode(node, limits);
    const slots = new Int32Array(count);
    let filled = 0;
    for (const node of nodes) {
      if (this.cores[node] === 0) continue;
      if (meter.isCancelledAfter(coresPerNode)) break;
      const first = node * coresPerNode;
      let left = this.#tasksOfNode(node, limits);
      for (let slot = first; slot < first + coresPerNode && left > 0; slot++) {
        if (this.#taken[slot] !== 0) continue;
        slots[filled++] = slot;
        left--;
      }
    }
    return slots;
  }

  /** Whether a core is free. */
  isFree(slot: number): boolean {
    return this.#taken[slot] === 0 && this.cores[nodeOfSlot(this.#machine, slot)] !== 0;
  }

  /** Leaves off where cancelled: then nobody asks what is free any more. O(tasks · cores of one). */
  take(mapping: Mapping, coresPerTask = 1, cancellation: Cancellation = neverCancelled): void {
    const meter = new WorkMeter(cancellation);
    for (const slot of mapping) {
      if (meter.isCancelledAfter(1)) return;
      const node = nodeOfSlot(this.#machine, slot);
      for (let core = slot; core < slot + coresPerTask; core++) this.#taken[core] = 1;
      this.#tasks[node] = intAt(this.#tasks, node) + 1;
      this.cores[node] = intAt(this.cores, node) - coresPerTask;
    }
  }
}
