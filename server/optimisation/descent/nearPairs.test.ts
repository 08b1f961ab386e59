import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { volumeOf, type Shape } from '../../model/shape.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { AdditiveObjective } from '../objective.ts';
import type { MappingProblem } from '../problem/searchProblem.ts';
import { neighbourTraffic, problemOn, randomTraffic, shuffled } from '../testing/problems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';
import { descendNeighbourhood, TaskPairs } from './descend.ts';
import { NearPairs } from './nearPairs.ts';

/** A grid of tasks on as many nodes, chosen at random. */
const scattered = (name: 'mesh' | 'torus', shape: Shape, grid: Shape, seed: number): MappingProblem =>
  problemOn(gridMachine(name, shape), {
    grid,
    nodes: shuffled(volumeOf(shape), seed).slice(0, volumeOf(grid)),
    traffic: neighbourTraffic(grid),
  });

const problems: readonly (readonly [string, MappingProblem])[] = [
  ['a mesh', scattered('mesh', [16, 16], [10, 10], 1)],
  ['a torus', scattered('torus', [13, 9], [9, 11], 2)],
  ['a torus of three dimensions', scattered('torus', [6, 5, 4], [4, 5, 5], 3)],
  ['a ring', scattered('torus', [70], [6, 8], 4)],
  ['several cores of a node', problemOn(gridMachine('mesh', [5, 6], { cores: 3 }), { grid: [9, 10] })],
  [
    'tasks that talk to many, to one, to none',
    problemOn(gridMachine('torus', [12, 10]), { taskCount: 100, traffic: randomTraffic(100, 90, 7) }),
  ],
  ['fewer tasks than places', problemOn(gridMachine('mesh', [12, 10]), { grid: [6, 12] })],
];

describe.each(problems)('near pairs on %s', (_, problem) => {
  // From a random start most tasks may gain much, from the order of the nodes few do: both ways of looking others up are gone.
  it.each([0, 1, 2, 3])('make the exchanges of all pairs, in the same order: start %i', (seed) => {
    const core = searchProblemOf(problem);
    const { offsets } = core.costs;
    const { placeCount } = core.places;
    const order =
      seed === 0 ? Int32Array.from({ length: placeCount }, (_, place) => place) : shuffled(placeCount, seed);
    const start = order.slice(0, core.graph.taskCount);
    const objective = new AdditiveObjective(core, start);
    const all = descendNeighbourhood(objective, new TaskPairs(objective), { policy: 'first', stop: neverCancelled });
    const after = objective.placeOfTask.slice();
    objective.assign(start);
    const near = descendNeighbourhood(objective, new NearPairs(objective, core, offsets!), {
      policy: 'first',
      stop: neverCancelled,
    });
    expect(objective.placeOfTask).toEqual(after);
    expect([near.exchanges, near.sweeps, near.isComplete]).toEqual([all.exchanges, all.sweeps, true]);
    expect(near.evaluations).toBeLessThan(all.evaluations);
    expect(objective.value).toBe(objective.recompute());
  });
});

describe('near pairs', () => {
  it('of a job that lies well are few, so that a sweep looks at few pairs', () => {
    const core = searchProblemOf(problemOn(gridMachine('mesh', [50, 40]), { grid: [50, 40] }));
    const objective = new AdditiveObjective(core);
    const pairs = new NearPairs(objective, core, core.costs.offsets!);
    const { evaluations, sweeps } = descendNeighbourhood(objective, pairs, { policy: 'first', stop: neverCancelled });
    expect(sweeps).toBe(1);
    expect(evaluations).toBe(0);
    expect(pairs.work).toBeLessThan(2000 * 20);
  });
});
