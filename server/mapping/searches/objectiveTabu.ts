import { shouldFinish } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { SearchEnd } from '../../model/searchRecord.ts';
import type { MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import type { CriterionEntry, Objective } from '../criteria/contract.ts';
import { tenures } from '../dense/tenure.ts';
import { mappingOf } from '../problem/places.ts';
import { SearchRecorder } from '../searchRecorder.ts';
import { randomPlaces } from './randomSearch.ts';

/** Changes that one iteration looks at; where there are more, so many are drawn at random. */
const candidateLimit = 512;
/** Evaluations that are made by default; each costs the routes of two tasks, some microseconds. */
const standardEvaluations = 2 ** 17;

/**
 * Robust tabu search (Taillard 1991) where nothing is known of the criterion but its objective: every
 * iteration works out a list of candidates anew and makes the best that is not tabu or leads to a new
 * best value. No change is forced by long absence: the candidates are drawn at random.
 */
export function tabuOverObjective(
  problem: MappingProblem,
  criterion: CriterionEntry,
  context: MappingContext,
): Result<MappingAnswer> {
  const made = criterion.objective(problem, context);
  if (!made.ok) return made;
  const objective = made.value;
  const recorder = new SearchRecorder(criterion.name, objective.unit, context);
  objective.assign(randomPlaces(objective, context.random));
  const search = new ObjectiveTabu(objective, context.random, recorder);
  const iterations =
    (context.options['iterations'] as number | undefined) ?? Math.ceil(standardEvaluations / search.candidates);
  let end: SearchEnd = 'steps';
  for (let iteration = 1; iteration <= iterations && recorder.best > 0; iteration++) {
    if (shouldFinish(context.cancellation)) {
      end = 'stopped';
      break;
    }
    search.advance(iteration);
    recorder.report(iteration / iterations);
  }
  objective.assign(search.bestPlaceOfTask);
  const record = recorder.finish(objective.value, objective.value > 0 ? end : 'bound');
  // Values that were summed while it was cancelled mean nothing.
  if (context.cancellation.isCancelled()) return cancelled();
  return succeed({ mapping: mappingOf(objective.places, search.bestPlaceOfTask), notes: [], search: record });
}

class ObjectiveTabu {
  readonly bestPlaceOfTask: Int32Array;
  /** How many changes an iteration looks at. */
  readonly candidates: number;

  readonly #objective: Objective;
  readonly #random: RandomSource;
  readonly #recorder: SearchRecorder;
  readonly #drawTenure: () => number;
  /** Row-major, tasks × sites: the last iteration in which a task must not come back to a site. */
  readonly #tabuUntil: Float64Array;
  readonly #lookAtAll: boolean;
  readonly #choice = { place: -1, other: -1, effect: 0 };

  constructor(objective: Objective, random: RandomSource, recorder: SearchRecorder) {
    const { places, placeOfTask } = objective;
    const taskCount = placeOfTask.length;
    const changes = (taskCount * (taskCount - 1)) / 2 + taskCount * (places.placeCount - taskCount);
    this.#objective = objective;
    this.#random = random;
    this.#recorder = recorder;
    this.#drawTenure = tenures(taskCount, random);
    this.#tabuUntil = new Float64Array(taskCount * places.siteCount);
    this.#lookAtAll = changes <= candidateLimit;
    this.candidates = Math.max(1, Math.min(changes, candidateLimit));
    this.bestPlaceOfTask = placeOfTask.slice();
    recorder.improves(objective.value);
  }

  advance(iteration: number): void {
    const choice = this.#choice;
    choice.place = -1;
    choice.effect = Infinity;
    if (this.#lookAtAll) this.#considerAll(iteration);
    else this.#considerSome(iteration);
    if (choice.place < 0) return;
    this.#forbidReturn(choice.place, iteration);
    this.#forbidReturn(choice.other, iteration);
    this.#objective.exchange(choice.place, choice.other);
    if (this.#recorder.improves(this.#objective.value)) this.bestPlaceOfTask.set(this.#objective.placeOfTask);
  }

  #considerAll(iteration: number): void {
    const { placeOfTask, taskAtPlace } = this.#objective;
    for (const [task, place] of placeOfTask.entries()) {
      for (const [other, partner] of taskAtPlace.entries()) {
        if (partner < 0 || partner > task) this.#consider(place, other, iteration);
      }
    }
  }

  #considerSome(iteration: number): void {
    const { placeOfTask, places } = this.#objective;
    for (let drawn = 0; drawn < this.candidates; drawn++) {
      const place = placeOfTask[this.#random.integer(placeOfTask.length)]!;
      this.#consider(place, this.#random.integer(places.placeCount), iteration);
    }
  }

  /** Takes the exchange of two places of different sites as the choice if it is the best that may be made. */
  #consider(place: number, other: number, iteration: number): void {
    const { siteOfPlace } = this.#objective.places;
    if (siteOfPlace[place] === siteOfPlace[other]) return;
    this.#recorder.evaluations++;
    const effect = this.#objective.exchangeDelta(place, other);
    if (effect >= this.#choice.effect) return;
    const isTabu =
      this.#mustNotReturn(place, siteOfPlace[other]!, iteration) &&
      this.#mustNotReturn(other, siteOfPlace[place]!, iteration);
    if (isTabu && this.#objective.value + effect >= this.#recorder.best) return;
    this.#choice.place = place;
    this.#choice.other = other;
    this.#choice.effect = effect;
  }

  /** Whether the task at `place` is kept from `site`; a free place keeps from nothing. */
  #mustNotReturn(place: number, site: number, iteration: number): boolean {
    const task = this.#objective.taskAtPlace[place]!;
    return task < 0 || this.#tabuUntil[task * this.#objective.places.siteCount + site]! >= iteration;
  }

  #forbidReturn(place: number, iteration: number): void {
    const { places, taskAtPlace } = this.#objective;
    const task = taskAtPlace[place]!;
    if (task < 0) return;
    this.#tabuUntil[task * places.siteCount + places.siteOfPlace[place]!] = iteration + this.#drawTenure();
  }
}
