import { embeddingPlan, type EmbeddingPlan } from '../embedding/embeddingPlan.ts';
import { variantCount, variantName } from '../embedding/embed.ts';
import { foldGrid } from '../embedding/grids/foldGrid.ts';
import type { MapperEntry } from '../contract.ts';
import type { Shift } from './crew.ts';
import { isProvenBest, takeTrial, type Portfolio } from './portfolio.ts';
import type { Stint } from './stints.ts';
import { tryMappers } from './trials.ts';

/** Above this many tasks only mappers that take near-linear time are tried: the others take seconds. */
const manyTasks = 20_000;

/** Tries the catalogue's mappers and a closed form for grids: what is cheap, and often enough. */
export function tryDirectStarts(portfolio: Portfolio, candidates: readonly MapperEntry[]): void {
  const { problem, context, search, effort, valuation } = portfolio;
  const fitting = problem.job.taskCount > manyTasks ? candidates.filter(isNearLinear) : candidates;
  const trials = tryMappers(fitting, { problem, context, stop: effort.stop, places: search.places, valuation });
  for (const trial of trials) takeTrial(portfolio, trial);
  if (isProvenBest(portfolio)) return;
  const started = context.now();
  const folded = foldGrid(search, effort.stop);
  if (folded === undefined) return;
  const { placeOfTask, name } = folded;
  const milliseconds = context.now() - started;
  takeTrial(portfolio, { name: `folding (${name})`, placeOfTask, value: valuation(placeOfTask), milliseconds });
}

/** "O(n)", "O(n log n)", "O(n log² n)": nothing squared. */
const isNearLinear = ({ complexity }: MapperEntry): boolean => /^O\(n( log²? n)?\)$/.test(complexity);

/** What embedding needs, prepared once for all threads. */
export const planOf = ({ search, context, effort }: Omit<Portfolio, 'shift'>): EmbeddingPlan | undefined =>
  embeddingPlan(search, context.random, effort.stop);

/** Embeds and partitions, on all threads: starts that take a while and are mostly the best. */
export function tryGlobalStarts(portfolio: Portfolio, shift: Shift, plan: EmbeddingPlan | undefined): void {
  const { context, effort, valuation } = portfolio;
  const seed = context.random.integer(2 ** 31 - 1);
  const stints: Stint[] = [
    { kind: 'partition', seed },
    ...Array.from({ length: plan === undefined ? 0 : variantCount(plan) }, (_, variant) => ({
      kind: 'embed' as const,
      variant,
    })),
  ];
  const started = context.now();
  const outcomes = shift.run(stints, effort.stop);
  const milliseconds = context.now() - started;
  for (const [index, { placeOfTask }] of outcomes.entries()) {
    const stint = stints[index]!;
    const name = stint.kind === 'embed' && plan ? `embedding (${variantName(plan, stint.variant)})` : 'drb';
    if (placeOfTask) takeTrial(portfolio, { name, placeOfTask, value: valuation(placeOfTask), milliseconds });
  }
}
