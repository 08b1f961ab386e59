import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled, workPerPoll } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { anneal } from '../annealing/anneal.ts';
import { prepareAnnealing, type Annealing } from '../annealing/annealing.ts';
import { descendDense } from '../dense/denseDescent.ts';
import { denseProblemOf } from '../dense/denseProblem.ts';
import { placesOnSites, sitesOfTasks } from '../problem/places.ts';
import { AdditiveObjective, type Exchangeable, type Objective } from '../objective.ts';
import type { MappingProblem } from '../problem/searchProblem.ts';
import { SearchRecorder } from '../searchRecorder.ts';
import { problemOn, randomTraffic } from '../testing/problems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';
import { descendNeighbourhood, type Neighbourhood, PairsAndMoves, PartnersOfPartners, TaskPairs } from './descend.ts';
import { descendSparse } from './sparseDescent.ts';
import { leastExchangeDelta } from './testing/leastExchangeDelta.ts';

const recorderOf = (objective: Objective) =>
  new SearchRecorder('', objective.unit, { now: () => 0, progress: ignoreProgress });

/** As many tasks as slots, and two thirds as many. */
const problems: readonly (readonly [string, MappingProblem])[] = everyMachine().flatMap(([what, machine]) =>
  [1, 0.7].map((share) => {
    const taskCount = Math.min(30, Math.ceil(share * machine.slotCount));
    const traffic = randomTraffic(taskCount, 3 * taskCount, 5, 50);
    return [`${taskCount} tasks on ${what}`, problemOn(machine, { taskCount, traffic })] as const;
  }),
);

/** Hop-bytes of a problem, from a random start. */
function additive(problem: MappingProblem) {
  const core = searchProblemOf(problem);
  const places = Int32Array.from({ length: core.places.placeCount }, (_, place) => place);
  shuffle(places, seededRandom(3));
  const start = places.slice(0, core.graph.taskCount);
  return { core, objective: new AdditiveObjective(core, start), start };
}

/** The same objective to a descent that cannot know which pairs have changed. */
const withoutChanges = (objective: Exchangeable): Exchangeable => ({
  placeOfTask: objective.placeOfTask,
  taskAtPlace: objective.taskAtPlace,
  exchangeDelta: (place, other) => objective.exchangeDelta(place, other),
  exchange: (place, other) => {
    objective.exchange(place, other);
  },
  workOf: (task) => objective.workOf(task),
});

/** Every place of the sites near some partners, as the annealer's descent takes them. */
class NearPartners implements Neighbourhood {
  readonly work = 0;
  readonly #annealing: Annealing;
  readonly #objective: Objective;
  #places: number[] = [];

  constructor(annealing: Annealing, objective: Objective) {
    this.#annealing = annealing;
    this.#objective = objective;
  }

  begin(task: number): void {
    const { near, core, parameters } = this.#annealing;
    const { rowStart, partner } = core.graph;
    const { siteOfPlace, firstPlace } = core.places;
    const [start, end] = [rowStart[task]!, rowStart[task + 1]!];
    const sites = new Set<number>();
    for (let edge = start; edge < end; edge += Math.ceil((end - start) / parameters.partnersTried)) {
      const site = siteOfPlace[this.#objective.placeOfTask[partner[edge]!]!]!;
      for (const other of near.sites.subarray(site * near.perSite, (site + 1) * near.perSite)) sites.add(other);
    }
    this.#places = [...sites].flatMap((site) =>
      Array.from({ length: firstPlace[site + 1]! - firstPlace[site]! }, (_, index) => firstPlace[site]! + index),
    );
  }

  next(): number {
    return this.#places.pop() ?? -1;
  }
}

