import { intAt, itemAt, realAt } from '../../../numeric/elements.ts';
import type { Cancellation } from '../../../model/cancellation.ts';
import { formatShape, axisDistance } from '../../../model/shape.ts';
import { type SearchProblem, valueOf } from '../../problem/searchProblem.ts';
import { arrangeAxis } from './arrangeAxis.ts';
import { foldings, type Folding } from './foldings.ts';
import type { GridPositions } from './gridProduct.ts';
import { type PlaceBox, placeBoxOf } from './placeBox.ts';
import { taskGridOf } from './taskGrid.ts';
import { gridParameters } from './parameters.ts';

export interface FoldedGrid {
  /** PlaceId of each task, all different. */
  readonly placeOfTask: Int32Array;
  /** `64 x 64 folded into 16 x 16 x 16`. */
  readonly name: string;
}

/**
 * Lays a job that is a grid, said or not, into an allocation that is a box of a grid machine: as it is
 * where it fits, else folded. Folds are tried in the order of what they should cost, each as it is and
 * with the positions along each axis rearranged; the best under the problem's criterion is kept.
 * Undefined where the job is no grid, the allocation no box, the sides do not divide, or it was
 * cancelled before the first. O(edges · degree²) to recognise and O(edges) for each fold.
 */
export function foldGrid(problem: SearchProblem, cancellation: Cancellation): FoldedGrid | undefined {
  const box = placeBoxOf(problem);
  const grid = box && taskGridOf(problem, cancellation);
  if (box === undefined || grid === undefined) return undefined;
  const best = bestFolding(problem, grid, box, cancellation);
  if (best === undefined) return undefined;
  const boxSides = box.axes.map(({ side }) => side).filter((side) => side > 1);
  return { placeOfTask: best, name: `${formatShape(grid.sides)} folded into ${formatShape(boxSides)}` };
}

function bestFolding(
  problem: SearchProblem,
  grid: GridPositions,
  box: PlaceBox,
  cancellation: Cancellation,
): Int32Array | undefined {
  const { graph } = problem;
  const { mostFoldings, fewestFoldings, edgeVisitsOfFoldings } = gridParameters;
  const limit = Math.min(
    mostFoldings,
    Math.max(fewestFoldings, Math.floor(edgeVisitsOfFoldings / graph.partner.length)),
  );
  const weights = axisWeights(problem, grid);
  const boxSides = box.axes.map(({ side }) => side);
  const found = foldings(
    { sides: grid.sides, weights, boxSides, boxSteps: box.axes.map(({ step }) => step) },
    limit,
    cancellation,
  );
  // Every step along an axis crosses a link, unless several places are on one router.
  const least = box.axes.some(({ side, step }) => step === 0 && side > 1)
    ? 0
    : weights.reduce((sum, own) => sum + own, 0);
  let best: Int32Array | undefined;
  let bestValue = Infinity;
  for (const folding of found) {
    const along = foldTasks(grid, folding, box.axes.length);
    for (const arranged of [false, true]) {
      if (cancellation.isCancelled() || bestValue <= least) return best;
      if (arranged) for (const [axis, own] of box.axes.entries()) arrangeAxis(graph, itemAt(along, axis), own);
      const placeOfTask = placesAt(box, along);
      const value = valueOf(problem, placeOfTask);
      if (value >= bestValue) continue;
      bestValue = value;
      best = placeOfTask;
    }
  }
  return best;
}

/** Bytes times steps along each axis of the tasks. */
function axisWeights({ graph, costs }: SearchProblem, { sides, wraps, positions }: GridPositions): number[] {
  const { taskCount, rowStart, partner, weight } = graph;
  return positions.map((along, axis) => {
    let sum = 0;
    for (let task = 0; task < taskCount; task++) {
      for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
        sum +=
          realAt(weight, edge) *
          axisDistance(
            itemAt(sides, axis),
            itemAt(wraps, axis),
            intAt(along, task),
            intAt(along, intAt(partner, edge)),
          );
      }
    }
    return sum / 2 / costs.unit;
  });
}

function placesAt({ axes, placeAt }: PlaceBox, along: readonly Int32Array[]): Int32Array {
  const placeOfTask = new Int32Array(along[0]?.length ?? 0);
  for (let task = 0; task < placeOfTask.length; task++) {
    let index = 0;
    for (let axis = axes.length - 1; axis >= 0; axis--)
      index = index * itemAt(axes, axis).side + intAt(itemAt(along, axis), task);
    placeOfTask[task] = intAt(placeAt, index);
  }
  return placeOfTask;
}

/** Position of every task on each axis of the box. O(tasks · digits). */
function foldTasks(grid: GridPositions, { digits }: Folding, boxAxes: number): Int32Array[] {
  const taskCount = grid.positions[0]?.length ?? 0;
  const folded = Array.from({ length: boxAxes }, () => new Int32Array(taskCount));
  for (const [taskAxis, positions] of grid.positions.entries()) {
    const rest = positions.slice();
    for (const digit of digits) {
      if (digit.taskAxis !== taskAxis) continue;
      const { radix, stride } = digit;
      const along = itemAt(folded, digit.boxAxis);
      for (let task = 0; task < taskCount; task++) {
        const quotient = Math.floor(intAt(rest, task) / radix);
        const value = intAt(rest, task) - quotient * radix;
        // Every second run goes back, so that the step between runs stays on the spot here.
        along[task]! += stride * (quotient % 2 === 0 ? value : radix - 1 - value);
        rest[task] = quotient;
      }
    }
  }
  return folded;
}
