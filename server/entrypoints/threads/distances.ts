/** Equivalent distances on several threads: an item is a source, whose values go into shared memory. */
import { EquivalentSolver, type SolveDistances } from '../../network/distances/equivalentSolver.ts';
import type { RouteCircuits, WantedDistances } from '../../network/distances/routeCircuits.ts';
import type { Workload, WorkQueue } from './workQueue.ts';

interface DistanceMaterials {
  readonly circuits: RouteCircuits;
  readonly wanted: WantedDistances;
  /** Shared memory. Two threads may write the same values of one source. */
  readonly values: Float64Array;
}

/** The item is the position of a source in `wanted`; the outcome is false where it was stopped. */
export const distanceWorkload: Workload<DistanceMaterials, number, boolean> = {
  name: 'distances',
  prepare: ({ circuits, wanted, values }) => {
    const solver = new EquivalentSolver(circuits);
    return (position, stop) => !stop.isCancelled() && solver.solve(wanted, position, values, stop);
  },
};

/** Milliseconds that the calling thread works alone: less than it takes to start threads. */
const aloneFor = 20;

export const solveOnThreads =
  (queue: WorkQueue): SolveDistances =>
  (circuits, wanted, cancellation, progress) => {
    const values = new Float64Array(new SharedArrayBuffer(wanted.valueCount * Float64Array.BYTES_PER_ELEMENT));
    const session = queue.open(distanceWorkload, { circuits, wanted, values });
    const sources = Array.from(wanted.sources, (_, position) => position);
    const outcomes = session.run(sources, {
      stop: cancellation,
      aloneFor,
      progress: (share) => {
        progress(share, 'equivalent distances');
      },
    });
    session.close();
    return outcomes.every(Boolean) ? values : undefined;
  };
