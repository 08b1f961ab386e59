import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import { groupStarts, groupedBy, sortedByKey } from '../../numeric/grouping.ts';
import type { AdditiveObjective } from '../objective.ts';
import type { OffsetCosts } from '../problem/gridCosts.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import type { Neighbourhood } from './descend.ts';

/** Levels of what a task may gain: below 1, 2, 4, 8 … */
const levelCount = 32;

/**
 * The pairs of {@link TaskPairs}, in the same order, less those that cannot gain: for costs that are distances on a grid, which
 * keep the triangle inequality. So that a descent takes the same exchanges, most pairs are never looked at.
 *
 * What a task gains by an exchange is at most its cost less that of all its partners right beside it. And where it moves by a
 * distance d, it is then at least d − e from a partner that was e away: it gains at most 2 · cost − weight · d. Both hold for both
 * tasks. Tasks are kept by level of the first bound. For a task the others of low levels are looked up by the grid, within the distance in
 * which the sum of the bounds is positive, those of the levels above one by one; which levels are low is chosen so that the
 * fewest are looked at.
 */
export class NearPairs implements Neighbourhood {
  work = 0;
  readonly #objective: AdditiveObjective;
  readonly #core: SearchCore;
  readonly #offsets: OffsetCosts;
  /** Cost of two sites that are different, at least. */
  readonly #least: number;
  /** Differences of positions by what they cost; those that cost less than c are the first `#fewer[c]`. */
  readonly #steps: Int32Array;
  readonly #fewer: Int32Array;
  // Places by their position, as compressed rows; positions are counted from the least that any step leads to.
  readonly #margin: number;
  readonly #firstAt: Int32Array;
  readonly #placesAt: Int32Array;
  // By task.
  readonly #weight: Float64Array;
  readonly #level: Uint8Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** When each task was last tried with all later ones. */
  readonly #triedAt: Int32Array;
  // By level.
  readonly #firstOf = new Int32Array(levelCount).fill(-1);
  readonly #countOf = new Int32Array(levelCount);
  /** The task at hand, those that it may be exchanged with, ascending, and the one told last. */
  #task = -1;
  readonly #candidates: Int32Array;
  #count = 0;
  #index = 0;
  #other = -1;
  #since = -1;
  /** Exchanges that are taken into account. */
  #known: number;

