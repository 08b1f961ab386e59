import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { KnownDistances } from '../network/distances/knownDistances.ts';
import type { Places } from './problem/places.ts';
import { type SearchCore, valueOf } from './problem/searchProblem.ts';
import { costBetween } from './problem/siteCosts.ts';

export interface ComputeContext {
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  readonly equivalentDistances?: (machine: Machine) => KnownDistances | undefined;
}

/**
 * A mapping and what it costs. Exchanging two places swaps their tasks, or moves the one task
 * there is into the free place. Exact: `value` after any exchanges equals `recompute()`.
 */
export interface Objective {
  readonly places: Places;
  /** Place of each task; to be read, not written. */
  readonly placeOfTask: Int32Array;
  /** Task at each place, −1 where it is free. */
  readonly taskAtPlace: Int32Array;
  /** In whole units; times `unit` it is the criterion's own. */
  readonly value: number;
  readonly unit: number;
  /** Puts all tasks anew. O(pairs) or more; may stop where the effort is cancelled, and then `value` means nothing. */
  assign(placeOfTask: Int32Array): void;
  /** What `value` would grow by; negative is better. O(degree) for additive criteria. */
  exchangeDelta(place: number, other: number): number;
  exchange(place: number, other: number): void;
  /** From nothing, O(pairs). */
  recompute(): number;
}

/** Task i at place i until `assign` says otherwise. All sums are of whole numbers, so they are exact. */
export const additiveObjective = (core: SearchCore): Objective => new AdditiveObjective(core);

class AdditiveObjective implements Objective {
  readonly places: Places;
  readonly placeOfTask: Int32Array;
  readonly taskAtPlace: Int32Array;
  readonly unit: number;
  value = 0;
  readonly #core: SearchCore;
  readonly #siteOfTask: Int32Array;

  constructor(core: SearchCore) {
    this.#core = core;
    this.places = core.places;
    this.unit = core.weightUnit * core.costs.unit;
    this.placeOfTask = new Int32Array(core.graph.taskCount);
    this.#siteOfTask = new Int32Array(core.graph.taskCount);
    this.taskAtPlace = new Int32Array(core.places.placeCount);
    this.assign(this.placeOfTask.map((_, task) => task));
  }

  assign(placeOfTask: Int32Array): void {
    putTasks(this, placeOfTask);
    for (let task = 0; task < placeOfTask.length; task++) {
      this.#siteOfTask[task] = this.places.siteOfPlace[placeOfTask[task]!]!;
    }
    this.value = this.recompute();
  }

  exchangeDelta(place: number, other: number): number {
    const from = this.places.siteOfPlace[place]!;
    const to = this.places.siteOfPlace[other]!;
    if (from === to) return 0;
    const task = this.taskAtPlace[place]!;
    const partner = this.taskAtPlace[other]!;
    return this.#moveDelta(task, from, to, partner) + this.#moveDelta(partner, to, from, task);
  }

  exchange(place: number, other: number): void {
    this.value += this.exchangeDelta(place, other);
    exchangePlaces(this, place, other);
    this.#follow(this.taskAtPlace[place]!);
    this.#follow(this.taskAtPlace[other]!);
  }

  recompute(): number {
    return valueOf(this.#core, this.placeOfTask);
  }

  #follow(task: number): void {
    if (task >= 0) this.#siteOfTask[task] = this.places.siteOfPlace[this.placeOfTask[task]!]!;
  }

  /** Between the two that change places nothing changes: costs are symmetric. */
  #moveDelta(task: number, from: number, to: number, except: number): number {
    if (task < 0) return 0;
    const { graph, costs } = this.#core;
    const { partner, weight } = graph;
    const siteOfTask = this.#siteOfTask;
    const end = graph.rowStart[task + 1]!;
    let delta = 0;
    if (costs.kind === 'table') {
      const { table, siteCount } = costs;
      const fromRow = from * siteCount;
      const toRow = to * siteCount;
      for (let edge = graph.rowStart[task]!; edge < end; edge++) {
        const other = partner[edge]!;
        if (other === except) continue;
        const site = siteOfTask[other]!;
        delta += weight[edge]! * (table[toRow + site]! - table[fromRow + site]!);
      }
      return delta;
    }
    for (let edge = graph.rowStart[task]!; edge < end; edge++) {
      const other = partner[edge]!;
      if (other === except) continue;
      const site = siteOfTask[other]!;
      delta += weight[edge]! * (costBetween(costs, to, site) - costBetween(costs, from, site));
    }
    return delta;
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
  occupancy.taskAtPlace.fill(-1);
  for (let task = 0; task < placeOfTask.length; task++) occupancy.taskAtPlace[placeOfTask[task]!] = task;
}

/** Swaps what two places hold; either may be free. */
export function exchangePlaces({ placeOfTask, taskAtPlace }: Occupancy, place: number, other: number): void {
  const task = taskAtPlace[place]!;
  const partner = taskAtPlace[other]!;
  taskAtPlace[place] = partner;
  taskAtPlace[other] = task;
  if (task >= 0) placeOfTask[task] = other;
  if (partner >= 0) placeOfTask[partner] = place;
}
