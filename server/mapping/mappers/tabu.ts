import { intAt, realAt } from '../../numeric/elements.ts';
import { formatNumber } from '../../model/quantities.ts';
import { shouldFinish } from '../../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { SearchEnd } from '../../model/searchRecord.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { criterionOf, criterionOption } from '../criteria/catalogue.ts';
import { prepareSearch, type CriterionEntry } from '../criteria/contract.ts';
import {
  denseProblemOf,
  denseProductLimit,
  denseSiteLimit,
  denseTaskLimit,
  isDense,
  type DenseProblem,
} from '../../optimisation/dense/denseProblem.ts';
import { randomAssignment } from '../../optimisation/dense/denseSearch.ts';
import { TabuSearch, tenures, type Change, type Diversification } from '../../optimisation/dense/tabuSearch.ts';
import { placesInside } from '../../optimisation/problem/insideSites.ts';
import { mappingOf, groupPlaces, placesOnSites } from '../../optimisation/problem/places.ts';
import { mappingCost } from '../../optimisation/problem/searchProblem.ts';
import { SearchRecorder } from '../../optimisation/searchRecorder.ts';
import type { RandomSource } from '../../model/random.ts';
import type { Objective } from '../../optimisation/objective.ts';
import { randomPlaces } from './randomSearch.ts';
import { exchangeEffect, moveEffect } from '../../optimisation/dense/exchangeTable.ts';

export const tabu: MapperEntry = {
  name: 'tabu',
  summary: 'robust tabu search, for dense problems of up to 256 tasks',
  source: 'Taillard 1991, sections 3.1–3.3',
  details:
    'Starts at random. Each iteration makes the best swap or move that is not tabu or gives a new best. A task ' +
    'must not return to a node for 0.9 n to 1.1 n iterations, drawn at random. A task absent from a node for 2 n ' +
    '· nodes iterations is moved there. Swap effects are updated in O(1) each. Moves into free slots, an ' +
    `extension, are tabu like half of a swap. Under \`maximum-load\`, each iteration evaluates a sample. Up to ${denseTaskLimit} ` +
    `tasks and ${denseSiteLimit} nodes, and ${formatNumber(denseProductLimit)} tasks × nodes.`,
  options: [
    criterionOption('hop-bytes'),
    {
      name: 'iterations',
      summary: 'steps of the search; by default as many as the size of the job asks for',
      kind: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
    },
  ],
  bytesPerPair: 40,
  complexity: 'O(n² + n · nodes) per iteration',
  scaling: 'quadratic',
  // 26, 84 and 100 ms for 16, 64 and 256 tasks with as many iterations as it takes by itself.
  seconds: (tasks) => Math.min(1.3e-3 * tasks, 0.1),
  isSearch: true,
  map: searchByTabu,
};

function searchByTabu(problem: MappingProblem, context: MappingContext): Result<MappingAnswer> {
  const { taskCount } = problem.job;
  const { machine, slots } = problem;
  const criterion = criterionOf(context.options);
  const inside = criterion.countsInside === true ? placesInside(machine, slots) : undefined;
  const { siteCount } = inside ?? groupPlaces(machine, slots);
  if (!isDense(taskCount, siteCount)) return tooLargeForTabu(taskCount, siteCount);
  return criterion.siteCosts ? searchTable(problem, context) : tabuOverObjective(problem, criterion, context);
}

const tooLargeForTabu = (taskCount: number, siteCount: number): Result<MappingAnswer> =>
  fail(
    'too-large-for-tabu',
    `\`tabu\` supports ${denseTaskLimit} tasks, ${denseSiteLimit} nodes and ${denseProductLimit} tasks × nodes; this job has ${taskCount} tasks on ${siteCount} nodes. Use \`auto\`.`,
  );

