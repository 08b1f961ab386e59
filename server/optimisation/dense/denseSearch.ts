import { intAt, itemAt } from '../../numeric/elements.ts';
import { seededRandom, type RandomSource, shuffle } from '../../model/random.ts';
import { type DenseProblem, denseValue } from './denseProblem.ts';
import type { DenseOrder, DenseResult } from './tabuSearch.ts';
import { denseParameters } from './parameters.ts';

/** An assignment and its value in the units of the problem. */
interface DenseMember {
  readonly siteOfTask: Int32Array;
  readonly value: number;
}

/** Work items of a round: what several threads can do at once. The answer depends on it, not on the threads. */
const ordersPerRound = 4;

/**
 * Memetic search after Benlic & Hao 2015: a small population of local optima, whose children by uniform
 * crossover are improved by a short robust tabu search and replace the worst. When nothing new has
 * entered for a while, another population is begun from nothing. A plain state machine: whoever runs
 * it does the orders of a round in any threads and hands back the results in their order.
 *
 * Unlike the paper, members are improved by tabu search with Taillard's tenures instead of breakout
 * local search, and a stagnant population is given up instead of mutated: one kernel does it all.
 * Neither of the paper's ways was measured against ours.
 */
export class DenseSearch {
  /** Changes whose effect was worked out, in all work items. */
  evaluations = 0;
  /** Whether more rounds are of no use: the value is 0, or populations from nothing agree on it. */
  finished: boolean;

  readonly #problem: DenseProblem;
  readonly #random: RandomSource;
  readonly #starts: Int32Array[];
  readonly #evaluationsPerIteration: number;
  /** Best first, all different. */
  #population: DenseMember[] = [];
  #best: DenseMember | undefined;
  /** Assignments that are still to be made for the first members. */
  #unmade = denseParameters.populationSize;
  #failures = 0;
  #agreements = 0;

  /** `starts`: sites of the tasks in mappings that are known to be good; they join the first population. */
  constructor(problem: DenseProblem, starts: readonly Int32Array[], seed: number) {
    const { taskCount, siteCount, capacity } = problem;
    this.#problem = problem;
    this.#random = seededRandom(seed);
    this.#starts = starts.slice(0, denseParameters.populationSize);
    for (const siteOfTask of starts) this.#notice({ siteOfTask, value: denseValue(problem, siteOfTask) });
    const hasFreePlaces = capacity.reduce((sum, room) => sum + room, 0) > taskCount;
    this.#evaluationsPerIteration = (taskCount * (taskCount - 1)) / 2 + (hasFreePlaces ? taskCount * siteCount : 0);
    this.finished = this.#best?.value === 0;
  }

  /** The best so far; undefined while nothing is known. */
  get best(): DenseMember | undefined {
    return this.#best;
  }

