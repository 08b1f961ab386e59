import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { coordinatesOf, type Shape, closesToRing } from '../../model/shape.ts';
import type { SearchProblem, SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { selectByKey } from '../../numeric/selection.ts';
import { embeddingParameters } from './parameters.ts';

/** Whether the places are to be chosen, and a box of them can be grown in fair time. */
export function canGrowBox({ machine, graph, places }: SearchProblem): boolean {
  const { shape } = machine.topology;
  return (
    shape !== undefined &&
    graph.taskCount < places.placeCount &&
    costOfBox(shape, places.siteCount) < embeddingParameters.stepsOfBox
  );
}

const costOfBox = (shape: Shape, siteCount: number): number => siteCount * shape.reduce((sum, side) => sum + side, 0);

/**
 * As many places as there are tasks, in a box of a grid machine that is about a cube: it grows round a
 * site, its shortest side first, until it holds enough, and gives back what is too much of the last
 * plane. Of the boxes round some sites the one whose sides are shortest. Ascending. Undefined on other
 * machines and if cancelled. O(centres · sites · sides).
 */
export function boxPlaces(problem: SearchProblem, cancellation: Cancellation): Int32Array | undefined {
  const { shape, wraps } = problem.machine.topology;
  const { siteCount } = problem.places;
  if (shape === undefined) return undefined;
  const rings = shape.map((side, axis) => closesToRing(side, wraps?.[axis] === true));
  let best: GrownBox | undefined;
  const { boxCentres, stepsOfBoxes } = embeddingParameters;
  const centres = Math.min(boxCentres, siteCount, Math.ceil(stepsOfBoxes / costOfBox(shape, siteCount)));
  for (let centre = 0; centre < centres; centre++) {
    if (cancellation.isCancelled()) return undefined;
    const offsets = offsetsFrom(problem, shape, rings, Math.floor((centre * siteCount) / centres));
    const box = growBox(problem, shape, offsets);
    if (best === undefined || box.girth < best.girth) best = box;
  }
  return best?.places.toSorted();
}

/** How far each site is from the centre along each axis; on a ring the shorter way. */
function offsetsFrom({ places }: SearchProblem, shape: Shape, rings: readonly boolean[], centre: number): Int32Array[] {
  const { siteCount } = places;
  const routerOfSite = places.coordinateOfSite ?? places.routerOfSite;
  const offsets = shape.map(() => new Int32Array(siteCount));
  const middle = new Int32Array(shape.length);
  const position = new Int32Array(shape.length);
  coordinatesOf(shape, intAt(routerOfSite, centre), middle);
  for (let site = 0; site < siteCount; site++) {
    coordinatesOf(shape, intAt(routerOfSite, site), position);
    for (const [axis, own] of offsets.entries()) {
      const side = itemAt(shape, axis);
      const straight = intAt(position, axis) - intAt(middle, axis);
      const around = (straight + side + ((side - 1) >> 1)) % side;
      own[site] = rings[axis] ? around - ((side - 1) >> 1) : straight;
    }
  }
  return offsets;
}

interface GrownBox {
  readonly places: Int32Array;
  /** Sum of the sides. */
  readonly girth: number;
}

function growBox({ places, graph }: SearchProblem, shape: Shape, offsets: readonly Int32Array[]): GrownBox {
  const low = offsets.map(() => 0);
  const high = offsets.map(() => 0);
  const least = offsets.map((own) => own.reduce((lowest, offset) => Math.min(lowest, offset), 0));
  const most = offsets.map((own) => own.reduce((highest, offset) => Math.max(highest, offset), 0));
  const chosen = new Int32Array(graph.taskCount);
  let filled = 0;
  const take = (site: number) => {
    for (let place = intAt(places.firstPlace, site); place < intAt(places.firstPlace, site + 1); place++) {
      if (filled < chosen.length) chosen[filled++] = place;
    }
  };
  const within = (site: number) =>
    offsets.every((own, axis) => intAt(own, site) >= itemAt(low, axis) && intAt(own, site) <= itemAt(high, axis));
  for (let site = 0; site < places.siteCount; site++) if (within(site)) take(site);
  while (filled < chosen.length) {
    const axis = shortestAxis(low, high, least, most);
    const upwards =
      low[axis] === least[axis] ||
      (itemAt(high, axis) < itemAt(most, axis) && itemAt(high, axis) <= -itemAt(low, axis));
    const plane = upwards ? ++high[axis]! : --low[axis]!;
    const own = itemAt(offsets, axis);
    for (let site = 0; site < places.siteCount; site++) if (own[site] === plane && within(site)) take(site);
  }
  return { places: chosen, girth: shape.reduce((sum, _, axis) => sum + itemAt(high, axis) - itemAt(low, axis), 0) };
}

/** Of those that can still grow. */
function shortestAxis(
  low: readonly number[],
  high: readonly number[],
  least: readonly number[],
  most: readonly number[],
): number {
  let shortest = -1;
  for (let axis = 0; axis < low.length; axis++) {
    if (low[axis] === least[axis] && high[axis] === most[axis]) continue;
    if (shortest < 0 || itemAt(high, axis) - itemAt(low, axis) < itemAt(high, shortest) - itemAt(low, shortest))
      shortest = axis;
  }
  return shortest;
}

/**
 * As many places as there are tasks, close together: those nearest to a site, for that one of some
 * evenly chosen sites from which they are nearest in sum. All places of a site before the next site.
 * Ascending. Undefined if cancelled. O(centres · (sites + n log n)).
 */
export function compactPlaces(core: SearchCore, cancellation: Cancellation): Int32Array | undefined {
  const { placeCount, siteCount } = core.places;
  const { taskCount } = core.graph;
  if (taskCount === placeCount) return Int32Array.from({ length: placeCount }, (_, place) => place);
  let best: Ball | undefined;
  const { ballCentres, sitesOfBalls } = embeddingParameters;
  const centres = Math.min(ballCentres, siteCount, Math.ceil(sitesOfBalls / siteCount));
  for (let centre = 0; centre < centres; centre++) {
    if (cancellation.isCancelled()) return undefined;
    const ball = ballAround(core, Math.floor((centre * siteCount) / centres));
    if (best === undefined || ball.cost < best.cost) best = ball;
  }
  return best?.places.toSorted();
}

interface Ball {
  readonly places: Int32Array;
  /** Sum of the costs from the centre. */
  readonly cost: number;
}

function ballAround({ graph, places, costs }: SearchCore, centre: number): Ball {
  const { siteCount, firstPlace } = places;
  const away = Float64Array.from({ length: siteCount }, (_, site) => costBetween(costs, centre, site));
  const order = Int32Array.from(away, (_, site) => site);
  const enough = Math.min(siteCount, graph.taskCount);
  selectByKey(order, away, 0, siteCount, enough);
  const nearestFirst = order.subarray(0, enough).sort((a, b) => realAt(away, a) - realAt(away, b) || a - b);
  const chosen = new Int32Array(graph.taskCount);
  let filled = 0;
  let cost = 0;
  for (const site of nearestFirst) {
    for (let place = intAt(firstPlace, site); place < intAt(firstPlace, site + 1) && filled < chosen.length; place++) {
      chosen[filled++] = place;
      cost += realAt(away, site);
    }
  }
  return { places: chosen, cost };
}
