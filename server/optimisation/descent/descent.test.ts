import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { denseProblemOf, placesFor, sitesOf } from '../dense/denseProblem.ts';
import { additiveObjective, type Objective } from '../objective.ts';
import { SearchRecorder } from '../searchRecorder.ts';
import { problemOn, randomTraffic } from '../testing/problems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';
import { descend, descendDense, descendSparse } from './descent.ts';
import { leastExchangeDelta } from './testing/leastExchangeDelta.ts';

const recorderOf = (objective: Objective) =>
  new SearchRecorder('', objective.unit, { now: () => 0, progress: ignoreProgress });

/** As many tasks as slots, and two thirds as many, from a random start. */
const problems = everyMachine().flatMap(([what, machine]) =>
  [1, 0.7].map((share) => {
    const taskCount = Math.min(30, Math.ceil(share * machine.slotCount));
    const traffic = randomTraffic(taskCount, 3 * taskCount, 5, 50);
    return { what: `${taskCount} tasks on ${what}`, problem: problemOn(machine, { taskCount, traffic }) };
  }),
);

describe('descents end where no exchange helps', () => {
  it.each(problems)('by one objective, by tables and by what has changed: $what', ({ problem }) => {
    const search = searchProblemOf(problem);
    const objective = additiveObjective(search);
    const places = Int32Array.from({ length: search.places.placeCount }, (_, place) => place);
    shuffle(places, seededRandom(3));
    const start = places.slice(0, search.graph.taskCount);

    const runs: readonly (() => void)[] = [
      () => {
        descend(objective, recorderOf(objective), neverCancelled);
      },
      () => {
        descendSparse(objective, search.graph, recorderOf(objective), neverCancelled);
      },
      () => {
        const sites = sitesOf(search, start);
        objective.assign(
          placesFor(search, descendDense(denseProblemOf(search)!, sites, recorderOf(objective), neverCancelled)),
        );
      },
    ];
    for (const run of runs) {
      objective.assign(start);
      const before = objective.value;
      run();
      expect(objective.value).toBeLessThanOrEqual(before);
      expect(leastExchangeDelta(objective)).toBe(0);
    }
  });
});
