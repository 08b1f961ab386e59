import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingContext, MappingProblem } from '../contract.ts';
import { mappingOf, placesOfMapping, placesOf } from '../../optimisation/problem/places.ts';
import { valueOf, type SearchCore } from '../../optimisation/problem/searchProblem.ts';
import { writtenAverage, rotateOption } from '../stencils/rotation.ts';
import { rcb } from './rcb.ts';
import type { Machine } from '../../model/machine.ts';
import { hopBytes, routerHops } from '../criteria/distance.ts';
import { taskGraphOf } from '../../optimisation/problem/taskGraph.ts';
import { type Cancellation, type ReportProgress, shouldFinish, WorkMeter } from '../../model/cancellation.ts';
import { Exchanges } from '../../optimisation/problem/exchanges.ts';

export const incremental: MapperEntry = {
  name: 'incremental',
  summary: 'Starts with rcb and swaps two tasks as long as the average hops fall',
  source: 'Bunde et al. 2014, section 5.2 (INCIMPROVE)',
  details:
    'Pairs of tasks are tried in ascending order, and a swap that lowers the average hops is made at once; passes over ' +
    'all pairs follow one another until one makes no swap. The paper leaves the order open. Every pair that ' +
    'communicates counts the same, however many bytes it sends; hops are those of the routing, and slots that `rcb` leaves free stay free.',
  options: [rotateOption],
  bytesPerPair: 40,
  complexity: 'O(n² degree) per pass',
  scaling: 'quadratic',
  map: (problem, context) => {
    const start = rcb.map(problem, context);
    if (!start.ok) return start;
    const prepared = pairCoreOf(problem, context);
    if (!prepared.ok) return prepared;
    const core = prepared.value;
    const placeOfTask = placesOfMapping(core.places, start.value.mapping);
    const before = valueOf(core, placeOfTask);
    const made = swapWhileImproving(core, placeOfTask, hopsAreMetric(problem.machine), context);
    if (context.cancellation.isCancelled()) return cancelled();
    const { traffic } = problem.job;
    const [from, to] = [before, valueOf(core, placeOfTask)].map((total) => writtenAverage(total, traffic));
    return succeed({
      mapping: mappingOf(core.places, placeOfTask),
      notes: [
        `incremental made ${made.swaps} swaps in ${made.passes} passes: ${to} average hops instead of ${from}.`,
        ...(made.isComplete ? [] : ['incremental was asked to finish before no swap helped any more.']),
      ],
    });
  },
};

/**
 * What a search for the fewest average hops works on (`averageHops.ts`): a weight is the number of
 * ordered pairs between two tasks, 1 or 2, and the places are the ranks, one per task. Fails with what
 * `hop-bytes` says of the machine, and with `cancelled`. O(pairs + ranks²).
 */
export function pairCoreOf({ machine, job, slots }: MappingProblem, context: MappingContext): Result<SearchCore> {
  const places = placesOf(machine, slots.subarray(0, job.taskCount));
  const costs = hopBytes.siteCosts?.(machine, places, context);
  if (costs === undefined) throw new Error('`hop-bytes` is a sum over pairs.');
  if (!costs.ok) return costs;
  const graph = taskGraphOf({ ...job.traffic, bytes: job.traffic.bytes.map(() => 1) }, context.cancellation);
  if (context.cancellation.isCancelled()) return cancelled();
  return succeed({ graph, weightUnit: 1, places, costs: costs.value });
}

/** Whether hops keep the triangle inequality: where routing takes the fewest links there are. */
const hopsAreMetric = (machine: Machine): boolean => 'grid' in routerHops(machine);

/**
 * INCIMPROVE of Bunde et al. 2014, section 5.2: tries all pairs of tasks in ascending order, makes
 * every swap that lowers the sum at once, and starts over until a pass makes none. Changes
 * `placeOfTask`. Two things save work and change nothing: a pair is not tried again while neither of
 * its tasks nor any of their partners has moved, and, where costs keep the triangle inequality
 * (`isMetric`), not while its sites are too far apart for any gain. O(n²) looks per pass, and O(degree)
 * for each pair that is tried. Ends with what it has where the search should finish.
 */
