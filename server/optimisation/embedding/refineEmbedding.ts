import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import { type SearchCore, valueOf } from '../problem/searchProblem.ts';
import { bisectionOf, bisectTasks } from './bisectTasks.ts';
import type { Coordinates } from './coordinates.ts';
import type { SiteTree } from './siteTree.ts';
import { smoothAxis } from './graphCoordinates.ts';
import { embeddingParameters } from './parameters.ts';

/** Where sites stand and how they are halved. Plain data. */
export interface SiteSpace {
  readonly coordinates: Coordinates;
  readonly tree: SiteTree;
}

/** A mapping and what it costs, in units. */
export interface ValuedMapping {
  readonly placeOfTask: Int32Array;
  readonly value: number;
}

/** Smoothing rounds before each bisection: first the shape of the whole, then what is near. */
const schedule: readonly number[] = [30, 20, 14, 10, 7, 5, 4, 3, 2, 2, 1, 1];

/**
 * Improves a mapping as analytic placement of circuits does (Kleinhans et al. 1991, GORDIAN):
 * tasks start from where their sites stand, move towards their partners, and are bisected onto the
 * sites again, with less and less smoothing. The best of these and of the start; where it is
 * cancelled, the best so far. O(rounds · edges + bisections · n log n).
 */
export function refineEmbedding(
  core: SearchCore,
  { coordinates, tree }: SiteSpace,
  start: ValuedMapping,
  cancellation: Cancellation,
): ValuedMapping {
  const { graph, places } = core;
  const bisection = bisectionOf(tree);
  const points = coordinates.map(() => new Float64Array(graph.taskCount));
  const meter = new WorkMeter(cancellation);
  const spare = new Float64Array(graph.taskCount);
  const placeOfTask = start.placeOfTask.slice();
  let best = start;
  let gainless = 0;
  for (const rounds of affordable(graph.partner.length * coordinates.length)) {
    for (const [axis, values] of points.entries()) {
      if (cancellation.isCancelled()) return best;
      const ofSite = itemAt(coordinates, axis);
      for (let task = 0; task < values.length; task++) {
        values[task] = realAt(ofSite, intAt(places.siteOfPlace, intAt(placeOfTask, task)));
      }
      if (!smoothAxis(graph, values, rounds, spare, meter)) return best;
    }
    bisectTasks(bisection, points, placeOfTask);
    const value = valueOf(core, placeOfTask);
    if (value < best.value) best = { placeOfTask: placeOfTask.slice(), value };
    gainless = value > best.value ? gainless + 1 : 0;
    if (gainless === embeddingParameters.patience) break;
  }
  return best;
}

/**
 * The schedule, with fewer rounds where a round is dear; no bisections at all where even one round each is too much.
 */
function affordable(looksPerRound: number): readonly number[] {
  const all = schedule.reduce((sum, rounds) => sum + rounds, 0) * looksPerRound;
  if (all <= embeddingParameters.edgeVisitsOfSmoothing) return schedule;
  const share = embeddingParameters.edgeVisitsOfSmoothing / all;
  const fewer = schedule.map((rounds) => Math.max(1, Math.floor(rounds * share)));
  return fewer.slice(0, Math.floor(embeddingParameters.edgeVisitsOfSmoothing / looksPerRound));
}
