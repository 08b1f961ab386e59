import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { buildMachine } from '../machine.ts';
import type { MachineDescription } from '../contract.ts';
import { gridDescription } from '../testing/machines.ts';
import { valueOf } from '../testing/routingContract.ts';
import { distanceTable } from './distanceTable.ts';
import { equivalent } from './equivalent.ts';
import { routeCircuitsOf } from './knownDistances.ts';
import { solveHere } from './equivalentSolver.ts';
import { cablesOnRoutes, denseResistance } from './testing/denseResistance.ts';
import { autonetCables, cablesOf, randomCables, switchesMachine, upDownFrom } from './testing/networks.ts';

function tableOf(machine: Machine): number[][] {
  const size = machine.topology.routerCount;
  const table = valueOf(distanceTable(machine, equivalent));
  return Array.from({ length: size }, (_, from) => [...table.subarray(from * size, (from + 1) * size)]);
}

/** Orduña et al. 2004, Table 2. */
const autonet = [
  [0, 1, 1, 2, 1, 3, 1, 3, 3, 1],
  [1, 0, 1, 2, 1, 3, 1, 3, 3, 1],
  [1, 1, 0, 2, 2, 3, 1, 3, 3, 1],
  [2, 2, 2, 0, 2, 1, 1, 1, 1, 2],
  [1, 1, 2, 2, 0, 3, 1, 3, 3, 1],
  [3, 3, 3, 1, 3, 0, 2, 1, 1, 1],
  [1, 1, 1, 1, 1, 2, 0, 2, 2, 1.25],
  [3, 3, 3, 1, 3, 1, 2, 0, 1, 2],
  [3, 3, 3, 1, 3, 1, 2, 1, 0, 2],
  [1, 1, 1, 2, 1, 1, 1.25, 2, 2, 0],
];

const cellsThatDiffer = (one: readonly number[][], other: readonly number[][]): number => {
  let count = 0;
  for (let from = 0; from < one.length; from++) {
    for (let to = 0; to < from; to++) if (Math.abs(one[from]![to]! - other[from]![to]!) > 1e-12) count++;
  }
  return count;
};

describe('the Autonet network of Orduña et al. 2004', () => {
  it.each([{ root: 6 }, { root: 3 }])('has the distances of Table 2 to 1e-12 with root $root', ({ root }) => {
    const table = tableOf(switchesMachine(10, autonetCables, upDownFrom(root)));
    expect(table.flat().every((value, cell) => Math.abs(value - autonet.flat()[cell]!) <= 1e-12)).toBe(true);
  });

  it('has nine other ones with root 0: the root is part of a machine', () => {
    expect(cellsThatDiffer(tableOf(switchesMachine(10, autonetCables, upDownFrom(0))), autonet)).toBe(9);
  });
});

describe('small circuits', () => {
  const distance = (cables: string, from: number, to: number, routing = upDownFrom(0)) => {
    const pairs = cablesOf(cables);
    const switches = 1 + Math.max(...pairs.flatMap((cable) => [cable.from, cable.to]));
    return tableOf(switchesMachine(switches, pairs, routing))[from]![to];
  };
  const minimal = { name: 'minimal', options: {} };

  it.each([
    { what: 'two parallel cables', cables: '0-1 0-1', from: 0, to: 1, expected: 1 / 2 },
    {
      what: 'three in a row with two and three cables',
      cables: '0-1 0-1 1-2 1-2 1-2',
      from: 0,
      to: 2,
      expected: 5 / 6,
    },
    { what: 'two ways of two links', cables: '0-1 0-2 1-3 2-3', from: 0, to: 3, expected: 1 },
    { what: 'the longer way round is no route', cables: '0-1 1-2 2-3 3-4 4-0', from: 0, to: 1, expected: 1 },
    { what: 'two rhombs in a row', cables: '0-1 0-2 1-3 2-3 3-4 3-5 4-6 5-6', from: 0, to: 6, expected: 2 },
    // Corner to corner of a grid of 3 x 3: by hand, by symmetry of the two halves.
    {
      what: 'a grid of 3 x 3 from corner to corner',
      cables: '0-1 1-2 3-4 4-5 6-7 7-8 0-3 3-6 1-4 4-7 2-5 5-8',
      from: 0,
      to: 8,
      routing: minimal,
      expected: 3 / 2,
    },
    // Resistances of a cube: 7/12, 3/4, 5/6; all three-link ways between opposite corners use the whole cube.
    {
      what: 'a cube from corner to corner',
      cables: '0-1 0-2 0-4 1-3 1-5 2-3 2-6 4-5 4-6 3-7 5-7 6-7',
      from: 0,
      to: 7,
      routing: minimal,
      expected: 5 / 6,
    },
  ])('$what', ({ cables, from, to, routing, expected }) => {
    expect(distance(cables, from, to, routing)).toBeCloseTo(expected, 13);
  });
});

