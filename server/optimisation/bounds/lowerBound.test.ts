import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import type { Traffic } from '../../model/traffic.ts';
import { buildMachine } from '../../network/machine.ts';
import { gridDescription, gridMachine } from '../../network/testing/machines.ts';
import { autonet, networkMachine } from '../../network/testing/networkMachines.ts';
import type { MappingProblem } from '../../mapping/contract.ts';
import { criteria } from '../../mapping/criteria/catalogue.ts';
import { hopBytes } from '../../mapping/criteria/distance.ts';
import { prepareSearch } from '../../mapping/criteria/prepare.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { everyMachine } from '../../mapping/testing/machines.ts';
import { leastValue } from '../../mapping/testing/exhaustive.ts';
import { noTraffic, problemOn, randomTraffic, trafficOf, type ProblemOptions } from '../../mapping/testing/problems.ts';
import { lowerBound } from './lowerBound.ts';

const context = { cancellation: neverCancelled, progress: ignoreProgress };
const additive = criteria.filter(({ siteCosts }) => siteCosts !== undefined);

function upDownTorus(shape: readonly number[], root: number): Machine {
  const built = buildMachine({ ...gridDescription('torus', shape), routing: { name: 'up-down', options: { root } } });
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

function coreOf(problem: MappingProblem): SearchProblem {
  const core = prepareSearch(problem, hopBytes, context);
  if (!core.ok) throw new Error(core.failure.message);
  return core.value;
}

const boundOf = (problem: MappingProblem) => lowerBound(coreOf(problem), problem.machine, neverCancelled);

/** So many nodes, anywhere and in any order. */
function someNodes(machine: Machine, count: number, seed: number): Int32Array {
  const nodes = Int32Array.from({ length: machine.nodeCount }, (_, node) => node);
  shuffle(nodes, seededRandom(seed));
  return nodes.slice(0, count);
}

/** Of few tasks who talk much, little, very unevenly, all to one or not at all. */
const trafficKinds: readonly { readonly talk: string; readonly traffic: (taskCount: number, seed: number) => Traffic }[] = [
  { talk: 'a few pairs', traffic: (taskCount, seed) => randomTraffic(taskCount, taskCount - 1, seed) },
  { talk: 'almost all pairs', traffic: (taskCount, seed) => randomTraffic(taskCount, 5 * taskCount, seed, 3) },
  { talk: 'uneven amounts', traffic: (taskCount, seed) => randomTraffic(taskCount, 2 * taskCount, seed, 1e6, 0.25) },
  {
    talk: 'all to one',
    traffic: (taskCount, seed) =>
      trafficOf(taskCount, Array.from({ length: taskCount - 1 }, (_, task) => [task, taskCount - 1, 1 + ((task + seed) % 4)])),
  },
  { talk: 'one pair', traffic: (taskCount) => trafficOf(taskCount, [[taskCount - 1, 0, 6]]) },
  { talk: 'nobody', traffic: noTraffic },
]; // prettier-ignore

const machines: readonly (readonly [string, Machine])[] = [
  ...everyMachine(),
  ['a full cube', gridMachine('hypercube', [3])],
  ['a full torus', gridMachine('torus', [4, 2])],
  ['a ring of nodes of three cores', gridMachine('torus', [3], { cores: 3 })],
  ['a mesh of two nodes per router', gridMachine('mesh', [2, 2], { hosts: 2 })],
  ['a full torus under up/down routing', upDownTorus([4, 2], 5)],
  ['a ring under up/down routing', upDownTorus([7], 3)],
];

/** Problems with few enough mappings to try all: with as many tasks as places, and with free ones. */
function smallProblems(machine: Machine): (readonly [string, MappingProblem])[] {
  const largest = Math.max(1, Math.floor(8 / machine.coresPerNode));
  const nodeCount = Math.min(machine.nodeCount, largest);
  return trafficKinds.map(({ talk, traffic }, seed) => {
    const nodes = someNodes(machine, nodeCount, seed);
    const placeCount = nodeCount * machine.coresPerNode;
    const taskCount = Math.max(2, Math.min(6, placeCount) - (seed % 2));
    return [talk, problemOn(machine, { taskCount, nodes, traffic: traffic(taskCount, seed) })];
  });
}

describe('no mapping falls below the bound', () => {
  it.each(machines)('on %s', (_, machine) => {
    for (const [talk, problem] of smallProblems(machine)) {
      for (const criterion of additive) {
        const core = prepareSearch(problem, criterion, context);
        if (!core.ok) continue;
        const { value, name } = lowerBound(core.value, machine, neverCancelled);
        const least = leastValue(problem, criterion)!;
        expect(value, `${name}, ${criterion.name}, ${talk}`).toBeLessThanOrEqual(least);
      }
    }
  });
});

describe('a bound worked out by hand', () => {
  it.each<{ what: string; machine: Machine; options: ProblemOptions; value: number; name: string }>([
    {
      what: 'neighbours on their own torus cost one link each',
      machine: gridMachine('torus', [4, 4, 4]),
      options: { grid: [4, 4, 4] },
      value: 288,
      name: 'edge',
    },
    {
      what: 'neighbours on their own mesh do so too, although its corners have few',
      machine: gridMachine('mesh', [3, 4]),
      options: { grid: [3, 4] },
      value: 34,
      name: 'shell',
    },
    {
      what: 'two tasks on two nodes are three links apart',
      machine: gridMachine('mesh', [6]),
      options: { nodes: [1, 4], traffic: trafficOf(2, [[0, 1, 5]]), taskCount: 2 },
      value: 15,
      name: 'edge',
    },
    {
      what: 'a line over a gap of three links: ends (1 + 3) and inner tasks (2 + 3) of two bytes, halved; the best is 10',
      machine: gridMachine('mesh', [6]),
      options: { nodes: [0, 1, 2, 5], grid: [4] },
      value: 9,
      name: 'shell',
    },
    {
      what: 'all to all on a ring of five: every pair of nodes is met, 15 links',
      machine: gridMachine('torus', [5]),
      options: { traffic: randomlyOrderedPairs(5), taskCount: 5 },
      value: 15,
      name: 'shell',
    },
    {
      what: 'two tasks in one node cost nothing, whatever they say',
      machine: gridMachine('torus', [4], { cores: 2 }),
      options: { taskCount: 2 },
      value: 0,
      name: 'none',
    },
    {
      what: 'hosts have links of their own, so that neighbours on one switch are two links apart',
      machine: networkMachine('cluster', { count: 4 }),
      options: { taskCount: 4 },
      value: 12,
      name: 'edge',
    },
    {
      what: 'a workstation of Autonet has one other on its switch, then one link more',
      machine: autonet(2),
      options: { taskCount: 3, traffic: trafficOf(3, [[0, 1, 4], [0, 2, 4], [1, 2, 4]]) }, // prettier-ignore
      value: 30,
      name: 'shell',
    },
  ])('$what', ({ machine, options, value, name }) => {
    expect(boundOf(problemOn(machine, options))).toMatchObject({ value, name });
  });
});

/** One byte between any two tasks, whichever way. */
function randomlyOrderedPairs(taskCount: number): Traffic {
  const entries: [number, number, number][] = [];
  for (let from = 0; from < taskCount; from++) {
    for (let to = from + 1; to < taskCount; to++) entries.push((from + to) % 2 === 0 ? [from, to, 1] : [to, from, 1]);
  }
  return trafficOf(taskCount, entries);
}

it('is 0 where it was cancelled', () => {
  const problem = problemOn(gridMachine('torus', [5, 5]), { nodes: [0, 3, 9, 12, 20] });
  const bound = lowerBound(coreOf(problem), problem.machine, { isCancelled: () => true });
  expect(bound).toMatchObject({ value: 0, name: 'none' });
});
