import { intAt, itemAt, realAt, byteAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Places } from '../problem/places.ts';
import type { Coordinates } from './coordinates.ts';
import { inverseOf } from '../../numeric/permutation.ts';
import { embeddingParameters } from './parameters.ts';
import { selectByKey } from '../../numeric/selection.ts';

/**
 * How sites are halved again and again until each is alone, which depends on the sites only: worked
 * out once, then any number of task coordinates are cut along with it. Inner nodes stand in
 * preorder: a node, all of its first half, all of its second half. Plain data.
 */
export interface SiteTree {
  /** The places that are used, leaf after leaf; as many as there are tasks. */
  readonly placeOrder: Int32Array;
  /** Places of leaf l are placeOrder[firstPlace[l] … firstPlace[l + 1] − 1]. */
  readonly firstPlace: Int32Array;
  /** Axis along which each inner node is cut, and the first leaf of its second half. */
  readonly axis: Uint8Array;
  readonly middle: Int32Array;
}

/** In the middle, or in a wide gap near it. */
export type SiteCut = 'even' | 'gap';

/** Below this many sites a part is halved without asking whether it is cancelled. */
const pollFrom = 512;

/**
 * Halves the sites of `used` places along the axis on which they spread most: in the middle, which
 * suits tasks that are a grid, or where a gap between sites is wide and both halves are about as large,
 * which is between planes of a grid and between subtrees of a tree. Undefined if cancelled. O(s log² s) for s sites.
 */
export function siteTreeOf(
  places: Places,
  used: Int32Array,
  coordinates: Coordinates,
  cut: SiteCut,
  cancellation: Cancellation,
): SiteTree | undefined {
  const { sites, placesOfSite } = sitesOf(places, used);
  const ranks: Ranks[] = [];
  for (const axis of coordinates.keys()) {
    if (cancellation.isCancelled()) return undefined;
    ranks.push(ranksAlong(sites, coordinates, axis));
  }
  const count = sites.length;
  const building: Building = {
    coordinates,
    sites,
    ranks,
    order: Int32Array.from(sites, (_, index) => index),
    axis: new Uint8Array(Math.max(0, count - 1)),
    middle: new Int32Array(Math.max(0, count - 1)),
    nodes: 0,
    cut,
    cancellation,
  };
  if (!halveBuilding(building, 0, count)) return undefined;
  const leaves = Array.from(building.order, (index) => itemAt(placesOfSite, index));
  const firstPlace = new Int32Array(count + 1);
  for (const [leaf, own] of leaves.entries()) firstPlace[leaf + 1] = intAt(firstPlace, leaf) + own.length;
  return { placeOrder: Int32Array.from(leaves.flat()), firstPlace, axis: building.axis, middle: building.middle };
}

/** Sites that the places stand on, ascending, and which of the places each has. */
function sitesOf({ siteOfPlace }: Places, used: Int32Array): { sites: Int32Array; placesOfSite: number[][] } {
  const sites: number[] = [];
  const placesOfSite: number[][] = [];
  for (const place of used.toSorted()) {
    const site = intAt(siteOfPlace, place);
    if (sites.at(-1) === site) placesOfSite.at(-1)!.push(place);
    else {
      sites.push(site);
      placesOfSite.push([place]);
    }
  }
  return { sites: Int32Array.from(sites), placesOfSite };
}

interface Ranks {
  /** Of each site (an index into `sites`), and the site of each rank. */
  readonly ofSite: Int32Array;
  readonly siteAt: Int32Array;
}

/** Levels to which coordinates are rounded on the axis of the order and on the next one; with the index 53 bits. */
const levels = 2 ** 20;
const levelsOfNext = 2 ** 11;
const indices = 2 ** 22;

/**
 * Order of sites along an axis; equal ones by the next axis, so that what is cut off is compact, and by
 * site. Keys are whole numbers, because typed arrays sort those without calling back.
 */
function ranksAlong(sites: Int32Array, coordinates: Coordinates, axis: number): Ranks {
  const own = distinctValues(itemAt(coordinates, axis), sites, levels);
  const next = distinctValues(itemAt(coordinates, (axis + 1) % coordinates.length), sites, levelsOfNext);
  const keys = own.map((level, index) => (level * levelsOfNext + realAt(next, index)) * indices + index).sort();
  const siteAt = Int32Array.from(keys, (key) => key % indices);
  return { ofSite: inverseOf(siteAt), siteAt };
}

/** Coordinates of sites as whole levels; whole coordinates of few sides keep their order. */
function distinctValues(values: Float64Array, sites: Int32Array, count: number): Float64Array {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const site of sites) {
    lowest = Math.min(lowest, realAt(values, site));
    highest = Math.max(highest, realAt(values, site));
  }
  const scale = highest > lowest ? (count - 1) / (highest - lowest) : 0;
  const found = new Float64Array(sites.length);
  for (let index = 0; index < found.length; index++) {
    found[index] = Math.floor((realAt(values, intAt(sites, index)) - lowest) * scale);
  }
  return found;
}

