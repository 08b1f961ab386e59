import { embeddingPlan, type EmbeddingPlan } from '../embedding/embeddingPlan.ts';
import { variantCount, variantName } from '../embedding/embed.ts';
import { foldGrid } from '../embedding/grids/foldGrid.ts';
import type { MapperEntry, MappingProblem } from '../contract.ts';
import { rcb } from '../stencils/rcb.ts';
import { rotateOption } from '../stencils/rotation.ts';
import type { Shift } from './crew.ts';
import { isProvenBest, takeTrial, type Portfolio } from './portfolio.ts';
import type { Stint } from './stints.ts';
import { tryMappers } from './trials.ts';

/** Above this many tasks only mappers that take near-linear time are tried: the others take seconds. */
const manyTasks = 20_000;

/** Tries the catalogue's mappers and a closed form for grids: what is cheap, and often enough. */
export function tryDirectStarts(portfolio: Portfolio, candidates: readonly MapperEntry[]): void {
  const { problem, context, search, effort, valuation } = portfolio;
  const fitting = candidates.filter((entry) => fits(entry, problem));
  const trials = tryMappers(fitting, { problem, context, stop: effort.stopStarting, places: search.places, valuation });
  for (const trial of trials) takeTrial(portfolio, trial);
  if (isProvenBest(portfolio)) return;
  const started = context.now();
  const folded = foldGrid(search, effort.stop);
  if (folded === undefined) return;
  const { placeOfTask, name } = folded;
  const milliseconds = context.now() - started;
  takeTrial(portfolio, { name: `folding (${name})`, placeOfTask, value: valuation(placeOfTask), milliseconds });
}

/** Without a grid a job is a line to the stencil mappers, and one of them is enough; near-linear: "O(n)", "O(n log² n)". */
function fits({ complexity, options }: MapperEntry, { job }: MappingProblem): boolean {
  const isStencilMapper = options.includes(rotateOption);
  if (isStencilMapper && job.grid === undefined) return complexity === rcb.complexity;
  return job.taskCount <= manyTasks || /^O\(n( log²? n)?\)$/.test(complexity);
}

/** What embedding needs, prepared once for all threads. */
export const planOf = ({ search, context, effort }: Omit<Portfolio, 'shift'>): EmbeddingPlan | undefined =>
  embeddingPlan(search, context.random, effort.stop);

/**
 * Embeds and partitions, on all threads, as much of it as a third of the budget pays for; one start in any
 * case. Embeddings are the better ones on grids; on networks, and where few tasks have most of the
 * partners, parts that talk within themselves are.
 */
export function tryGlobalStarts(portfolio: Portfolio, shift: Shift, plan: EmbeddingPlan | undefined): void {
  const { context, effort, valuation } = portfolio;
  const stints = affordableStints(portfolio, plan);
  const started = context.now();
  const outcomes = shift.run(stints, effort.stopStarting);
  const milliseconds = context.now() - started;
  for (const [index, { placeOfTask }] of outcomes.entries()) {
    const stint = stints[index]!;
    const name = stint.kind === 'embed' && plan ? `embedding (${variantName(plan, stint.variant)})` : 'drb';
    if (placeOfTask === undefined) continue;
    const isEmbedding = stint.kind === 'embed';
    takeTrial(portfolio, { name, placeOfTask, value: valuation(placeOfTask), milliseconds, isEmbedding });
  }
}

function affordableStints(portfolio: Portfolio, plan: EmbeddingPlan | undefined): Stint[] {
  const { context, effort, pace } = portfolio;
  const partition: Stint = { kind: 'partition', seed: context.random.integer(2 ** 31 - 1) };
  const embeddings = Array.from({ length: plan === undefined ? 0 : variantCount(plan) }, (_, variant): Stint => ({
    kind: 'embed',
    variant,
  }));
  const inOrder = prefersParts(portfolio) ? [partition, ...embeddings] : [...embeddings, partition];
  let cost = 0;
  const chosen = inOrder.filter(({ kind }, index) => {
    const more = kind === 'embed' ? pace.embedding : pace.partition;
    if (index > 0 && !effort.affords(cost + more)) return false;
    cost += more;
    return true;
  });
  effort.spend(cost);
  return chosen;
}

/** Partners of the task that has most, as a multiple of the mean, from which on a graph has hubs. */
const hubDegree = 8;

function prefersParts({ problem, search }: Portfolio): boolean {
  const { taskCount, rowStart, partner } = search.graph;
  let most = 0;
  for (let task = 0; task < taskCount; task++) most = Math.max(most, rowStart[task + 1]! - rowStart[task]!);
  return problem.machine.topology.shape === undefined || most * taskCount > hubDegree * partner.length;
}
