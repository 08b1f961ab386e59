import { intAt, realAt } from '../../numeric/elements.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingContext, MappingProblem } from '../contract.ts';
import { mappingOf, placesOfMapping, groupPlaces } from '../../optimisation/problem/places.ts';
import { mappingCost, type SearchCore } from '../../optimisation/problem/searchProblem.ts';
import { rotateOption } from '../stencils/rotation.ts';
import { hopsAreMetric, writtenAverage } from '../hopHistogram.ts';
import { rcb } from './rcb.ts';
import { hostHops, type Machine } from '../../model/machine.ts';
import { hopDistances } from '../../network/distances/hops.ts';
import { hopBytes } from '../criteria/additive.ts';
import { costedSites } from '../criteria/contract.ts';
import { NearPairs } from '../../optimisation/descent/nearPairs.ts';
import { buildSparseCosts } from '../../optimisation/problem/siteCosts.ts';
import { taskGraphOf } from '../../optimisation/problem/taskGraph.ts';
import { shouldFinish } from '../../model/cancellation.ts';
import { AdditiveObjective } from '../../optimisation/objective.ts';
import { descendNeighbourhood, type DescentRecord, TaskPairs } from '../../optimisation/descent/descend.ts';

export const incremental: MapperEntry = {
  name: 'incremental',
  summary: 'starts with rcb and swaps two tasks as long as the average hops fall',
  source: 'Bunde et al. 2014, section 5.2 (INCIMPROVE)',
  details:
    'Pairs of tasks are tried in ascending order. A swap that lowers the average hops is made at once. Passes ' +
    'repeat until one makes no swap. The paper leaves the order open. All communicating pairs count equally, not ' +
    'by bytes. Hops are those of the routing; slots that `rcb` leaves free remain free. It stops after 2^31 ' +
    'checks of tasks and partners (a minute or two) and reports it.',
  options: [rotateOption],
  bytesPerPair: 40,
  complexity: 'O(n² degree) per pass',
  scaling: 'quadratic',
  // On grids 3.8 µs a task over the jobs of LLNL-Atlas (1,073 nodes on average), 4.7 over those of KTH-SP2 (11 nodes), and up to 49 where
  // nodes are scattered; elsewhere another 85 to 110 ns a pair of tasks for 1,024.
  seconds: (tasks, machine) => 5e-6 * tasks + (hopsAreMetric(machine) ? 0 : 9e-8 * tasks ** 2),
  map: (problem, context) => {
    const start = rcb.map(problem, context);
    if (!start.ok) return start;
    const prepared = averageHopsCore(problem, context);
    if (!prepared.ok) return prepared;
    const core = prepared.value;
    const placeOfTask = placesOfMapping(core.places, start.value.mapping);
    const before = mappingCost(core, placeOfTask);
    const made = swapWhileImproving(core, placeOfTask, hopsAreMetric(problem.machine), context);
    if (context.cancellation.isCancelled()) return cancelled();
    const { traffic } = problem.job;
    const [from, to] = [before, mappingCost(core, placeOfTask)].map((total) =>
      writtenAverage(total * core.costs.unit, traffic),
    );
    return succeed({
      mapping: mappingOf(core.places, placeOfTask),
      notes: [
        `incremental made ${made.exchanges} swaps in ${made.sweeps} passes: ${to} average hops instead of ${from}.`,
        ...(made.isComplete ? [] : [whyIncomplete(shouldFinish(context.cancellation))]),
      ],
    });
  },
};

/**
 * What a search for the fewest average hops works on: a weight is the number of
 * ordered pairs between two tasks, 1 or 2, and the places are the ranks, one per task. Fails with what
 * `hop-bytes` says of the machine, and with `cancelled`. O(pairs + ranks²).
 */
