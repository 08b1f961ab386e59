import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import type { MappingProblem } from '../../mapping/contract.ts';
import { additiveObjective, type Objective } from '../objective.ts';
import { criteria } from '../../mapping/criteria/catalogue.ts';
import { prepareSearch } from '../../mapping/criteria/prepare.ts';
import { denseProblemOf, placesFor, sitesOf } from '../dense/denseProblem.ts';
import { SearchRecorder } from '../searchRecorder.ts';
import { everyMachine } from '../../mapping/testing/machines.ts';
import { problemOn, randomTraffic } from '../../mapping/testing/problems.ts';
import { descendDense, descend, descendSparse } from './descent.ts';
import { randomPlaces } from '../../mapping/mappers/randomSearch.ts';

const context = { cancellation: neverCancelled, progress: ignoreProgress };
const recorderOf = (objective: Objective) =>
  new SearchRecorder('', objective.unit, { now: () => 0, progress: ignoreProgress });

/** A random start for two thirds as many tasks as slots, or as many. */
const problems: readonly (readonly [string, MappingProblem])[] = everyMachine().flatMap(([what, machine]) =>
  [1, 0.7].map((share) => {
    const taskCount = Math.min(30, Math.ceil(share * machine.slotCount));
    const traffic = randomTraffic(taskCount, 3 * taskCount, 5, 50);
    return [`${taskCount} tasks on ${what}`, problemOn(machine, { taskCount, traffic })] as const;
  }),
);

/** The least effect of any exchange of two places. */
function leastEffect(objective: Objective): number {
  const { placeCount } = objective.places;
  let least = 0;
  for (let place = 0; place < placeCount; place++) {
    for (let other = place + 1; other < placeCount; other++) {
      least = Math.min(least, objective.exchangeDelta(place, other));
    }
  }
  return least;
}

describe.each(problems)('descents of %s', (_, problem) => {
  it.each(criteria.map((criterion) => [criterion.name, criterion] as const))(
    'end where no exchange helps: %s',
    (_name, criterion) => {
      const made = criterion.objective(problem, context);
      if (!made.ok) return;
      const objective = made.value;
      objective.assign(randomPlaces(objective, seededRandom(3)));
      const before = objective.value;
      descend(objective, recorderOf(objective), neverCancelled);
      expect(leastEffect(objective)).toBe(0);
      expect(objective.value).toBeLessThanOrEqual(before);
    },
  );

  it('by tables and by what has changed end there too', () => {
    const core = prepareSearch(problem, criteria[0]!, context);
    if (!core.ok) throw new Error(core.failure.message);
    const objective = additiveObjective(core.value);
    const start = randomPlaces(objective, seededRandom(3));
    objective.assign(start);
    descendSparse(objective, core.value.graph, recorderOf(objective), neverCancelled);
    expect(leastEffect(objective)).toBe(0);
    const dense = denseProblemOf(core.value)!;
    const sites = descendDense(dense, sitesOf(core.value, start), recorderOf(objective), neverCancelled);
    objective.assign(placesFor(core.value, sites));
    expect(leastEffect(objective)).toBe(0);
  });
});