  /** The work items of the next round, which together take about `stepsLeft` at most. */
  next(stepsLeft = Infinity): readonly DenseOrder[] {
    const share = Math.ceil(stepsLeft / ordersPerRound);
    return Array.from({ length: ordersPerRound }, () => this.#nextOrder(share));
  }

  /** Results of the last orders; fewer where the search was stopped. */
  receive(results: readonly DenseResult[]): void {
    for (const result of results) {
      this.evaluations += result.evaluations;
      this.#notice(result);
      if (this.#enters(result)) this.#failures = 0;
      else if (this.#unmade === 0) this.#failures++;
    }
    if (this.#failures >= denseParameters.patience || (this.#unmade === 0 && this.#population.length < 2))
      this.#beginAnew();
    if (this.#best?.value === 0) this.finished = true;
  }

  #notice({ siteOfTask, value }: DenseMember): void {
    if (this.#best !== undefined && value >= this.#best.value) return;
    this.#best = { siteOfTask: siteOfTask.slice(), value };
    this.#agreements = 0;
  }

  #nextOrder(stepsLeft: number): DenseOrder {
    const isFirst = this.#unmade > 0;
    if (isFirst) this.#unmade--;
    const start = isFirst ? (this.#starts.shift() ?? randomAssignment(this.#problem, this.#random)) : this.#child();
    return { start, seed: this.#random.integer(2 ** 31), steps: Math.min(stepsLeft, this.#stepsFor(isFirst)) };
  }

  #stepsFor(isFirst: boolean): number {
    const { iterationsForRandom, iterationsForChild, mostIterations, fewestEvaluations, mostEvaluations } =
      denseParameters;
    const perTask = this.#problem.taskCount * this.#evaluationsPerIteration;
    const wanted = (isFirst ? iterationsForRandom : iterationsForChild) * perTask;
    const least = Math.min(fewestEvaluations, mostIterations * perTask);
    return Math.min(mostEvaluations, Math.max(least, wanted));
  }

  #child(): Int32Array {
    const size = this.#population.length;
    const one = this.#tournament(size);
    const other = this.#tournament(size - 1);
    const parents = [itemAt(this.#population, one), itemAt(this.#population, other < one ? other : other + 1)] as const;
    return recombine(this.#problem, parents[0].siteOfTask, parents[1].siteOfTask, this.#random);
  }

  /** The better of two that are drawn at random. */
  readonly #tournament = (size: number): number => Math.min(this.#random.integer(size), this.#random.integer(size));

  /** Whether a result is new and good enough for the population, which then holds it instead of its worst. */
  #enters({ siteOfTask, value }: DenseMember): boolean {
    const population = this.#population;
    const isFull = population.length >= denseParameters.populationSize;
    if (isFull && value >= population.at(-1)!.value) return false;
    if (population.some((member) => member.value === value && sameSites(member.siteOfTask, siteOfTask))) return false;
    if (isFull) population.pop();
    const better = population.findIndex((member) => member.value > value);
    population.splice(better < 0 ? population.length : better, 0, { siteOfTask, value });
    return true;
  }

  #beginAnew(): void {
    if (itemAt(this.#population, 0).value === this.#best!.value && ++this.#agreements >= denseParameters.agreements)
      this.finished = true;
    this.#population = [];
    this.#unmade = denseParameters.populationSize;
    this.#failures = 0;
  }
}

const sameSites = (one: Int32Array, other: Int32Array): boolean => one.every((site, task) => site === other[task]);

/**
 * Uniform crossover (Tate & Smith 1995, as in Benlic & Hao 2015, section 3.4): a task that both parents
 * put on one site stays there; the others, in random order, take the site of either parent while it
 * has room, and those that are left any place that is free. Sites of one kind count as one site, and
 * tasks of one kind are first renamed in the other parent so that as many as can be agree.
 * O(tasks · sites of a kind + places).
 */
export function recombine(
  problem: DenseProblem,
  parent: Int32Array,
  otherParent: Int32Array,
  random: RandomSource,
): Int32Array {
  const { capacity, kindOfSite } = problem;
  const aligned = alignInterchangeableTasks(problem, parent, otherParent);
  const child = new Int32Array(parent.length).fill(nowhere);
  const room = capacity.slice();
  const put = (task: number, wanted: number): void => {
    const site =
      intAt(room, wanted) > 0
        ? wanted
        : kindOfSite.findIndex((kind, site) => kind === kindOfSite[wanted] && intAt(room, site) > 0);
    if (child[task] !== nowhere || site < 0) return;
    child[task] = site;
    room[site] = intAt(room, site) - 1;
  };
  parent.forEach((site, task) => {
    if (kindOfSite[intAt(aligned, task)] === kindOfSite[site]) put(task, site);
  });
  const order = Int32Array.from(parent.keys());
  shuffle(order, random);
  for (const task of order) {
    const [first, second] = random.integer(2) === 0 ? [parent, aligned] : [aligned, parent];
    put(task, intAt(first, task));
    put(task, intAt(second, task));
  }
  const free = placesLeft(room, random);
  for (const task of order) {
    if (child[task] === nowhere) child[task] = free.pop()!;
  }
  return child;
}

const nowhere = -1;

/**
 * `assignment` with the sites of tasks of one kind dealt anew: to those that have such a site in `model`, then in
 * order.
 */
function alignInterchangeableTasks(
  { kindOfTask, kindOfSite }: DenseProblem,
  model: Int32Array,
  assignment: Int32Array,
): Int32Array {
  const sitesOfKind: number[][] = [];
  kindOfTask.forEach((kind, task) => (sitesOfKind[kind] ??= []).push(intAt(assignment, task)));
  const aligned = assignment.map((_, task) => {
    const sites = itemAt(sitesOfKind, intAt(kindOfTask, task));
    const agreeing = sites.findIndex((site) => kindOfSite[site] === kindOfSite[intAt(model, task)]);
    return agreeing < 0 ? nowhere : itemAt(sites.splice(agreeing, 1), 0);
  });
  return aligned.map((site, task) => (site === nowhere ? itemAt(sitesOfKind, intAt(kindOfTask, task)).shift()! : site));
}

/** Every task on a place of its own, all assignments alike. O(places). */
export function randomAssignment({ taskCount, capacity }: DenseProblem, random: RandomSource): Int32Array {
  return Int32Array.from(placesLeft(capacity, random).slice(0, taskCount));
}

/** The site of every place there is room for, in random order. */
function placesLeft(room: Int32Array, random: RandomSource): number[] {
  const sites = [...room].flatMap((count, site) => new Array<number>(count).fill(site));
  shuffle(sites, random);
  return sites;
}
