import type { Cancellation, ReportProgress } from '../../model/cancellation.ts';
import { EquivalentSolver } from './equivalentSolver.ts';
import type { RouteCircuits, WantedDistances } from './routeCircuits.ts';

/**
 * Works out the equivalent distances that are wanted: `valueCount` values, NaN where no route leads.
 * Undefined where it was cancelled. The entrypoints have one that spreads the sources over threads; each
 * source is worked out by itself, so the bytes are the same whoever does it.
 */
export type SolveDistances = (
  circuits: RouteCircuits,
  wanted: WantedDistances,
  cancellation: Cancellation,
  progress: ReportProgress,
) => Float64Array | undefined;

/** All in the calling thread. */
export const solveHere: SolveDistances = (circuits, wanted, cancellation, progress) => {
  const solver = new EquivalentSolver(circuits);
  const values = new Float64Array(wanted.valueCount);
  const sources = wanted.sources.length;
  for (let position = 0; position < sources; position++) {
    if (!solver.solve(wanted, position, values, cancellation)) return undefined;
    progress((position + 1) / sources, 'equivalent distances');
  }
  return values;
};
