import { intAt } from '../../numeric/elements.ts';
import type { Machine } from '../../model/machine.ts';
import type { Mapping } from '../../model/placement.ts';
import { nodeOfSlot } from '../../model/slots.ts';
import { inverseOf } from '../../numeric/permutation.ts';

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
  // No list that grows: of four million slots it would take seconds.
  const nodes = new Int32Array(slots.length);
  const first = new Int32Array(slots.length + 1);
  let siteCount = 0;
  for (let place = 0; place < slots.length; place++) {
    const node = nodeOfSlot(machine, intAt(slots, place));
    if (siteCount === 0 || nodes[siteCount - 1] !== node) {
      nodes[siteCount] = node;
      first[siteCount++] = place;
    }
    siteOfPlace[place] = siteCount - 1;
  }
  first[siteCount] = slots.length;
  const nodeOfSite = nodes.slice(0, siteCount);
  return {
    placeCount: slots.length,
    siteCount,
    slotOfPlace: slots,
    siteOfPlace,
    firstPlace: first.slice(0, siteCount + 1),
    nodeOfSite,
    routerOfSite: nodeOfSite.map((node) => intAt(machine.topology.routerOfNode, node)),
  };
}

/** The site of each task out of its place. O(n). */
export const sitesOfTasks = ({ siteOfPlace }: Pick<Places, 'siteOfPlace'>, placeOfTask: Int32Array): Int32Array =>
  placeOfTask.map((place) => intAt(siteOfPlace, place));

/** A place of its own for each task on its site: the first that is left, by task. O(n + sites). */
export function placesOnSites({ firstPlace }: Pick<Places, 'firstPlace'>, siteOfTask: Int32Array): Int32Array {
  const next = firstPlace.slice();
  return siteOfTask.map((site) => next[site]!++);
}

/** The place of each task in a mapping onto the slots of `places`. O(places + the largest slot). */
export function placesOfMapping({ slotOfPlace }: Places, mapping: Mapping): Int32Array {
  let largest = 0;
  for (let place = 0; place < slotOfPlace.length; place++) largest = Math.max(largest, intAt(slotOfPlace, place));
  const placeOfSlot = inverseOf(slotOfPlace, largest + 1);
  return mapping.map((slot) => intAt(placeOfSlot, slot));
}

/** The place of each task as the mapping that it means. O(n). */
export const mappingOf = ({ slotOfPlace }: Places, placeOfTask: Int32Array): Mapping =>
  placeOfTask.map((place) => intAt(slotOfPlace, place));
