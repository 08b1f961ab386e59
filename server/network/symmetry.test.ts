import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../model/cancellation.ts';
import { asRouterId } from '../model/identifiers.ts';
import type { Machine } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import type { MachineDescription } from './contract.ts';
import { KnownDistances, routeCircuitsOf } from './distances/knownDistances.ts';
import { solveHere } from './distances/equivalentSolver.ts';
import { upDownFrom } from './distances/testing/networks.ts';
import { buildMachine } from './machine.ts';
import { automorphismsOf, keepsRoutes, orbitClasses } from './symmetry.ts';
import { gridDescription } from './testing/machines.ts';
import { valueOf } from './testing/routingContract.ts';

const shaped = (name: string, options: MachineDescription['topology']['options'], more: Partial<MachineDescription> = {}): MachineDescription => ({ name: 'machine', topology: { name, options }, cables: [], socketsPerNode: 1, coresPerSocket: 1, figures: {}, ...more }); // prettier-ignore
const rooted = (sides: number[], root: number, kind = 'torus'): MachineDescription => ({ ...gridDescription(kind, sides), routing: upDownFrom(root) }); // prettier-ignore
const without = (description: MachineDescription, from: number, to: number): MachineDescription => ({ ...description, faults: { cables: [{ from, to }], routers: [], nodes: [] } }); // prettier-ignore

/** What is built, and how many renumberings keep its routes (of those that are looked for). */
const machines: readonly (readonly [string, MachineDescription, number])[] = [
  ['a torus from a root', rooted([4, 4], 0), 8],
  ['a torus from another root', rooted([4, 4], 6), 8],
  ['a torus of odd sides, whose labels break ties', rooted([5, 5], 0), 2],
  ['a torus of three axes from a root', rooted([4, 4, 4], 21), 48],
  ['a torus of different sides', rooted([4, 6, 2], 5), 4],
  ['a mesh from its corner', rooted([5, 5], 0, 'mesh'), 2],
  ['a torus without a cable', without(rooted([4, 4, 2], 0), 1, 2), 2],
  ['a torus without a cable under minimal routing', without({ ...gridDescription('torus', [4, 4]), routing: { name: 'minimal', options: {} } }, 0, 1), 2], // prettier-ignore
  ['a dragonfly, which has no axes', shaped('dragonfly', { p: 1, a: 4, h: 2, g: 5 }), 1],
];

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
function expectSame(machine: Machine): void {
  const { routerCount } = machine.topology;
  const known = KnownDistances.of(machine)!;
  for (let from = 0; from < routerCount; from++) for (let to = 0; to < routerCount; to++) known.ask(from, to);
  known.workOut({ solve: solveHere, cancellation: neverCancelled, progress: ignoreProgress });
  const apart = solvedApart(machine);
  for (let from = 0; from < routerCount; from++) {
    for (let to = 0; to < routerCount; to++) {
      const value = apart[from * routerCount + to]!;
      if (Number.isNaN(value)) expect(known.between(from, to)).toBeNaN();
      else expect(known.between(from, to), `${from} to ${to}`).toBeCloseTo(value, 10);
    }
  }
}

describe.each(machines)('%s', (_, description, count) => {
  const machine = valueOf(buildMachine(description));
  const images = automorphismsOf(machine.topology, machine.routing);

  it('has the renumberings that it must have, and each keeps hops', () => {
    expect(Math.max(1, images.length)).toBe(count);
    const { routing, topology } = machine;
    const hops = (from: number, to: number) => routing.hops(asRouterId(from), asRouterId(to));
    for (const image of images) {
      for (let from = 0; from < topology.routerCount; from++)
        for (let to = 0; to < topology.routerCount; to++) expect(hops(image[from]!, image[to]!)).toBe(hops(from, to));
    }
  });

  it('has the distances that all pairs have by themselves', () => {
    expectSame(machine);
  });
});

it('has as many pairs to work out as the group leaves: some 1 in 96 of a cube under up/down', () => {
  const { topology, routing } = valueOf(buildMachine(rooted([8, 8, 8], 0)));
  const alike = orbitClasses(automorphismsOf(topology, routing), true);
  const classes = new Set<number>();
  for (let from = 0; from < 512; from++) for (let to = 0; to < 512; to++) classes.add(alike.source(from, to) * 512 + alike.target(from, to)); // prettier-ignore
  expect(classes.size).toBeLessThan(512 ** 2 / 40);
});

it('believes no renumbering that loses a route', () => {
  const { graph } = valueOf(buildMachine(rooted([4, 4], 0))).routing;
  const shifted = Int32Array.from({ length: 16 }, (_, router) => (router + 1) % 16);
  expect(keepsRoutes(graph!, shifted)).toBe(false);
  expect(keepsRoutes(graph!, new Int32Array(16))).toBe(false);
});

/** Hundreds of small machines by chance: trees, tori from any root with a cable lost or not, dragonflies. */
describe.each(Array.from({ length: 8 }, (_, seed) => seed))('random machines %d', (seed) => {
  const random = seededRandom(seed);
  const between = (least: number, most: number) => least + random.integer(most - least + 1);
  const descriptions = Array.from({ length: 30 }, (_, index): MachineDescription => {
    if (index % 3 === 0) {
      const levels = Array.from({ length: between(2, 3) }, () => between(2, 3));
      const upper = {
        parents: levels.slice(1).map(() => between(1, 3)),
        parallel: levels.slice(1).map(() => between(1, 2)),
      };
      const routing = { name: index % 2 === 0 ? 'minimal' : 'up-down', options: {} };
      return shaped('fat-tree', { levels, ...upper }, { routing });
    }
    if (index % 3 === 1) {
      const [p, a, h] = [1, between(2, 4), between(1, 3)];
      return shaped('dragonfly', { p, a, h, g: a * h + 1 });
    }
    const sides = Array.from({ length: between(2, 3) }, () => between(2, 4));
    const size = sides.reduce((product, side) => product * side, 1);
    const torus = rooted(sides, random.integer(size), random.integer(3) === 0 ? 'mesh' : 'torus');
    return random.integer(3) === 0 ? without(torus, 0, 1) : torus;
  });

  it.each(descriptions.map((description, index) => [index, description] as const))('machine %d', (_, description) => {
    const machine = buildMachine(description);
    if (machine.ok && routeCircuitsOf(machine.value) !== undefined) expectSame(machine.value);
    else expect(machine.ok || machine.failure.code).toBe('invalid-shape');
  });
});
