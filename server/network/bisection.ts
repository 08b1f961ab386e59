/**
 * The bisection of a machine: the narrowest cut between two halves of it, in cables (`machineBisection`) or in bytes per second
 * (`bisectionBandwidthOf`), by a formula or as the best of cuts that are tried.
 */
import { leastOf } from '../model/lists.ts';
import { fastestBandwidth, type Machine, type Topology } from '../model/machine.ts';
import { type Shape, closesToRing } from '../model/shape.ts';
import { intAt, itemAt, realAt } from '../numeric/elements.ts';
import { bandwidthOf, cablesOfLink } from './linkClasses.ts';
import { treeLevels } from './topologies/fatTree.ts';

/** Where the figure of a bisection comes from, in words that go on behind it. */
export interface BisectionBasis {
  readonly words: string;
  /** It is a bound from above: a cut of so many cables is known, and a smaller one may be there. */
  readonly isBound: boolean;
}

/** A cut between two halves of a machine. */
export interface NarrowestCut extends BisectionBasis {
  /** Cables, or bytes per second each way. */
  readonly size: number;
}

/** What a cut is measured by: what each directed link adds, links of hosts among them. */
export type CutMeasure = (link: number) => number;

/** Cables, those side by side one by one. */
export const byCables =
  (machine: Machine): CutMeasure =>
  (link) =>
    link < machine.topology.links.routerLinkCount ? cablesOfLink(machine, link) : 1;

/** Bytes per second. A link without a bandwidth limits nothing. */
export const byBandwidth =
  (machine: Machine): CutMeasure =>
  (link) =>
    bandwidthOf(machine, link) ?? Infinity;

/**
 * Cables cut by halving the machine, host links included where it has them; a bound from above on some tori and on dragonflies.
 * Undefined where no formula is known. O(links · axes) at most.
 */
export const machineBisection = (machine: Machine): NarrowestCut | undefined =>
  narrowestCut(machine, byCables(machine));

/**
 * Bytes per second that two halves of the machine can send each other, each way: the narrowest of the same cuts by the bandwidths of
 * their links (Dally and Towles 2004, section 3.1.3). Undefined where no formula is known, or the links have no bandwidth.
 */
export function bisectionBandwidthOf(machine: Machine): NarrowestCut | undefined {
  const found = fastestBandwidth(machine) === undefined ? undefined : narrowestCut(machine, byBandwidth(machine));
  return found?.size === Infinity ? undefined : found;
}

function narrowestCut(machine: Machine, measure: CutMeasure): NarrowestCut | undefined {
  const { topology } = machine;
  const { kind, shape, wraps, groups, routerCount } = topology;
  if (topology.faults || (topology.rails && topology.hasPorts !== true)) return undefined;
  if (shape && wraps) return narrowestGridCut(machine, shape, wraps, measure);
  // Round one switch, a half is cut off by its host links.
  if (routerCount === 1) return { size: halfOfHosts(topology, measure), words: hostsHalved, isBound: false };
  if (shape) return hasNodesEverywhere(machine) ? coordinateCut(topology, shape, measure) : undefined;
  if (kind === 'fat-tree') return fatTreeCut(topology, measure);
  return groups === undefined ? undefined : groupCut(topology, groups, measure);
}

const hostsHalved = 'the host links of half of the nodes';

/** What the links of half of the nodes add at least, whichever these are. O(nodes), or O(nodes · log nodes) where they differ. */
export function halfOfHosts({ links, routerOfNode }: Topology, measure: CutMeasure): number {
  const half = routerOfNode.length >> 1;
  const own = Float64Array.from(routerOfNode, (_, node) => measure(links.routerLinkCount + 2 * node));
  const first = own[0] ?? 0;
  if (own.every((each) => each === first)) return half === 0 ? 0 : half * first;
  return own
    .sort()
    .subarray(0, half)
    .reduce((sum, each) => sum + each, 0);
}

/** Whether all routers have as many nodes. */
export const hasNodesEverywhere = ({ topology, hostsPerRouter, nodeCount }: Machine): boolean =>
  nodeCount === topology.routerCount * hostsPerRouter;

interface CutAxis {
  readonly side: number;
  readonly isRing: boolean;
  /** Cables that a straight cut meets on one line of the axis: twice those side by side on a ring. */
  readonly cables: number;
  /** The same as it is measured. */
  readonly crossed: number;
}

/**
 * The narrowest cut between two halves of a grid of routers whose sizes differ by one at most. A straight cut halves an even side.
 * Where sides are odd the cut has a step, see {@link steppedCut}: with links that are all alike the longest side first is the best
 * (Azizoğlu and Eğecioğlu 2004 for meshes; twice that for tori, Aroca and Fernández Anta 2014). Elsewhere the figure is an upper bound,
 * unless {@link leastByTraffic} proves it.
 */
