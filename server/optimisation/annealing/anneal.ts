import type { Cancellation } from '../../model/cancellation.ts';
import { edgeVisitsPerProposal, type Annealing } from './annealing.ts';
import {
  startChain,
  type Chain,
  descend,
  type AnnealOrder,
  type AnnealOutcome,
  stagesOf,
  runProposals,
} from './chain.ts';
import { valueByLookups } from '../problem/costLookups.ts';
import { AdditiveObjective } from '../objective.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { annealObjective } from './annealObjective.ts';
import type { NearSites } from './nearSites.ts';

/**
 * Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) by exchanges of a random task with what is
 * near one of its partners. Ends at once with the best it has where `stop` says so; an order that is
 * stopped before it begins gives its start. O(edges + sites + steps · degree).
 */
export function anneal(annealing: Annealing, order: AnnealOrder, stop: Cancellation): AnnealOutcome {
  const { core, lookups } = annealing;
  if (lookups === undefined) return annealSlowly(core, annealing.near, order, stop);
  const startValue = valueByLookups(core, lookups, order.placeOfTask);
  const chain = startChain(annealing, lookups, order.placeOfTask, order.seed, order.region);
  const best = { gain: 0, placeOfTask: order.placeOfTask };
  for (const { temperature, proposals } of stagesOf(order, proposalsPerPoll(annealing))) {
    if (stop.isCancelled()) break;
    runProposals(chain, temperature, proposals);
    if (order.finalDescent) keepBest(chain, best);
  }
  if (!order.finalDescent) return outcomeOf(chain, startValue + chain.gain, chain.placeOfTask);
  descend(chain, stop);
  keepBest(chain, best);
  return outcomeOf(chain, startValue + best.gain, best.placeOfTask);
}

function keepBest(chain: Chain, best: { gain: number; placeOfTask: Int32Array }): void {
  if (chain.gain >= best.gain) return;
  best.gain = chain.gain;
  best.placeOfTask = chain.placeOfTask.slice();
}

const outcomeOf = ({ evaluations, accepted }: Chain, value: number, placeOfTask: Int32Array): AnnealOutcome => ({
  placeOfTask: placeOfTask.slice(),
  value,
  evaluations,
  accepted,
});

/** Edge visits between two polls: a few milliseconds. */
const edgeVisitsPerPoll = 2 ** 20;

const proposalsPerPoll = (annealing: Annealing): number =>
  Math.max(1, Math.floor(edgeVisitsPerPoll / edgeVisitsPerProposal(annealing)));

/** {@link anneal} for costs that take more than one lookup, through the interface that any criterion has. */
const annealSlowly = (core: SearchCore, near: NearSites, order: AnnealOrder, stop: Cancellation): AnnealOutcome =>
  annealObjective(new AdditiveObjective(core, order.placeOfTask), core.graph, near, order, stop);