interface Building {
  readonly coordinates: Coordinates;
  readonly sites: Int32Array;
  readonly ranks: readonly Ranks[];
  /** Indices into `sites`: at the end, leaf after leaf. */
  readonly order: Int32Array;
  readonly axis: Uint8Array;
  readonly middle: Int32Array;
  /** Inner nodes so far. */
  nodes: number;
  readonly cut: SiteCut;
  readonly cancellation: Cancellation;
}

function halveBuilding(building: Building, start: number, end: number): boolean {
  if (end - start < 2) return true;
  if (end - start >= pollFrom && building.cancellation.isCancelled()) return false;
  const axis = widestAxis(building, start, end);
  sortAlong(building.order, building.ranks[axis], start, end);
  const middle = building.cut === 'even' ? start + ((end - start) >> 1) : widestGap(building, axis, start, end);
  const node = building.nodes++;
  building.axis[node] = axis;
  building.middle[node] = middle;
  return halveBuilding(building, start, middle) && halveBuilding(building, middle, end);
}

/** On which the sites are farthest apart; equal axes the first. */
function widestAxis({ coordinates, sites, order }: Building, start: number, end: number): number {
  let widest = 0;
  let extent = -1;
  for (const [axis, values] of coordinates.entries()) {
    let lowest = Infinity;
    let highest = -Infinity;
    for (let index = start; index < end; index++) {
      const value = realAt(values, intAt(sites, intAt(order, index)));
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    if (highest - lowest > extent) {
      extent = highest - lowest;
      widest = axis;
    }
  }
  return widest;
}

/** By whole-number ranks, because typed arrays sort those without calling back. */
function sortAlong(order: Int32Array, ranks: Ranks | undefined, start: number, end: number): void {
  if (ranks === undefined) return;
  const part = order.subarray(start, end);
  for (let index = 0; index < part.length; index++) part[index] = intAt(ranks.ofSite, intAt(part, index));
  part.sort();
  for (let index = 0; index < part.length; index++) part[index] = intAt(ranks.siteAt, intAt(part, index));
}

/** Where the gap, times how even the halves are, is largest; the even cut where there is no gap. */
function widestGap({ coordinates, sites, order }: Building, axis: number, start: number, end: number): number {
  const count = end - start;
  const values = coordinates[axis];
  let best = start + (count >> 1);
  if (values === undefined) return best;
  const first = start + Math.max(1, Math.ceil(embeddingParameters.leastShare * count));
  const last = end - Math.max(1, Math.ceil(embeddingParameters.leastShare * count));
  let bestScore = 0;
  for (let cut = first; cut <= last; cut++) {
    const gap = realAt(values, intAt(sites, intAt(order, cut))) - realAt(values, intAt(sites, intAt(order, cut - 1)));
    const share = (cut - start) / count;
    const score = gap * share * (1 - share);
    if (score > bestScore) {
      bestScore = score;
      best = cut;
    }
  }
  return best;
}

/** Arrays that many bisections share, so that none allocates. */
interface Bisection {
  readonly tree: SiteTree;
  /** Tasks; after a bisection the task at index i goes to `tree.placeOrder[i]`. */
  readonly order: Int32Array;
}

export const emptyBisection = (tree: SiteTree): Bisection => ({ tree, order: new Int32Array(tree.placeOrder.length) });

/**
 * Recursive coordinate bisection of tasks along with sites: wherever the sites are cut along an
 * axis, so are the tasks, into parts as large as the sites have places. Writes the place of each
 * task. O(n log n). Berger and Bokhari 1987; Bunde et al. 2014, section 3 (RCB), for both sides.
 */
export function bisectTasks({ tree, order }: Bisection, tasks: Coordinates, placeOfTask: Int32Array): void {
  for (let task = 0; task < order.length; task++) order[task] = task;
  const leafCount = tree.firstPlace.length - 1;
  if (tasks.length > 0) bisectPart(tree, order, tasks, 0, leafCount, 0);
  for (let index = 0; index < order.length; index++) placeOfTask[intAt(order, index)] = intAt(tree.placeOrder, index);
}

/** The part of the leaves `start … end − 1`; inner node `node` is its root. */
function bisectPart(
  tree: SiteTree,
  order: Int32Array,
  tasks: Coordinates,
  start: number,
  end: number,
  node: number,
): void {
  if (end - start < 2) return;
  const middle = intAt(tree.middle, node);
  const first = intAt(tree.firstPlace, start);
  selectByKey(
    order,
    itemAt(tasks, byteAt(tree.axis, node)),
    first,
    intAt(tree.firstPlace, end),
    intAt(tree.firstPlace, middle) - first,
  );
  bisectPart(tree, order, tasks, start, middle, node + 1);
  bisectPart(tree, order, tasks, middle, end, node + (middle - start));
}