  /** O(tasks + edges + offsets). */
  constructor(objective: AdditiveObjective, core: SearchCore, offsets: OffsetCosts) {
    this.#objective = objective;
    this.#core = core;
    this.#offsets = offsets;
    const { table, centre, positionOfSite } = offsets;
    const { graph, places, costs } = core;
    this.#fewer = groupStarts(table, costs.maximum + 1);
    const steps = new Int32Array(table.length);
    for (let index = 0; index < steps.length; index++) steps[index] = index;
    this.#steps = sortedByKey(steps, table, costs.maximum + 1).map((index) => index - centre);
    this.#margin = centre;
    const positionOfPlace = places.siteOfPlace.map((site) => intAt(positionOfSite, site) + centre);
    const { start, members } = groupedBy(positionOfPlace, 3 * centre + 1);
    this.#firstAt = start;
    this.#placesAt = members;
    this.#least = positionOfPlace.every((at) => intAt(start, at + 1) - intAt(start, at) === 1) ? 1 : 0;
    const { taskCount, rowStart, weight } = graph;
    this.#weight = new Float64Array(taskCount);
    this.#level = new Uint8Array(taskCount);
    this.#next = new Int32Array(taskCount);
    this.#previous = new Int32Array(taskCount);
    this.#triedAt = new Int32Array(taskCount).fill(-1);
    this.#candidates = new Int32Array(taskCount);
    for (let task = 0; task < taskCount; task++) {
      let sum = 0;
      for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) sum += realAt(weight, edge);
      this.#weight[task] = sum;
      this.#enter(task);
    }
    this.#known = objective.changes.now;
  }

  begin(task: number): void {
    this.#noticeExchange();
    this.#task = task;
    this.#other = -1;
    this.#since = intAt(this.#triedAt, task);
    this.#triedAt[task] = this.#objective.changes.now;
    this.#gather(task + 1);
  }

  next(): number {
    if (this.#noticeExchange()) this.#gather(this.#other + 1);
    if (this.#index === this.#count) return -1;
    this.#other = intAt(this.#candidates, this.#index++);
    return intAt(this.#objective.placeOfTask, this.#other);
  }

  /** Whether the pair that was told last has changed places: then the costs of both and of their partners are others. */
  #noticeExchange(): boolean {
    const { now } = this.#objective.changes;
    if (now === this.#known) return false;
    this.#known = now;
    for (const task of [this.#task, this.#other]) {
      this.#moveToLevel(task);
      const { rowStart, partner } = this.#core.graph;
      for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++)
        this.#moveToLevel(intAt(partner, edge));
    }
    return true;
  }

  /** Finds the tasks from `first` on that the task may be exchanged with. */
  #gather(first: number): void {
    const { changes } = this.#objective;
    const since = intAt(changes.ofTask, this.#task) > this.#since ? -1 : this.#since;
    this.#count = 0;
    this.#index = 0;
    const level = this.#levelLookedUp();
    if (level >= 0) this.#gatherNear(first, since, level);
    this.#gatherAbove(first, since, level);
    if (this.#count > 1) this.#candidates.subarray(0, this.#count).sort();
  }

  /** Tasks up to this level are looked up by the grid, those above one by one: the fewest in all. −1 where that is all. */
  #levelLookedUp(): number {
    let above = this.#level.length;
    let [best, least] = [-1, above];
    if (realAt(this.#weight, this.#task) === 0) return best;
    for (let level = 0; above > 0 && level < levelCount - 1; level++) {
      const count = intAt(this.#countOf, level);
      if (count === 0) continue;
      above -= count;
      const looked = above + intAt(this.#fewer, this.#reach(level));
      if (looked < least) [best, least] = [level, looked];
    }
    return best;
  }

  /** Tasks of a level that cost as much as this to reach, or more, cannot gain by an exchange with the task at hand. */
  #reach(level: number): number {
    const most = (1 << level) - 1;
    const cost = realAt(this.#objective.costOfTask, this.#task);
    const reach = Math.ceil((2 * cost + most) / realAt(this.#weight, this.#task));
    return Math.min(reach, this.#fewer.length - 1);
  }

  #gatherNear(first: number, since: number, level: number): void {
    const { siteOfTask, taskAtPlace, changes } = this.#objective;
    const changed = changes.ofTask;
    const steps = this.#steps;
    const firstAt = this.#firstAt;
    const placesAt = this.#placesAt;
    const levels = this.#level;
    const position = intAt(this.#offsets.positionOfSite, intAt(siteOfTask, this.#task)) + this.#margin;
    const end = intAt(this.#fewer, this.#reach(level));
    this.work += end;
    for (let index = 0; index < end; index++) {
      const at = position + intAt(steps, index);
      const behind = intAt(firstAt, at + 1);
      for (let each = intAt(firstAt, at); each < behind; each++) {
        const other = intAt(taskAtPlace, intAt(placesAt, each));
        if (other >= first && byteAt(levels, other) <= level && intAt(changed, other) > since)
          this.#addIfItMayHelp(other);
      }
    }
  }

  #gatherAbove(first: number, since: number, level: number): void {
    const changed = this.#objective.changes.ofTask;
    const next = this.#next;
    for (let above = level + 1; above < levelCount; above++) {
      this.work += intAt(this.#countOf, above);
      for (let other = intAt(this.#firstOf, above); other >= 0; other = intAt(next, other)) {
        if (other >= first && intAt(changed, other) > since) this.#addIfItMayHelp(other);
      }
    }
  }

  #addIfItMayHelp(other: number): void {
    const { siteOfTask } = this.#objective;
    const distance = this.#objective.costBetween(intAt(siteOfTask, this.#task), intAt(siteOfTask, other));
    if (distance === 0 || this.#mostGain(this.#task, distance) + this.#mostGain(other, distance) <= 0) return;
    this.#candidates[this.#count++] = other;
  }

  #mostGain(task: number, distance: number): number {
    const cost = realAt(this.#objective.costOfTask, task);
    const weight = realAt(this.#weight, task);
    return Math.min(cost - weight * this.#least, 2 * cost - weight * distance);
  }

  // Levels

  #levelOf(task: number): number {
    const gain = realAt(this.#objective.costOfTask, task) - realAt(this.#weight, task) * this.#least;
    return gain < 2 ** (levelCount - 2) ? 32 - Math.clz32(gain) : levelCount - 1;
  }

  #moveToLevel(task: number): void {
    if (this.#levelOf(task) === this.#level[task]) return;
    this.#leave(task);
    this.#enter(task);
  }

  #enter(task: number): void {
    const level = this.#levelOf(task);
    const behind = intAt(this.#firstOf, level);
    this.#level[task] = level;
    this.#previous[task] = -1;
    this.#next[task] = behind;
    if (behind >= 0) this.#previous[behind] = task;
    this.#firstOf[level] = task;
    this.#countOf[level] = intAt(this.#countOf, level) + 1;
  }

  #leave(task: number): void {
    const level = byteAt(this.#level, task);
    const [before, behind] = [intAt(this.#previous, task), intAt(this.#next, task)];
    if (before < 0) this.#firstOf[level] = behind;
    else this.#next[before] = behind;
    if (behind >= 0) this.#previous[behind] = before;
    this.#countOf[level] = intAt(this.#countOf, level) - 1;
  }
}
