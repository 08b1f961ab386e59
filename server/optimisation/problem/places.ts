import { intAt } from '../../numeric/elements.ts';
import { inStretches, neverCancelled } from '../../model/cancellation.ts';
import { endsPerNode, type Machine } from '../../model/machine.ts';
import { classesOfNodes } from '../../network/rails.ts';
import type { Mapping } from '../../model/placement.ts';
import { endsOfSlots, nodesOfSlots } from '../../model/slots.ts';
import { inverseOf } from '../../numeric/permutation.ts';

/**
 * Where tasks may go, as searches see it. A *place* is an index into the slots that the problem
 * offers; it holds one task or none. A *site* is a node with at least one place; what a pair of
 * tasks costs depends on their sites alone. Where every task uses the rail next to it, a rail of a node is a site; where distances
 * inside a node count, a part of it: see `insideSites.ts`.
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
  readonly nodeOfSite: Int32Array;
  /** Where messages of each site begin and end, as `endsOfSlots` says: its node, unless tasks have rails of their own. */
  readonly endOfSite: Int32Array;
  /**
   * RouterId of each site. On machines with several rails a number instead that sites share only where they are as far from all
   * others: {@link classesOfNodes}, or one for each site where a node has several.
   */
  readonly routerOfSite: Int32Array;
  /** RouterId of each site, for the coordinates of grids; absent where `routerOfSite` says it. */
  readonly coordinateOfSite?: Int32Array;
}

/** More rails of nodes are no sites of their own: no table of costs could take them. */
const railSiteLimit = 8192;

/**
 * Slots of one node stand together in `slots`, as the problem promises, cores ascending. Leaves off where cancelled, when nobody asks for
 * them any more. O(slots).
 */
export function groupPlaces(machine: Machine, slots: Int32Array, cancellation = neverCancelled): Places {
  const rails = endsPerNode(machine) > 1 ? placesByEnd(machine, slots, endsOfSlots(machine, slots)) : undefined;
  return rails !== undefined && rails.siteCount <= railSiteLimit
    ? rails
    : placesByEnd(machine, slots, nodesOfSlots(machine, slots, cancellation), cancellation);
}

/**
 * `ends`: the node, the rail of a node or the part of a node of each slot; slots of one site stand together. Leaves off where cancelled.
 * O(slots).
 */
export function placesByEnd(
  machine: Machine,
  slots: Int32Array,
  ends: Int32Array,
  cancellation = neverCancelled,
): Places {
  const siteOfPlace = new Int32Array(slots.length);
  // No list that grows: of four million slots it would take seconds.
  const ownEnds = new Int32Array(slots.length);
  const first = new Int32Array(slots.length + 1);
  let siteCount = 0;
  inStretches(slots.length, cancellation, (begin, stop) => {
    for (let place = begin; place < stop; place++) {
      const end = intAt(ends, place);
      if (siteCount === 0 || ownEnds[siteCount - 1] !== end) {
        ownEnds[siteCount] = end;
        first[siteCount++] = place;
      }
      siteOfPlace[place] = siteCount - 1;
    }
  });
  first[siteCount] = slots.length;
  const nodeOfSite = nodesOfSlots(
    machine,
    first.subarray(0, siteCount).map((place) => intAt(slots, place)),
  );
  const endOfSite = endsOfSlots(
    machine,
    first.subarray(0, siteCount).map((place) => intAt(slots, place)),
  );
  return {
    placeCount: slots.length,
    siteCount,
    slotOfPlace: slots,
    siteOfPlace,
    firstPlace: first.slice(0, siteCount + 1),
    nodeOfSite,
    endOfSite,
    routerOfSite: routersOfSites(machine, nodeOfSite),
    ...coordinatesOfSites(machine, nodeOfSite),
  };
}

/** On a grid all rails of a node are on one router, whose coordinates are those of the node. */
function coordinatesOfSites(
  { topology: { rails, shape, routerOfNode } }: Machine,
  nodeOfSite: Int32Array,
): Pick<Places, 'coordinateOfSite'> {
  if (rails === undefined || shape === undefined) return {};
  return { coordinateOfSite: nodeOfSite.map((node) => intAt(routerOfNode, node)) };
}

function routersOfSites(machine: Machine, nodeOfSite: Int32Array): Int32Array {
  if (endsPerNode(machine) > 1) return nodeOfSite.map((_, site) => site);
  const classes = classesOfNodes(machine.topology);
  return nodeOfSite.map((node) => intAt(classes, node));
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

/** The place of each task as the mapping that it means; leaves off where cancelled. O(n). */
export function mappingOf({ slotOfPlace }: Places, placeOfTask: Int32Array, cancellation = neverCancelled): Mapping {
  const mapping = new Int32Array(placeOfTask.length);
  inStretches(mapping.length, cancellation, (begin, end) => {
    for (let task = begin; task < end; task++) mapping[task] = intAt(slotOfPlace, intAt(placeOfTask, task));
  });
  return mapping;
}
