/** The search for dense problems alone, in one thread, on instances of QAPLIB. */
import type { Cancellation } from '../../server/model/cancellation.ts';
import { denseProblemOfMatrices, denseValue } from '../../server/optimisation/dense/denseProblem.ts';
import { DenseSearch } from '../../server/optimisation/dense/denseSearch.ts';
import { improveDense } from '../../server/optimisation/dense/tabuSearch.ts';
import { quadraticAssignment } from './qaplib.ts';

export interface DenseFigure {
  readonly instance: string;
  readonly seed: number;
  readonly value: number;
  /** Over the best value known, in per cent. */
  readonly excess: number;
  readonly evaluationsPerSecond: number;
  /** Of this process until the search had finished or the budget was spent. */
  readonly seconds: number;
}

const denseInstances = [
  'nug30',
  'esc32a',
  'sko49',
  'tai60a',
  'sko100a',
  'wil100',
  'tai100a',
  'tho150',
  'tai256c',
] as const;

/** One run for each instance and seed, `budgetSeconds` of processor time each. */
export function denseFigures(
  budgetSeconds: number,
  seeds: readonly number[],
  instances: readonly string[] = denseInstances,
): DenseFigure[] {
  return instances.flatMap((instance) => seeds.map((seed) => denseFigure(instance, seed, budgetSeconds)));
}

function denseFigure(instance: string, seed: number, budgetSeconds: number): DenseFigure {
  const { flow, distance, bestKnown } = quadraticAssignment(instance);
  const problem = denseProblemOfMatrices(flow, Int32Array.from(distance));
  const elapsed = processorClock();
  const stop: Cancellation = { isCancelled: () => elapsed() >= budgetSeconds };
  const search = new DenseSearch(problem, [], seed);
  while (!search.finished && !stop.isCancelled()) {
    search.receive(search.next().map((order) => improveDense(problem, order, stop)));
  }
  const seconds = elapsed();
  const value = denseValue(problem, search.best!.siteOfTask);
  const excess = 100 * (value / bestKnown - 1);
  return { instance, seed, value, excess, evaluationsPerSecond: search.evaluations / seconds, seconds };
}

/** Seconds of processor time since it was made. */
function processorClock(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
}
