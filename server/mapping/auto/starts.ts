import { intAt, itemAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { drawSeed } from '../../model/random.ts';
import { embeddingPlan, type EmbeddingPlan, variantCount, variantName } from '../../optimisation/embedding/embed.ts';
import { foldGrid, type FoldedGrid } from '../../optimisation/embedding/grids/foldGrid.ts';
import { nestedBoxes } from '../../optimisation/embedding/grids/nestedBoxes.ts';
import type { MapperEntry } from '../contract.ts';
import type { SearchProblem } from '../../optimisation/problem/searchProblem.ts';
import { lowerBound } from '../../optimisation/bounds/lowerBound.ts';
import type { PoolSession, WorkItem } from '../../optimisation/workerPool.ts';
import { isProvenBest, takeCandidate, stopWithProgress, type Portfolio, tryInPortfolio } from './portfolio.ts';

/** What of the catalogue `auto` tries, each exactly as it runs alone. */
export interface Candidates {
  /** In any case: each takes tens of milliseconds at most. The order decides ties. */
  readonly quick: readonly MapperEntry[];
  /** Searches of their own, as far as the budget goes. */
  readonly searches: readonly MapperEntry[];
}

/** Mappers that the budget was too short for; none where nothing is left to gain. */
export function untriedOf(portfolio: Portfolio, { quick, searches }: Candidates): readonly string[] {
  if (isProvenBest(portfolio)) return [];
  const names = [...quick.map(({ name }) => name), ...partitionNames(portfolio), ...searches.map(({ name }) => name)];
  return names.filter((name) => !portfolio.answered.has(name));
}

/** What other threads make while the quick mappers are tried. */
type Early = 'parts of nodes' | 'parts of routers' | 'halves' | 'nothing';

/** Where places belong together parts are the first thing that is wanted; where tasks have hubs, halves. */
export function earlyStarts(portfolio: Portfolio, joined: boolean): Early {
  const { places } = portfolio.search;
  if (places.placeCount > places.siteCount) return 'parts of nodes';
  if (joined) return 'parts of routers';
  return hasHubs(portfolio) ? 'halves' : 'nothing';
}

/**
 * Tries the catalogue's quick mappers and closed forms for grids, which is cheap, and often enough, while
 * other threads begin with what takes longer.
 */
export function tryMappers(
  portfolio: Portfolio,
  candidates: Candidates,
  early: Early,
  session: () => PoolSession,
): void {
  const direct = (): void => {
    tryDirectStarts(portfolio, candidates);
  };
  if (early === 'nothing') {
    direct();
    return;
  }
  const [drb, kWay] = partitions(portfolio);
  const wave = {
    'parts of nodes': [drb, kWay],
    'parts of routers': [joinedStart(portfolio, 'drb', 1), joinedStart(portfolio, 'k-way', 1)],
    halves: [drb],
  }[early];
  const ended = portfolio.searchBudget.until(portfolio.parameters.mappersEndedAt);
  const stop = { isCancelled: () => ended.isCancelled() || isProvenBest(portfolio) };
  const own = session();
  try {
    takeWave(portfolio, own, wave, { stop, meanwhile: direct });
  } finally {
    own.close();
  }
}

function tryDirectStarts(portfolio: Portfolio, { quick }: Candidates): void {
  const { searchBudget, context, parameters } = portfolio;
  for (const entry of quick) {
    const isFirst = portfolio.candidates.length === 0;
    const stop = searchBudget.until(parameters.quickUntil);
    if (isFirst || !stop.isCancelled()) tryOne(portfolio, entry, isFirst ? context.cancellation : stop);
    if (searchBudget.isCancelled) return;
    // Once there is something to answer with.
    if (isFirst) findBound(portfolio);
  }
  for (const [what, lay] of closedForms) {
    if (isProvenBest(portfolio) || searchBudget.stop.isCancelled()) return;
    takeClosedForm(portfolio, what, lay);
  }
}

function findBound(portfolio: Portfolio): void {
  const { search, problem, searchBudget, parameters } = portfolio;
  // The first start of a job of millions takes the whole budget.
  if (searchBudget.isTimed && searchBudget.elapsed >= 1) return;
  const reported = lowerBound(search, problem.machine, searchBudget.until(parameters.boundUntil));
  portfolio.bound = { value: reported.value / (search.weightUnit * search.costs.unit), reported };
}

const closedForms: readonly (readonly [
  string,
  (problem: SearchProblem, stop: Cancellation) => FoldedGrid | undefined,
])[] = [
  ['folding', foldGrid],
  ['nested boxes', nestedBoxes],
];

function takeClosedForm(portfolio: Portfolio, what: string, lay: (typeof closedForms)[number][1]): void {
  const { context, search, searchBudget, valuation, parameters } = portfolio;
  const started = context.now();
  const laid = lay(search, searchBudget.until(parameters.startsEndedAt));
  if (laid === undefined) return;
  const { placeOfTask, name } = laid;
  const milliseconds = context.now() - started;
  takeCandidate(portfolio, { name: `${what} (${name})`, placeOfTask, value: valuation(placeOfTask), milliseconds });
}

/** Tries the searches of the catalogue, each within a small share of the budget. */
export function trySearches(portfolio: Portfolio, { searches }: Candidates): void {
  const { searchBudget, search, parameters } = portfolio;
  const isSmall = search.graph.taskCount <= parameters.fewTasks;
  const share = isSmall ? parameters.searchShareOfSmall : parameters.searchShare;
  for (const entry of searches) {
    if (isProvenBest(portfolio) || searchBudget.isCancelled) return;
    const isAffordable = searchBudget.isTimed ? searchBudget.elapsed < parameters.startsUntil : isSmall;
    const stop = searchBudget.until(searchBudget.elapsed + share);
    if (isAffordable && !stop.isCancelled()) tryOne(portfolio, entry, stop);
  }
}

/** A mapper that was stopped counts as not tried; one that refuses the problem does not. */
function tryOne(portfolio: Portfolio, entry: MapperEntry, stop: Cancellation): void {
  const { problem, alone, search, valuation } = portfolio;
  // A mapper that is asked to finish would answer with less than it makes alone.
  const cancellation = { isCancelled: () => stop.isCancelled() };
  const candidate = tryInPortfolio(entry, { problem, context: alone, places: search.places, valuation }, cancellation);
  if (candidate !== undefined) takeCandidate(portfolio, candidate);
  if (candidate !== undefined || !stop.isCancelled()) portfolio.answered.add(entry.name);
}

/**
 * What embedding needs, prepared once for all threads: begun in any case, for half a plan is of no use and no start
 * like it.
 */
export const prepareEmbedding = ({ search, context, searchBudget, parameters }: Portfolio): EmbeddingPlan | undefined =>
  embeddingPlan(search, context.random, searchBudget.until(parameters.mappersEndedAt));

/** A start that any thread can make. */
interface Start {
  readonly name: string;
  readonly workItem: WorkItem;
  /** How many of these the mapper of the catalogue makes: it is never left out without a word. */
  readonly isMapper: boolean;
}

/**
 * Embeds and partitions, on all threads, for about a third of the budget; one round of starts in any case.
 * Places on the same node, or nodes on the same router, ask first for parts with much traffic within, and for
 * more than one try; so do networks, and graphs with hubs. On grids embeddings come first.
 */
export function tryGlobalStarts(
  portfolio: Portfolio,
  session: PoolSession,
  plan: EmbeddingPlan | undefined,
  early: Early,
): void {
  const { context, searchBudget, parameters } = portfolio;
  const starts = startsInOrder(portfolio, plan, early);
  const together = searchBudget.isTimed ? (context.workerPool?.threads ?? 1) : starts.length;
  for (let first = 0; first < starts.length; first += together) {
    const wave = starts.slice(first, first + together);
    const until = first > 0 ? parameters.startsUntil : firstWaveUntil(portfolio, early);
    const isOver = isProvenBest(portfolio) || searchBudget.until(until).isCancelled();
    if (isOver) return;
    takeWave(portfolio, session, wave, { stop: searchBudget.until(parameters.mappersEndedAt) });
  }
}

/** The first wave is made in any case, unless parts are made: on grids shapes are worth more than those. */
function firstWaveUntil({ problem, parameters: { startsUntil, startsEndedAt } }: Portfolio, early: Early): number {
  if (early === 'nothing') return Infinity;
  return problem.machine.topology.shape === undefined || early === 'halves' ? startsUntil : startsEndedAt;
}

interface WaveOptions {
  readonly stop: Cancellation;
  readonly meanwhile?: () => void;
}

function takeWave(
  portfolio: Portfolio,
  session: PoolSession,
  wave: readonly Start[],
  { stop, meanwhile }: WaveOptions,
): void {
  const { context, valuation, answered } = portfolio;
  const started = context.now();
  const outcomes = session.run(
    wave.map(({ workItem }) => workItem),
    stopWithProgress(portfolio, stop),
    meanwhile,
  );
  const milliseconds = context.now() - started;
  for (const [index, { placeOfTask }] of outcomes.entries()) {
    const { name, workItem, isMapper } = itemAt(wave, index);
    if (placeOfTask === undefined) continue;
    if (isMapper) answered.add(name);
    const isJoined = 'joined' in workItem && workItem.joined;
    const mapped = isJoined ? portfolio.fromSearch(placeOfTask) : placeOfTask;
    const isEmbedding = workItem.kind === 'embed';
    takeCandidate(portfolio, { name, placeOfTask: mapped, value: valuation(mapped), milliseconds, isEmbedding });
  }
}

/** Under another criterion than theirs the mappers of these names make other mappings. */
const partitionNames = ({ recorder }: Portfolio): readonly string[] =>
  recorder.criterion === 'hop-bytes' ? ['drb', 'k-way'] : [];

/** `drb` and `k-way` as these mappers make them. */
function partitions(portfolio: Portfolio): readonly [Start, Start] {
  const seed = drawSeed(portfolio.alone.random.copy());
  const isMapper = partitionNames(portfolio).length > 0;
  return [
    { name: 'drb', workItem: { kind: 'drb', seed, joined: false }, isMapper },
    { name: 'k-way', workItem: { kind: 'k-way', seed, joined: false }, isMapper },
  ];
}

/** Another of these, onto routers where nodes are joined. */
function joinedStart({ context }: Portfolio, kind: 'drb' | 'k-way', number: number): Start {
  const workItem = { kind, seed: drawSeed(context.random), joined: true };
  return { name: `${kind} onto routers, seed ${number}`, workItem, isMapper: false };
}

function startsInOrder(portfolio: Portfolio, plan: EmbeddingPlan | undefined, early: Early): Start[] {
  const { searchBudget, search } = portfolio;
  const { proposalsPerStart, mostFurtherStarts } = portfolio.parameters;
  const [drb, kWay] = partitions(portfolio);
  const embeddings = Array.from({ length: plan === undefined ? 0 : variantCount(plan) }, (_, variant): Start => ({
    name: `embedding (${variantName(plan!, variant)})`,
    workItem: { kind: 'embed', variant },
    isMapper: false,
  }));
  if (early === 'halves') return [...embeddings, kWay];
  if (early === 'nothing') {
    return portfolio.problem.machine.topology.shape === undefined
      ? [drb, ...embeddings, kWay]
      : [...embeddings, drb, kWay];
  }
  const affordable = searchBudget.isTimed
    ? mostFurtherStarts
    : searchBudget.stepsLeft / (proposalsPerStart * search.graph.taskCount);
  const further = Array.from({ length: Math.min(mostFurtherStarts, Math.floor(affordable)) }, (_, index): Start => {
    const start = joinedStart(portfolio, index % 2 === 0 ? 'drb' : 'k-way', index + 2);
    return early === 'parts of nodes' ? { ...start, name: start.name.replace(' onto routers', '') } : start;
  });
  const mappers = early === 'parts of routers' ? [drb, kWay] : [];
  return [...embeddings.slice(0, 2), ...further.slice(0, 2), ...mappers, ...further.slice(2), ...embeddings.slice(2)];
}

function hasHubs({ search, parameters: { hubDegree } }: Portfolio): boolean {
  const { taskCount, rowStart, partner } = search.graph;
  let most = 0;
  for (let task = 0; task < taskCount; task++) most = Math.max(most, intAt(rowStart, task + 1) - intAt(rowStart, task));
  return most * taskCount > hubDegree * partner.length;
}
