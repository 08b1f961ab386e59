import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { autonet, networkMachine } from '../../network/testing/networkMachines.ts';
import { type SearchProblem, mappingCost } from '../problem/searchProblem.ts';
import { partitionOntoPlaces } from './dualBisection.ts';
import { coreOn } from './testing/cores.ts';
import { cliqueEdges, cliqueRing, exampleGraphs, gridEdges, shuffled, trafficOf } from './testing/graphs.ts';

const placed = (core: SearchProblem, seed = 1): Int32Array =>
  partitionOntoPlaces(core, seededRandom(seed), neverCancelled)!;

/** Each of 256 slots or more. */
const machines: readonly (readonly [string, Machine])[] = [
  ['a torus', gridMachine('torus', [8, 8, 4])],
  ['a mesh of several hosts and cores', gridMachine('mesh', [5, 4], { hosts: 2, cores: 8 })],
  ['a fat tree', networkMachine('fat-tree', { options: { levels: [8, 8, 4] } })],
  ['a cluster', networkMachine('cluster', { count: 20, cores: 16 })],
  ['irregular switches', autonet(26)],
];

describe('partitioning onto places', () => {
  it.each(machines)('gives each task a place of its own, cheaper than random: %s', (_, machine) => {
    for (const [name, taskCount, edges] of exampleGraphs) {
      const core = coreOn(machine, { taskCount, traffic: trafficOf(taskCount, edges) });
      const placeOfTask = placed(core);
      expect(new Set(placeOfTask).size, name).toBe(taskCount);
      expect(Math.min(...placeOfTask), name).toBeGreaterThanOrEqual(0);
      expect(Math.max(...placeOfTask), name).toBeLessThan(core.places.placeCount);
      expect(placed(core), name).toEqual(placeOfTask);
      const drawn = Int32Array.from({ length: core.places.placeCount }, (__, place) => place);
      shuffle(drawn, seededRandom(9));
      expect(mappingCost(core, placeOfTask), name).toBeLessThanOrEqual(mappingCost(core, drawn));
    }
  });

  const optima: readonly (readonly [string, Machine, number, Parameters<typeof trafficOf>[1], number])[] = [
    ['a line on a line', gridMachine('mesh', [64]), 64, gridEdges([64]), 63],
    ['cliques on nodes of a cluster', networkMachine('cluster', { count: 12, cores: 8 }), 96, cliqueRing(12, 8), 24],
    [
      // Within a leaf switch 2 hops, to the next subtree 6: four of the eight light edges stay in their subtree.
      'cliques on the leaf switches of a fat tree',
      networkMachine('fat-tree', { options: { levels: [8, 8] } }),
      64,
      cliqueRing(8, 8),
      8 * 28 * 100 * 2 + 8 * 4,
    ],
    ['two tasks far from all others', gridMachine('torus', [9, 9]), 2, [[0, 1, 5]], 5],
  ];
  it.each(optima)('finds what is cheapest: %s', (_, machine, taskCount, edges, cheapest) => {
    const core = coreOn(machine, { taskCount, traffic: trafficOf(taskCount, shuffled(taskCount, edges)) });
    expect(mappingCost(core, placed(core))).toBe(cheapest);
  });

  it('packs few tasks onto nodes that lie together, as full as is cheapest', () => {
    // Three cliques of three on nodes of four cores: a clique on each of three nodes, one core left over.
    const core = coreOn(networkMachine('cluster', { count: 9, cores: 4 }), {
      traffic: trafficOf(9, [...cliqueEdges(0, 3, 1), ...cliqueEdges(3, 3, 1), ...cliqueEdges(6, 3, 1)]),
      taskCount: 9,
    });
    expect(mappingCost(core, placed(core))).toBe(0);
    // Sixteen tasks that all talk: no two are farther apart than across a block of about sixteen nodes.
    const torus = coreOn(gridMachine('torus', [32, 32]), {
      taskCount: 16,
      traffic: trafficOf(16, cliqueEdges(0, 16, 1)),
    });
    const meanHops = mappingCost(torus, placed(torus)) / 120;
    expect(meanHops).toBeLessThan(3);
  });

  it('fills nodes of unequal room exactly', () => {
    const machine = gridMachine('mesh', [4], { cores: 16 });
    // Node n has 4 · (n + 1) free cores; so many tasks are in each clique.
    const slots = Int32Array.from(
      [4, 8, 12, 16].flatMap((room, node) => Array.from({ length: room }, (_, core) => 16 * node + core)),
    );
    const cliques = [
      ...cliqueEdges(0, 16, 9),
      ...cliqueEdges(16, 4, 9),
      ...cliqueEdges(20, 12, 9),
      ...cliqueEdges(32, 8, 9),
    ];
    const core = coreOn(machine, { slots, taskCount: 40, traffic: trafficOf(40, shuffled(40, cliques)) });
    expect(mappingCost(core, placed(core))).toBe(0);
  });

  it('answers that it was cancelled, whenever it looks', () => {
    const core = coreOn(gridMachine('torus', [12, 12]), {
      taskCount: 100,
      traffic: trafficOf(100, gridEdges([10, 10])),
    });
    let looks = 0;
    partitionOntoPlaces(core, seededRandom(1), { isCancelled: () => ++looks < 0 });
    expect(looks).toBeGreaterThan(20);
    for (let allowed = 0; allowed < looks; allowed += 7) {
      let seen = 0;
      expect(partitionOntoPlaces(core, seededRandom(1), { isCancelled: () => seen++ >= allowed })).toBeUndefined();
    }
  });
});
