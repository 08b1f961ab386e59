import { intAt } from '../../numeric/elements.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import type { Annealing } from './annealing.ts';
import { generatorState, type GeneratorState } from './generator.ts';
import type { CostLookups } from '../problem/costLookups.ts';
import { logarithm, exponential } from '../../numeric/elementary.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { inverseOf } from '../../numeric/permutation.ts';

/**
 * The kernel of simulated annealing for costs in one table: a chain of mappings with what makes an exchange cheap,
 * proposals at one temperature ({@link runProposals}), and the descent that ends a chain ({@link descendChain}). Work items
 * and their outcomes are described here as well; `anneal.ts` runs them, also for other criteria.
 */

/** A mapping on its way, with all that makes an exchange cheap. Costs in whole units. */
export interface Chain {
  readonly annealing: Annealing;
  readonly lookups: CostLookups;
  readonly placeOfTask: Int32Array;
  /** −1 where a place is free. */
  readonly taskAtPlace: Int32Array;
  readonly siteOfTask: Int32Array;
  /** `lookups.columnOfSite` of the task's site. */
  readonly columnOfTask: Int32Array;
  /** What the task's edges cost now: halves the lookups of a proposal, and proposals far outnumber exchanges. */
  readonly costOfTask: Float64Array;
  /** Tasks that a sweep goes over, and where it stands. */
  readonly movers: Int32Array;
  next: number;
  /** 1 for the sites that take part. */
  readonly inside: Uint8Array;
  readonly generator: GeneratorState;
  /** Change of the cost since the start, negative where it fell. */
  gain: number;
  evaluations: number;
  accepted: number;
}

/** 1 for the sites that exchange tasks among each other, 0 for those that stay as they are; length siteCount. */
export type Region = Uint8Array;

/** O(edges + sites). */
export function startChain(
  annealing: Annealing,
  lookups: CostLookups,
  start: Int32Array,
  seed: number,
  region?: Region,
): Chain {
  const { core, communicatingTasks } = annealing;
  const { siteOfPlace, placeCount, siteCount } = core.places;
  const siteOfTask = start.map((place) => intAt(siteOfPlace, place));
  const chain: Chain = {
    annealing,
    lookups,
    placeOfTask: start.slice(),
    taskAtPlace: inverseOf(start, placeCount),
    siteOfTask,
    columnOfTask: siteOfTask.map((site) => intAt(lookups.columnOfSite, site)),
    costOfTask: new Float64Array(start.length),
    movers:
      region === undefined
        ? communicatingTasks
        : communicatingTasks.filter((task) => region[intAt(siteOfTask, task)] === 1),
    next: 0,
    inside: region === undefined ? new Uint8Array(siteCount).fill(1) : region,
    generator: generatorState(seed),
    gain: 0,
    evaluations: 0,
    accepted: 0,
  };
  for (let task = 0; task < start.length; task++) {
    const site = intAt(siteOfTask, task);
    // Tasks elsewhere never move, so what they cost is never asked.
    if (chain.inside[site] === 1) chain.costOfTask[task] = costAt(chain, task, intAt(lookups.rowOfSite, site));
  }
  return chain;
}

