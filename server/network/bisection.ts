/** The bisection of a machine: the fewest cables between two halves of it, by a formula or as the best of cuts that are tried. */
import type { Machine, Topology } from '../model/machine.ts';
import { type Shape, closesToRing } from '../model/shape.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import { cablesOfLink } from './linkClasses.ts';
import { treeLevels } from './topologies/fatTree.ts';

/** Where the figure of a bisection comes from, in words that go on behind it. */
export interface BisectionBasis {
  readonly words: string;
  /** It is a bound from above: a cut of so many cables is known, and a smaller one may be there. */
  readonly isBound: boolean;
}

/**
 * Cables cut by halving a machine, host links included where it has them; a bound from above on some tori and on dragonflies.
 * Undefined where no formula is known. O(links) at most.
 */
export function bisectionOf(machine: Machine): number | undefined {
  const { topology, nodeCount } = machine;
  const { kind, shape, wraps, groups, routerCount } = topology;
  if (topology.faults || topology.rails) return undefined;
  if (shape && wraps) return gridBisection(machine, shape, wraps);
  // Round one switch, a half is cut off by its host links.
  if (routerCount === 1) return Math.floor(nodeCount / 2);
  if (shape) return hasNodesEverywhere(machine) ? coordinateBisection(machine, shape) : undefined;
  if (kind === 'fat-tree') return fatTreeBisection(topology);
  return groups === undefined ? undefined : groupBisection(machine, groups);
}

/** What {@link bisectionOf} rests on; undefined where that is. */
export function bisectionBasis(machine: Machine): BisectionBasis | undefined {
  if (bisectionOf(machine) === undefined) return undefined;
  const { kind, shape, wraps, routerCount } = machine.topology;
  if (shape && wraps) return gridBasis(machine, shape, wraps);
  if (routerCount === 1) return { words: 'the host links of half of the nodes', isBound: false };
  if (shape) return coordinateBasis(machine, shape);
  return kind === 'fat-tree'
    ? { words: 'half of the cables of the narrowest level (Petrini and Vanneschi 1997)', isBound: false }
    : { words: 'the best of cuts between groups, through groups and of host links', isBound: true };
}

/** `2 × 64: across a side of 8, both ways round`. */
function gridBasis(machine: Machine, shape: Shape, wraps: readonly boolean[]): BisectionBasis {
  const axes = cutAxes(machine, shape, wraps);
  const cut = gridBisection(machine, shape, wraps);
  const isBound = new Set(axes.map(({ crossed }) => crossed)).size > 1;
  const routers = axes.reduce((product, { side }) => product * side, 1);
  const straight = axes.find(({ side, crossed }) => side % 2 === 0 && (crossed * routers) / side === cut);
  if (straight === undefined) return { words: axes.length === 0 ? 'one router' : 'a cut with a step through the middles of the odd sides (Azizoğlu and Eğecioğlu 2004)', isBound }; // prettier-ignore
  const { side, crossed, isRing } = straight;
  const ring = isRing ? ', both ways round' : '';
  return { words: `${crossed} × ${routers / side}: across a side of ${side}${ring}`, isBound };
}

/** Whether all routers have as many nodes. */
export const hasNodesEverywhere = ({ topology, hostsPerRouter, nodeCount }: Machine): boolean =>
  nodeCount === topology.routerCount * hostsPerRouter;

/** Cables side by side along an axis. */
const cablesAlong = ({ groups = [], cables = 1 }: Machine['figures'], along: number): number =>
  groups.find(({ group }) => group.kind === 'axis' && group.axis === along)?.cables ?? cables;

interface CutAxis {
  readonly side: number;
  readonly isRing: boolean;
  /** Cables a straight cut across one line of the axis meets: 2 on a ring, 1 on a line, times those side by side. */
  readonly crossed: number;
}

/**
 * Fewest cables between two halves of a grid of routers whose sizes differ by one at most.
 * A straight cut halves an even side. Where the longest sides are odd the cut has a step: it
 * goes through the middle plane of the longest side, halves that plane in the same way, and so
 * on: Σ over the sides, longest first, up to the first even one, of the product of the shorter
 * ones (Azizoğlu and Eğecioğlu 2004 for meshes; twice that for tori, Aroca and Fernández Anta
 * 2014). Tori that mix sides of 2, where a ring is one cable, with longer ones take the best of
 * these cuts, so the figure is an upper bound there.
 */
function gridBisection(machine: Machine, shape: Shape, wraps: readonly boolean[]): number {
  const axes = cutAxes(machine, shape, wraps);
  if (axes.length === 0) return 0;
  return Math.min(steppedCut(axes), ...straightCuts(axes));
}

