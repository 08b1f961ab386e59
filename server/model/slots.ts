import { asNodeId, type NodeId } from './identifiers.ts';
import type { Machine } from './machine.ts';

/** Slots number the cores of a machine node by node: see `SlotId`. */
type Cores = Pick<Machine, 'coresPerNode'>;

/** The node that a slot is on. O(1). */
export const nodeOfSlot = ({ coresPerNode }: Cores, slot: number): NodeId => asNodeId(Math.floor(slot / coresPerNode));

/** The core of its node that a slot is. O(1). */
export const coreOfSlot = ({ coresPerNode }: Cores, slot: number): number => slot % coresPerNode;

/** The node of every slot. O(slots). */
export function nodesOfSlots({ coresPerNode }: Cores, slots: Int32Array): Int32Array<ArrayBuffer> {
  const nodes = new Int32Array(slots.length);
  for (let index = 0; index < nodes.length; index++) nodes[index] = (slots[index]! / coresPerNode) | 0;
  return nodes;
}
