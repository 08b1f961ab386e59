import type { WorkMeter } from '../../model/cancellation.ts';
import { lookupsOf, type Lookups } from '../annealing/lookups.ts';
import type { SearchCore } from './searchProblem.ts';
import { costBetween } from './siteCosts.ts';

/**
 * Tasks on sites, and what it would save to exchange two of them. What every task costs is kept up to date, and when it or
 * a partner last moved: an exchange that saved nothing saves nothing as long as neither task has changed. Weights are
 * whole numbers, so nothing is lost in sums.
 */
export class Exchanges {
  /** Made so far: the time by which changes are told apart. */
  made = 0;
  readonly siteOfTask: Int32Array;
  /** Sum of weight · cost over the partners of each task, and of the weights alone. */
  readonly cost: Float64Array;
  readonly weight: Float64Array;
  /** The exchange after which a task or one of its partners last moved; 0 where none has. */
  readonly changed: Int32Array;
  readonly #core: SearchCore;
  readonly #lookups: Lookups | undefined;

  /** `siteOfTask` is changed by exchanges. Call {@link prepare} before anything else. */
  constructor(core: SearchCore, siteOfTask: Int32Array) {
    const { taskCount } = core.graph;
    this.#core = core;
    this.siteOfTask = siteOfTask;
    this.cost = new Float64Array(taskCount);
    this.weight = new Float64Array(taskCount);
    this.changed = new Int32Array(taskCount);
    const lookups = lookupsOf(core);
    this.#lookups = lookups?.constant === 0 ? lookups : undefined;
  }

  /** Sums what every task costs; false where it was cancelled. O(edges). */
  prepare(work: WorkMeter): boolean {
    for (let task = 0; task < this.cost.length; task++) {
      this.#account(task);
      if (work.isCancelledAfter(this.edgesOf(task))) return false;
    }
    return true;
  }

  /** Looks that a task is part of, and one for the task itself. */
  edgesOf(task: number): number {
    const { rowStart } = this.#core.graph;
    return 1 + rowStart[task + 1]! - rowStart[task]!;
  }

  /** What the sum over all pairs would grow by; between the two themselves nothing changes. O(degree). */
  effect(task: number, other: number): number {
    const { rowStart, partner, weight } = this.#core.graph;
    const siteOfTask = this.siteOfTask;
    const site = siteOfTask[task]!;
    const otherSite = siteOfTask[other]!;
    let sum = -this.cost[task]! - this.cost[other]!;
    const taskEnd = rowStart[task + 1]!;
    for (let edge = rowStart[task]!; edge < taskEnd; edge++) {
      const end = partner[edge]!;
      sum += weight[edge]! * this.costOf(otherSite, end === other ? site : siteOfTask[end]!);
    }
    const otherEnd = rowStart[other + 1]!;
    for (let edge = rowStart[other]!; edge < otherEnd; edge++) {
      const end = partner[edge]!;
      sum += weight[edge]! * this.costOf(site, end === task ? otherSite : siteOfTask[end]!);
    }
    return sum;
  }

  costOf(from: number, to: number): number {
    if (this.#lookups === undefined) return costBetween(this.#core.costs, from, to);
    const { table, rowOfSite, columnOfSite } = this.#lookups;
    return table[rowOfSite[from]! + columnOfSite[to]!]!;
  }

  /** O(degree). */
  exchange(task: number, other: number): void {
    this.made++;
    this.#addToPartners(task, -1);
    this.#addToPartners(other, -1);
    const site = this.siteOfTask[task]!;
    this.siteOfTask[task] = this.siteOfTask[other]!;
    this.siteOfTask[other] = site;
    this.#addToPartners(task, 1);
    this.#addToPartners(other, 1);
    // Partners of each other among them, whose sums have been half in between.
    this.#account(task);
    this.#account(other);
    this.changed[task] = this.made;
    this.changed[other] = this.made;
  }

  /** Adds what the partners of a task pay for it where it is now, or takes it off. */
  #addToPartners(moved: number, sign: number): void {
    const { rowStart, partner, weight } = this.#core.graph;
    const site = this.siteOfTask[moved]!;
    for (let edge = rowStart[moved]!; edge < rowStart[moved + 1]!; edge++) {
      const end = partner[edge]!;
      this.changed[end] = this.made;
      this.cost[end]! += sign * weight[edge]! * this.costOf(site, this.siteOfTask[end]!);
    }
  }

  #account(task: number): void {
    const { rowStart, partner, weight } = this.#core.graph;
    const site = this.siteOfTask[task]!;
    let cost = 0;
    let total = 0;
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
      total += weight[edge]!;
      cost += weight[edge]! * this.costOf(site, this.siteOfTask[partner[edge]!]!);
    }
    this.cost[task] = cost;
    this.weight[task] = total;
  }
}
