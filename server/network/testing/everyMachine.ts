import type { Machine } from '../../model/machine.ts';
import type { Shape } from '../../model/shape.ts';
import { buildMachine } from '../machine.ts';
import { gridDescription, gridMachine } from './machines.ts';
import { autonet, machinesWithoutCoordinates, networkMachine } from './networkMachines.ts';

/** One machine of every kind of topology and routing, small, several hosts and cores among them. */
export const everyMachine = (): readonly (readonly [string, Machine])[] => [
  ['a torus', gridMachine('torus', [5, 4])],
  ['a torus of unequal sides with hosts and cores', gridMachine('torus', [6, 1, 3], { hosts: 2, cores: 2 })],
  ['a mesh', gridMachine('mesh', [3, 4, 2])],
  ['a ring', gridMachine('torus', [9], { cores: 2 })],
  ['a hypercube', gridMachine('hypercube', [4])],
  ['Autonet, several hosts', autonet(3)],
  ['irregular switches under minimal routing', networkMachine('switches', { count: 6, cables, hosts: 2 })],
  ['a torus without three cables', withoutCables([5, 4])],
  ...machinesWithoutCoordinates(),
];

/** Routed by the shortest ways that are left, as coordinates do not tell how far apart routers are. */
function withoutCables(shape: Shape): Machine {
  const cables = [
    { from: 0, to: 1 },
    { from: 0, to: 5 },
    { from: 7, to: 8 },
  ];
  const minimal = { name: 'minimal', options: {} };
  const faults = { cables, routers: [], nodes: [] };
  const built = buildMachine({ ...gridDescription('torus', shape), routing: minimal, faults });
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

/** Three shortest ways from 0 to 5 that share no cable, and two parallel cables. */
const cables = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 4],
  [2, 4],
  [3, 5],
  [4, 5],
  [4, 5],
  [1, 5],
  [2, 5],
].map(([from, to]) => ({ from: from!, to: to! }));
