import type { Fabric } from '../../model/fabric.ts';
import type { Machine, MachineFigures, Topology } from '../../model/machine.ts';
import { succeed, type Result } from '../../model/result.ts';
import { findEntry, type OptionValues } from '../../model/catalogue.ts';
import { topologies } from '../catalogue.ts';
import type { Cable, MachineDescription, MachineFiles, TopologyRequest } from '../contract.ts';
import { buildMachine, noMachineFiles } from '../machine.ts';
import { autonetCables } from './exampleNetworks.ts';
import { axisBandwidths, gridMachine } from './machines.ts';

/** What a machine declaration may say of a network, in short. */
export interface Network {
  /** The number after the topology: `switches 10`. */
  readonly count?: number;
  /** Those of `torus 4 x 3`. */
  readonly sides?: readonly number[];
  readonly options?: OptionValues;
  readonly cables?: readonly Cable[];
  readonly hosts?: number;
  readonly fabric?: Fabric;
  readonly cores?: number;
  readonly sockets?: number;
  readonly routing?: MachineDescription['routing'];
  readonly figures?: MachineFigures;
  readonly faults?: MachineDescription['faults'];
  readonly gpus?: MachineDescription['gpus'];
  readonly rails?: MachineDescription['rails'];
}

/** What `topology KIND …` gives, or the failure. */
export function buildNetwork(kind: string, network: Network): Result<Topology> {
  const request: TopologyRequest = {
    argument: network.count === undefined ? undefined : { kind: 'numbers', numbers: [network.count] },
    options: network.options ?? {},
    cables: network.cables ?? [],
    hosts: network.hosts,
    fabric: network.fabric,
  };
  return findEntry(topologies, kind)!.build(request);
}

/** What is said of GPUs and rails, where anything is. */
const deviceParts = ({ gpus, rails }: Network): Pick<MachineDescription, 'gpus' | 'rails'> => ({
  ...(gpus && { gpus }),
  ...(rails && { rails }),
});

/**
 * A machine on any network for tests: `networkMachine('fat-tree', { options: { k: 4, n: 2 } })`; throws where it cannot
 * be built.
 */
export function networkMachine(kind: string, network: Network): Machine {
  const { count, sides, fabric, hosts, routing, faults } = network;
  const argument = fabric
    ? ({ kind: 'file', uri: 'test' } as const)
    : ({ kind: 'numbers', numbers: sides ?? (count === undefined ? [] : [count]) } as const);
  const files: MachineFiles = fabric ? { ...noMachineFiles, fabric: () => succeed(fabric) } : noMachineFiles;
  const description: MachineDescription = {
    name: kind,
    topology: { name: kind, argument, options: network.options ?? {} },
    cables: network.cables ?? [],
    ...(routing && { routing }),
    ...(faults && { faults }),
    ...deviceParts(network),
    ...(hosts === undefined ? {} : { hosts }),
    socketsPerNode: network.sockets ?? 1,
    coresPerSocket: network.cores ?? 1,
    figures: network.figures ?? {},
  };
  const built = buildMachine(description, files);
  if (!built.ok) throw new Error(`[${built.failure.code}] ${built.failure.message}`);
  return built.value;
}

/** The network of Orduña et al. 2004, seven hosts on each switch, root 6. */
export const autonet = (hosts = 7): Machine =>
  networkMachine('switches', {
    count: 10,
    cables: autonetCables,
    hosts,
    routing: { name: 'up-down', options: { root: 6 } },
  });

/** A fabric in a line whose switches have 0, 3, 1 and 2 hosts, which the file does not give in order. */
export const unequalFabric: Fabric = {
  format: 'anynet',
  routers: ['spine', 'leaf-a', 'leaf-b', 'leaf-c'],
  nodes: [
    { name: 'c1', router: 3 },
    { name: 'a1', router: 1 },
    { name: 'b1', router: 2 },
    { name: 'a2', router: 1 },
    { name: 'c2', router: 3 },
    { name: 'a3', router: 1 },
  ],
  cables: [
    { from: 1, to: 0 },
    { from: 0, to: 2 },
    { from: 3, to: 2 },
  ],
  warnings: [],
};

/** One machine of each kind that has no coordinates, several cores and unequal hosts among them. */
export const machinesWithoutCoordinates = (): readonly (readonly [string, Machine])[] => [
  ['Autonet', autonet(2)],
  ['a fat tree', networkMachine('fat-tree', { options: { k: 4, n: 2 }, cores: 2 })],
  ['a dragonfly', networkMachine('dragonfly', { options: { p: 2, a: 4, h: 2, g: 5 } })],
  ['a cluster of many cores', networkMachine('cluster', { count: 5, sockets: 2, cores: 4 })],
  ['a fabric with unequal hosts', networkMachine('from', { fabric: unequalFabric, cores: 3 })],
];

/** Machines whose packets go by way of others: through switches and through groups, two hosts on a router. */
export const detouredMachines = (): readonly (readonly [string, Machine])[] => {
  const routing = { name: 'valiant', options: {} };
  return [
    ['a torus under Valiant', networkMachine('torus', { sides: [4, 3], hosts: 2, routing })],
    ['Autonet under Valiant', networkMachine('switches', { count: 10, cables: autonetCables, hosts: 2, routing })],
    ['a dragonfly under Valiant', networkMachine('dragonfly', { options: { p: 2, a: 2, h: 2, g: 5 }, routing })],
  ];
};

/** Machines whose links are not all as fast: by axis with ports, by group, by tier, and by what single cables say. */
export const unequalMachines = (): readonly (readonly [string, Machine])[] => [
  [
    'a torus with slow y and ports',
    gridMachine('torus', [4, 3], { cores: 2, figures: { ...axisBandwidths(8e9, 2e9), interface: 4e9 } }),
  ],
  ['a mesh of other fractions', gridMachine('mesh', [3, 3, 2], { figures: axisBandwidths(5.7e9, 2.85e9, 3.1e9) })],
  [
    'a dragonfly with slow cables between groups',
    networkMachine('dragonfly', {
      options: { p: 2, a: 4, h: 2, g: 5 },
      figures: {
        groups: [
          { group: { kind: 'hosts' }, bandwidth: 16e9 },
          { group: { kind: 'local' }, bandwidth: 5.25e9 },
          { group: { kind: 'global' }, bandwidth: 4.7e9 },
        ],
      },
    }),
  ],
  [
    'a fat tree with fast trunks',
    networkMachine('fat-tree', {
      options: { k: 2, n: 3 },
      cores: 2,
      figures: { bandwidth: 12.5e9, groups: [{ group: { kind: 'tier', tier: 1 }, bandwidth: 25e9 }] },
    }),
  ],
  [
    'a fabric of two rates',
    networkMachine('from', {
      cores: 2,
      figures: { bandwidth: 5e9 },
      fabric: {
        ...unequalFabric,
        nodes: unequalFabric.nodes.map((node, index) => (index % 2 === 0 ? { ...node, bandwidth: 3e9 } : node)),
        cables: [
          ...unequalFabric.cables.map((cable, index) => (index === 1 ? { ...cable, bandwidth: 20e9 } : cable)),
          { from: 1, to: 3, bandwidth: 7e9 },
        ],
      },
    }),
  ],
];
