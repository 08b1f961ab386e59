import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { autonet } from '../../network/testing/networkMachines.ts';
import { criteria } from '../../mapping/criteria/catalogue.ts';
import { hopBytes } from '../../mapping/criteria/distance.ts';
import { problemOn } from '../../mapping/testing/problems.ts';
import { annealObjective } from './annealObjective.ts';
import { nearSites } from './nearSites.ts';
import { coreOf, randomStart, randomTraffic } from './testing/cores.ts';

const problems = [
  { machine: 'a torus', problem: problemOn(gridMachine('torus', [4, 5]), { traffic: randomTraffic(20, 4) }) },
  {
    machine: 'a mesh with several cores and free places',
    problem: problemOn(gridMachine('mesh', [3, 3], { cores: 2 }), { taskCount: 14, traffic: randomTraffic(14, 4) }),
  },
  { machine: 'switches', problem: problemOn(autonet(2), { traffic: randomTraffic(20, 3) }) },
];

const cases = problems.flatMap((each) =>
  criteria
    .map((criterion) => ({ ...each, name: criterion.name, criterion }))
    .filter(({ machine, name }) => machine !== 'switches' || name !== 'traffic-distribution'),
);

describe('annealing under any criterion', () => {
  it.each(cases)('ends below a random start with its exact value: $name on $machine', ({ problem, criterion }) => {
    const made = criterion.objective(problem, { cancellation: neverCancelled, progress: ignoreProgress });
    if (!made.ok) throw new Error(made.failure.message);
    const objective = made.value;
    const core = coreOf(problem, hopBytes);
    const placeOfTask = randomStart(core);
    objective.assign(placeOfTask);
    const startValue = objective.value;
    const order = {
      placeOfTask,
      seed: 3,
      steps: 1500,
      from: startValue / 200,
      to: startValue / 5000,
      finalDescent: true,
    };
    const run = () => annealObjective(objective, core.graph, nearSites(core), order, neverCancelled);
    const outcome = run();
    expect(outcome.value).toBeLessThan(startValue);
    expect(new Set(outcome.placeOfTask).size).toBe(placeOfTask.length);
    objective.assign(outcome.placeOfTask);
    expect(objective.recompute()).toBe(outcome.value);
    expect(run()).toEqual(outcome);
  });
});
