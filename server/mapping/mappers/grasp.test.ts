import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { defaultOptions, type OptionValues } from '../../model/catalogue.ts';
import { seededRandom } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { stencilTraffic } from '../../traffic/build.ts';
import { hopBytes } from '../criteria/additive.ts';
import { prepareSearch } from '../criteria/contract.ts';
import { mapWith } from '../testing/problems.ts';
import { neighbourTraffic, problemOn, randomTraffic } from '../../optimisation/testing/problems.ts';
import { grasp } from './grasp.ts';
import { GreedyStart } from '../../optimisation/descent/greedyStart.ts';

const effort = { cancellation: neverCancelled, progress: ignoreProgress };

/** A ring job and its like: each task sends to both neighbours on a grid that wraps. */
function wrappedTraffic(grid: readonly number[]) {
  const offsets = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ].map((offset) => ({ offset, weight: 1 }));
  const traffic = stencilTraffic({ name: 'five-point', dimensions: 2, offsets }, grid, true, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return traffic.value;
}

const run = (problem: Parameters<typeof mapWith>[1], options: OptionValues) =>
  mapWith(grasp, problem, { options: { ...defaultOptions(grasp), ...options }, random: seededRandom(1) }).search!;

describe('GRASP', () => {
  // The static environment of Pascual et al. 2010, section 5.2: 16 tasks on 4 x 4, 50 iterations, 20 %. Their
  // virtual topology matches the torus there, so every pair can be one link apart, which TD counts twice.
  it.each([
    { criterion: 'distance', least: 64 },
    { criterion: 'hop-bytes', least: 64 },
    { criterion: 'traffic-distribution', least: 128 },
  ])('finds a torus again on a torus: $criterion', ({ criterion, least }) => {
    const problem = problemOn(gridMachine('torus', [4, 4]), { taskCount: 16, traffic: wrappedTraffic([4, 4]) });
    expect(run(problem, { criterion })).toMatchObject({ criterion, value: least, end: 'steps' });
  });

  it.each([
    {
      what: 'bytes times links on a torus, as in the paper',
      machine: gridMachine('torus', [4, 4]),
      criterion: 'distance',
    },
    {
      what: 'what leaves nodes under one switch, where every distance is 0',
      machine: networkMachine('cluster', { count: 4, cores: 4 }),
      criterion: 'hop-bytes',
    },
  ])('minimises by default $what', ({ machine, criterion }) => {
    const problem = problemOn(machine, { taskCount: 16, traffic: wrappedTraffic([4, 4]) });
    expect(run(problem, { iterations: 20 })).toMatchObject({ criterion, value: 64 });
  });

  it('never loses by more iterations', () => {
    const problem = problemOn(gridMachine('torus', [6, 6]), { taskCount: 30, traffic: randomTraffic(30, 90, 1) });
    const values = [1, 5, 25, 50].map((iterations) => run(problem, { iterations }).value);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(values.at(-1)).toBeLessThan(values[0]!);
  });

  it('ends at once where nothing costs anything', () => {
    const problem = problemOn(gridMachine('mesh', [2], { cores: 8 }), { grid: [4, 2] });
    const { value, end, evaluations } = run(problem, { iterations: 1000 });
    expect([value, end]).toEqual([0, 'bound']);
    expect(evaluations).toBeLessThan(10_000);
  });
});

describe('the greedy start of GRASP', () => {
  const startsOf = (alpha: number) => {
    const traffic = neighbourTraffic([9]);
    const prepared = prepareSearch(problemOn(gridMachine('torus', [25]), { taskCount: 9, traffic }), hopBytes, effort);
    if (!prepared.ok) throw new Error(prepared.failure.message);
    const start = new GreedyStart(prepared.value, alpha);
    const random = seededRandom(4);
    return Array.from({ length: 20 }, () => [...start.build(random, neverCancelled)]);
  };
  const longest = (start: readonly number[]) =>
    Math.max(
      ...start
        .slice(1)
        .map((place, task) => Math.min(Math.abs(place - start[task]!), 25 - Math.abs(place - start[task]!))),
    );

  it('puts each task on a place of its own', () => {
    for (const start of startsOf(0.2)) expect(new Set(start).size).toBe(9);
  });

  it('takes the cheapest place where the share is 0, some cheap one where it is small, any where it is 1', () => {
    const [cheapest, cheap, any] = [0, 0.2, 1].map((alpha) => Math.max(...startsOf(alpha).map(longest))) as [
      number,
      number,
      number,
    ];
    // A line grows at one end, so next to the last task there is a free place, two where the other side is free too.
    expect(cheapest).toBe(1);
    expect(cheap).toBeGreaterThan(1);
    expect(cheap).toBeLessThan(any);
  });
});
