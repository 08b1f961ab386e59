import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import type { Objective } from '../objective.ts';
import type { SearchRecorder } from '../searchRecorder.ts';
import { exchangeTable, exchangeTasks, moveEffect, moveTask, clearPending, type ExchangeTable } from '../dense/exchangeTable.ts';
import type { DenseProblem } from '../dense/denseProblem.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';

/**
 * Makes the best of all exchanges of tasks and moves into free places until none helps; of equal ones
 * the first. For criteria of which nothing is known but their objective: every step works out every
 * exchange anew. Ends with what it has where the search should finish. O(places²) looks per exchange made.
 */
export function descend(objective: Objective, recorder: SearchRecorder, cancellation: Cancellation): void {
  for (;;) {
    const best = bestExchange(objective, recorder, cancellation);
    if (best.effect >= 0) return;
    objective.exchange(best.place, best.other);
  }
}

/** Of those that were looked at before the search should finish. */
function bestExchange(objective: Objective, recorder: SearchRecorder, cancellation: Cancellation) {
  const { placeOfTask } = objective;
  const best = { place: 0, other: 0, effect: 0 };
  const consider = (place: number, other: number): void => {
    recorder.evaluations++;
    const effect = objective.exchangeDelta(place, other);
    if (effect >= best.effect) return;
    best.place = place;
    best.other = other;
    best.effect = effect;
  };
  const free = Array.from(objective.places.nodeOfSite, (_, site) => firstFreePlace(objective, site)).filter(
    (place) => place >= 0,
  );
  for (let task = 0; task < placeOfTask.length; task++) {
    const place = placeOfTask[task]!;
    recorder.tick();
    // A look may take a millisecond: the flows of two tasks, each with all links of its routes.
    for (let other = task + 1; other < placeOfTask.length; other++) {
      if (shouldFinish(cancellation)) return best;
      consider(place, placeOfTask[other]!);
    }
    for (const other of free) {
      if (shouldFinish(cancellation)) return best;
      consider(place, other);
    }
  }
  return best;
}

/** A change that would be made: `task` with `other`, or into a free place of `site` where there is no other. */
interface Change {
  task: number;
  other: number | undefined;
  site: number;
  effect: number;
}

/**
 * Makes the best of all exchanges and moves until none helps; of equal ones the first. The effects of
 * all of them stand in a table. Returns the sites of the tasks, as far as it got where the search should finish.
 * O(tasks² + tasks · sites) per change.
 */
export function descendDense(
  problem: DenseProblem,
  siteOfTask: Int32Array,
  recorder: SearchRecorder,
  cancellation: Cancellation,
): Int32Array {
  const table = exchangeTable(problem, siteOfTask);
  const { taskCount, siteCount } = problem;
  const hasFreePlaces = table.freePlaces.some((free) => free > 0);
  const best: Change = { task: 0, other: undefined, site: 0, effect: 0 };
  for (;;) {
    if (shouldFinish(cancellation)) return table.siteOfTask;
    recorder.tick();
    best.effect = 0;
    findExchange(table, best);
    recorder.evaluations += (taskCount * (taskCount - 1)) / 2;
    if (hasFreePlaces) {
      findMove(table, best);
      recorder.evaluations += taskCount * siteCount;
    }
    if (best.effect >= 0) return table.siteOfTask;
    if (best.other === undefined) moveTask(table, best.task, best.site);
    else exchangeTasks(table, best.task, best.other);
  }
}

/** Adds the pending product to the effects in the same pass. */
function findExchange(table: ExchangeTable, best: Change): void {
  const { effects, pendingFlow, pendingCost } = table;
  const { taskCount } = table.problem;
  for (let task = 0; task < taskCount; task++) {
    const flow = pendingFlow[task]!;
    const cost = pendingCost[task]!;
    const row = task * taskCount;
    let least = Infinity;
    let leastOther = task;
    for (let other = task + 1; other < taskCount; other++) {
      const effect = effects[row + other]! + (flow - pendingFlow[other]!) * (cost - pendingCost[other]!);
      effects[row + other] = effect;
      if (effect >= least) continue;
      least = effect;
      leastOther = other;
    }
    if (least >= best.effect) continue;
    best.task = task;
    best.other = leastOther;
    best.effect = least;
  }
  clearPending(table);
}

function findMove(table: ExchangeTable, best: Change): void {
  const { taskCount, siteCount } = table.problem;
  for (let task = 0; task < taskCount; task++) {
    for (let site = 0; site < siteCount; site++) {
      if (table.freePlaces[site] === 0) continue;
      const effect = moveEffect(table, task, site);
      if (effect >= best.effect) continue;
      best.task = task;
      best.other = undefined;
      best.site = site;
      best.effect = effect;
    }
  }
}

/**
 * Makes the best of all exchanges and moves into free places until none helps, for additive criteria:
 * each task keeps the best exchange that it takes part in, and one that is made only changes the
 * exchanges of the tasks that moved and of their partners. Ends with what it has where the search should finish.
 * O(n²) looks to begin with, then O(n) per exchange made for each task whose best may be another.
 */
export function descendSparse(
  objective: Objective,
  graph: TaskGraph,
  recorder: SearchRecorder,
  cancellation: Cancellation,
): void {
  const descent = new SparseDescent(objective, graph, recorder);
  const tasks = Int32Array.from({ length: graph.taskCount }, (_, task) => task);
  if (!descent.look(tasks, cancellation)) return;
  for (let task = descent.bestTask(); task >= 0; task = descent.bestTask()) {
    if (!descent.look(descent.exchange(task), cancellation)) return;
  }
}

