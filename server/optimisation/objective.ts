/** What a descent needs of a mapping and its cost, and the sum over edges that most searches minimise. */
import { intAt, realAt } from '../numeric/elements.ts';
import { type Cancellation, neverCancelled, type ReportProgress, WorkMeter } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { KnownDistances } from '../network/distances/knownDistances.ts';
import type { Places } from './problem/places.ts';
import { type SearchCore, mappingCost } from './problem/searchProblem.ts';
import { type CostLookups, costLookupsOf } from './problem/costLookups.ts';
import { costBetween } from './problem/siteCosts.ts';
import { fillInverse } from '../numeric/permutation.ts';

export interface ComputeContext {
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  readonly equivalentDistances?: (machine: Machine) => KnownDistances | undefined;
}

/**
 * What a descent needs to know of an {@link Objective}. Exchanging two places swaps their tasks; the second may be
 * free.
 */
export interface Exchangeable {
  /** Place of each task; to be read, not written. */
  readonly placeOfTask: Int32Array;
  /** Task at each place, −1 where it is free. */
  readonly taskAtPlace: Int32Array;
  /** What the value would grow by; negative is better. O(degree) for additive criteria. */
  exchangeDelta(place: number, other: number): number;
  exchange(place: number, other: number): void;
  /** Edge visits that `exchangeDelta` takes for this task, so that descents know when to poll. */
  workOf(task: number): number;
  /** Left out where an exchange may change what any other one is worth. */
  readonly changes?: Changes;
}

/** When tasks changed. What an exchange of two tasks is worth stays as it is as long as neither of them changes. */
export interface Changes {
  /** Grows with every exchange. */
  now: number;
  /** When each task or one of its partners last moved. */
  readonly ofTask: Int32Array;
}

/**
 * A mapping and what it costs. Exchanging two places swaps their tasks, or moves the one task that
 * is there into the free place. Exact: `value` after any exchanges equals `recompute()`.
 */
export interface Objective extends Exchangeable {
  readonly places: Places;
  /** In whole units; times `unit` it is the criterion's own. */
  readonly value: number;
  readonly unit: number;
  /**
   * Puts all tasks anew. O(pairs) or more; may stop where the computation is cancelled, and then `value` means
   * nothing.
   */
  assign(placeOfTask: Int32Array): void;
  /** From nothing, O(pairs). */
  recompute(): number;
}

/**
 * The sum over the edges of weight · cost. What each task pays is kept up to date, so that the effect of an exchange
 * takes one lookup per edge of its tasks, and an exchange brings its partners up to date. Weights and costs are whole
 * numbers, so that no sum depends on the order of its terms.
 */
export class AdditiveObjective implements Objective {
  readonly places: Places;
  readonly placeOfTask: Int32Array;
  readonly taskAtPlace: Int32Array;
  readonly unit: number;
  value = 0;
  readonly siteOfTask: Int32Array;
  /** Sum of weight · cost over the edges of each task: every edge counts for both its ends. */
  readonly costOfTask: Float64Array;
  readonly changes: Changes;
  readonly #core: SearchCore;
  readonly #lookups: CostLookups | undefined;
  readonly #cancellation: Cancellation;

  /** Task i is at place i where no start is given. O(edges + places). */
  constructor(core: SearchCore, start?: Int32Array, cancellation: Cancellation = neverCancelled) {
    const { taskCount } = core.graph;
    this.#core = core;
    this.#cancellation = cancellation;
    const lookups = costLookupsOf(core);
    this.#lookups = lookups?.constant === 0 ? lookups : undefined;
    this.places = core.places;
    this.unit = core.weightUnit * core.costs.unit;
    this.placeOfTask = new Int32Array(taskCount);
    this.siteOfTask = new Int32Array(taskCount);
    this.costOfTask = new Float64Array(taskCount);
    this.taskAtPlace = new Int32Array(core.places.placeCount);
    this.changes = { now: 0, ofTask: new Int32Array(taskCount) };
    this.assign(start ?? this.placeOfTask.map((_, task) => task));
  }

