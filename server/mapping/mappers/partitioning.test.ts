import { describe, expect, it } from 'vitest';
import type { Machine } from '../../model/machine.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import type { MappingProblem } from '../contract.ts';
import { blocked } from './slotOrders.ts';
import { hopBytesOfMapping } from '../../optimisation/partitioning/testing/cores.ts';
import { mapWith } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { drb, kWay } from './partitioning.ts';
import {
  cliqueEdges,
  cliqueRing,
  gridEdges,
  powerLawEdges,
  shuffled,
  trafficOf,
} from '../../optimisation/partitioning/testing/graphs.ts';

const problemWith = (
  machine: Machine,
  taskCount: number,
  edges: Parameters<typeof trafficOf>[1],
  takenCores = 0,
): MappingProblem => problemOn(machine, { taskCount, takenCores, traffic: trafficOf(taskCount, edges) });

describe.each([drb, kWay].map((entry) => [entry.name, entry] as const))('map %s', (_, entry) => {
  const optima: readonly (readonly [string, MappingProblem, number])[] = [
    [
      'heavy traffic stays within the nodes of a cluster',
      problemWith(networkMachine('cluster', { count: 12, cores: 8 }), 96, shuffled(96, cliqueRing(12, 8))),
      12 * 2,
    ],
    [
      'on cores that another job leaves',
      problemWith(networkMachine('cluster', { count: 12, cores: 11 }), 96, shuffled(96, cliqueRing(12, 8)), 3),
      12 * 2,
    ],
    [
      'a ring of cliques lies round a ring of nodes',
      problemWith(gridMachine('torus', [16], { cores: 8 }), 128, shuffled(128, cliqueRing(16, 8))),
      16,
    ],
    ['one task', problemWith(gridMachine('torus', [4, 4]), 1, []), 0],
    ['a node is enough', problemWith(gridMachine('torus', [4, 4], { cores: 8 }), 8, cliqueEdges(0, 8, 3)), 0],
  ];
  it.each(optima)('costs as little as can be: %s', (__, problem, cheapest) => {
    expect(hopBytesOfMapping(problem, mapWith(entry, problem).mapping)).toBe(cheapest);
  });

  it.each([
    ['a grid on a torus', problemWith(gridMachine('torus', [8, 8]), 64, shuffled(64, gridEdges([16, 4])))],
    [
      'a power-law graph on a cluster',
      problemWith(networkMachine('cluster', { count: 16, cores: 16 }), 256, powerLawEdges(8, 900)),
    ],
    [
      'a power-law graph on a fat tree',
      problemWith(networkMachine('fat-tree', { options: { k: 4, n: 4 } }), 256, powerLawEdges(8, 900)),
    ],
  ] as const)('costs less than blocked: %s', (__, problem) => {
    expect(hopBytesOfMapping(problem, mapWith(entry, problem).mapping)).toBeLessThan(
      hopBytesOfMapping(problem, mapWith(blocked, problem).mapping),
    );
  });
});
