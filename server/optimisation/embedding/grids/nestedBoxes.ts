import { intAt, itemAt, realAt } from '../../../numeric/elements.ts';
import type { Cancellation } from '../../../model/cancellation.ts';
import { formatShape, type Shape } from '../../../model/shape.ts';
import type { SearchProblem } from '../../problem/searchProblem.ts';
import { costBetween } from '../../problem/siteCosts.ts';
import type { FoldedGrid } from './foldGrid.ts';
import { taskGridOf } from './taskGrid.ts';

/** How places stand in each other: cores in nodes, nodes on routers, routers in subtrees. */
interface Nesting {
  /** Places in a box of each level: of a node, of a router, …, of all. */
  readonly sizes: readonly number[];
  /** What a byte costs between two places whose smallest common box is of each level. */
  readonly costs: readonly number[];
  /** All places, those of a box together at every level. */
  readonly order: Int32Array;
}

/** More levels than any machine that is built; more different costs than that are no hierarchy. */
const mostLevels = 24;

/**
 * A job that is a grid on all places of a hierarchy, every box of which holds as much as the others of its
 * level: boxes of tasks in boxes of tasks, whose sides divide each other, so that the least weight leaves the
 * boxes of each level. Undefined where the job is no such grid or the machine no such hierarchy. The optimum
 * over all nested boxes for stencils of nearest neighbours; O(edges · degree²) to recognise the grid.
 */
export function nestedBoxes(problem: SearchProblem, cancellation: Cancellation): FoldedGrid | undefined {
  const { graph, places } = problem;
  if (graph.taskCount !== places.placeCount) return undefined;
  const nesting = nestingOf(problem);
  if (nesting === undefined || nesting.sizes.length < 2) return undefined;
  const grid = taskGridOf(problem, cancellation);
  if (grid === undefined) return undefined;
  const boxes = bestBoxes(grid.sides, weightsOf(problem, grid.positions), grid.wraps, nesting);
  if (boxes === undefined) return undefined;
  const placeOfTask = new Int32Array(graph.taskCount);
  const position = grid.sides.map(() => 0);
  for (let task = 0; task < placeOfTask.length; task++) {
    for (const [axis, along] of grid.positions.entries()) position[axis] = intAt(along, task);
    placeOfTask[task] = intAt(nesting.order, rankIn(boxes, position));
  }
  return { placeOfTask, name: boxes.slice(0, -1).map(formatShape).join(' in ') };
}

/** The sum of all weights along each axis. */
function weightsOf({ graph }: SearchProblem, positions: readonly Int32Array[]): number[] {
  return positions.map((along) => {
    let sum = 0;
    for (let task = 0; task < graph.taskCount; task++) {
      for (let edge = intAt(graph.rowStart, task); edge < intAt(graph.rowStart, task + 1); edge++) {
        sum += realAt(graph.weight, edge) * Math.abs(intAt(along, task) - intAt(along, intAt(graph.partner, edge)));
      }
    }
    return sum / 2;
  });
}

interface Choice {
  readonly cost: number;
  readonly boxes: readonly Shape[];
}

/** Level by level, for each shape of box the cheapest way to fill it with boxes of the level below. */
function bestBoxes(
  sides: Shape,
  weights: readonly number[],
  wraps: readonly boolean[],
  { sizes, costs }: Nesting,
): readonly Shape[] | undefined {
  /** The share of the weight that leaves boxes of this shape. */
  const leaving = (box: Shape): number =>
    box.reduce((sum, side, axis) => {
      const count = itemAt(sides, axis) / side;
      const cuts = wraps[axis] && count > 1 ? count : count - 1;
      const steps = wraps[axis] ? itemAt(sides, axis) : itemAt(sides, axis) - 1;
      return sum + (itemAt(weights, axis) * cuts) / Math.max(1, steps);
    }, 0);
  let known: readonly Choice[] = [{ cost: 0, boxes: [sides.map(() => 1)] }];
  for (const [level, size] of sizes.entries()) {
    const next: Choice[] = [];
    // What leaves a box of this level pays the next level's cost instead of this one's.
    const more = (costs[level + 1] ?? itemAt(costs, level)) - itemAt(costs, level);
    for (const box of boxesOf(sides, size)) {
      const cost = more * leaving(box);
      let best: Choice | undefined;
      for (const choice of known) {
        const inner = choice.boxes.at(-1)!;
        if (inner.some((side, axis) => itemAt(box, axis) % side !== 0)) continue;
        if (best === undefined || choice.cost + cost < best.cost)
          best = { cost: choice.cost + cost, boxes: [...choice.boxes, box] };
      }
      if (best !== undefined) next.push(best);
    }
    known = next;
  }
  const [all] = known;
  return all?.boxes.slice(1);
}

