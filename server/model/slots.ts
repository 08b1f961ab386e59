import { asNodeId, type NodeId } from './identifiers.ts';
import { endsPerNode, type Machine } from './machine.ts';
import { portsOfNode } from './rails.ts';

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

/** What ends of messages are told by. */
type WithEnds = Pick<Machine, 'topology' | 'rails' | 'coresPerNode'>;

/**
 * Where messages of the tasks on some slots begin and end, by slot: their nodes, or node · rails + rail where each task uses the rail
 * next to it. O(slots + nodes · rails).
 */
export function endsOfSlots(machine: WithEnds, slots: Int32Array): Int32Array<ArrayBuffer> {
  const { rails } = machine.topology;
  const count = endsPerNode(machine);
  if (rails === undefined || count === 1) return nodesOfSlots(machine, slots);
  return Int32Array.from(slots, (slot) => endOfSlot(machine, slot));
}

/** The end of one slot: see {@link endsOfSlots}. O(rails). */
export function endOfSlot(machine: WithEnds, slot: number): number {
  const node = nodeOfSlot(machine, slot);
  const { rails } = machine.topology;
  const count = endsPerNode(machine);
  if (rails === undefined || count === 1) return node;
  const ports = portsOfNode(rails, node);
  const port = ports[Math.floor((coreOfSlot(machine, slot) * ports.length) / machine.coresPerNode)] ?? node;
  return node * count + (rails.railOfPort[port] ?? 0);
}