describe('any network under any routing', () => {
  const built = (description: MachineDescription): Machine => valueOf(buildMachine(description));
  const grid = (kind: string, shape: readonly number[], name: string) =>
    built({ ...gridDescription(kind, shape), routing: { name, options: {} } });
  const parametric = (name: string, options: Record<string, number>, routing: string) =>
    built({ ...gridDescription('torus', [1]), topology: { name, options }, routing: { name: routing, options: {} } });
  const random = (switches: number, degree: number, seed: number, name = 'up-down') =>
    switchesMachine(switches, randomCables(switches, degree, seed), { name, options: {} });

  it.each([
    ...[2, 3, 4, 5, 6, 7].map((seed) => ({ what: `sparse, up-down, ${seed}`, machine: () => random(20, 3, seed) })),
    ...[2, 3, 4].map((seed) => ({ what: `degree 6, up-down, ${seed}`, machine: () => random(30, 6, seed) })),
    ...[2, 3, 4].map((seed) => ({ what: `crowded, up-down, ${seed}`, machine: () => random(8, 12, seed) })),
    ...[2, 3, 4].map((seed) => ({ what: `degree 4, minimal, ${seed}`, machine: () => random(30, 4, seed, 'minimal') })),
    { what: 'torus, minimal', machine: () => grid('torus', [4, 5], 'minimal') },
    { what: 'torus, up-down', machine: () => grid('torus', [4, 4], 'up-down') },
    { what: 'mesh, minimal', machine: () => grid('mesh', [3, 3, 2], 'minimal') },
    { what: 'hypercube, up-down', machine: () => grid('hypercube', [4], 'up-down') },
    { what: 'fat tree, minimal', machine: () => parametric('fat-tree', { k: 3, n: 3 }, 'minimal') },
    { what: 'dragonfly, minimal', machine: () => parametric('dragonfly', { p: 1, a: 4, h: 2, g: 5 }, 'minimal') },
    { what: 'dragonfly, up-down', machine: () => parametric('dragonfly', { p: 1, a: 3, h: 1 }, 'up-down') },
  ])('agrees with the whole Laplacian: $what', ({ machine: make }) => {
    const machine = make();
    const table = tableOf(machine);
    for (let from = 0; from < table.length; from++) {
      for (let to = 0; to < table.length; to++) {
        const expected = denseResistance(cablesOnRoutes(machine, from, to)!, from, to);
        expect(Math.abs(table[from]![to]! - expected)).toBeLessThanOrEqual(1e-12 * Math.max(1, expected));
      }
    }
  });

  it('is symmetric though only half of the pairs are solved', () => {
    const machine = random(40, 5, 9);
    const solved = { ...machine, routing: { ...machine.routing, symmetric: false } };
    const [mirrored, whole] = [tableOf(machine), tableOf(solved)];
    mirrored.forEach((row, from) => {
      row.forEach((value, to) => {
        expect(Math.abs(value - whole[from]![to]!)).toBeLessThanOrEqual(1e-13 * value);
        expect(value).toBe(mirrored[to]![from]);
      });
    });
  });

  it('is at most the hops, and the hops where there is one route', () => {
    const machine = random(60, 4, 11);
    const table = tableOf(machine);
    const pick = seededRandom(1);
    let severalRoutes = 0;
    for (let sample = 0; sample < 500; sample++) {
      const [from, to] = [pick.integer(60), pick.integer(60)];
      const route = machine.routing.route(from as never, to as never);
      if (route === undefined) severalRoutes++;
      if (route !== undefined) expect(table[from]![to]).toBe(route.length);
      else expect(table[from]![to]!).toBeLessThan(machine.routing.hops(from as never, to as never));
    }
    expect(severalRoutes).toBeGreaterThan(50);
    expect(severalRoutes).toBeLessThan(450);
  });

  it('has no value where no route leads', () => {
    const machine = random(12, 3, 4);
    const graph = machine.routing.graph!;
    // Nothing leaves router 3 any more, and nothing leads to it.
    const leads = (step: number) => graph.routerOf[graph.stepTo[step]!] !== 3;
    const firstStep = new Int32Array(graph.stateCount + 1);
    const kept: number[] = [];
    for (let state = 0; state < graph.stateCount; state++) {
      for (let step = graph.firstStep[state]!; step < graph.firstStep[state + 1]!; step++) {
        if (graph.routerOf[state] !== 3 && leads(step)) kept.push(step);
      }
      firstStep[state + 1] = kept.length;
    }
    const stepLink = Int32Array.from(kept, (step) => graph.stepLink[step]!);
    const stepTo = Int32Array.from(kept, (step) => graph.stepTo[step]!);
    const cut = { ...machine, routing: { ...machine.routing, graph: { ...graph, firstStep, stepLink, stepTo } } };
    const table = tableOf(cut);
    for (let other = 0; other < 12; other++) {
      expect(Number.isNaN(table[3]![other])).toBe(other !== 3);
      expect(Number.isNaN(table[other]![3])).toBe(other !== 3);
    }
    expect(table[0]![1]).toBeGreaterThan(0);
  });

  it('stops when it is cancelled, at any look, and tells how far it is', () => {
    const machine = random(10, 4, 1);
    let looks = 0;
    const shares: number[] = [];
    const context = (isCancelled: () => boolean) => ({
      solve: solveHere,
      cancellation: { isCancelled },
      progress: (share: number) => shares.push(share),
    });
    valueOf(
      distanceTable(
        machine,
        equivalent,
        context(() => (looks++, false)),
      ),
    );
    expect(shares).toEqual(Array.from({ length: 10 }, (_, source) => (source + 1) / 10));
    for (let allowed = 0; allowed < looks; allowed += 7) {
      let left = allowed;
      expect(
        distanceTable(
          machine,
          equivalent,
          context(() => left-- <= 0),
        ),
      ).toMatchObject({
        ok: false,
        failure: { code: 'cancelled' },
      });
    }
  });

  it('gives a pair the same bytes whatever else is asked for', () => {
    const machine = random(50, 6, 2);
    const table = tableOf(machine);
    const wanted = {
      sources: Int32Array.of(17, 3),
      targets: Int32Array.of(44, 20, 3, 49),
      firstTarget: Int32Array.of(0, 1),
      endTarget: Int32Array.of(2, 4),
      firstValue: Int32Array.of(3, 0),
      valueCount: 5,
    };
    const values = solveHere(routeCircuitsOf(machine)!, wanted, neverCancelled, ignoreProgress)!;
    expect([...values]).toEqual([table[3]![20], table[3]![3], table[3]![49], table[17]![44], table[17]![20]]);
  });
});
