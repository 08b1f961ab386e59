import type { Cancellation } from '../../model/cancellation.ts';
import { edgeVisitsPerProposal, type Annealing } from './annealing.ts';
import {
  startChain,
  type Chain,
  descendChain,
  type AnnealOrder,
  type AnnealOutcome,
  stagesOf,
  runProposals,
  thresholdBits,
  thresholds,
} from './chain.ts';
import { valueByLookups } from '../problem/costLookups.ts';
import { AdditiveObjective, type Objective } from '../objective.ts';
import type { NearSites } from './nearSites.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { drawBelow, drawWord, generatorState, type GeneratorState } from './generator.ts';

/**
 * Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) by exchanges of a random task with what is
 * near one of its partners. Ends at once with the best it has where `stop` says so; an order that is
 * stopped before it begins gives its start. O(edges + sites + steps · degree).
 */
export function anneal(annealing: Annealing, order: AnnealOrder, stop: Cancellation): AnnealOutcome {
  const { core, near, lookups } = annealing;
  // Costs that take more than one lookup go through the interface that any criterion has.
  if (lookups === undefined)
    return annealObjective(new AdditiveObjective(core, order.placeOfTask), core.graph, near, order, stop);
  const startValue = valueByLookups(core, lookups, order.placeOfTask);
  const chain = startChain(annealing, lookups, order.placeOfTask, order.seed, order.region);
  const best = { gain: 0, placeOfTask: order.placeOfTask };
  for (const { temperature, proposals } of stagesOf(order, proposalsPerPoll(annealing))) {
    if (stop.isCancelled()) break;
    runProposals(chain, temperature, proposals);
    if (order.finalDescent) keepBest(chain, best);
  }
  if (!order.finalDescent) return annealOutcome(chain, startValue + chain.gain, chain.placeOfTask);
  descendChain(chain, stop);
  keepBest(chain, best);
  return annealOutcome(chain, startValue + best.gain, best.placeOfTask);
}

function keepBest(chain: Chain, best: { gain: number; placeOfTask: Int32Array }): void {
  if (chain.gain >= best.gain) return;
  best.gain = chain.gain;
  best.placeOfTask = chain.placeOfTask.slice();
}

const annealOutcome = ({ evaluations, accepted }: Chain, value: number, placeOfTask: Int32Array): AnnealOutcome => ({
  placeOfTask: placeOfTask.slice(),
  value,
  evaluations,
  accepted,
});

/** Edge visits between two polls: a few milliseconds. */
const edgeVisitsPerPoll = 2 ** 20;

const proposalsPerPoll = (annealing: Annealing): number =>
  Math.max(1, Math.floor(edgeVisitsPerPoll / edgeVisitsPerProposal(annealing)));

/** Proposals between two polls; those of the heaviest link take 30 µs each at 4,096 tasks. */
const objectiveProposalsPerPoll = 128;

/**
 * {@link anneal} under any criterion, `maximum-load` among them: every proposal asks the objective, and an
 * order with a final descent ends with proposals at temperature 0. `objective` is left where the search ends. Under
 * hop-bytes this does a quarter to a sixth of the proposals that the kernel does in the same time.
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
  const greedy = { steps: order.finalDescent ? Math.ceil(order.steps / 8) : 0, from: 0, to: 0 };
  for (const { temperature, proposals } of [
    ...stagesOf(order, objectiveProposalsPerPoll),
    ...stagesOf(greedy, objectiveProposalsPerPoll),
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
