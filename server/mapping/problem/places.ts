import type { Machine } from '../../model/machine.ts';
import type { Mapping } from '../../model/placement.ts';

/**
 * Where tasks may go, as searches see it. A *place* is an index into the slots that the problem
 * offers; it holds one task or none. A *site* is a node with at least one place; what a pair of
 * tasks costs depends on their sites alone.
 */
export interface Places {
  readonly placeCount: number;
  readonly siteCount: number;
  /** SlotId of each place. */
  readonly slotOfPlace: Int32Array;
  /** Site of each place. */
  readonly siteOfPlace: Int32Array;
  /** Places of site s are firstPlace[s] … firstPlace[s + 1] − 1; length siteCount + 1. */
  readonly firstPlace: Int32Array;
  /** NodeId and RouterId of each site. */
  readonly nodeOfSite: Int32Array;
  readonly routerOfSite: Int32Array;
}

/** Slots of one node stand together in `slots`, as the problem promises. O(slots). */
export function placesOf(machine: Machine, slots: Int32Array): Places {
  const siteOfPlace = new Int32Array(slots.length);
  const nodes: number[] = [];
  const first: number[] = [];
  for (let place = 0; place < slots.length; place++) {
    const node = Math.floor(slots[place]! / machine.coresPerNode);
    if (nodes.at(-1) !== node) {
      nodes.push(node);
      first.push(place);
    }
    siteOfPlace[place] = nodes.length - 1;
  }
  return {
    placeCount: slots.length,
    siteCount: nodes.length,
    slotOfPlace: slots,
    siteOfPlace,
    firstPlace: Int32Array.from([...first, slots.length]),
    nodeOfSite: Int32Array.from(nodes),
    routerOfSite: Int32Array.from(nodes, (node) => machine.topology.routerOfNode[node]!),
  };
}

/** The place of each task as the mapping that it means. O(n). */
export const mappingOf = ({ slotOfPlace }: Places, placeOfTask: Int32Array): Mapping =>
  placeOfTask.map((place) => slotOfPlace[place]!);
