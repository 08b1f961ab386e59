import { expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../model/cancellation.ts';
import { asRouterId } from '../model/identifiers.ts';
import type { Machine } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { testContract, type Contract } from '../model/testing/contract.ts';
import type { MachineDescription } from './contract.ts';
import { KnownDistances, routeCircuitsOf } from './distances/knownDistances.ts';
import { solveHere } from './distances/equivalentSolver.ts';
import { upDownFrom } from './distances/testing/networks.ts';
import { buildMachine } from './machine.ts';
import { automorphismsOf, keepsRoutes, orbitClasses } from './symmetry.ts';
import { gridDescription } from './testing/machines.ts';
import { valueOf } from './testing/routingContract.ts';

const shaped = (
  name: string,
  options: MachineDescription['topology']['options'],
  more: Partial<MachineDescription> = {},
): MachineDescription => ({
  name: 'machine',
  topology: { name, options },
  cables: [],
  socketsPerNode: 1,
  coresPerSocket: 1,
  figures: {},
  ...more,
});
const rooted = (sides: number[], root: number, kind = 'torus'): MachineDescription => ({
  ...gridDescription(kind, sides),
  routing: upDownFrom(root),
});
const without = (description: MachineDescription, from: number, to: number): MachineDescription => ({
  ...description,
  faults: { cables: [{ from, to }], routers: [], nodes: [] },
});

/** What is built, and how many renumberings keep its routes (of those that are looked for). */
const machines: readonly (readonly [string, MachineDescription, number])[] = [
  ['a torus from a root', rooted([4, 4], 0), 8],
  ['a torus from another root', rooted([4, 4], 6), 8],
  ['a torus of odd sides, whose labels break ties', rooted([5, 5], 0), 2],
  ['a torus of three axes from a root', rooted([4, 4, 4], 21), 48],
  ['a torus of different sides', rooted([4, 6, 2], 5), 4],
  ['a mesh from its corner', rooted([5, 5], 0, 'mesh'), 2],
  ['a torus without a cable', without(rooted([4, 4, 2], 0), 1, 2), 2],
  [
    'a torus without a cable under minimal routing',
    without({ ...gridDescription('torus', [4, 4]), routing: { name: 'minimal', options: {} } }, 0, 1),
    2,
  ],
  ['a dragonfly, which has no axes', shaped('dragonfly', { p: 1, a: 4, h: 2, g: 5 }), 1],
];

/** Random machines of each kind. */
const randomCount = 80;

/** Distances of all pairs, each solved by itself. */
function solvedApart(machine: Machine): Float64Array {
  const { routerCount } = machine.topology;
  const everyone = Int32Array.from({ length: routerCount }, (_, router) => router);
  const first = everyone.map((source) => source * routerCount);
  const wanted = {
    sources: everyone,
    targets: Int32Array.from({ length: routerCount ** 2 }, (_, at) => at % routerCount),
    firstTarget: first,
    endTarget: first.map((at) => at + routerCount),
    firstValue: first,
    valueCount: routerCount ** 2,
  };
  return solveHere(routeCircuitsOf(machine)!, wanted, neverCancelled, ignoreProgress)!;
}

/** Whether equal sets of distances stand for pairs: every pair as the one that stands for it. */
function checkDistances(contract: Contract, machine: Machine): void {
  contract.property('has the distances that all pairs have by themselves', (look) => {
    const { routerCount } = machine.topology;
    const known = KnownDistances.of(machine)!;
    for (let from = 0; from < routerCount; from++) for (let to = 0; to < routerCount; to++) known.ask(from, to);
    known.workOut({ solve: solveHere, cancellation: neverCancelled, progress: ignoreProgress });
    const apart = solvedApart(machine);
    for (let from = 0; from < routerCount; from++) {
      for (let to = 0; to < routerCount; to++) {
        const [value, found] = [apart[from * routerCount + to]!, known.between(from, to)];
        const isSame = Number.isNaN(value) ? Number.isNaN(found) : Math.abs(found - value) < 5e-11;
        look(isSame, () => `${from} to ${to}: ${found}, not ${value}`);
      }
    }
  });
}

for (const [what, description, count] of machines) {
  testContract(`renumberings: ${what}`, (contract) => {
    const machine = valueOf(buildMachine(description));
    const { routing, topology } = machine;
    const images = automorphismsOf(topology, routing);
    contract.property('has as many as it must have', (look) => {
      look(Math.max(1, images.length) === count, () => `${images.length}, not ${count}`);
    });
    if (count === 1) contract.notApplicable('each keeps hops', 'there are none but the numbers as they are');
    contract.property('each keeps hops', (look) => {
      const hops = (from: number, to: number) => routing.hops(asRouterId(from), asRouterId(to));
      for (const image of images) {
        for (let from = 0; from < topology.routerCount; from++) {
          for (let to = 0; to < topology.routerCount; to++) {
            look(hops(image[from]!, image[to]!) === hops(from, to), () => `${from} to ${to}`);
          }
        }
      }
    });
    checkDistances(contract, machine);
  });
}

it('has as many pairs to work out as the group leaves: some 1 in 96 of a cube under up/down', () => {
  const { topology, routing } = valueOf(buildMachine(rooted([8, 8, 8], 0)));
  const alike = orbitClasses(automorphismsOf(topology, routing), true);
  const classes = new Set<number>();
  for (let from = 0; from < 512; from++)
    for (let to = 0; to < 512; to++) classes.add(alike.source(from, to) * 512 + alike.target(from, to));
  expect(classes.size).toBeLessThan(512 ** 2 / 40);
});

it('believes no renumbering that loses a route', () => {
  const { graph } = valueOf(buildMachine(rooted([4, 4], 0))).routing;
  const shifted = Int32Array.from({ length: 16 }, (_, router) => (router + 1) % 16);
  expect(keepsRoutes(graph!, shifted)).toBe(false);
  expect(keepsRoutes(graph!, new Int32Array(16))).toBe(false);
});

type Draw = (least: number, most: number) => number;

/** Trees, tori and meshes from any root with a cable lost or not, and dragonflies. */
const randomMachines: Readonly<Record<string, (between: Draw, index: number) => MachineDescription>> = {
  'fat trees': (between, index) => {
    const levels = Array.from({ length: between(2, 3) }, () => between(2, 3));
    const upper = {
      parents: levels.slice(1).map(() => between(1, 3)),
      parallel: levels.slice(1).map(() => between(1, 2)),
    };
    const routing = { name: index % 2 === 0 ? 'minimal' : 'up-down', options: {} };
    return shaped('fat-tree', { levels, ...upper }, { routing });
  },
  dragonflies: (between) => {
    const [p, a, h] = [1, between(2, 4), between(1, 3)];
    return shaped('dragonfly', { p, a, h, g: a * h + 1 });
  },
  grids: (between) => {
    const sides = Array.from({ length: between(2, 3) }, () => between(2, 4));
    const size = sides.reduce((product, side) => product * side, 1);
    const torus = rooted(sides, between(0, size - 1), between(0, 2) === 0 ? 'mesh' : 'torus');
    return between(0, 2) === 0 ? without(torus, 0, 1) : torus;
  },
};

for (const [kind, describeOne] of Object.entries(randomMachines)) {
  testContract(`renumberings: random ${kind}`, (contract) => {
    const random = seededRandom(1);
    const between: Draw = (least, most) => least + random.integer(most - least + 1);
    for (let index = 0; index < randomCount; index++) {
      const description = describeOne(between, index);
      contract.on(JSON.stringify(description.topology), () => {
        const machine = buildMachine(description);
        contract.property('is built, or has sides that a torus cannot have', (look) => {
          look(machine.ok || machine.failure.code === 'invalid-shape', () => JSON.stringify(machine));
        });
        if (machine.ok && routeCircuitsOf(machine.value) !== undefined) checkDistances(contract, machine.value);
      });
    }
  });
}
