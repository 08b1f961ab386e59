import { type Cancellation, type ReportProgress, shouldFinish } from '../../model/cancellation.ts';
import { lookupsOf, type Lookups } from '../annealing/lookups.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';

/**
 * INCIMPROVE of Bunde et al. 2014, section 5.2: tries all pairs of tasks in ascending order, makes
 * every swap that lowers the sum at once, and starts over until a pass makes none. Changes
 * `placeOfTask`. Two things save work and change nothing: a pair is not tried again while neither of
 * its tasks nor any of their partners has moved, and, where costs keep the triangle inequality
 * (`isMetric`), not while its sites are too far apart for any gain. O(n²) looks per pass, and O(degree)
 * for each pair that is tried. Ends with what it has where the search should finish.
 */
export function swapWhileImproving(
  core: SearchCore,
  placeOfTask: Int32Array,
  isMetric: boolean,
  { cancellation, progress }: SwapEffort,
): { readonly swaps: number; readonly passes: number; readonly isComplete: boolean } {
  const search = new SwapSearch(core, placeOfTask, isMetric, cancellation);
  const { taskCount } = core.graph;
  for (let passes = 1; ; passes++) {
    const swaps = search.swaps;
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

/** Edges looked at between two looks at the cancellation. */
const pollEvery = 1 << 16;

class SwapSearch {
  /** Made so far: the time by which changes are told apart. */
  swaps = 0;
  readonly #core: SearchCore;
  readonly #placeOfTask: Int32Array;
  readonly #isMetric: boolean;
  readonly #cancellation: Cancellation;
  readonly #siteOfTask: Int32Array;
  /** Sum of weight · cost over the partners of each task, and of the weights alone. */
  readonly #cost: Float64Array;
  readonly #weight: Float64Array;
  /** The swap after which a task or one of its partners last moved; 0 where none has. */
  readonly #changed: Int32Array;
  /** Swaps made when each task was last tried with all later ones; −1 where it never was. */
  readonly #tried: Int32Array;
  readonly #lookups: Lookups | undefined;
  #work = 0;

  constructor(core: SearchCore, placeOfTask: Int32Array, isMetric: boolean, cancellation: Cancellation) {
    const { taskCount } = core.graph;
    this.#core = core;
    this.#placeOfTask = placeOfTask;
    this.#isMetric = isMetric;
    this.#cancellation = cancellation;
    this.#siteOfTask = placeOfTask.map((place) => core.places.siteOfPlace[place]!);
    this.#cost = new Float64Array(taskCount);
    this.#weight = new Float64Array(taskCount);
    this.#changed = new Int32Array(taskCount);
    this.#tried = new Int32Array(taskCount).fill(-1);
    const lookups = lookupsOf(core);
    this.#lookups = lookups?.constant === 0 ? lookups : undefined;
    for (let task = 0; task < taskCount; task++) this.#account(task);
  }

  /** Tries every pair of `task` and a later one whose answer may have changed; false where the search should finish. */
  tryTask(task: number): boolean {
    const since = this.#tried[task]!;
    this.#tried[task] = this.swaps;
    return this.#tryWithLater(task, since);
  }

  /** Tries `task` with all later ones where one of the two has changed after swap `since`. */
  #tryWithLater(task: number, since: number): boolean {
    const end = this.#tried.length;
    for (let other = this.#next(task, task + 1, since); other < end; other = this.#next(task, other + 1, since)) {
      if (this.#delta(task, other) < 0) this.#swap(task, other);
      if (this.#work >= pollEvery && this.#shouldFinish()) return false;
    }
    this.#work += end - task;
    return this.#work < pollEvery || !this.#shouldFinish();
  }

  #shouldFinish(): boolean {
    this.#work = 0;
    return shouldFinish(this.#cancellation);
  }

  /**
   * The first task from `from` on that `task` may gain by swapping with. One that moves by `distance` is
   * then at least distance − d from a partner that was d away: it gains at most 2 · cost − weight · distance.
   */
  #next(task: number, from: number, since: number): number {
    const changed = this.#changed;
    const costOfTask = this.#cost;
    const weightOfTask = this.#weight;
    const siteOfTask = this.#siteOfTask;
    const last = this.#changed[task]! > since ? -1 : since;
    const site = siteOfTask[task]!;
    const cost = costOfTask[task]!;
    const weight = this.#isMetric ? weightOfTask[task]! : 0;
    const others = this.#isMetric ? 1 : 0;
    for (let other = from; other < changed.length; other++) {
      if (changed[other]! <= last) continue;
      const distance = this.#costOf(site, siteOfTask[other]!);
      const reach = (weight + others * weightOfTask[other]!) * distance;
      if (distance > 0 && 2 * (cost + costOfTask[other]!) > reach) return other;
    }
    return changed.length;
  }

  /** What the sum over all pairs grows by; between the two themselves nothing changes. */
  #delta(task: number, other: number): number {
    const { rowStart, partner, weight } = this.#core.graph;
    const siteOfTask = this.#siteOfTask;
    const site = siteOfTask[task]!;
    const otherSite = siteOfTask[other]!;
    let sum = -this.#cost[task]! - this.#cost[other]!;
    const taskEnd = rowStart[task + 1]!;
    for (let edge = rowStart[task]!; edge < taskEnd; edge++) {
      const end = partner[edge]!;
      sum += weight[edge]! * this.#costOf(otherSite, end === other ? site : siteOfTask[end]!);
    }
    const otherEnd = rowStart[other + 1]!;
    for (let edge = rowStart[other]!; edge < otherEnd; edge++) {
      const end = partner[edge]!;
      sum += weight[edge]! * this.#costOf(site, end === task ? otherSite : siteOfTask[end]!);
    }
    this.#work += taskEnd - rowStart[task]! + otherEnd - rowStart[other]!;
    return sum;
  }

  #costOf(from: number, to: number): number {
    if (this.#lookups === undefined) return costBetween(this.#core.costs, from, to);
    const { table, rowOfSite, columnOfSite } = this.#lookups;
    return table[rowOfSite[from]! + columnOfSite[to]!]!;
  }

  #swap(task: number, other: number): void {
    this.swaps++;
    this.#addToPartners(task, -1);
    this.#addToPartners(other, -1);
    exchange(this.#placeOfTask, task, other);
    exchange(this.#siteOfTask, task, other);
    this.#addToPartners(task, 1);
    this.#addToPartners(other, 1);
    // Partners of each other among them, whose sums have been half in between.
    this.#account(task);
    this.#account(other);
    this.#changed[task] = this.swaps;
    this.#changed[other] = this.swaps;
  }

  /** Adds what the partners of a task pay for it where it is now, or takes it off: whole numbers, so nothing is lost. */
  #addToPartners(moved: number, sign: number): void {
    const { rowStart, partner, weight } = this.#core.graph;
    const site = this.#siteOfTask[moved]!;
    for (let edge = rowStart[moved]!; edge < rowStart[moved + 1]!; edge++) {
      const end = partner[edge]!;
      this.#changed[end] = this.swaps;
      this.#cost[end]! += sign * weight[edge]! * this.#costOf(site, this.#siteOfTask[end]!);
    }
    this.#work += rowStart[moved + 1]! - rowStart[moved]!;
  }

  #account(task: number): void {
    const { rowStart, partner, weight } = this.#core.graph;
    const site = this.#siteOfTask[task]!;
    let cost = 0;
    let total = 0;
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      total += weight[edge]!;
      cost += weight[edge]! * this.#costOf(site, this.#siteOfTask[partner[edge]!]!);
    }
    this.#cost[task] = cost;
    this.#weight[task] = total;
  }
}

function exchange(values: Int32Array, one: number, other: number): void {
  const kept = values[one]!;
  values[one] = values[other]!;
  values[other] = kept;
}
