import { intAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import type { Objective } from '../objective.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import type { SearchRecorder } from '../searchRecorder.ts';
import { firstFreePlace } from './descend.ts';

/**
 * Makes the best of all exchanges and moves into free places until none helps, for additive criteria:
 * of each task the best exchange that it takes part in is kept, and one that is made only changes the
 * exchanges of the tasks that moved and of their partners. Ends with what it has if the search should finish.
 * O(n²) evaluations to begin with, then O(n) per exchange made for each task whose best may be another.
 */
export function descendSparse(
  objective: Objective,
  graph: TaskGraph,
  recorder: SearchRecorder,
  cancellation: Cancellation,
): void {
  const descent = new SparseDescent(objective, graph, recorder);
  const tasks = Int32Array.from({ length: graph.taskCount }, (_, task) => task);
  if (!descent.evaluate(tasks, cancellation)) return;
  for (let task = descent.bestTask(); task >= 0; task = descent.bestTask()) {
    if (!descent.evaluate(descent.exchange(task), cancellation)) return;
  }
}

/** Edge visits between two polls of the cancellation. */
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
      if (realAt(this.#effect, task) >= least) continue;
      least = realAt(this.#effect, task);
      best = task;
    }
    return best;
  }

  /** Makes the best exchange of a task; returns the tasks whose best exchange must be found again. */
  exchange(task: number): Int32Array {
    const objective = this.#objective;
    const partner = intAt(this.#with, task);
    const place = intAt(objective.placeOfTask, task);
    const other = partner < 0 ? -1 - partner : intAt(objective.placeOfTask, partner);
    objective.exchange(place, other);
    this.#markChanged(task, 1);
    this.#markChanged(partner, 1);
    const stale = this.#forgetStale(partner);
    this.#markChanged(task, 0);
    this.#markChanged(partner, 0);
    if (partner < 0) this.#moveFreePlace(place, other);
    return stale;
  }

  /** Evaluates every exchange of some tasks; false where the search should finish. */
  evaluate(tasks: Int32Array, cancellation: Cancellation): boolean {
    const { placeOfTask } = this.#objective;
    const { rowStart } = this.#graph;
    for (const task of tasks) {
      this.#recorder.tick();
      if (shouldFinish(cancellation)) return false;
      const ownEdges = 1 + intAt(rowStart, task + 1) - intAt(rowStart, task);
      let edges = 0;
      for (let other = 0; other < placeOfTask.length; other++) {
        if (other === task) continue;
        edges += ownEdges + intAt(rowStart, other + 1) - intAt(rowStart, other);
        if (edges > edgesPerPoll) {
          if (shouldFinish(cancellation)) return false;
          edges = 0;
        }
        this.#evaluatePair(task, other);
      }
      for (const free of this.#freePlace) if (free >= 0) this.#evaluateMove(task, free);
    }
    return true;
  }

  #markChanged(task: number, isChanged: number): void {
    if (task < 0) return;
    const { rowStart, partner } = this.#graph;
    this.#isChanged[task] = isChanged;
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++)
      this.#isChanged[intAt(partner, edge)] = isChanged;
  }

  /** Forgets the best exchanges that have changed, or are with a task that has, or into the place `taken`. */
  #forgetStale(taken: number): Int32Array {
    const stale: number[] = [];
    for (let task = 0; task < this.#effect.length; task++) {
      const partner = intAt(this.#with, task);
      const isGone = partner < 0 ? partner === taken : this.#isChanged[partner] === 1;
      if (this.#isChanged[task] === 0 && !isGone) continue;
      this.#effect[task] = Infinity;
      stale.push(task);
    }
    return Int32Array.from(stale);
  }

  /** Every task may move to the place that has become free. */
  #moveFreePlace(freed: number, taken: number): void {
    const objective = this.#objective;
    const { siteOfPlace } = objective.places;
    for (const place of [freed, taken]) {
      this.#freePlace[intAt(siteOfPlace, place)] = firstFreePlace(objective, intAt(siteOfPlace, place));
    }
    for (let task = 0; task < this.#effect.length; task++) this.#evaluateMove(task, freed);
  }

  #evaluatePair(task: number, other: number): void {
    const { placeOfTask } = this.#objective;
    this.#recorder.evaluations++;
    const effect = this.#objective.exchangeDelta(intAt(placeOfTask, task), intAt(placeOfTask, other));
    this.#offer(task, effect, other);
    this.#offer(other, effect, task);
  }

  #evaluateMove(task: number, free: number): void {
    this.#recorder.evaluations++;
    this.#offer(task, this.#objective.exchangeDelta(intAt(this.#objective.placeOfTask, task), free), -1 - free);
  }

  #offer(task: number, effect: number, partner: number): void {
    if (effect >= realAt(this.#effect, task)) return;
    this.#effect[task] = effect;
    this.#with[task] = partner;
  }
}
