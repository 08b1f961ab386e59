import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { MachineDescription } from '../network/contract.ts';
import { gridDescription } from '../network/testing/machines.ts';
import { autonetCables } from '../network/testing/exampleNetworks.ts';
import { cableLossesOf } from './cableLosses.ts';
import { choiceOf, gridJob, jobOf, placementOf, programOf, run } from './testing/programs.ts';

const network = (name: string, more: Partial<MachineDescription>): MachineDescription => ({
  name: 'machine',
  topology: { name, options: {} },
  cables: [],
  socketsPerNode: 1,
  coresPerSocket: 1,
  figures: { bandwidth: 1e9 },
  ...more,
});
const numbers = (...values: number[]) => ({ kind: 'numbers', numbers: values }) as const;
const grid = (kind: string, sides: number[]) =>
  gridDescription(kind, sides, { name: 'machine', figures: { bandwidth: 1e9 } });
const upDown = { name: 'up-down', options: {} };

const machines: readonly (readonly [string, MachineDescription])[] = [
  ['a torus under dimension order', grid('torus', [4, 4])],
  ['a torus under shortest routes', { ...grid('torus', [4, 3]), routing: { name: 'minimal', options: {} } }],
  ['a line', grid('mesh', [5])],
  [
    'a torus with axes of their own speeds',
    {
      ...grid('torus', [4, 4]),
      figures: {
        groups: [
          { group: { kind: 'axis', axis: 0 }, bandwidth: 1e9 },
          { group: { kind: 'axis', axis: 1 }, bandwidth: 3e9 },
        ],
      },
    },
  ],
  [
    'Autonet under up/down',
    network('switches', {
      topology: { name: 'switches', argument: numbers(10), options: {} },
      cables: autonetCables,
      hosts: 1,
      routing: upDown,
    }),
  ],
  [
    'a triangle with a tail, whose cables are bridges',
    network('switches', {
      topology: { name: 'switches', argument: numbers(5), options: {} },
      cables: [
        [0, 1],
        [1, 2],
        [0, 2],
        [2, 3],
        [3, 4],
      ].map(([from, to]) => ({ from: from!, to: to! })),
      hosts: 1,
      routing: upDown,
    }),
  ],
  ['a dragonfly', network('dragonfly', { topology: { name: 'dragonfly', options: { p: 1, a: 4, h: 1 } } })],
  ['a fat tree', network('fat-tree', { topology: { name: 'fat-tree', options: { k: 4, n: 2 } } })],
  [
    'parallel cables',
    network('switches', {
      topology: { name: 'switches', argument: numbers(3), options: {} },
      cables: [
        [0, 1],
        [0, 1],
        [1, 2],
        [0, 2],
      ].map(([from, to]) => ({ from: from!, to: to! })),
      hosts: 2,
      routing: upDown,
    }),
  ],
];

const job = gridJob('job', [2, 2], 'nine-point');
const everyone = (tasks: number) => jobOf({ name: 'everyone', taskCount: tasks });
const placed = (machine: MachineDescription, jobs = [job, everyone(1)]) =>
  run(
    programOf([machine], jobs, [
      placementOf({
        name: 'p',
        machine: 'machine',
        jobs: jobs.map(({ name }) => name),
        map: choiceOf('random'),
        seed: 3,
      }),
    ]),
  ).placements[0]!;

/** Machines of which cables are bridges that something crosses. */
const bridged = ['a line', 'a triangle with a tail, whose cables are bridges'];

describe.each(machines)('the loss of each cable of %s', (what, machine) => {
  const report = placed(machine);
  const found = cableLossesOf(report, machine, neverCancelled);
  if (!found.ok) throw new Error(found.failure.message);

  it('costs what the same placement costs on a machine without it', () => {
    expect(found.value.losses.length).toBeGreaterThan(0);
    const [{ mapping, allocation }] = [report.jobs[0]!];
    for (const { from, to, cable, isBridge, congestionTime, addedHopBytes } of found.value.losses) {
      const broken = {
        ...machine,
        ...(report.machine.routing.kind === 'dimension-order' ? { routing: { name: 'minimal', options: {} } } : {}),
        faults: { cables: [{ from, to, ...(cable !== undefined && { cable }) }], routers: [], nodes: [] },
      };
      const study = run(
        programOf(
          [broken],
          [job],
          [
            placementOf({
              name: 'p',
              machine: 'machine',
              jobs: ['job'],
              allocate: choiceOf('nodes', {}, numbers(...allocation)),
              map: choiceOf('given', {}, numbers(...mapping)),
            }),
          ],
        ),
      );
      const [again] = study.placements;
      expect(isBridge).toBe(again === undefined);
      if (again === undefined) continue;
      expect(congestionTime).toBeCloseTo(again.metrics.congestionTime!, 12);
      const before =
        report.machine.routing.kind === 'dimension-order'
          ? again.metrics.hopBytes - addedHopBytes
          : report.metrics.hopBytes;
      expect(again.metrics.hopBytes - before).toBeCloseTo(addedHopBytes, 6);
    }
  });

  it('is told with the worst first, and each cable that carries something once', () => {
    const { losses, asPlaced } = found.value;
    const { maximumLinkLoad, congestionTime } = report.metrics;
    if (congestionTime === undefined) expect(asPlaced.maximumLoad).toBe(maximumLinkLoad);
    else expect(asPlaced.congestionTime).toBeCloseTo(congestionTime, 12);
    expect(asPlaced.routing).toBe(report.machine.routing.kind);
    expect(losses.some(({ isBridge }) => isBridge)).toBe(bridged.includes(what));
    const costs = losses.map(({ isBridge, maximumLoad }) => (isBridge ? Infinity : maximumLoad));
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    for (const { increase, maximumLoad, isBridge } of losses) {
      if (!isBridge) expect(increase).toBeCloseTo(maximumLoad / asPlaced.maximumLoad - 1, 12);
    }
  });
});

it('is of each cable that carries something, one way alone as well', () => {
  const machine = { ...grid('torus', [6]), routing: { name: 'minimal', options: {} } };
  const ring = jobOf({
    name: 'ring',
    taskCount: 6,
    source: { kind: 'pattern', choice: { name: 'ring', options: {} } },
  });
  const report = run(
    programOf(
      [machine],
      [ring],
      [placementOf({ name: 'p', machine: 'machine', jobs: ['ring'], map: choiceOf('row-major') })],
    ),
  ).placements[0]!;
  const found = cableLossesOf(report, machine, neverCancelled);
  expect(found.ok && [found.value.losses.length, found.value.idle]).toEqual([6, 0]);
});

it('is cancelled within the work', () => {
  const machine = grid('torus', [4, 4]);
  const result = cableLossesOf(placed(machine), machine, { isCancelled: () => true });
  expect(result).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
});