/** What the edges of `task` cost where it is seen from the row of a site. O(degree). */
function costAt(chain: Chain, task: number, row: number): number {
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
function exchangeInChain(chain: Chain, task: number, place: number): void {
  const { placeOfTask, taskAtPlace, siteOfTask, costOfTask, lookups, annealing } = chain;
  const other = taskAtPlace[place]!;
  const from = placeOfTask[task]!;
  const fromSite = siteOfTask[task]!;
  const toSite = annealing.core.places.siteOfPlace[place]!;
  const before = costOfTask[task]! + (other < 0 ? 0 : costOfTask[other]!);
  shiftPartners(chain, task, fromSite, toSite);
  if (other >= 0) shiftPartners(chain, other, toSite, fromSite);
  assign(chain, task, place, toSite);
  taskAtPlace[from] = other;
  if (other >= 0) assign(chain, other, from, fromSite);
  // An edge between the two costs what it did and stands on both sides of the difference.
  costOfTask[task] = costAt(chain, task, lookups.rowOfSite[toSite]!);
  chain.gain += costOfTask[task] - before;
  if (other < 0) return;
  costOfTask[other] = costAt(chain, other, lookups.rowOfSite[fromSite]!);
  chain.gain += costOfTask[other];
}

/** What the whole would cost more after an {@link exchangeInChain}; Infinity where that is sure to be above `limit`. */
function exchangeDelta(chain: Chain, task: number, place: number, limit: number): number {
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
function jointWeight({ rowStart, partner, weight }: TaskGraph, task: number, other: number): number {
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

function assign(chain: Chain, task: number, place: number, site: number): void {
  chain.placeOfTask[task] = place;
  chain.taskAtPlace[place] = task;
  chain.siteOfTask[task] = site;
  chain.columnOfTask[task] = chain.lookups.columnOfSite[site]!;
}

/** A work item of annealing; plain data, so that any thread can do it. */
export interface AnnealOrder {
  /** Where the tasks are. Not written. */
  readonly placeOfTask: Int32Array;
  /** Any integer; the same order gives the same outcome on every machine. */
  readonly seed: number;
  /** Proposals, including those that are dropped before anything is evaluated. */
  readonly steps: number;
  /** Temperatures of the first and the last proposal, in whole units of cost; they fall geometrically. */
  readonly from: number;
  readonly to: number;
  /**
   * Ends in a local optimum and never above its start. Without it the outcome is where the chain is at its end,
   * which is what the next epoch goes on from.
   */
  readonly finalDescent: boolean;
  /** Left out where all sites take part. */
  readonly region?: Region;
}

/** What came of it. */
export interface AnnealOutcome {
  readonly placeOfTask: Int32Array;
  /** In whole units, as `valueOf` counts it. */
  readonly value: number;
  /** Exchanges whose effect was worked out. */
  readonly evaluations: number;
  readonly accepted: number;
}

/** A draw of so many bits picks the threshold. */
export const thresholdBits = 12;

/**
 * What Metropolis' test may lose at temperature 1: −ln of a uniform draw from (0, 1), from the middles
 * of 4,096 equal parts. `delta ≤ temperature · threshold` is `draw ≤ e^(−delta / temperature)`, drawn
 * before the delta is known, so that a proposal can end as soon as its delta must be larger.
 */
export const thresholds = Float64Array.from(
  { length: 2 ** thresholdBits },
  (_, index) => -logarithm((index + 0.5) / 2 ** thresholdBits),
);

interface Stage {
  readonly temperature: number;
  readonly proposals: number;
}

interface Cooling {
  readonly steps: number;
  readonly from: number;
  readonly to: number;
}

/** Temperatures that an order has at least, where it has that many steps. */
const fewestStages = 64;

/** The steps of an order dealt into stages of at most `mostProposals`, with temperatures that fall geometrically. */
export function stagesOf({ steps, from, to }: Cooling, mostProposals: number): Stage[] {
  const count = Math.min(steps, Math.max(fewestStages, Math.ceil(steps / mostProposals)));
  const slope = from > 0 && to > 0 && count > 1 ? logarithm(to / from) / (count - 1) : 0;
  return Array.from({ length: count }, (_, stage) => ({
    temperature: from * exponential(slope * stage),
    proposals: Math.floor(((stage + 1) * steps) / count) - Math.floor((stage * steps) / count),
  }));
}

/**
 * So many proposals at one temperature: the next task of the sweep, one of its partners, one of the sites
 * near that, one of its places; what is there is exchanged with the task if Metropolis' test accepts.
 * Partners are drawn evenly: preferring the heavier of two ends no lower in the same time.
 * The generator is written out, and the task's new cost is compared with what it is known to cost now;
 * where even the least that the other task can come to loses too much, its edges are not looked at.
 */
export function runProposals(chain: Chain, temperature: number, proposals: number): void {
  const { annealing, lookups, movers, inside, siteOfTask, columnOfTask, taskAtPlace, costOfTask, generator } = chain;
  const { near, floorOfTask, core } = annealing;
  const { rowStart, partner, weight } = core.graph;
  const { firstPlace } = core.places;
  const { table, rowOfSite, columnOfSite } = lookups;
  const { perSite, sites: nearOfSite } = near;
  const lastMover = movers.length - 1;
  if (lastMover < 0) return;
  let a = generator[0]!;
  let b = generator[1]!;
  let c = generator[2]!;
  let counter = generator[3]!;
  let next = chain.next;
  let skipped = 0;
  for (let proposal = 0; proposal < proposals; proposal++) {
    let word = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;

    const task = movers[next]!;
    next = next === lastMover ? 0 : next + 1;
    const start = rowStart[task]!;
    const end = rowStart[task + 1]!;
    const neighbour = partner[start + (((word >>> 16) * (end - start)) >>> 16)]!;
    const toSite = nearOfSite[siteOfTask[neighbour]! * perSite + (((word & 0xffff) * perSite) >>> 16)]!;

    word = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;

    const fromSite = siteOfTask[task]!;
    if (toSite === fromSite || inside[toSite] === 0) {
      skipped++;
      continue;
    }
    const first = firstPlace[toSite]!;
    const place = first + (((word & 0xffff) * (firstPlace[toSite + 1]! - first)) >>> 16);
    const other = taskAtPlace[place]!;
    const toRow = rowOfSite[toSite]!;
    const most = temperature * thresholds[word >>> (32 - thresholdBits)]! + costOfTask[task]!;
    let fresh = 0;
    for (let edge = start; edge < end; edge++) fresh += weight[edge]! * table[toRow + columnOfTask[partner[edge]!]!]!;
    if (other < 0) {
      if (fresh > most) continue;
    } else {
      const mostWithOther = most + costOfTask[other]!;
      if (fresh + floorOfTask[other]! > mostWithOther) continue;
      const fromRow = rowOfSite[fromSite]!;
      const otherEnd = rowStart[other + 1]!;
      for (let edge = rowStart[other]!; edge < otherEnd; edge++) {
        fresh += weight[edge]! * table[fromRow + columnOfTask[partner[edge]!]!]!;
      }
      if (fresh > mostWithOther) continue;
      // Partners that change places keep their distance; the sums have each of them meet itself.
      const joint = jointWeight(core.graph, task, other);
      const apart = table[fromRow + columnOfSite[toSite]!]! - table[toRow + columnOfSite[toSite]!]!;
      if (fresh + 2 * joint * apart > mostWithOther) continue;
    }
    exchangeInChain(chain, task, place);
    chain.accepted++;
  }
  generator[0] = a;
  generator[1] = b;
  generator[2] = c;
  generator[3] = counter;
  chain.next = next;
  chain.evaluations += proposals - skipped;
}

/** Edge visits between two polls: about a millisecond. */
const edgeVisitsPerPoll = 2 ** 18;

interface Descent {
  readonly chain: Chain;
  /** 1 for tasks whose neighbours moved since they were tried. */
  readonly waiting: Uint8Array;
  /** The attempt in which each site was last tried: partners are close together and share what is near. */
  readonly attemptAtSite: Int32Array;
  attempt: number;
}

/**
 * Local search by the table of costs: makes the first exchange that lowers the cost of each task with a place near one
 * of its partners, tasks in ascending order, and tries those again that moved or whose partners did, until none finds
 * any. O(tasks · candidates · degree) for the first sweep; those after it are short.
 */
export function descendChain(chain: Chain, stop: Cancellation): void {
  const { annealing, movers } = chain;
  const { partnersTried } = annealing.parameters;
  const { rowStart, taskCount } = annealing.core.graph;
  const descent: Descent = {
    chain,
    waiting: new Uint8Array(taskCount),
    attemptAtSite: new Int32Array(annealing.core.places.siteCount),
    attempt: 0,
  };
  for (const task of movers) descent.waiting[task] = 1;
  let edgeVisits = edgeVisitsPerPoll;
  for (let found = true; found;) {
    found = false;
    for (const task of movers) {
      if (descent.waiting[task] === 0) continue;
      if (edgeVisits >= edgeVisitsPerPoll) {
        if (stop.isCancelled()) return;
        edgeVisits = 0;
      }
      edgeVisits += (rowStart[task + 1]! - rowStart[task]!) * annealing.near.perSite * partnersTried;
      descent.waiting[task] = 0;
      if (improveTask(descent, task)) found = true;
    }
  }
}

/** Makes the first exchange of `task` that lowers the cost; the tasks that it concerns are to be tried again. */
function improveTask(descent: Descent, task: number): boolean {
  const { chain } = descent;
  const place = improvingPlace(descent, task);
  if (place < 0) return false;
  const other = chain.taskAtPlace[place]!;
  exchangeInChain(chain, task, place);
  chain.accepted++;
  markWaiting(descent, task);
  if (other >= 0) markWaiting(descent, other);
  return true;
}

function markWaiting({ chain, waiting }: Descent, task: number): void {
  const { rowStart, partner } = chain.annealing.core.graph;
  waiting[task] = 1;
  for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) waiting[partner[edge]!] = 1;
}

/** A place near a partner with which an exchange lowers the cost, −1 where there is none. */
function improvingPlace(descent: Descent, task: number): number {
  const { chain, attemptAtSite } = descent;
  const { annealing, siteOfTask, inside } = chain;
  const { rowStart, partner } = annealing.core.graph;
  const { perSite, sites } = annealing.near;
  const attempt = ++descent.attempt;
  attemptAtSite[siteOfTask[task]!] = attempt;
  const start = rowStart[task]!;
  const end = rowStart[task + 1]!;
  const stride = Math.ceil((end - start) / annealing.parameters.partnersTried);
  for (let edge = start; edge < end; edge += stride) {
    const first = siteOfTask[partner[edge]!]! * perSite;
    for (let index = first; index < first + perSite; index++) {
      const site = sites[index]!;
      if (inside[site] === 0 || attemptAtSite[site] === attempt) continue;
      attemptAtSite[site] = attempt;
      const place = improvingPlaceAt(chain, task, site);
      if (place >= 0) return place;
    }
  }
  return -1;
}

function improvingPlaceAt(chain: Chain, task: number, site: number): number {
  const { firstPlace } = chain.annealing.core.places;
  const end = firstPlace[site + 1]!;
  for (let place = firstPlace[site]!; place < end; place++) {
    chain.evaluations++;
    if (exchangeDelta(chain, task, place, 0) < 0) return place;
  }
  return -1;
}
