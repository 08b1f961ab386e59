import { intAt, itemAt } from '../../numeric/elements.ts';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { axisDistance, coordinatesOf } from '../../model/shape.ts';
import type { DistanceContext, DistanceModelEntry, GridMetric } from './contract.ts';
import { solveHere } from './equivalentSolver.ts';

/** Above this many routers a table of distances is refused: it would take more than 128 MiB. */
const routerLimit = 4096;

const here: DistanceContext = { solve: solveHere, cancellation: neverCancelled, progress: ignoreProgress };

/**
 * The distances between all routers: row-major routers × routers, NaN where no route leads. Fails with
 * `too-many-distances` before anything is allocated, and with what the model says of the machine. All in the calling
 * thread where no context is given. O(routers²) and the time of the distances.
 */
export function distanceTable(
  machine: Machine,
  model: DistanceModelEntry,
  context: DistanceContext = here,
): Result<Float64Array> {
  const { routerCount } = machine.topology;
  if (routerCount > routerLimit) {
    return fail(
      'too-many-distances',
      `Machine \`${machine.name}\` has ${routerCount} routers; the distance table supports at most ${routerLimit} (128 MiB).`,
    );
  }
  const routers = Int32Array.from({ length: routerCount }, (_, router) => router);
  const distances = model.between(machine, routers, context);
  if (!distances.ok) return distances;
  const distance = 'grid' in distances.value ? distanceOnGrid(distances.value.grid, routerCount) : distances.value.cost;
  const table = new Float64Array(routerCount * routerCount);
  for (let from = 0; from < routerCount; from++) {
    for (let to = 0; to < routerCount; to++) table[from * routerCount + to] = distance(from, to);
  }
  return succeed(table);
}

function distanceOnGrid({ shape, wraps, cost }: GridMetric, routers: number): (from: number, to: number) => number {
  const axes = shape.length;
  const coordinates = new Int32Array(routers * axes);
  for (let router = 0; router < routers; router++) {
    coordinatesOf(shape, router, coordinates.subarray(router * axes, (router + 1) * axes));
  }
  const along = new Int32Array(axes);
  return (from, to) => {
    for (let axis = 0; axis < axes; axis++) {
      const [one, other] = [intAt(coordinates, from * axes + axis), intAt(coordinates, to * axes + axis)];
      along[axis] = axisDistance(itemAt(shape, axis), wraps[axis] === true, one, other);
    }
    return cost(along);
  };
}