function swapWhileImproving(
  core: SearchCore,
  placeOfTask: Int32Array,
  isMetric: boolean,
  { cancellation, progress }: SwapEffort,
): { readonly swaps: number; readonly passes: number; readonly isComplete: boolean } {
  const search = new SwapSearch(core, placeOfTask, isMetric, cancellation);
  const { taskCount } = core.graph;
  for (let passes = 1; ; passes++) {
    const { swaps } = search;
    for (let task = 0; task < taskCount; task++) {
      if (!search.tryTask(task)) return { swaps: search.swaps, passes, isComplete: false };
      if (task % tasksPerReport === 0) progress(task / taskCount, `pass ${passes}, ${search.swaps} swaps`);
    }
    if (search.swaps === swaps) return { swaps, passes, isComplete: true };
  }
}

interface SwapEffort {
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
}

const tasksPerReport = 64;

class SwapSearch {
  readonly #exchanges: Exchanges;
  readonly #placeOfTask: Int32Array;
  readonly #isMetric: boolean;
  readonly #work: WorkMeter;
  readonly #isPrepared: boolean;
  /** Swaps made when each task was last tried with all later ones; −1 where it never was. */
  readonly #tried: Int32Array;

  constructor(core: SearchCore, placeOfTask: Int32Array, isMetric: boolean, cancellation: Cancellation) {
    this.#work = new WorkMeter({ isCancelled: () => shouldFinish(cancellation) });
    this.#exchanges = new Exchanges(
      core,
      placeOfTask.map((place) => core.places.siteOfPlace[place]!),
    );
    this.#isPrepared = this.#exchanges.prepare(this.#work);
    this.#placeOfTask = placeOfTask;
    this.#isMetric = isMetric;
    this.#tried = new Int32Array(core.graph.taskCount).fill(-1);
  }

  get swaps(): number {
    return this.#exchanges.made;
  }

  /** Tries every pair of `task` and a later one whose answer may have changed; false where the search should finish. */
  tryTask(task: number): boolean {
    const since = this.#tried[task]!;
    this.#tried[task] = this.swaps;
    return this.#isPrepared && this.#tryWithLater(task, since);
  }

  /** Tries `task` with all later ones where one of the two has changed after swap `since`. */
  #tryWithLater(task: number, since: number): boolean {
    const exchanges = this.#exchanges;
    const end = this.#tried.length;
    for (let other = this.#next(task, task + 1, since); other < end; other = this.#next(task, other + 1, since)) {
      if (exchanges.effect(task, other) < 0) this.#swap(task, other);
      if (this.#work.isCancelledAfter(exchanges.edgesOf(task) + exchanges.edgesOf(other))) return false;
    }
    return !this.#work.isCancelledAfter(end - task);
  }

  #swap(task: number, other: number): void {
    this.#exchanges.exchange(task, other);
    const place = this.#placeOfTask[task]!;
    this.#placeOfTask[task] = this.#placeOfTask[other]!;
    this.#placeOfTask[other] = place;
  }

  /**
   * The first task from `from` on that `task` may gain by swapping with. One that moves by `distance` is
   * then at least distance − d from a partner that was d away: it gains at most 2 · cost − weight · distance.
   */
  #next(task: number, from: number, since: number): number {
    const exchanges = this.#exchanges;
    const { changed, cost: costOfTask, weight: weightOfTask, siteOfTask } = exchanges;
    const last = changed[task]! > since ? -1 : since;
    const site = siteOfTask[task]!;
    const cost = costOfTask[task]!;
    const weight = this.#isMetric ? weightOfTask[task]! : 0;
    const others = this.#isMetric ? 1 : 0;
    for (let other = from; other < changed.length; other++) {
      if (changed[other]! <= last) continue;
      const distance = exchanges.costOf(site, siteOfTask[other]!);
      const reach = (weight + others * weightOfTask[other]!) * distance;
      if (distance > 0 && 2 * (cost + costOfTask[other]!) > reach) return other;
    }
    return changed.length;
  }
}