function narrowestGridCut(
  machine: Machine,
  shape: Shape,
  wraps: readonly boolean[],
  measure: CutMeasure,
): NarrowestCut {
  const axes = cutAxes(machine, shape, wraps, measure);
  if (axes.length === 0) return { size: 0, words: 'one router', isBound: false };
  const routers = machine.topology.routerCount;
  const straight = axes.filter(isEven).map((axis) => ({ ...axis, size: (axis.crossed * routers) / axis.side }));
  const size = Math.min(steppedCut(axes), leastOf(straight.map((cut) => cut.size)));
  const areAlike = new Set(axes.map(({ crossed }) => crossed)).size === 1;
  const isBound = !areAlike && size > leastByTraffic(axes, routers) * (1 + rounding);
  const found = straight.find((cut) => cut.size === size);
  if (found === undefined) return { size, words: steppedWords, isBound };
  const { side, isRing, cables } = found;
  const ring = isRing ? ', both ways round' : '';
  return { size, words: `${cables} × ${routers / side}: across a side of ${side}${ring}`, isBound };
}

const isEven = ({ side }: CutAxis): boolean => side % 2 === 0;

/** Of sums of bandwidths that are no whole numbers. */
const rounding = 1e-12;

const steppedWords = 'a cut with a step through the middles of the odd sides (Azizoğlu and Eğecioğlu 2004)';

/** The sides longer than 1, longest first. */
const cutAxes = (machine: Machine, shape: Shape, wraps: readonly boolean[], measure: CutMeasure): readonly CutAxis[] =>
  shape
    .map((side, axis) => {
      const isRing = closesToRing(side, wraps[axis] === true);
      const along = linksAlong(machine.topology, shape, axis);
      const met = (by: CutMeasure): number => along.reduce((sum, link) => sum + by(link), 0) * (isRing ? 2 : 1);
      return { side, isRing, cables: met(byCables(machine)), crossed: met(measure) };
    })
    .filter(({ side }) => side > 1)
    .sort((a, b) => b.side - a.side);

/** The links from the first router to the next one along an axis. */
function linksAlong({ links }: Topology, shape: Shape, axis: number): readonly number[] {
  const next = shape.slice(0, axis).reduce((stride, side) => stride * side, 1);
  const own = Array.from({ length: intAt(links.firstLink, 1) }, (_, link) => link);
  return own.filter((link) => intAt(links.to, link) === next);
}

/**
 * Through the middle plane of an odd side, which is halved in the same way, and so on up to the first even side: Σ over these sides of
 * what the cut meets there, the best of all orders. O(2 ^ odd sides · sides), of which a grid has 13 at most.
 */
function steppedCut(axes: readonly CutAxis[]): number {
  const known = new Map<number, number>();
  const best = (left: number): number => {
    const sides = axes.filter((_, place) => ((left >> place) & 1) === 1);
    const volume = sides.reduce((product, { side }) => product * side, 1);
    return axes.reduce((least, axis, place) => {
      if (((left >> place) & 1) === 0) return least;
      const straight = (axis.crossed * volume) / axis.side;
      return Math.min(least, isEven(axis) ? straight : straight + halvesOf(left & ~(1 << place)));
    }, Infinity);
  };
  const halvesOf = (left: number): number => {
    if (left === 0) return 0;
    const cut = known.get(left) ?? best(left);
    known.set(left, cut);
    return cut;
  };
  return halvesOf((1 << axes.length) - 1);
}

/**
 * What every cut meets at least: of all messages from every router to every other, axis after axis, half cross it, and no link carries
 * more than the busiest one. On a ring of side s that carries N·s/8 of N routers, N·(s² − 1)/(8·s) where s is odd; in the middle of a
 * line twice as many. A straight cut that is no larger is the narrowest.
 */
function leastByTraffic(axes: readonly CutAxis[], routers: number): number {
  const busiest = axes.reduce((most, { side, crossed }) => {
    const pairs = side % 2 === 0 ? side ** 2 : side ** 2 - 1;
    return Math.max(most, (routers * pairs) / (4 * side * crossed));
  }, 0);
  return (routers ** 2 - (routers % 2)) / 4 / busiest;
}

/**
 * Fewest cables, host links included, between two halves of the nodes of a fat tree: half of
 * the cables of its narrowest level, so N/2 in a k-ary n-tree (Petrini and Vanneschi 1997, section
 * 2). Undefined where the parts under the top cannot be halved, being odd in number. O(links).
 */