  assign(placeOfTask: Int32Array): void {
    putTasks(this, placeOfTask);
    const { siteOfPlace } = this.places;
    for (let task = 0; task < placeOfTask.length; task++)
      this.siteOfTask[task] = intAt(siteOfPlace, intAt(placeOfTask, task));
    this.changes.ofTask.fill(++this.changes.now);
    const work = new WorkMeter(this.#cancellation);
    let sum = 0;
    for (let task = 0; task < placeOfTask.length; task++) {
      this.costOfTask[task] = this.#costAt(task, intAt(this.siteOfTask, task), -1, 0);
      sum += realAt(this.costOfTask, task);
      if (work.isCancelledAfter(this.workOf(task))) return;
    }
    this.value = sum / 2;
  }

  workOf(task: number): number {
    const { rowStart } = this.#core.graph;
    return 1 + intAt(rowStart, task + 1) - intAt(rowStart, task);
  }

  exchangeDelta(place: number, other: number): number {
    const from = this.places.siteOfPlace[place]!;
    const to = this.places.siteOfPlace[other]!;
    if (from === to) return 0;
    const task = this.taskAtPlace[place]!;
    const partner = this.taskAtPlace[other]!;
    // Between the two that change places nothing changes: costs are symmetric.
    const ofTask = task < 0 ? 0 : this.#costAt(task, to, partner, from) - this.costOfTask[task]!;
    return partner < 0 ? ofTask : ofTask + this.#costAt(partner, from, task, to) - this.costOfTask[partner]!;
  }

  /** O(degree of both tasks). */
  exchange(place: number, other: number): void {
    const from = intAt(this.places.siteOfPlace, place);
    const to = intAt(this.places.siteOfPlace, other);
    const task = intAt(this.taskAtPlace, place);
    const partner = intAt(this.taskAtPlace, other);
    exchangePlaces(this, place, other);
    if (from === to) return;
    this.changes.now++;
    this.value -= this.#paidBy(task) + this.#paidBy(partner);
    this.#shiftPartners(task, from, to);
    this.#shiftPartners(partner, to, from);
    if (task >= 0) this.siteOfTask[task] = to;
    if (partner >= 0) this.siteOfTask[partner] = from;
    this.#sumAnew(task);
    this.#sumAnew(partner);
    // An edge between the two costs what it did and stands on both sides of the difference.
    this.value += this.#paidBy(task) + this.#paidBy(partner);
  }

  /** Cost of a byte between two sites. */
  costBetween(from: number, to: number): number {
    if (this.#lookups === undefined) return costBetween(this.#core.costs, from, to);
    const { table, rowOfSite, columnOfSite } = this.#lookups;
    return table[rowOfSite[from]! + columnOfSite[to]!]!;
  }

  recompute(): number {
    return mappingCost(this.#core, this.placeOfTask);
  }

  /** What the edges of a task cost where it is on `site` and task `moved` on `siteOfMoved`. O(degree). */
  #costAt(task: number, site: number, moved: number, siteOfMoved: number): number {
    const { rowStart, partner, weight } = this.#core.graph;
    const { siteOfTask } = this;
    const end = rowStart[task + 1]!;
    let sum = 0;
    if (this.#lookups === undefined) {
      const { costs } = this.#core;
      for (let edge = rowStart[task]!; edge < end; edge++) {
        const other = partner[edge]!;
        sum += weight[edge]! * costBetween(costs, site, other === moved ? siteOfMoved : siteOfTask[other]!);
      }
      return sum;
    }
    const { table, rowOfSite, columnOfSite } = this.#lookups;
    const row = rowOfSite[site]!;
    for (let edge = rowStart[task]!; edge < end; edge++) {
      const other = partner[edge]!;
      sum += weight[edge]! * table[row + columnOfSite[other === moved ? siteOfMoved : siteOfTask[other]!]!]!;
    }
    return sum;
  }

  /** Brings the partners of a task up to date that goes from one site to another. */
  #shiftPartners(task: number, from: number, to: number): void {
    if (task < 0) return;
    const { rowStart, partner, weight } = this.#core.graph;
    const end = rowStart[task + 1]!;
    for (let edge = rowStart[task]!; edge < end; edge++) {
      const other = partner[edge]!;
      const site = this.siteOfTask[other]!;
      this.changes.ofTask[other] = this.changes.now;
      this.costOfTask[other]! += weight[edge]! * (this.costBetween(to, site) - this.costBetween(from, site));
    }
  }

  #paidBy(task: number): number {
    return task < 0 ? 0 : realAt(this.costOfTask, task);
  }

  /** What a task pays that has moved. */
  #sumAnew(task: number): void {
    if (task < 0) return;
    this.changes.ofTask[task] = this.changes.now;
    this.costOfTask[task] = this.#costAt(task, intAt(this.siteOfTask, task), -1, 0);
  }
}

/** Which task is at which place, both ways. */
interface Occupancy {
  readonly placeOfTask: Int32Array;
  /** −1 where a place is free. */
  readonly taskAtPlace: Int32Array;
}

/** Puts all tasks anew. O(places). */
export function putTasks(occupancy: Occupancy, placeOfTask: Int32Array): void {
  occupancy.placeOfTask.set(placeOfTask);
  fillInverse(placeOfTask, occupancy.taskAtPlace);
}

/** Swaps what two places hold; either may be free. */
export function exchangePlaces({ placeOfTask, taskAtPlace }: Occupancy, place: number, other: number): void {
  const task = intAt(taskAtPlace, place);
  const partner = intAt(taskAtPlace, other);
  taskAtPlace[place] = partner;
  taskAtPlace[other] = task;
  if (task >= 0) placeOfTask[task] = other;
  if (partner >= 0) placeOfTask[partner] = place;
}
