import { seededRandom } from '../../model/random.ts';
import type { RandomSource } from '../../model/random.ts';
import type { DenseProblem } from './denseProblem.ts';
import { denseValue } from './denseProblem.ts';
import type { DenseOrder, DenseResult } from './improveDense.ts';
import { randomAssignment, recombine } from './recombine.ts';

/** An assignment and its value in the units of the problem. */
export interface DenseMember {
  readonly siteOfTask: Int32Array;
  readonly value: number;
}

/** Stints of a round: what several threads can do at once. The answer depends on it, not on the threads. */
const ordersPerRound = 4;
const populationSize = 12;
/** Children in a row that did not enter the population before a new one is begun. */
const patience = 30;
/** Populations that must come to the same best value, each from nothing, before the search ends. */
const agreements = 4;
/** Iterations of the tabu search per task: for a random assignment, for a child, and where that is over at once. */
const iterationsForRandom = 5;
const iterationsForChild = 10;
const mostIterations = 500;
/** Evaluations of a stint: some milliseconds, so that handing it out is worth it, to a tenth of a second. */
const shortestStint = 2 ** 19;
const longestStint = 2 ** 24;

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
  /** Changes whose effect was worked out, in all stints. */
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
  #unmade = populationSize;
  #failures = 0;
  #agreements = 0;

  /** `starts`: sites of the tasks in mappings that are known to be good; they join the first population. */
  constructor(problem: DenseProblem, starts: readonly Int32Array[], seed: number) {
    const { taskCount, siteCount, capacity } = problem;
    this.#problem = problem;
    this.#random = seededRandom(seed);
    this.#starts = starts.slice(0, populationSize);
    for (const siteOfTask of starts) this.#notice({ siteOfTask, value: denseValue(problem, siteOfTask) });
    const hasFreePlaces = capacity.reduce((sum, room) => sum + room, 0) > taskCount;
    this.#evaluationsPerIteration = (taskCount * (taskCount - 1)) / 2 + (hasFreePlaces ? taskCount * siteCount : 0);
    this.finished = this.#best?.value === 0;
  }

  /** The best so far; undefined while nothing is known. */
  get best(): DenseMember | undefined {
    return this.#best;
  }

  /** The stints of the next round, which together take about `stepsLeft` at most. */
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
    if (this.#failures >= patience || (this.#unmade === 0 && this.#population.length < 2)) this.#beginAnew();
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
    const perTask = this.#problem.taskCount * this.#evaluationsPerIteration;
    const wanted = (isFirst ? iterationsForRandom : iterationsForChild) * perTask;
    const least = Math.min(shortestStint, mostIterations * perTask);
    return Math.min(longestStint, Math.max(least, wanted));
  }

  #child(): Int32Array {
    const size = this.#population.length;
    const one = this.#tournament(size);
    const other = this.#tournament(size - 1);
    const parents = [this.#population[one]!, this.#population[other < one ? other : other + 1]!] as const;
    return recombine(this.#problem, parents[0].siteOfTask, parents[1].siteOfTask, this.#random);
  }

  /** The better of two that are drawn at random. */
  readonly #tournament = (size: number): number => Math.min(this.#random.integer(size), this.#random.integer(size));

  /** Whether a result is new and good enough for the population, which then holds it instead of its worst. */
  #enters({ siteOfTask, value }: DenseMember): boolean {
    const population = this.#population;
    const isFull = population.length >= populationSize;
    if (isFull && value >= population.at(-1)!.value) return false;
    if (population.some((member) => member.value === value && sameSites(member.siteOfTask, siteOfTask))) return false;
    if (isFull) population.pop();
    const better = population.findIndex((member) => member.value > value);
    population.splice(better < 0 ? population.length : better, 0, { siteOfTask, value });
    return true;
  }

  #beginAnew(): void {
    if (this.#population[0]!.value === this.#best!.value && ++this.#agreements >= agreements) this.finished = true;
    this.#population = [];
    this.#unmade = populationSize;
    this.#failures = 0;
  }
}

const sameSites = (one: Int32Array, other: Int32Array): boolean => one.every((site, task) => site === other[task]);