/** The sides longer than 1, longest first. */
const cutAxes = ({ figures }: Machine, shape: Shape, wraps: readonly boolean[]): readonly CutAxis[] =>
  shape
    .map((side, axis) => {
      const isRing = closesToRing(side, wraps[axis] === true);
      return { side, isRing, crossed: (isRing ? 2 : 1) * cablesAlong(figures, axis) };
    })
    .filter(({ side }) => side > 1)
    .sort((a, b) => b.side - a.side);

/** Cuts across each even side. */
function straightCuts(axes: readonly CutAxis[]): number[] {
  const routers = axes.reduce((product, { side }) => product * side, 1);
  return axes.filter(({ side }) => side % 2 === 0).map(({ side, crossed }) => (crossed * routers) / side);
}

/** Across the longest side, through the middle plane's own halves where the side is odd. */
function steppedCut([longest, ...shorter]: readonly CutAxis[]): number {
  if (!longest) return 0;
  const plane = shorter.reduce((product, { side }) => product * side, 1);
  const straight = longest.crossed * plane;
  return longest.side % 2 === 0 ? straight : straight + steppedCut(shorter);
}

/**
 * Fewest cables, host links included, between two halves of the nodes of a fat tree: half of
 * the cables of its narrowest level, so N/2 in a k-ary n-tree (Petrini and Vanneschi 1997, section
 * 2). Undefined where the parts under the top cannot be halved, being odd in number. O(levels + degree).
 */
function fatTreeBisection(topology: Topology): number | undefined {
  const { children, cablesUp } = treeLevels(topology);
  const top = children.findLastIndex((count) => count > 1);
  if (top === -1) return 0;
  if (itemAt(children, top) % 2 !== 0) return undefined;
  return Math.min(topology.routerOfNode.length, ...cablesUp.slice(0, top)) / 2;
}

/** Cables from the routers of a half to the others. O(links). */
function cablesCut(machine: Machine, isMember: (router: number) => boolean): number {
  const { from, to, routerLinkCount } = machine.topology.links;
  let cut = 0;
  for (let link = 0; link < routerLinkCount; link++) {
    if (isMember(intAt(from, link)) && !isMember(intAt(to, link))) cut += cablesOfLink(machine, link);
  }
  return cut;
}

/**
 * The least of the cuts across the even axes of a twisted torus or a HyperX, and of the host links of a half; undefined
 * where no axis is even. O(links · axes).
 */
function coordinateBisection(machine: Machine, shape: Shape): number | undefined {
  const cuts = halvingCuts(machine, shape).map(({ cut }) => cut);
  if (cuts.length === 0) return undefined;
  return Math.min(...cuts, ...(machine.topology.hasHostLinks ? [Math.floor(machine.nodeCount / 2)] : []));
}

/** Cuts across the even axes. */
function halvingCuts(machine: Machine, shape: Shape): readonly { readonly side: number; readonly cut: number }[] {
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, side) => product * side, 1));
  return shape.flatMap((side, axis) => {
    if (side % 2 !== 0) return [];
    const stride = itemAt(strides, axis);
    return [{ side, cut: cablesCut(machine, (router) => Math.floor(router / stride) % side < side / 2) }];
  });
}

/**
 * With as many cables on all axes the cut across the shortest side is the narrowest of a HyperX (Lindsey 1964, on products
 * of complete graphs); elsewhere a cut that is not tried may be.
 */
function coordinateBasis(machine: Machine, shape: Shape): BisectionBasis {
  const { hasHostLinks, twist } = machine.topology;
  const narrowest = halvingCuts(machine, shape).reduce((least, one) => (one.cut < least.cut ? one : least));
  const bound = coordinateBisection(machine, shape) ?? 0;
  const isOfHosts = hasHostLinks && bound < narrowest.cut;
  const shortest = Math.min(...shape.filter((side) => side > 1));
  const isEven = new Set(shape.map((_, axis) => cablesAlong(machine.figures, axis))).size === 1;
  return {
    words: isOfHosts ? 'the host links of half of the nodes' : `across a side of ${narrowest.side}`,
    isBound: twist !== undefined || !isEven || shortest % 2 !== 0,
  };
}

/**
 * Cables, host links included, between two halves of the nodes of a network of groups: the least of the host links of a
 * half, a cut between the first half of the routers and the rest (whole groups, and the middle one
 * halved where they are odd in number), and those through the middle of every group. A bound from above, as
 * other cuts are not tried; undefined where none of them halves the nodes. O(links).
 */
function groupBisection(machine: Machine, groups: Int32Array): number | undefined {
  const { routerCount, routerOfNode, groupShape } = machine.topology;
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
    .map((isMember) => cablesCut(machine, isMember));
  return cuts.length > 0 ? Math.min(half, ...cuts) : undefined;
}