function searchTable(problem: MappingProblem, context: MappingContext): Result<MappingAnswer> {
  const criterion = criterionOf(context.options);
  const prepared = prepareSearch(problem, criterion, context);
  if (!prepared.ok) return prepared;
  const core = prepared.value;
  const dense = denseProblemOf(core)!;
  if (context.cancellation.isCancelled()) return cancelled();
  const recorder = new SearchRecorder(criterion.name, core.weightUnit * core.costs.unit, context);
  const { siteOfTask, end } = runTabu(dense, context, recorder);
  if (context.cancellation.isCancelled()) return cancelled();
  const placeOfTask = placesOnSites(core.places, siteOfTask);
  const record = recorder.finish(mappingCost(core, placeOfTask), recorder.best > 0 ? end : 'bound');
  return succeed({ mapping: mappingOf(core.places, placeOfTask), notes: [], search: record });
}

/** Evaluations between two polls of the cancellation: about a millisecond. */
const evaluationsPerPoll = 2 ** 18;

/** Sites of the tasks in the best assignment that was met, and whether the search was asked to finish. */
function runTabu(
  problem: DenseProblem,
  { options, random, cancellation }: MappingContext,
  recorder: SearchRecorder,
): { readonly siteOfTask: Int32Array; readonly end: SearchEnd } {
  const iterations = (options['iterations'] as number | undefined) ?? standardIterations(problem);
  const absence = new AbsenceAspiration(problem.taskCount, problem.siteCount);
  const search = new TabuSearch(problem, randomAssignment(problem, random), random, absence);
  recorder.improves(search.bestValue);
  let nextPoll = 0;
  while (search.step < iterations && search.bestValue > 0) {
    if (search.evaluations >= nextPoll) {
      if (shouldFinish(cancellation)) return { siteOfTask: search.bestSiteOfTask, end: 'stopped' };
      recorder.report(search.step / iterations);
      nextPoll = search.evaluations + evaluationsPerPoll;
    }
    search.advance();
    recorder.evaluations = search.evaluations;
    recorder.improves(search.bestValue);
  }
  return { siteOfTask: search.bestSiteOfTask, end: 'steps' };
}

/** Evaluations that an additive search makes by default: some tenths of a second. */
const standardEvaluations = 2 ** 26;

/** As many iterations as some tenths of a second allow, at least 4 n and at most 1,000 n. */
function standardIterations({ taskCount, siteCount }: DenseProblem): number {
  const perIteration = (taskCount * (taskCount - 1)) / 2 + taskCount * siteCount;
  const iterations = Math.round(standardEvaluations / perIteration);
  return Math.max(4 * taskCount, Math.min(1000 * taskCount, iterations));
}

/** Changes that one iteration works out; where there are more, so many are drawn at random. */
const candidateLimit = 512;
/** Evaluations that are made by default; each costs the routes of two tasks, some microseconds. */
const standardEvaluationsByObjective = 2 ** 17;

/**
 * Robust tabu search (Taillard 1991) where nothing is known of the criterion but its objective: every
 * iteration works out a list of candidates anew and makes the best that is not tabu or leads to a new
 * best value. No change is forced by long absence: the candidates are drawn at random.
 */