/** Edges looked at between two looks at the cancellation. */
const edgesPerPoll = 2 ** 14;

class SparseDescent {
  readonly #objective: Objective;
  readonly #graph: TaskGraph;
  readonly #recorder: SearchRecorder;
  /** Least effect of an exchange of each task, and the task it is with, or −1 − place for a move. */
  readonly #effect: Float64Array;
  readonly #with: Int32Array;
  /** The first free place of each site, or −1: its others cost the same. */
  readonly #freePlace: Int32Array;
  /** 1 for the tasks that have moved, and their partners. */
  readonly #isChanged: Uint8Array;

  constructor(objective: Objective, graph: TaskGraph, recorder: SearchRecorder) {
    this.#objective = objective;
    this.#graph = graph;
    this.#recorder = recorder;
    this.#effect = new Float64Array(graph.taskCount).fill(Infinity);
    this.#with = new Int32Array(graph.taskCount);
    this.#isChanged = new Uint8Array(graph.taskCount);
    this.#freePlace = Int32Array.from({ length: objective.places.siteCount }, (_, site) =>
      firstFreePlace(objective, site),
    );
  }

  /** The first of the tasks whose best exchange helps most; −1 where nothing helps. */
  bestTask(): number {
    let best = -1;
    let least = 0;
    for (let task = 0; task < this.#effect.length; task++) {
      if (this.#effect[task]! >= least) continue;
      least = this.#effect[task]!;
      best = task;
    }
    return best;
  }

  /** Makes the best exchange of a task; returns the tasks whose best exchange must be looked for again. */
  exchange(task: number): Int32Array {
    const objective = this.#objective;
    const partner = this.#with[task]!;
    const place = objective.placeOfTask[task]!;
    const other = partner < 0 ? -1 - partner : objective.placeOfTask[partner]!;
    objective.exchange(place, other);
    this.#markChanged(task, 1);
    this.#markChanged(partner, 1);
    const stale = this.#forgetStale(partner);
    this.#markChanged(task, 0);
    this.#markChanged(partner, 0);
    if (partner < 0) this.#moveFreePlace(place, other);
    return stale;
  }

  /** Looks at every exchange of some tasks; false where the search should finish. */
  look(tasks: Int32Array, cancellation: Cancellation): boolean {
    const { placeOfTask } = this.#objective;
    const { rowStart } = this.#graph;
    for (const task of tasks) {
      this.#recorder.tick();
      if (shouldFinish(cancellation)) return false;
      const ownEdges = 1 + rowStart[task + 1]! - rowStart[task]!;
      let edges = 0;
      for (let other = 0; other < placeOfTask.length; other++) {
        if (other === task) continue;
        edges += ownEdges + rowStart[other + 1]! - rowStart[other]!;
        if (edges > edgesPerPoll) {
          if (shouldFinish(cancellation)) return false;
          edges = 0;
        }
        this.#lookAtPair(task, other);
      }
      for (const free of this.#freePlace) if (free >= 0) this.#lookAtMove(task, free);
    }
    return true;
  }

  #markChanged(task: number, isChanged: number): void {
    if (task < 0) return;
    const { rowStart, partner } = this.#graph;
    this.#isChanged[task] = isChanged;
    for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) this.#isChanged[partner[edge]!] = isChanged;
  }

  /** Forgets the best exchanges that have changed, or are with a task that has, or into the place `taken`. */
  #forgetStale(taken: number): Int32Array {
    const stale: number[] = [];
    for (let task = 0; task < this.#effect.length; task++) {
      const partner = this.#with[task]!;
      const isGone = partner < 0 ? partner === taken : this.#isChanged[partner] === 1;
      if (this.#isChanged[task] === 0 && !isGone) continue;
      this.#effect[task] = Infinity;
      stale.push(task);
    }
    return Int32Array.from(stale);
  }

  /** A place that has become free is a chance for all. */
  #moveFreePlace(freed: number, taken: number): void {
    const objective = this.#objective;
    const { siteOfPlace } = objective.places;
    for (const place of [freed, taken]) {
      this.#freePlace[siteOfPlace[place]!] = firstFreePlace(objective, siteOfPlace[place]!);
    }
    for (let task = 0; task < this.#effect.length; task++) this.#lookAtMove(task, freed);
  }

  #lookAtPair(task: number, other: number): void {
    const { placeOfTask } = this.#objective;
    this.#recorder.evaluations++;
    const effect = this.#objective.exchangeDelta(placeOfTask[task]!, placeOfTask[other]!);
    this.#offer(task, effect, other);
    this.#offer(other, effect, task);
  }

  #lookAtMove(task: number, free: number): void {
    this.#recorder.evaluations++;
    this.#offer(task, this.#objective.exchangeDelta(this.#objective.placeOfTask[task]!, free), -1 - free);
  }

  #offer(task: number, effect: number, partner: number): void {
    if (effect >= this.#effect[task]!) return;
    this.#effect[task] = effect;
    this.#with[task] = partner;
  }
}

/** The first free place of a site, or −1. Its other free places cost the same. O(places of the site). */
function firstFreePlace({ places, taskAtPlace }: Objective, site: number): number {
  const end = places.firstPlace[site + 1]!;
  for (let place = places.firstPlace[site]!; place < end; place++) if (taskAtPlace[place]! < 0) return place;
  return -1;
}
