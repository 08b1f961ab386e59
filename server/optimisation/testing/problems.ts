import type { Machine } from '../../model/machine.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { type Shape, volumeOf } from '../../model/shape.ts';
import type { Traffic } from '../../model/traffic.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { machinesWithoutCoordinates, networkMachine } from '../../network/testing/networkMachines.ts';
import { stencilTraffic, tableTraffic } from '../../traffic/build.ts';
import type { MappingProblem } from '../problem/searchProblem.ts';

export const noTraffic = (taskCount: number): Traffic => ({
  taskCount,
  rowStart: new Int32Array(taskCount + 1),
  partner: new Int32Array(0),
  bytes: new Float64Array(0),
});

/** Every task sends one byte to its neighbours on the grid, which does not wrap. */
export function neighbourTraffic(grid: Shape): Traffic {
  const offsets = grid.flatMap((_, axis) =>
    [1, -1].map((step) => ({ offset: grid.map((__, other) => (other === axis ? step : 0)), weight: 1 })),
  );
  const traffic = stencilTraffic({ name: 'neighbours', dimensions: grid.length, offsets }, grid, false, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return traffic.value;
}

export interface ProblemOptions {
  readonly grid?: Shape;
  readonly taskCount?: number;
  readonly nodes?: ArrayLike<number>;
  /** Cores that an earlier job holds on each node, from core 0. */
  readonly takenCores?: number;
  readonly traffic?: Traffic;
}

/** A problem on all nodes of `machine`, or on `nodes` in that order; its job is a grid or a line. */
export function problemOn(machine: Machine, options: ProblemOptions = {}): MappingProblem {
  const allocation = Int32Array.from(options.nodes ?? Array.from({ length: machine.nodeCount }, (_, node) => node));
  const slots: number[] = [];
  for (const node of allocation) {
    for (let core = options.takenCores ?? 0; core < machine.coresPerNode; core++) {
      slots.push(node * machine.coresPerNode + core);
    }
  }
  const grid = options.grid ?? [options.taskCount ?? slots.length];
  const taskCount = volumeOf(grid);
  const job = {
    name: 'job',
    taskCount,
    ...(options.grid === undefined ? {} : { grid: options.grid }),
    periodic: false,
    traffic: options.traffic ?? neighbourTraffic(grid),
  };
  return { machine, job, allocation, slots: Int32Array.from(slots) };
}

export const shuffled = (count: number, seed: number): Int32Array => {
  const values = Int32Array.from({ length: count }, (_, index) => index);
  shuffle(values, seededRandom(seed));
  return values;
};

/** Entries `from, to, bytes` as the traffic of so many tasks. */
export function trafficOf(taskCount: number, entries: readonly (readonly [number, number, number])[]): Traffic {
  const table = {
    size: taskCount,
    from: Int32Array.from(entries, ([from]) => from),
    to: Int32Array.from(entries, ([, to]) => to),
    amount: Float64Array.from(entries, ([, , amount]) => amount),
  };
  const traffic = tableTraffic(table, taskCount, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return traffic.value;
}

/** So many entries between random tasks, of `1 … most` times `unit` bytes; one way, so hardly symmetric. */
export function randomTraffic(taskCount: number, entries: number, seed: number, most = 9, unit = 1): Traffic {
  const random = seededRandom(seed);
  return trafficOf(
    taskCount,
    Array.from({ length: entries }, () => {
      const from = random.integer(taskCount);
      const to = (from + 1 + random.integer(Math.max(1, taskCount - 1))) % taskCount;
      return [from, to, unit * (1 + random.integer(most))] as const;
    }),
  );
}

/** Four of a node, two and two linked, a GPU of each pair with one of the other. */
const gpus = {
  count: 4,
  links: [
    { from: 0, to: 1, links: 2 },
    { from: 2, to: 3, links: 2 },
    { from: 1, to: 2, links: 1 },
  ],
};

/** Problems of every kind that a mapper of the catalogue has to live with, by what is special. */
export const contractProblems: readonly (readonly [string, MappingProblem])[] = [
  ['a full torus', problemOn(gridMachine('torus', [4, 4, 4]), { grid: [4, 4, 4] })],
  ['a full ring', problemOn(gridMachine('torus', [13]))],
  ['a mesh of four dimensions', problemOn(gridMachine('mesh', [2, 3, 2, 4]), { grid: [4, 2, 3, 2] })],
  ['a hypercube of 10 dimensions', problemOn(gridMachine('hypercube', [10]), { grid: [32, 32] })],
  ['a job of more dimensions than the machine', problemOn(gridMachine('mesh', [6, 4]), { grid: [2, 3, 2, 2] })],
  [
    'a scattered allocation',
    problemOn(gridMachine('torus', [9, 7]), { grid: [5, 4], nodes: shuffled(63, 5).slice(0, 20) }),
  ],
  ['an allocation against the order', problemOn(gridMachine('mesh', [5, 5]), { grid: [5, 5], nodes: shuffled(25, 2) })],
  ['several cores', problemOn(gridMachine('torus', [4, 2], { sockets: 2, cores: 3 }), { grid: [8, 6] })],
  [
    'several hosts, and cores that another job holds',
    problemOn(gridMachine('mesh', [3, 3], { hosts: 2, cores: 4 }), {
      grid: [6, 4],
      takenCores: 2,
      nodes: shuffled(18, 3),
    }),
  ],
  ['fewer tasks than slots', problemOn(gridMachine('torus', [6, 6], { cores: 2 }), { grid: [3, 5] })],
  ['a job without a grid', problemOn(gridMachine('torus', [5, 5]), { taskCount: 17 })],
  ['one task', problemOn(gridMachine('torus', [4, 4]), { taskCount: 1 })],
  ['a machine of one slot', problemOn(gridMachine('mesh', [1]), { taskCount: 1 })],
  ['no traffic', problemOn(gridMachine('torus', [4, 4]), { taskCount: 12, traffic: noTraffic(12) })],
  [
    'a table of zeros',
    problemOn(gridMachine('mesh', [4, 3]), {
      traffic: trafficOf(12, [
        [0, 1, 0],
        [5, 2, 0],
      ]),
    }),
  ],
  [
    'tasks with no partner',
    problemOn(gridMachine('mesh', [4, 3]), {
      traffic: trafficOf(12, [
        [0, 7, 3],
        [7, 3, 1],
      ]),
    }),
  ],
  [
    'traffic that differs both ways, in quarters of bytes',
    problemOn(gridMachine('torus', [5, 3], { hosts: 2 }), {
      taskCount: 21,
      traffic: randomTraffic(21, 80, 6, 9, 0.25),
    }),
  ],
  [
    'GPUs, of which some are linked',
    problemOn(gridMachine('torus', [4, 3], { sockets: 2, cores: 6, gpus }), { grid: [8, 6] }),
  ],
  [
    'GPUs of some nodes, and some that another job holds',
    problemOn(gridMachine('torus', [4, 3], { cores: 2, gpus }), {
      grid: [3, 4],
      takenCores: 1,
      nodes: [7, 2, 11, 3, 0],
    }),
  ],
  ['4,096 tasks', problemOn(gridMachine('torus', [16, 16, 16]), { grid: [64, 64] })],
];

/**
 * A job on all of a machine without coordinates, and one on a few of its nodes; every mapper answers or says that it
 * needs them.
 */
export const problemsWithoutCoordinates: readonly (readonly [string, MappingProblem])[] = [
  ...machinesWithoutCoordinates(),
  [
    'a fat tree of GPUs beside two adapters',
    networkMachine('fat-tree', {
      options: { levels: [2, 3], parents: [2] },
      sockets: 2,
      cores: 4,
      gpus,
      rails: { count: 2 },
    }),
  ] as const,
].flatMap(([name, machine]) => [
  [`all of ${name}`, problemOn(machine)] as const,
  [
    `some nodes of ${name}, against the order`,
    problemOn(machine, { grid: [2, 2], nodes: shuffled(machine.nodeCount, 4).slice(0, 4) }),
  ] as const,
]);
