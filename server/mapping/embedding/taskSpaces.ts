import type { Cancellation } from '../../model/cancellation.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { type Coordinates, normalised } from './coordinates.ts';
import { graphCoordinates } from './graphCoordinates.ts';
import type { GridPositions } from './grids/gridProduct.ts';
import { taskGridOf } from './grids/taskGrid.ts';

/** Coordinates for all tasks. Plain data. */
export interface TaskSpace {
  readonly name: string;
  readonly coordinates: Coordinates;
  /** The axes mean something, so they are exchanged and mirrored but not turned. */
  readonly aligned: boolean;
}

const leastAxes = 3;
const mostAxes = 6;

/** The job's own coordinates and grid first, then those that its graph gives. Undefined where it was cancelled. */
export function taskSpacesOf(
  problem: SearchProblem,
  siteAxes: number,
  cancellation: Cancellation,
): TaskSpace[] | undefined {
  const { job, graph } = problem;
  const spaces: TaskSpace[] = [];
  if (job.coordinates !== undefined) {
    const { dimensions, values } = job.coordinates;
    const own = Array.from({ length: dimensions }, (_, axis) =>
      Float64Array.from({ length: job.taskCount }, (__, task) => values[task * dimensions + axis]!),
    );
    spaces.push({ name: 'coordinates', coordinates: normalised(own), aligned: true });
  }
  const grid = taskGridOf(problem, cancellation);
  if (grid !== undefined) spaces.push(...gridSpaces(grid));
  const axes = Math.min(mostAxes, Math.max(leastAxes, siteAxes));
  const found = graphCoordinates(graph, axes, cancellation);
  if (found === undefined) return undefined;
  const coordinates = found.length === 0 ? [new Float64Array(graph.taskCount)] : found;
  spaces.push({ name: 'landmarks', coordinates, aligned: false });
  return spaces;
}

/** A grid as it is and, where it wraps, with each ring laid flat so that partners across the seam are near. */
function gridSpaces({ sides, wraps, positions }: GridPositions): TaskSpace[] {
  const flat = positions.map((along) => Float64Array.from(along));
  const grid = { name: 'grid', coordinates: flat, aligned: true };
  if (!wraps.includes(true)) return [grid];
  const laid = flat.map((along, axis) => {
    const last = sides[axis]! - 1;
    return wraps[axis] ? along.map((position) => Math.min(2 * position, 2 * (last - position) + 1)) : along;
  });
  return [{ name: 'grid laid flat', coordinates: laid, aligned: true }, grid];
}
