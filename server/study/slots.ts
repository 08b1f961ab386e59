import { intAt } from '../numeric/elements.ts';
import type { Machine } from '../model/machine.ts';
import type { Allocation, Mapping } from '../model/placement.ts';
import { nodeOfSlot } from '../model/slots.ts';

/** Which cores of a machine the jobs of one placement have left free. */
export class FreeSlots {
  readonly #machine: Machine;
  readonly #taken: Uint8Array;
  /** Free cores of each node, indexed by NodeId. */
  readonly cores: Int32Array;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#taken = new Uint8Array(machine.slotCount);
    this.cores = new Int32Array(machine.nodeCount).fill(machine.coresPerNode);
  }

  /** Free slots of the nodes, in their order, cores ascending; SlotIds. O(slots of the nodes). */
  on(nodes: Allocation): Int32Array {
    const { coresPerNode } = this.#machine;
    let count = 0;
    for (const node of nodes) count += intAt(this.cores, node);
    const slots = new Int32Array(count);
    let filled = 0;
    for (const node of nodes) {
      const first = node * coresPerNode;
      for (let slot = first; slot < first + coresPerNode; slot++) {
        if (this.#taken[slot] === 0) slots[filled++] = slot;
      }
    }
    return slots;
  }

  take(mapping: Mapping): void {
    for (const slot of mapping) {
      this.#taken[slot] = 1;
      this.cores[nodeOfSlot(this.#machine, slot)]! -= 1;
    }
  }
}
