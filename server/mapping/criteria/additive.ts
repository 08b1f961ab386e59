import { succeed } from '../../model/result.ts';
import type { Places } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { valueOf } from '../problem/value.ts';
import type { CriterionEntry, Objective } from './contract.ts';
import { exchangePlaces, putTasks } from './occupancy.ts';
import { prepareSearch } from './prepare.ts';

/** A criterion that is a sum over pairs, from what a byte between two sites costs. */
export function additiveCriterion(
  entry: Omit<CriterionEntry, 'objective' | 'siteCosts'> & Required<Pick<CriterionEntry, 'siteCosts'>>,
): CriterionEntry {
  const criterion: CriterionEntry = {
    ...entry,
    objective: (problem, effort) => {
      const prepared = prepareSearch(problem, criterion, effort);
      return prepared.ok ? succeed(additiveObjective(prepared.value)) : prepared;
    },
  };
  return criterion;
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