function tabuOverObjective(
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
    (context.options['iterations'] as number | undefined) ??
    Math.ceil(standardEvaluationsByObjective / search.candidates);
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
  /** How many changes an iteration works out. */
  readonly candidates: number;

  readonly #objective: Objective;
  readonly #random: RandomSource;
  readonly #recorder: SearchRecorder;
  readonly #drawTenure: () => number;
  /** Row-major, tasks × sites: the last iteration in which a task must not come back to a site. */
  readonly #tabuUntil: Float64Array;
  readonly #considersAll: boolean;
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
    this.#considersAll = changes <= candidateLimit;
    this.candidates = Math.max(1, Math.min(changes, candidateLimit));
    this.bestPlaceOfTask = placeOfTask.slice();
    recorder.improves(objective.value);
  }

  advance(iteration: number): void {
    const choice = this.#choice;
    choice.place = -1;
    choice.effect = Infinity;
    if (this.#considersAll) this.#considerAll(iteration);
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
      const place = intAt(placeOfTask, this.#random.integer(placeOfTask.length));
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
      this.#mustNotReturn(place, intAt(siteOfPlace, other), iteration) &&
      this.#mustNotReturn(other, intAt(siteOfPlace, place), iteration);
    if (isTabu && this.#objective.value + effect >= this.#recorder.best) return;
    this.#choice.place = place;
    this.#choice.other = other;
    this.#choice.effect = effect;
  }

  /** Whether the task at `place` is kept from `site`; a free place keeps from nothing. */
  #mustNotReturn(place: number, site: number, iteration: number): boolean {
    const task = intAt(this.#objective.taskAtPlace, place);
    return task < 0 || realAt(this.#tabuUntil, task * this.#objective.places.siteCount + site) >= iteration;
  }

  #forbidReturn(place: number, iteration: number): void {
    const { places, taskAtPlace } = this.#objective;
    const task = intAt(taskAtPlace, place);
    if (task < 0) return;
    this.#tabuUntil[task * places.siteCount + intAt(places.siteOfPlace, place)] = iteration + this.#drawTenure();
  }
}

/**
 * The second aspiration of Taillard 1991, section 3.3: a task that has long not been on a site is
 * brought there, so that the search does not stay in one region. As in his published program, a change
 * is due when one of its tasks has been away for `patience` steps longer than its tenure, the best of
 * those that are due is made, and the absences at the start are staggered.
 */
export class AbsenceAspiration implements Diversification {
  readonly #patience: number;
  /** Of each task, the site other than its own that it was kept from longest ago. */
  readonly #oldestSite: Int32Array;

  /** For a search that has not begun; 2 · tasks · sites steps are Taillard's 2 n². */
  constructor(taskCount: number, siteCount: number) {
    this.#patience = 2 * taskCount * siteCount;
    this.#oldestSite = new Int32Array(taskCount);
  }

  begin(search: TabuSearch): void {
    search.tabuUntil.forEach((_, entry, tabuUntil) => (tabuUntil[entry] = -entry));
    for (let task = 0; task < this.#oldestSite.length; task++) this.moved(search, task);
  }

  moved({ tabuUntil, table }: TabuSearch, task: number): void {
    const { siteOfTask, problem } = table;
    const row = task * problem.siteCount;
    let oldest = intAt(siteOfTask, task);
    let until = Infinity;
    for (let site = 0; site < problem.siteCount; site++) {
      if (realAt(tabuUntil, row + site) >= until || site === siteOfTask[task]) continue;
      until = realAt(tabuUntil, row + site);
      oldest = site;
    }
    this.#oldestSite[task] = oldest;
  }

  choose(search: TabuSearch, choice: Change): boolean {
    const { tabuUntil, step, table } = search;
    const { siteCount } = table.problem;
    const threshold = step - this.#patience;
    let isDue = false;
    for (let task = 0; task < this.#oldestSite.length; task++) {
      const oldest = intAt(this.#oldestSite, task);
      if (oldest === table.siteOfTask[task] || realAt(tabuUntil, task * siteCount + oldest) >= threshold) continue;
      if (!isDue) choice.effect = Infinity;
      isDue = true;
      chooseAmong(search, task, threshold, choice);
    }
    return isDue;
  }
}

/** The best change that brings `task` to a site where it has not been since `threshold`, if better than `choice`. */
function chooseAmong({ tabuUntil, table }: TabuSearch, task: number, threshold: number, choice: Change): void {
  const { siteOfTask, freePlaces, problem } = table;
  const row = task * problem.siteCount;
  const isLongAgo = (site: number): boolean => site !== siteOfTask[task] && realAt(tabuUntil, row + site) < threshold;
  const take = (other: number, site: number, effect: number): void => {
    if (effect >= choice.effect) return;
    choice.task = task;
    choice.other = other;
    choice.site = site;
    choice.effect = effect;
  };
  for (let other = 0; other < problem.taskCount; other++) {
    if (isLongAgo(intAt(siteOfTask, other))) take(other, intAt(siteOfTask, other), exchangeEffect(table, task, other));
  }
  for (let site = 0; site < problem.siteCount; site++) {
    if (intAt(freePlaces, site) > 0 && isLongAgo(site)) take(-1, site, moveEffect(table, task, site));
  }
}
