/** Machines that benches name: nodes of many cores on networks of every kind, and the machines of the shared folder. */
import type { Machine } from '../../server/model/machine.ts';
import type { MachineDescription } from '../../server/network/contract.ts';
import type { OptionValues } from '../../server/model/catalogue.ts';
import type { RandomSource } from '../../server/model/random.ts';
import { seededRandom, shuffle } from '../../server/model/random.ts';
import { buildMachine } from '../../server/network/machine.ts';
import { gridMachine } from '../../server/network/testing/machines.ts';

interface Network {
  readonly count?: number;
  readonly options?: OptionValues;
  readonly cables?: readonly { readonly from: number; readonly to: number }[];
  readonly hosts?: number;
  readonly cores: number;
}

export function networkOf(kind: string, { count, options = {}, cables = [], hosts, cores }: Network): Machine {
  const description: MachineDescription = {
    name: kind,
    topology: { name: kind, argument: { kind: 'numbers', numbers: count === undefined ? [] : [count] }, options },
    ...(kind === 'switches' ? { routing: { name: 'minimal', options: {} } } : {}),
    cables,
    ...(hosts === undefined ? {} : { hosts }),
    socketsPerNode: 1,
    coresPerSocket: cores,
    figures: {},
  };
  const built = buildMachine(description);
  if (!built.ok) throw new Error(built.failure.message);
  return built.value;
}

/** So many switches of `degree` cables, drawn at random: a ring, so that all are joined, and random matchings. */
export function randomSwitches(switches: number, degree: number, hosts: number, seed: number): Machine {
  const random = seededRandom(seed);
  const cables: { from: number; to: number }[] = [];
  const joined = new Set<number>();
  const join = (from: number, to: number): void => {
    const key = Math.min(from, to) * switches + Math.max(from, to);
    if (from === to || joined.has(key)) return;
    joined.add(key);
    cables.push({ from, to });
  };
  const ring = permutation(switches, random);
  ring.forEach((from, index) => {
    join(from, ring[(index + 1) % switches]!);
  });
  for (let round = 0; round < degree - 2; round++) {
    const order = permutation(switches, random);
    for (let pair = 0; pair + 1 < switches; pair += 2) join(order[pair]!, order[pair + 1]!);
  }
  return networkOf('switches', { count: switches, cables, hosts, cores: 1 });
}

function permutation(size: number, random: RandomSource): Int32Array {
  const values = Int32Array.from({ length: size }, (_, index) => index);
  shuffle(values, random);
  return values;
}

interface ManyCores {
  readonly machine: () => Machine;
  /** As Scotch calls it; left out where it has no name for it. */
  readonly architecture?: string;
}

const fatTree32 = (): Machine => networkOf('fat-tree', { options: { k: 2, n: 5 }, cores: 16 });
const fatTree128 = (): Machine => networkOf('fat-tree', { options: { levels: [8, 4, 4] }, cores: 32 });

/** 32 nodes of 16 cores for 512 tasks, 128 nodes of 32 cores for 4,096. */
export const manyCoreTargets: Readonly<Record<string, ManyCores>> = {
  'fat tree 32 x 16': { machine: fatTree32, architecture: 'tleaf 5 2 2 2 2 2 2 2 2 2 2' },
  'dragonfly 32 x 16': { machine: () => networkOf('dragonfly', { options: { p: 2, a: 4, h: 3, g: 4 }, cores: 16 }) },
  'torus 32 x 16': { machine: () => gridMachine('torus', [4, 4, 2], { cores: 16 }), architecture: 'torus3D 4 4 2' },
  'cluster 32 x 16': { machine: () => networkOf('cluster', { count: 32, cores: 16 }), architecture: 'cmplt 32' },
  'fat tree 128 x 32': { machine: fatTree128, architecture: 'tleaf 3 4 2 4 2 8 2' },
  'dragonfly 128 x 32': { machine: () => networkOf('dragonfly', { options: { p: 4, a: 8, h: 3, g: 4 }, cores: 32 }) },
  'torus 128 x 32': { machine: () => gridMachine('torus', [8, 4, 4], { cores: 32 }), architecture: 'torus3D 8 4 4' },
  'cluster 128 x 32': { machine: () => networkOf('cluster', { count: 128, cores: 32 }), architecture: 'cmplt 128' },
};