export function averageHopsCore({ machine, job, slots }: MappingProblem, context: MappingContext): Result<SearchCore> {
  const sites = sitesOfRanks(machine, slots.subarray(0, job.taskCount), context);
  if (!sites.ok) return sites;
  const graph = taskGraphOf({ ...job.traffic, bytes: job.traffic.bytes.map(() => 1) }, context.cancellation);
  if (context.cancellation.isCancelled()) return cancelled();
  return succeed({ graph, weightUnit: 1, ...sites.value });
}

function sitesOfRanks(machine: Machine, slots: Int32Array, context: MappingContext): ReturnType<typeof costedSites> {
  if (machine.rails !== undefined || machine.inside.distances !== undefined)
    return costedSites(machine, slots, hopBytes, context);
  const places = groupPlaces(machine, slots);
  const hops = { criterion: hopBytes.name, unit: 1, between: hostHops(machine), ...hopDistances(machine) };
  const costs = buildSparseCosts(places, hops, context.cancellation);
  return costs.ok ? succeed({ places, costs: costs.value }) : costs;
}

/**
 * INCIMPROVE of Bunde et al. 2014, section 5.2: tries all pairs of tasks in ascending order, makes
 * every swap that lowers the sum at once, and starts over until a pass makes none. Changes
 * `placeOfTask`. Two things save work and change nothing: a pair is not tried again while neither of
 * its tasks nor any of their partners has moved, and, where costs keep the triangle inequality
 * (`isMetric`), not while its sites are too far apart for any gain. O(n²) per pass, but on grids where most tasks are near their
 * partners O(n) or little more ({@link NearPairs}), and O(degree) for each pair that is tried. Ends with what it has if the search
 * should finish, or after `mostWork` looks at tasks and edges.
 */
export function swapWhileImproving(
  core: SearchCore,
  placeOfTask: Int32Array,
  isMetric: boolean,
  { cancellation, progress }: Pick<MappingContext, 'cancellation' | 'progress'>,
  mostWork = looksAtMost,
): DescentRecord {
  const stop = { isCancelled: () => shouldFinish(cancellation) };
  const objective = new AdditiveObjective(core, placeOfTask, stop);
  const { taskCount } = core.graph;
  const { offsets } = core.costs;
  const pairs =
    isMetric && offsets !== undefined
      ? new NearPairs(objective, core, offsets)
      : new TaskPairs(objective, gainTest(core, objective, isMetric));
  const descent = descendNeighbourhood(objective, pairs, {
    policy: 'first',
    stop,
    mostWork,
    tried: (task, { sweeps, exchanges }) => {
      if (task % tasksPerReport === 0) progress(task / taskCount, `pass ${sweeps}, ${exchanges} swaps`);
    },
  });
  placeOfTask.set(objective.placeOfTask);
  return descent;
}

const tasksPerReport = 64;

/** Edge visits and lookups of tasks on the grid: a minute or two. A pass over all of Fugaku would take an hour. */
const looksAtMost = 2 ** 31;

const whyIncomplete = (wasAsked: boolean): string =>
  wasAsked
    ? 'incremental was asked to finish before no swap helped any more.'
    : '`incremental` stopped at its limit of pairs, before the end of its improvement. Use `auto` for so many tasks.';

/**
 * Whether two tasks may gain by a swap. One that moves by `distance` is then at least distance − d from a partner that
 * was d away: it gains at most 2 · cost − weight · distance.
 */
function gainTest(
  { graph }: SearchCore,
  objective: AdditiveObjective,
  isMetric: boolean,
): (task: number, other: number) => boolean {
  const { siteOfTask, costOfTask } = objective;
  const { rowStart, weight } = graph;
  const weightOfTask = new Float64Array(graph.taskCount);
  if (isMetric) {
    for (let task = 0; task < weightOfTask.length; task++) {
      for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++)
        weightOfTask[task]! += realAt(weight, edge);
    }
  }
  return (task, other) => {
    const distance = objective.costBetween(siteOfTask[task]!, siteOfTask[other]!);
    const reach = (weightOfTask[task]! + weightOfTask[other]!) * distance;
    return distance > 0 && 2 * (costOfTask[task]! + costOfTask[other]!) > reach;
  };
}
