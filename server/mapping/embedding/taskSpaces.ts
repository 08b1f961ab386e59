import type { Cancellation } from '../../model/cancellation.ts';
import { coordinatesOf } from '../../model/shape.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { type Coordinates, normalised } from './coordinates.ts';
import { graphCoordinates } from './graphCoordinates.ts';

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
  if (job.grid !== undefined) spaces.push({ name: 'grid', coordinates: gridOf(problem), aligned: true });
  const axes = Math.min(mostAxes, Math.max(leastAxes, siteAxes));
  const found = graphCoordinates(graph, axes, cancellation);
  if (found === undefined) return undefined;
  const coordinates = found.length === 0 ? [new Float64Array(graph.taskCount)] : found;
  spaces.push({ name: 'landmarks', coordinates, aligned: false });
  return spaces;
}

function gridOf({ job }: SearchProblem): Float64Array[] {
  const shape = job.grid ?? [job.taskCount];
  const axes = shape.map(() => new Float64Array(job.taskCount));
  const position = new Int32Array(shape.length);
  for (let task = 0; task < job.taskCount; task++) {
    coordinatesOf(shape, task, position);
    for (const [axis, values] of axes.entries()) values[task] = position[axis]!;
  }
  return axes;
}
