import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Objective } from '../objective.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { type AnnealOrder, type AnnealOutcome, stagesOf, thresholdBits, thresholds } from './chain.ts';
import { drawBelow, drawWord, generatorState, type GeneratorState } from './generator.ts';
import type { NearSites } from './nearSites.ts';

/** Proposals between two polls; those of the heaviest link take 30 µs each at 4,096 tasks. */
const proposalsPerPoll = 128;

/**
 * {@link anneal} under any criterion, `maximum-load` among them: every proposal asks the objective, and an
 * order with a final descent ends with proposals that must pay. `objective` is left where the search ends. Hop-bytes
 * this way are a quarter of the kernel's proposals a second, or a sixth.
 */
export function annealObjective(
  objective: Objective,
  graph: TaskGraph,
  near: NearSites,
  order: AnnealOrder,
  stop: Cancellation,
): AnnealOutcome {
  objective.assign(order.placeOfTask);
  const search: Search = {
    objective,
    graph,
    near,
    region: order.region,
    movers: moversOf(objective, graph, order),
    generator: generatorState(order.seed),
    counts: { evaluations: 0, accepted: 0 },
  };
  const best = { value: objective.value, placeOfTask: order.placeOfTask.slice() };
  const greedy = order.finalDescent
    ? { steps: Math.ceil(order.steps / 8), from: 0, to: 0 }
    : { steps: 0, from: 0, to: 0 };
  for (const { temperature, proposals } of [
    ...stagesOf(order, proposalsPerPoll),
    ...stagesOf(greedy, proposalsPerPoll),
  ]) {
    if (stop.isCancelled() || search.movers.length === 0) break;
    for (let proposal = 0; proposal < proposals; proposal++) tryExchange(search, temperature);
    if (objective.value < best.value) {
      best.value = objective.value;
      best.placeOfTask = objective.placeOfTask.slice();
    }
  }
  const { value, placeOfTask } = order.finalDescent ? best : objective;
  return { value, placeOfTask: placeOfTask.slice(), ...search.counts };
}

interface Search {
  readonly objective: Objective;
  readonly graph: TaskGraph;
  readonly near: NearSites;
  readonly region: AnnealOrder['region'];
  readonly movers: readonly number[];
  readonly generator: GeneratorState;
  readonly counts: { evaluations: number; accepted: number };
}

/** Tasks with partners, in the region where there is one. */
function moversOf({ places }: Objective, { taskCount, rowStart }: TaskGraph, { placeOfTask, region }: AnnealOrder) {
  const tasks = Array.from({ length: taskCount }, (_, task) => task);
  return tasks.filter(
    (task) =>
      intAt(rowStart, task) < intAt(rowStart, task + 1) &&
      (region === undefined || region[intAt(places.siteOfPlace, intAt(placeOfTask, task))] === 1),
  );
}

/** The proposal of `runProposals`, with a random task instead of the next one. */
function tryExchange({ objective, graph, near, region, movers, generator, counts }: Search, temperature: number): void {
  const { siteOfPlace, firstPlace } = objective.places;
  const task = itemAt(movers, drawBelow(generator, movers.length));
  const start = intAt(graph.rowStart, task);
  const neighbour = intAt(graph.partner, start + drawBelow(generator, intAt(graph.rowStart, task + 1) - start));
  const neighbourSite = intAt(siteOfPlace, intAt(objective.placeOfTask, neighbour));
  const toSite = intAt(near.sites, neighbourSite * near.perSite + drawBelow(generator, near.perSite));
  const first = intAt(firstPlace, toSite);
  const place = first + drawBelow(generator, intAt(firstPlace, toSite + 1) - first);
  const threshold = realAt(thresholds, drawWord(generator) >>> (32 - thresholdBits));
  const from = intAt(objective.placeOfTask, task);
  if (siteOfPlace[from] === toSite || (region !== undefined && region[toSite] === 0)) return;
  counts.evaluations++;
  if (objective.exchangeDelta(from, place) > temperature * threshold) return;
  objective.exchange(from, place);
  counts.accepted++;
}
