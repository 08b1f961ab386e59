import { intAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { selectSmallest } from '../../numeric/selection.ts';

/**
 * The greedy randomised construction of GRASP: tasks get their places one after the other, each drawn
 * among the share `alpha` of free places that add least to the value.
 *
 * Pascual et al. 2010 leave open which task is next. Here it is the one with most traffic with the
 * tasks placed so far, and one drawn at random where none has any. (Pairs of a task and a place, as in
 * Li, Pardalos and Resende 1994 for dense problems, would take tasks that have nothing to do with the
 * placed ones first, for they add nothing.) O(tasks² + edges · sites + tasks · places).
 */
export class GreedyStart {
  readonly #core: SearchCore;
  readonly #alpha: number;
  readonly #placeOfTask: Int32Array;
  /** Of each task its bytes with the tasks placed so far; −1 once it has a place itself. */
  readonly #bytesToPlaced: Float64Array;
  readonly #costAtSite: Float64Array;
  readonly #freePlaces: Int32Array;
  readonly #costs: Float64Array;
  readonly #scratch: Float64Array;

  constructor(core: SearchCore, alpha: number) {
    const { places, graph } = core;
    this.#core = core;
    this.#alpha = alpha;
    this.#placeOfTask = new Int32Array(graph.taskCount);
    this.#bytesToPlaced = new Float64Array(graph.taskCount);
    this.#costAtSite = new Float64Array(places.siteCount);
    this.#freePlaces = new Int32Array(places.placeCount);
    this.#costs = new Float64Array(places.placeCount);
    this.#scratch = new Float64Array(places.placeCount);
  }

  /**
   * A place for every task, good until the next call. Where the search should finish, the tasks that are
   * left get any free places.
   */
  build(random: RandomSource, cancellation: Cancellation): Int32Array {
    const { placeCount } = this.#core.places;
    const { taskCount } = this.#core.graph;
    this.#bytesToPlaced.fill(0);
    for (let place = 0; place < placeCount; place++) this.#freePlaces[place] = place;
    for (let placed = 0; placed < taskCount; placed++) {
      if (shouldFinish(cancellation)) {
        this.#putRest();
        break;
      }
      const task = this.#nextTask(taskCount - placed, random);
      const choice = this.#choosePlace(task, placeCount - placed, random);
      this.#put(task, intAt(this.#freePlaces, choice));
      this.#freePlaces[choice] = intAt(this.#freePlaces, placeCount - placed - 1);
    }
    return this.#placeOfTask;
  }

  /** The tasks without a place, in their order, on the free places as they come. */
  #putRest(): void {
    let free = 0;
    for (let task = 0; task < this.#bytesToPlaced.length; task++) {
      if (realAt(this.#bytesToPlaced, task) >= 0) this.#placeOfTask[task] = intAt(this.#freePlaces, free++);
    }
  }

  #nextTask(left: number, random: RandomSource): number {
    const bytesToPlaced = this.#bytesToPlaced;
    let most = 0;
    let next = -1;
    for (let task = 0; task < bytesToPlaced.length; task++) {
      if (realAt(bytesToPlaced, task) > most) {
        most = realAt(bytesToPlaced, task);
        next = task;
      }
    }
    if (next >= 0) return next;
    let skipped = random.integer(left);
    for (let task = 0; ; task++) if (bytesToPlaced[task] === 0 && skipped-- === 0) return task;
  }

  /** Index into the free places. */
  #choosePlace(task: number, free: number, random: RandomSource): number {
    const { siteOfPlace } = this.#core.places;
    if (this.#bytesToPlaced[task] === 0) return random.integer(free);
    this.#sumCosts(task);
    for (let index = 0; index < free; index++) {
      this.#costs[index] = this.#costAtSite[siteOfPlace[this.#freePlaces[index]!]!]!;
    }
    const candidates = Math.max(1, Math.ceil(this.#alpha * free));
    return drawAmongCheapest(this.#costs, free, candidates, this.#scratch, random);
  }

  /** What the task adds on each site, from its partners that are placed. */
  #sumCosts(task: number): void {
    const { graph, places, costs } = this.#core;
    const costAtSite = this.#costAtSite;
    costAtSite.fill(0);
    for (let edge = intAt(graph.rowStart, task); edge < intAt(graph.rowStart, task + 1); edge++) {
      const partner = intAt(graph.partner, edge);
      if (realAt(this.#bytesToPlaced, partner) >= 0) continue;
      const weight = realAt(graph.weight, edge);
      const site = intAt(places.siteOfPlace, intAt(this.#placeOfTask, partner));
      if (costs.kind === 'table') {
        const row = site * costs.siteCount;
        for (let to = 0; to < costAtSite.length; to++) costAtSite[to]! += weight * costs.table[row + to]!;
      } else {
        for (let to = 0; to < costAtSite.length; to++) costAtSite[to]! += weight * costBetween(costs, site, to);
      }
    }
  }

  #put(task: number, place: number): void {
    const { graph } = this.#core;
    this.#placeOfTask[task] = place;
    this.#bytesToPlaced[task] = -1;
    for (let edge = intAt(graph.rowStart, task); edge < intAt(graph.rowStart, task + 1); edge++) {
      const partner = intAt(graph.partner, edge);
      if (realAt(this.#bytesToPlaced, partner) >= 0) this.#bytesToPlaced[partner]! += realAt(graph.weight, edge);
    }
  }
}

/**
 * Draws uniformly among the `count` cheapest of the first `length` costs, ties at the last of them being
 * broken at random; returns the index. `scratch` is as long as `costs`. O(length) expected.
 */
export function drawAmongCheapest(
  costs: Float64Array,
  length: number,
  count: number,
  scratch: Float64Array,
  random: RandomSource,
): number {
  scratch.set(costs.subarray(0, length));
  selectSmallest(scratch, 0, length, count - 1);
  const threshold = realAt(scratch, count - 1);
  let cheaper = 0;
  let equal = 0;
  for (const cost of costs.subarray(0, length)) {
    if (cost < threshold) cheaper++;
    else if (cost === threshold) equal++;
  }
  const drawn = random.integer(count);
  const isCheaper = drawn < cheaper;
  let left = isCheaper ? drawn : random.integer(equal);
  for (let index = 0; index < length; index++) {
    if (isCheaper ? costs[index]! < threshold : costs[index] === threshold) {
      if (left-- === 0) return index;
    }
  }
  return length - 1;
}
