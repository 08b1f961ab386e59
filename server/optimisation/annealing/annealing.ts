import { intAt, realAt } from '../../numeric/elements.ts';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costLookupsOf, type CostLookups } from '../problem/costLookups.ts';
import { nearSites, type NearSites } from './nearSites.ts';
import { annealingParameters, type AnnealingParameters } from './parameters.ts';

/** What all chains over one problem share: plain data, worked out once, that crosses threads. */
export interface Annealing {
  readonly core: SearchCore;
  readonly near: NearSites;
  /** Left out where costs take more than one lookup; `annealObjective` does those. */
  readonly lookups?: CostLookups;
  /** The least that each task's edges can cost. */
  readonly floorOfTask: Float64Array;
  /** Tasks that have partners, ascending: only those are moved for their own sake. */
  readonly communicatingTasks: Int32Array;
  readonly parameters: AnnealingParameters;
}

/** Once per problem; of no use where `stop` ended it. O(edges + what {@link nearSites} takes). */
export function prepareAnnealing(
  core: SearchCore,
  stop: Cancellation = neverCancelled,
  parameters: AnnealingParameters = annealingParameters,
): Annealing {
  const { graph, places } = core;
  const lookups = costLookupsOf(core);
  const near = nearSites(core, stop, parameters.nearest);
  const least = places.placeCount > places.siteCount ? 0 : leastCost(near, lookups);
  const floorOfTask = new Float64Array(graph.taskCount);
  const communicatingTasks: number[] = [];
  for (let task = 0; task < graph.taskCount; task++) {
    const end = intAt(graph.rowStart, task + 1);
    if (intAt(graph.rowStart, task) < end) communicatingTasks.push(task);
    for (let edge = intAt(graph.rowStart, task); edge < end; edge++)
      floorOfTask[task]! += realAt(graph.weight, edge) * least;
  }
  return {
    core,
    near,
    ...(lookups === undefined ? {} : { lookups }),
    floorOfTask,
    communicatingTasks: Int32Array.from(communicatingTasks),
    parameters,
  };
}

/** A proposal costs about so many edge visits of its own. */
const edgeVisitsBesides = 20;

/** Edge visits that a proposal costs: two tasks of about the mean degree, and something of its own. */
export const edgeVisitsPerProposal = ({
  core,
  communicatingTasks,
}: Pick<Annealing, 'core' | 'communicatingTasks'>): number =>
  (2 * core.graph.partner.length) / Math.max(1, communicatingTasks.length) + edgeVisitsBesides;

/** Between two sites. The nearest stand in the lists, so no pair is cheaper. */
function leastCost({ perSite, sites }: NearSites, lookups: CostLookups | undefined): number {
  if (lookups === undefined) return 0;
  const { table, rowOfSite, columnOfSite } = lookups;
  let least = lookups.maximum;
  for (let index = 0; index < sites.length; index++) {
    const site = Math.floor(index / perSite);
    least = Math.min(least, table[intAt(rowOfSite, site) + intAt(columnOfSite, intAt(sites, index))]!);
  }
  return least;
}
