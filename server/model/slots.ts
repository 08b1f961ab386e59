import { inStretches, neverCancelled } from './cancellation.ts';
import { asNodeId, type NodeId } from './identifiers.ts';
import { endsPerNode, type Machine } from './machine.ts';
import { waysOut } from './nodeInside.ts';
import { portsOfNode } from './rails.ts';

/** Slots number the cores of a machine node by node: see `SlotId`. */
type Cores = Pick<Machine, 'coresPerNode'>;

/** The node that a slot is on. O(1). */
export const nodeOfSlot = ({ coresPerNode }: Cores, slot: number): NodeId => asNodeId(Math.floor(slot / coresPerNode));

/** The core of its node that a slot is. O(1). */
export const coreOfSlot = ({ coresPerNode }: Cores, slot: number): number => slot % coresPerNode;

type WithInside = Pick<Machine, 'coresPerNode' | 'inside'>;

/** The socket of its node that a slot is on. O(1). */
export const socketOnNode = (machine: WithInside, slot: number): number =>
  machine.inside.socketOfSlot[coreOfSlot(machine, slot)] ?? 0;

/** The socket of a slot among those of all nodes: node · sockets + socket. O(1). */
export const socketOfSlot = (machine: WithInside & Pick<Machine, 'socketsPerNode'>, slot: number): number =>
  nodeOfSlot(machine, slot) * machine.socketsPerNode + socketOnNode(machine, slot);

/** The node of every slot; leaves off where cancelled, when nobody asks for them any more. O(slots). */
export function nodesOfSlots(
  { coresPerNode }: Cores,
  slots: Int32Array,
  cancellation = neverCancelled,
): Int32Array<ArrayBuffer> {
  const nodes = new Int32Array(slots.length);
  inStretches(slots.length, cancellation, (begin, end) => {
    for (let index = begin; index < end; index++) nodes[index] = (slots[index]! / coresPerNode) | 0;
  });
  return nodes;
}

/** What ends of messages are told by. */
type WithEnds = Pick<Machine, 'topology' | 'rails' | 'coresPerNode' | 'inside'>;

/**
 * Where messages of the tasks on some slots begin and end, by slot: their `nodes`, or node · rails + rail where each task uses the rail
 * next to it. O(slots + nodes · rails).
 */
export function endsOfSlots(
  machine: WithEnds,
  slots: Int32Array,
  nodes: Int32Array = nodesOfSlots(machine, slots),
): Int32Array {
  const { rails } = machine.topology;
  const count = endsPerNode(machine);
  if (rails === undefined || count === 1) return nodes;
  return Int32Array.from(slots, (slot) => endOfSlot(machine, slot));
}

/** The end of one slot: see {@link endsOfSlots}. O(rails). */
export function endOfSlot(machine: WithEnds, slot: number): number {
  const node = nodeOfSlot(machine, slot);
  const { rails } = machine.topology;
  const count = endsPerNode(machine);
  if (rails === undefined || count === 1) return node;
  const core = coreOfSlot(machine, slot);
  const nearest = machine.inside.railOfSlot?.[core];
  if (nearest !== undefined && (rails.portOfRail[node * count + nearest] ?? -1) >= 0) return node * count + nearest;
  const ports = portsOfNode(rails, node);
  const port = ports[Math.floor((core * ports.length) / machine.coresPerNode)] ?? node;
  return node * count + (rails.railOfPort[port] ?? 0);
}

/**
 * What the insides of nodes add to the hops between two slots: of one node how far these are apart, of two the ways to the network adapters.
 * Undefined where distances inside a node count nothing. O(slots of a node · rails) to begin with, then O(1).
 */
export function insideHopsOf(
  machine: Pick<Machine, 'inside' | 'rails' | 'coresPerNode'>,
): ((from: number, to: number) => number) | undefined {
  const { coresPerNode, inside } = machine;
  const { distances } = inside;
  if (distances === undefined) return undefined;
  const { classCount, classOfSlot, between } = distances;
  const out = waysOut(machine) ?? new Float64Array(classCount);
  return (from, to) => {
    const [one, other] = [classOfSlot[from % coresPerNode] ?? 0, classOfSlot[to % coresPerNode] ?? 0];
    const isOneNode = Math.floor(from / coresPerNode) === Math.floor(to / coresPerNode);
    return isOneNode ? (between[one * classCount + other] ?? 0) : (out[one] ?? 0) + (out[other] ?? 0);
  };
}
