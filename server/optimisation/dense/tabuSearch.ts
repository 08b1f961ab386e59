import { intAt, realAt } from '../../numeric/elements.ts';
import { type RandomSource, seededRandom } from '../../model/random.ts';
import { type DenseProblem, denseValue } from './denseProblem.ts';
import { clearPending, exchangeTable, exchangeTasks, moveTask, type ExchangeTable } from './exchangeTable.ts';
import type { Cancellation } from '../../model/cancellation.ts';

/** A change of the assignment: `task` changes with `other`, or moves to a free place of `site` where `other` is −1. */
export interface Change {
  /** −1 where there is no change to make. */
  task: number;
  other: number;
  site: number;
  effect: number;
}

/** A change that is made although better ones are allowed, because it is due. */
export interface Diversification {
  /** The search is about to begin. */
  begin(search: TabuSearch): void;
  /** Writes the best change that is due into `choice`; false where none is. */
  choose(search: TabuSearch, choice: Change): boolean;
  /** `task` has just moved. */
  moved(search: TabuSearch, task: number): void;
}

/**
 * Robust tabu search (Taillard 1991, section 3): every step makes the best change that is not tabu, or
 * that leads to a new best value, whatever it costs; where a task was, it must not return for a
 * random number of steps. An exchange is tabu if it brings both tasks back, a move to a free place if
 * it brings its task back. What changes nothing, exchanging tasks of one kind or on sites of one kind, is never done.
 */
export class TabuSearch {
  readonly table: ExchangeTable;
  /** Row-major, taskCount × siteCount: the last step in which a task must not come back to a site. */
  readonly tabuUntil: Float64Array;
  readonly bestSiteOfTask: Int32Array;
  bestValue: number;
  step = 0;
  /** Changes whose effect was worked out. */
  evaluations = 0;

  readonly #due: Diversification | undefined;
  readonly #drawTenure: () => number;
  readonly #hasFreePlaces: boolean;
  readonly #choice: Change = { task: -1, other: -1, site: -1, effect: 0 };
  /** Least effect among the exchanges of each task with later ones. */
  readonly #leastOfTask: Float64Array;

  constructor(problem: DenseProblem, siteOfTask: Int32Array, random: RandomSource, due?: Diversification) {
    const { taskCount, siteCount } = problem;
    this.table = exchangeTable(problem, siteOfTask);
    this.tabuUntil = new Float64Array(taskCount * siteCount);
    this.bestSiteOfTask = siteOfTask.slice();
    this.bestValue = this.table.value;
    this.#due = due;
    this.#drawTenure = tenures(taskCount, random);
    this.#hasFreePlaces = this.table.freePlaces.some((free) => free > 0);
    this.#leastOfTask = new Float64Array(taskCount);
    due?.begin(this);
  }

  /** Makes one step: the best change that is allowed or due. O(tasks² + tasks · sites). */
  advance(): void {
    this.step++;
    this.#chooseExchange();
    if (this.#hasFreePlaces) this.#chooseMove();
    const improves = this.table.value + this.#choice.effect < this.bestValue;
    if (!improves) this.#due?.choose(this, this.#choice);
    if (this.#choice.task >= 0) this.#make(this.#choice);
  }

  /** The first of the best exchanges that are allowed. */
  #chooseExchange(): void {
    const leastOfTask = this.#leastOfTask;
    const choice = this.#choice;
    const { effects, problem } = this.table;
    const { taskCount } = problem;
    addPendingByRow(this.table, leastOfTask);
    let least = Infinity;
    choice.task = -1;
    for (let task = 0; task < taskCount; task++) {
      if (leastOfTask[task]! >= least) continue;
      const row = task * taskCount;
      for (let other = task + 1; other < taskCount; other++) {
        const effect = effects[row + other]!;
        if (effect >= least || !this.#mayExchange(task, other, effect)) continue;
        least = effect;
        choice.task = task;
        choice.other = other;
      }
    }
    choice.effect = least;
    this.evaluations += (taskCount * (taskCount - 1)) / 2;
  }

  #mayExchange(task: number, other: number, effect: number): boolean {
    const { tabuUntil, step, table } = this;
    const { siteCount } = table.problem;
    const site = table.siteOfTask[task]!;
    const otherSite = table.siteOfTask[other]!;
    return (
      tabuUntil[task * siteCount + otherSite]! < step ||
      tabuUntil[other * siteCount + site]! < step ||
      table.value + effect < this.bestValue
    );
  }

  /** The best move to a free place that is allowed, if it is better than the exchange. */
  #chooseMove(): void {
    const { tabuUntil, step, bestValue } = this;
    const { costAt, freePlaces, siteOfTask, value, problem } = this.table;
    const { taskCount, siteCount, kindOfSite } = problem;
    const choice = this.#choice;
    for (let task = 0; task < taskCount; task++) {
      const row = task * siteCount;
      const here = intAt(siteOfTask, task);
      const paid = realAt(costAt, row + here);
      for (let site = 0; site < siteCount; site++) {
        const effect = costAt[row + site]! - paid;
        if (effect >= choice.effect || freePlaces[site] === 0 || kindOfSite[site] === kindOfSite[here]) continue;
        if (tabuUntil[row + site]! >= step && value + effect >= bestValue) continue;
        choice.task = task;
        choice.other = -1;
        choice.site = site;
        choice.effect = effect;
      }
    }
    this.evaluations += taskCount * siteCount;
  }

