import { embeddingPlan, type EmbeddingPlan } from '../embedding/embeddingPlan.ts';
import { variantCount, variantName } from '../embedding/embed.ts';
import { foldGrid } from '../embedding/grids/foldGrid.ts';
import { drawSeed } from '../../model/random.ts';
import type { MapperEntry } from '../contract.ts';
import type { Shift } from './crew.ts';
import { isProvenBest, takeTrial, type Portfolio } from './portfolio.ts';
import type { Stint } from './stints.ts';
import { tryMappers } from './trials.ts';

/** Tries the catalogue's mappers and a closed form for grids: what is cheap, and often enough. */
export function tryDirectStarts(portfolio: Portfolio, candidates: readonly MapperEntry[]): void {
  const { problem, context, search, effort, valuation } = portfolio;
  const trials = tryMappers(candidates, {
    problem,
    context,
    stop: effort.stopStarting,
    places: search.places,
    valuation,
  });
  for (const trial of trials) takeTrial(portfolio, trial);
  if (isProvenBest(portfolio)) return;
  const started = context.now();
  const folded = foldGrid(search, effort.stop);
  if (folded === undefined) return;
  const { placeOfTask, name } = folded;
  const milliseconds = context.now() - started;
  takeTrial(portfolio, { name: `folding (${name})`, placeOfTask, value: valuation(placeOfTask), milliseconds });
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
    const name = stint.kind === 'embed' && plan ? `embedding (${variantName(plan, stint.variant)})` : stint.kind;
    if (placeOfTask === undefined) continue;
    const isEmbedding = stint.kind === 'embed';
    takeTrial(portfolio, { name, placeOfTask, value: valuation(placeOfTask), milliseconds, isEmbedding });
  }
}

/** `drb` and `k-way` as the mappers of these names make them; on nodes with several places always. */
function affordableStints(portfolio: Portfolio, plan: EmbeddingPlan | undefined): Stint[] {
  const { effort, pace, search, random } = portfolio;
  const [drb, kWay] = (['drb', 'k-way'] as const).map((kind): Stint => ({ kind, seed: drawSeed(random.copy()) }));
  const hasGroups = search.places.placeCount > search.places.siteCount;
  const embeddings = Array.from({ length: plan === undefined ? 0 : variantCount(plan) }, (_, variant): Stint => ({
    kind: 'embed',
    variant,
  }));
  const inOrder = prefersParts(portfolio) || hasGroups ? [drb!, kWay!, ...embeddings] : [...embeddings, drb!];
  let cost = 0;
  const chosen = inOrder.filter(({ kind }, index) => {
    const more = kind === 'embed' ? pace.embedding : pace.partition;
    if (index > (hasGroups ? 1 : 0) && !effort.affords(cost + more)) return false;
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