describe.each(problems)('descents of %s', (_, problem) => {
  it.each(['first', 'best'] as const)('end where no exchange helps: %s improvement', (policy) => {
    const { objective } = additive(problem);
    const before = objective.value;
    const descent = descendNeighbourhood(objective, new PairsAndMoves(objective, 'later'), {
      policy,
      stop: neverCancelled,
    });
    expect(descent.isComplete).toBe(true);
    expect(leastExchangeDelta(objective)).toBe(0);
    expect(objective.value).toBeLessThanOrEqual(before);
  });

  it('by tables and by what has changed end there too', () => {
    const { core, objective, start } = additive(problem);
    descendSparse(objective, core.graph, recorderOf(objective), neverCancelled);
    expect(leastExchangeDelta(objective)).toBe(0);
    const dense = denseProblemOf(core)!;
    const sites = descendDense(dense, sitesOfTasks(core.places, start), recorderOf(objective), neverCancelled);
    objective.assign(placesOnSites(core.places, sites));
    expect(leastExchangeDelta(objective)).toBe(0);
  });

  it('of the annealer leave nothing to do among the places near partners', () => {
    const { core, objective, start } = additive(problem);
    const annealing = prepareAnnealing(core);
    expect(annealing.lookups).toBeDefined();
    // A descent looks again at the tasks that moved and at their partners; the next one begins with all.
    let placeOfTask: Int32Array = start;
    for (let before = Infinity; objective.value < before;) {
      before = objective.value;
      const order = { placeOfTask, seed: 1, steps: 0, from: 0, to: 0, finalDescent: true };
      const outcome = anneal(annealing, order, neverCancelled);
      placeOfTask = outcome.placeOfTask;
      objective.assign(placeOfTask);
      expect(objective.value).toBe(outcome.value);
    }
    const near = new NearPartners(annealing, objective);
    expect(descendNeighbourhood(objective, near, { policy: 'best', stop: neverCancelled }).exchanges).toBe(0);
  });

  it('leave out pairs that have not changed, and no others', () => {
    const { core, objective, start } = additive(problem);
    const neighbourhoods = [
      (of: Exchangeable) => new TaskPairs(of),
      (of: Exchangeable) => new PartnersOfPartners(of, core.graph, () => true),
    ];
    for (const neighbourhood of neighbourhoods) {
      objective.assign(start);
      const kept = descendNeighbourhood(objective, neighbourhood(objective), { policy: 'first', stop: neverCancelled });
      const after = objective.placeOfTask.slice();
      objective.assign(start);
      const forgetful = withoutChanges(objective);
      const plain = descendNeighbourhood(forgetful, neighbourhood(forgetful), {
        policy: 'first',
        stop: neverCancelled,
      });
      expect(objective.placeOfTask).toEqual(after);
      expect(kept.exchanges).toBe(plain.exchanges);
      expect(kept.evaluations).toBeLessThanOrEqual(plain.evaluations);
    }
  });
});

const full = problems.filter(([, { job, slots }]) => job.taskCount === slots.length);

describe('descents by a dense table', () => {
  it('are compared on some problems', () => {
    expect(full.length).toBeGreaterThan(3);
  });

  // Of a move and an exchange that are worth the same the plain descent takes what it meets first, so no place is free.
  it.each(full)('make the exchanges that plain descents make: %s', (_, problem) => {
    const { core, objective, start } = additive(problem);
    const dense = descendDense(
      denseProblemOf(core)!,
      sitesOfTasks(core.places, start),
      recorderOf(objective),
      neverCancelled,
    );
    descendNeighbourhood(objective, new PairsAndMoves(objective, 'later'), { policy: 'best', stop: neverCancelled });
    expect(sitesOfTasks(core.places, objective.placeOfTask)).toEqual(dense);
  });
});

describe('a descent that is stopped', () => {
  it('keeps what it has, at any poll', () => {
    const { objective, start } = additive(problems[0]![1]);
    const slow = { ...withoutChanges(objective), workOf: () => workPerPoll };
    for (let allowed = 0; allowed < 400; allowed += 7) {
      objective.assign(start);
      let polls = 0;
      const stop = { isCancelled: () => polls++ >= allowed };
      const descent = descendNeighbourhood(slow, new TaskPairs(slow), { policy: 'first', stop });
      expect(polls).toBeLessThanOrEqual(allowed + 2);
      expect(descent.evaluations).toBeLessThanOrEqual(allowed);
      expect(objective.value).toBe(objective.recompute());
    }
  });

  it('tries no further task once it has done the work that it may do', () => {
    const { objective } = additive(problems[0]![1]);
    const plain = withoutChanges(objective);
    const most = { mostWork: 1, stop: neverCancelled };
    const descent = descendNeighbourhood(plain, new TaskPairs(plain), { policy: 'first', ...most });
    expect(descent.evaluations).toBe(objective.placeOfTask.length - 1);
    expect(descent.isComplete).toBe(false);
  });
});
