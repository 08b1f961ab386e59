import type { TaskGraph } from '../problem/taskGraph.ts';
import type { Annealing } from './annealing.ts';
import { generatorState, type GeneratorState } from './generator.ts';
import type { Lookups } from './lookups.ts';

/** A mapping on its way, with all that makes an exchange cheap. Costs in whole units. */
export interface Chain {
  readonly annealing: Annealing;
  readonly lookups: Lookups;
  readonly placeOfTask: Int32Array;
  /** −1 where a place is free. */
  readonly taskAtPlace: Int32Array;
  readonly siteOfTask: Int32Array;
  /** `lookups.columnOfSite` of the task's site. */
  readonly columnOfTask: Int32Array;
  /** What the task's edges cost now: halves the looks of a trial, and trials far outnumber exchanges. */
  readonly costOfTask: Float64Array;
  /** Tasks that a sweep goes over, and where it stands. */
  readonly movers: Int32Array;
  next: number;
  /** 1 for the sites that take part. */
  readonly inside: Uint8Array;
  readonly generator: GeneratorState;
  /** Grown since the start. */
  gain: number;
  evaluations: number;
  accepted: number;
}

/** 1 for the sites that exchange tasks among each other, 0 for those that stay as they are; length siteCount. */
export type Region = Uint8Array;

/** O(edges + sites). */
export function startChain(
  annealing: Annealing,
  lookups: Lookups,
  start: Int32Array,
  seed: number,
  region?: Region,
): Chain {
  const { core, talkers } = annealing;
  const { siteOfPlace, placeCount, siteCount } = core.places;
  const siteOfTask = start.map((place) => siteOfPlace[place]!);
  const taskAtPlace = new Int32Array(placeCount).fill(-1);
  for (let task = 0; task < start.length; task++) taskAtPlace[start[task]!] = task;
  const chain: Chain = {
    annealing,
    lookups,
    placeOfTask: start.slice(),
    taskAtPlace,
    siteOfTask,
    columnOfTask: siteOfTask.map((site) => lookups.columnOfSite[site]!),
    costOfTask: new Float64Array(start.length),
    movers: region === undefined ? talkers : talkers.filter((task) => region[siteOfTask[task]!] === 1),
    next: 0,
    inside: region === undefined ? new Uint8Array(siteCount).fill(1) : region,
    generator: generatorState(seed),
    gain: 0,
    evaluations: 0,
    accepted: 0,
  };
  for (let task = 0; task < start.length; task++) {
    const site = siteOfTask[task]!;
    // Tasks elsewhere never move, so what they cost is never asked.
    if (chain.inside[site] === 1) chain.costOfTask[task] = costAt(chain, task, lookups.rowOfSite[site]!);
  }
  return chain;
}

/** What the edges of `task` cost where it is seen from the row of a site. O(degree). */
export function costAt(chain: Chain, task: number, row: number): number {
  const { columnOfTask, lookups, annealing } = chain;
  const { rowStart, partner, weight } = annealing.core.graph;
  const end = rowStart[task + 1]!;
  let sum = 0;
  for (let edge = rowStart[task]!; edge < end; edge++) {
    sum += weight[edge]! * lookups.table[row + columnOfTask[partner[edge]!]!]!;
  }
  return sum;
}

/** Puts `task` to `place` and what is there to where it was. O(degree of both). */
export function exchange(chain: Chain, task: number, place: number): void {
  const { placeOfTask, taskAtPlace, siteOfTask, costOfTask, lookups, annealing } = chain;
  const other = taskAtPlace[place]!;
  const from = placeOfTask[task]!;
  const fromSite = siteOfTask[task]!;
  const toSite = annealing.core.places.siteOfPlace[place]!;
  const before = costOfTask[task]! + (other < 0 ? 0 : costOfTask[other]!);
  shiftPartners(chain, task, fromSite, toSite);
  if (other >= 0) shiftPartners(chain, other, toSite, fromSite);
  seat(chain, task, place, toSite);
  taskAtPlace[from] = other;
  if (other >= 0) seat(chain, other, from, fromSite);
  // An edge between the two costs what it did and stands on both sides of the difference.
  costOfTask[task] = costAt(chain, task, lookups.rowOfSite[toSite]!);
  chain.gain += costOfTask[task] - before;
  if (other < 0) return;
  costOfTask[other] = costAt(chain, other, lookups.rowOfSite[fromSite]!);
  chain.gain += costOfTask[other];
}

/** What the whole would cost more after an {@link exchange}; Infinity where that is sure to be above `limit`. */
export function exchangeDelta(chain: Chain, task: number, place: number, limit: number): number {
  const { siteOfTask, taskAtPlace, costOfTask, lookups, annealing } = chain;
  const { table, rowOfSite, columnOfSite } = lookups;
  const { core, floorOfTask } = annealing;
  const other = taskAtPlace[place]!;
  const fromRow = rowOfSite[siteOfTask[task]!]!;
  const toSite = core.places.siteOfPlace[place]!;
  const toRow = rowOfSite[toSite]!;
  const delta = costAt(chain, task, toRow) - costOfTask[task]!;
  if (other < 0) return delta;
  if (delta + floorOfTask[other]! - costOfTask[other]! > limit) return Infinity;
  // Partners that change places keep their distance; the sums have each of them meet itself.
  const toColumn = columnOfSite[toSite]!;
  const joint = 2 * jointWeight(core.graph, task, other) * (table[fromRow + toColumn]! - table[toRow + toColumn]!);
  return delta + costAt(chain, other, fromRow) - costOfTask[other]! + joint;
}

/** The weight of the edge between two tasks, 0 where there is none. O(degree). */
export function jointWeight({ rowStart, partner, weight }: TaskGraph, task: number, other: number): number {
  const end = rowStart[task + 1]!;
  for (let edge = rowStart[task]!; edge < end; edge++) if (partner[edge] === other) return weight[edge]!;
  return 0;
}

/** What partners of `task` cost once it has moved. */
function shiftPartners(chain: Chain, task: number, fromSite: number, toSite: number): void {
  const { columnOfTask, costOfTask, lookups, annealing } = chain;
  const { rowStart, partner, weight } = annealing.core.graph;
  const { table, rowOfSite } = lookups;
  const fromRow = rowOfSite[fromSite]!;
  const toRow = rowOfSite[toSite]!;
  const end = rowStart[task + 1]!;
  for (let edge = rowStart[task]!; edge < end; edge++) {
    const other = partner[edge]!;
    const column = columnOfTask[other]!;
    costOfTask[other]! += weight[edge]! * (table[toRow + column]! - table[fromRow + column]!);
  }
}

function seat(chain: Chain, task: number, place: number, site: number): void {
  chain.placeOfTask[task] = place;
  chain.taskAtPlace[place] = task;
  chain.siteOfTask[task] = site;
  chain.columnOfTask[task] = chain.lookups.columnOfSite[site]!;
}