/** All boxes of so many tasks whose sides divide those of the grid. */
function boxesOf(sides: Shape, size: number): Shape[] {
  const [side, ...others] = sides;
  if (side === undefined) return size === 1 ? [[]] : [];
  const boxes: Shape[] = [];
  for (let own = 1; own <= side; own++) {
    if (side % own !== 0 || size % own !== 0) continue;
    for (const rest of boxesOf(others, size / own)) boxes.push([own, ...rest]);
  }
  return boxes;
}

/** Where a task stands when boxes are numbered within boxes, the first axis fastest. */
function rankIn(boxes: readonly Shape[], position: readonly number[]): number {
  let rank = 0;
  let size = 1;
  let inner: Shape = position.map(() => 1);
  for (const box of boxes) {
    for (const [axis, side] of box.entries()) {
      const count = side / itemAt(inner, axis);
      rank += size * (Math.floor(itemAt(position, axis) / itemAt(inner, axis)) % count);
      size *= count;
    }
    inner = box;
  }
  return rank;
}

/** Undefined where nodes or routers do not all offer as many places. O(routers² · levels + places). */
function nestingOf({ places, costs }: SearchProblem): Nesting | undefined {
  const { siteCount, placeCount, firstPlace, routerOfSite } = places;
  const room = placeCount / siteCount;
  const sitesAt = new Map<number, number[]>();
  for (let site = 0; site < siteCount; site++) {
    if (firstPlace[site] !== site * room) return undefined;
    const own = sitesAt.get(intAt(routerOfSite, site));
    if (own) own.push(site);
    else sitesAt.set(intAt(routerOfSite, site), [site]);
  }
  const groups = [...sitesAt.values()];
  const perRouter = itemAt(groups, 0).length;
  if (groups.some(({ length }) => length !== perRouter)) return undefined;
  const sizes = [room];
  const levelCosts = [0];
  if (perRouter > 1) {
    sizes.push(room * perRouter);
    levelCosts.push(costBetween(costs, itemAt(itemAt(groups, 0), 0), itemAt(itemAt(groups, 0), 1)));
  }
  let nested: number[][] = groups;
  for (let level = 0; level < mostLevels && nested.length > 1; level++) {
    const joined = joinNearest(nested, (one, other) => costBetween(costs, one, other));
    if (joined === undefined) break;
    sizes.push(room * itemAt(joined.groups, 0).length);
    levelCosts.push(joined.cost);
    nested = joined.groups;
  }
  if (nested.length > 1) {
    sizes.push(placeCount);
    levelCosts.push(meanGroupCost(nested, costs));
  }
  if (sizes[0] === 1) {
    sizes.shift();
    levelCosts.shift();
  }
  const order = Int32Array.from(
    nested.flat().flatMap((site) => Array.from({ length: room }, (_, core) => site * room + core)),
  );
  return { sizes, costs: levelCosts, order };
}

/** From the first box to the others: where nothing is nested any more some cost has to stand for all. */
function meanGroupCost(groups: readonly number[][], costs: SearchProblem['costs']): number {
  const [first] = itemAt(groups, 0);
  const sum = groups.slice(1).reduce((all, [other]) => all + costBetween(costs, first!, other!), 0);
  return sum / (groups.length - 1);
}

/**
 * Groups that are nearest to each other as larger groups, where "as near as any" is an equivalence whose
 * classes are equally large, and more than one group each. O(groups²).
 */
function joinNearest(
  groups: readonly number[][],
  cost: (one: number, other: number) => number,
): { readonly groups: number[][]; readonly cost: number } | undefined {
  const first = groups.map(([site]) => site!);
  let least = Infinity;
  for (let other = 1; other < first.length; other++)
    least = Math.min(least, cost(itemAt(first, 0), itemAt(first, other)));
  const classOf = new Int32Array(first.length).fill(-1);
  const joined: number[][] = [];
  let size = 0;
  for (let one = 0; one < first.length; one++) {
    const members = first.flatMap((site, index) =>
      index === one || cost(itemAt(first, one), site) <= least ? [index] : [],
    );
    if (intAt(classOf, one) < 0) {
      if (members.some((index) => intAt(classOf, index) >= 0)) return undefined;
      for (const index of members) classOf[index] = joined.length;
      joined.push(members.flatMap((index) => itemAt(groups, index)));
      size = size === 0 ? members.length : size;
    }
    if (members.length !== size || size < 2 || members.some((index) => classOf[index] !== classOf[one]))
      return undefined;
  }
  return { groups: joined, cost: least };
}