  #make({ task, other, site }: Change): void {
    const { table } = this;
    const { siteOfTask } = table;
    this.#forbidReturn(task);
    if (other < 0) {
      moveTask(table, task, site);
    } else {
      this.#forbidReturn(other);
      exchangeTasks(table, task, other);
      this.#due?.moved(this, other);
    }
    this.#due?.moved(this, task);
    if (table.value >= this.bestValue) return;
    this.bestValue = table.value;
    this.bestSiteOfTask.set(siteOfTask);
  }

  #forbidReturn(task: number): void {
    const { siteOfTask, problem } = this.table;
    this.tabuUntil[task * problem.siteCount + intAt(siteOfTask, task)] = this.step + this.#drawTenure();
  }
}

/**
 * Adds what is pending to the effects and writes the least of each row, in one pass. It has no
 * branch but the minimum: what is tabu is looked up afterwards, for the few that are less than the best.
 */
function addPendingByRow(table: ExchangeTable, leastOfTask: Float64Array): void {
  const { effects, pendingFlow, pendingCost, problem } = table;
  const { taskCount } = problem;
  for (let task = 0; task < taskCount; task++) {
    const flow = realAt(pendingFlow, task);
    const cost = realAt(pendingCost, task);
    const row = task * taskCount;
    let least = Infinity;
    for (let other = task + 1; other < taskCount; other++) {
      const effect = effects[row + other]! + (flow - pendingFlow[other]!) * (cost - pendingCost[other]!);
      effects[row + other] = effect;
      if (effect < least) least = effect;
    }
    leastOfTask[task] = least;
  }
  clearPending(table);
}

/**
 * Draws for how many steps a task must not return to where it was: 0.9 n to 1.1 n, all alike, as
 * Taillard 1991, section 3.2 recommends for exchanges of n tasks.
 */
export function tenures(taskCount: number, random: RandomSource): () => number {
  const shortest = Math.max(1, Math.floor(0.9 * taskCount));
  const longest = Math.max(shortest, Math.floor(1.1 * taskCount));
  return () => shortest + random.integer(longest - shortest + 1);
}

/** A work item; plain data, so that any thread can do it. */
export interface DenseOrder {
  /** Site of each task. */
  readonly start: Int32Array;
  readonly seed: number;
  /** Changes whose effect may be worked out; the last step of the search may go over by less than one table. */
  readonly steps: number;
}

export interface DenseResult {
  /** The best that was met; the start where nothing was better. */
  readonly siteOfTask: Int32Array;
  /** In the units of the problem. */
  readonly value: number;
  readonly evaluations: number;
}

/** Evaluations between two polls of `stop`: well below a millisecond. */
const evaluationsPerPoll = 2 ** 15;

/**
 * A work item of robust tabu search. The same order gives the same result in any thread, unless it is
 * stopped: then the best so far. O(tasks² · sites) to begin with, then O(tasks² + tasks · sites) per step.
 */
export function improveDense(problem: DenseProblem, order: DenseOrder, stop: Cancellation): DenseResult {
  if (stop.isCancelled()) return { siteOfTask: order.start, value: denseValue(problem, order.start), evaluations: 0 };
  const search = new TabuSearch(problem, order.start, seededRandom(order.seed));
  let nextPoll = 0;
  while (search.evaluations < order.steps && search.bestValue > 0) {
    search.advance();
    if (search.evaluations < nextPoll) continue;
    if (stop.isCancelled()) break;
    nextPoll = search.evaluations + evaluationsPerPoll;
  }
  return { siteOfTask: search.bestSiteOfTask, value: search.bestValue, evaluations: search.evaluations };
}