function fatTreeCut(topology: Topology, measure: CutMeasure): NarrowestCut | undefined {
  const { tiers, links, routerOfNode } = topology;
  const { children } = treeLevels(topology);
  const top = children.findLastIndex((count) => count > 1);
  const words = 'half of the cables of the narrowest level (Petrini and Vanneschi 1997)';
  if (top === -1) return { size: 0, words, isBound: false };
  if (itemAt(children, top) % 2 !== 0) return undefined;
  const levels = new Float64Array(children.length);
  for (let link = 0; link < links.routerLinkCount; link++) {
    const tier = tiers === undefined ? 0 : intAt(tiers, intAt(links.from, link));
    if (tiers !== undefined && intAt(tiers, intAt(links.to, link)) > tier)
      levels[tier] = realAt(levels, tier) + measure(link);
  }
  const ofHosts = routerOfNode.reduce((sum, _, node) => sum + measure(links.routerLinkCount + 2 * node), 0);
  return { size: Math.min(ofHosts, leastOf(levels.subarray(0, top))) / 2, words, isBound: false };
}

/** What the links from the routers of a half to the others add. O(links). */
function sizeOfCut({ links }: Topology, measure: CutMeasure, isMember: (router: number) => boolean): number {
  const { from, to, routerLinkCount } = links;
  let cut = 0;
  for (let link = 0; link < routerLinkCount; link++) {
    if (isMember(intAt(from, link)) && !isMember(intAt(to, link))) cut += measure(link);
  }
  return cut;
}

/**
 * The least of the cuts across the even axes of a twisted torus or a HyperX, and of the host links of a half; undefined
 * where no axis is even. With as many cables on all axes the cut across the shortest side is the narrowest of a HyperX (Lindsey 1964, on
 * products of complete graphs); elsewhere a cut that is not tried may be. O(links · axes).
 */
function coordinateCut(topology: Topology, shape: Shape, measure: CutMeasure): NarrowestCut | undefined {
  const cuts = halvingCuts(topology, shape, measure);
  if (cuts.length === 0) return undefined;
  const narrowest = cuts.reduce((least, one) => (one.cut < least.cut ? one : least));
  const ofHosts = topology.hasHostLinks ? halfOfHosts(topology, measure) : Infinity;
  const shortest = leastOf(shape.filter((side) => side > 1));
  const along = shape.flatMap((side, axis) => {
    const links = side > 1 ? linksAlong(topology, shape, axis) : [];
    return side > 1 ? [links.reduce((sum, link) => sum + measure(link), 0)] : [];
  });
  return {
    size: Math.min(narrowest.cut, ofHosts),
    words: ofHosts < narrowest.cut ? hostsHalved : `across a side of ${narrowest.side}`,
    isBound: topology.twist !== undefined || new Set(along).size > 1 || shortest % 2 !== 0,
  };
}

/** Cuts across the even axes. */
function halvingCuts(
  topology: Topology,
  shape: Shape,
  measure: CutMeasure,
): readonly { readonly side: number; readonly cut: number }[] {
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, side) => product * side, 1));
  return shape.flatMap((side, axis) => {
    if (side % 2 !== 0) return [];
    const stride = itemAt(strides, axis);
    return [{ side, cut: sizeOfCut(topology, measure, (router) => Math.floor(router / stride) % side < side / 2) }];
  });
}

/**
 * The narrowest cut, host links included, between two halves of the nodes of a network of groups: the least of the host links of a
 * half, a cut between the first half of the routers and the rest (whole groups, and the middle one
 * halved where they are odd in number), and those through the middle of every group. A bound from above, as
 * other cuts are not tried; undefined where none of them halves the nodes. O(links).
 */
function groupCut(topology: Topology, groups: Int32Array, measure: CutMeasure): NarrowestCut | undefined {
  const { routerCount, routerOfNode, groupShape } = topology;
  const size = routerCount / (intAt(groups, routerCount - 1) + 1);
  const half = routerOfNode.length / 2;
  const nodesWithin = (isMember: (router: number) => boolean): number =>
    routerOfNode.reduce((count, router) => count + (isMember(router) ? 1 : 0), 0);
  // In a group with leaves and spines half of either, so that the middle of a group is in the middle of both.
  const hostsOf = new Uint8Array(routerCount);
  for (const router of routerOfNode) hostsOf[router] = 1;
  const leaves = hostsOf.subarray(0, size).reduce((sum, has) => sum + has, 0);
  const isFirstHalf = (index: number): boolean =>
    index < leaves ? index < leaves / 2 : index - leaves < (size - leaves) / 2;
  const ofGroup = (router: number): number => router % size;
  const [columns = size] = groupShape ?? [];
  const halves: ((router: number) => boolean)[] = [
    (router) => {
      const middle = (routerCount / size - 1) / 2;
      const group = intAt(groups, router);
      return group < middle || (group === middle && isFirstHalf(ofGroup(router)));
    },
    (router) => isFirstHalf(ofGroup(router)),
    (router) => ofGroup(router) % columns < columns / 2,
  ];
  const cuts = halves
    .filter((isMember) => nodesWithin(isMember) === half)
    .map((isMember) => sizeOfCut(topology, measure, isMember));
  if (cuts.length === 0) return undefined;
  const words = 'the best of cuts between groups, through groups and of host links';
  return { size: Math.min(halfOfHosts(topology, measure), leastOf(cuts)), words, isBound: true };
}
