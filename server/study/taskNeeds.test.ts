/** Placements whose tasks need several cores, or of which a node may have only so many, and nodes that take none. */
import { describe, expect, it } from 'vitest';
import { mappers } from '../mapping/catalogue.ts';
import type { TaskNeeds } from '../model/placement.ts';
import type { GivenFile } from '../model/given.ts';
import type { PlacementReport } from '../model/report.ts';
import { socketOfSlot } from '../model/slots.ts';
import { gridDescription } from '../network/testing/machines.ts';
import { withoutOwnMappers, type PlacementDescription } from './program.ts';
import { choiceOf, filesOf, jobOf, placementOf, programOf, run } from './testing/programs.ts';

/** Nine nodes with two sockets of four cores. */
const machine = { ...gridDescription('torus', [3, 3]), name: 'm', socketsPerNode: 2, coresPerSocket: 4 };
const heat = (taskCount: number) => jobOf({ name: 'heat', taskCount });
const other = jobOf({ name: 'other', taskCount: 5 });

const placed = (tasks: number, more: Partial<PlacementDescription>) => {
  const placement = placementOf({ name: 'p', machine: 'm', jobs: ['heat'], map: choiceOf('baseline'), ...more });
  return run(programOf([machine], [heat(tasks), other], [placement]));
};

/** Every core that tasks take, with what no placement may do: two tasks on one core, one task on two sockets, too many on a node. */
function expectLegal(
  { machine: on, jobs }: Pick<PlacementReport, 'machine' | 'jobs'>,
  mappings = jobs.map(({ mapping }) => mapping),
): void {
  const cores: number[] = [];
  for (const [job, { needs = {} }] of jobs.entries()) {
    const { coresPerTask = 1, tasksPerNode = Infinity, tasksPerSocket = Infinity } = needs;
    const [onNodes, onSockets] = [new Map<number, number>(), new Map<number, number>()];
    for (const slot of mappings[job] ?? []) {
      for (let core = slot; core < slot + coresPerTask; core++) {
        cores.push(core);
        expect(socketOfSlot(on, core)).toBe(socketOfSlot(on, slot));
      }
      const node = Math.floor(slot / on.coresPerNode);
      onNodes.set(node, 1 + (onNodes.get(node) ?? 0));
      onSockets.set(socketOfSlot(on, slot), 1 + (onSockets.get(socketOfSlot(on, slot)) ?? 0));
    }
    if (typeof tasksPerNode === 'number') expect(Math.max(...onNodes.values())).toBeLessThanOrEqual(tasksPerNode);
    expect(Math.max(...onSockets.values())).toBeLessThanOrEqual(tasksPerSocket);
  }
  expect(new Set(cores).size).toBe(cores.length);
}

const kinds: readonly TaskNeeds[] = [
  { coresPerTask: 2 },
  { coresPerTask: 3, tasksPerNode: 2 },
  { tasksPerNode: 1 },
  { tasksPerSocket: 1 },
  { coresPerTask: 2, tasksPerNode: 'even' },
];

describe.each(mappers.filter(({ argument }) => argument?.required !== true))('$name', ({ name }) => {
  it('gives tasks all the cores that they need, and nodes no more tasks than they may have', () => {
    for (const needs of kinds) {
      const { placements, problems } = placed(9, { needs, map: choiceOf(name), exclude: [] });
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      expectLegal(placements[0]!);
    }
  });

  it('places jobs of different needs beside each other, on no excluded node', () => {
    const own = [{}, { needs: { coresPerTask: 3 } }];
    const { placements, problems } = placed(9, {
      ...{
        jobs: ['heat', 'other'],
        needs: { coresPerTask: 2 },
        own,
        exclude: [4, { first: 0, last: 1 }],
        map: choiceOf(name),
      },
    });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const [report] = placements;
    expectLegal(report!);
    const nodes = report!.jobs.flatMap(({ mapping }) => Array.from(mapping, (slot) => Math.floor(slot / 8)));
    expect(nodes.filter((node) => [0, 1, 4].includes(node))).toEqual([]);
  });
});

it('`even` gives nodes as many tasks as each other, the first ones one more', () => {
  const needs = { tasksPerNode: 'even' } as const;
  const [report] = placed(20, { needs }).placements;
  const counts = new Map<number, number>();
  for (const slot of report!.jobs[0]!.mapping)
    counts.set(Math.floor(slot / 8), 1 + (counts.get(Math.floor(slot / 8)) ?? 0));
  expect([...counts.values()]).toEqual([3, 3, 2, 2, 2, 2, 2, 2, 2]);
});

it('`even` counts only nodes that take tasks', () => {
  const allocate = choiceOf('nodes', {}, { kind: 'numbers', numbers: [0, 1, 2, 3] });
  const [report] = placed(6, { needs: { tasksPerNode: 'even' }, allocate, exclude: [1] }).placements;
  expect([...report!.jobs[0]!.mapping].map((slot) => Math.floor(slot / 8))).toEqual([0, 0, 2, 2, 3, 3]);
});

it('a placement without its own mappers keeps what else its jobs have for themselves', () => {
  const map = choiceOf('random');
  const own = [
    { map, needs: { coresPerTask: 3 } },
    { allocate: choiceOf('all'), map },
  ];
  const placement = placementOf({ name: 'p', machine: 'm', jobs: ['heat', 'other'], own });
  expect(withoutOwnMappers(placement).own).toEqual([{ needs: { coresPerTask: 3 } }, { allocate: choiceOf('all') }]);
});

it('allocators of whole nodes count with what a node can hold', () => {
  for (const [needs, nodes] of [
    [{ coresPerTask: 4 }, 4],
    [{ coresPerTask: 3 }, 4],
    [{ tasksPerNode: 3 }, 3],
  ] as const) {
    const [report] = placed(8, { needs, allocate: choiceOf('first-fit') }).placements;
    expect(report!.jobs[0]!.allocation).toHaveLength(nodes);
    expectLegal(report!);
  }
});

it('improvements that are suggested can be made', () => {
  let made = 0;
  for (const needs of kinds) {
    const [report] = placed(9, {
      needs,
      map: choiceOf('random'),
      hotLinks: 1,
    } as Partial<PlacementDescription>).placements;
    for (const { improvements } of report!.hotLinks) {
      for (const { task, slot, with: displaced } of improvements) {
        const mapping = report!.jobs[0]!.mapping.slice();
        if (displaced !== undefined) mapping[displaced.task] = mapping[task]!;
        mapping[task] = slot;
        expectLegal(report!, [mapping]);
        made++;
      }
    }
  }
  expect(made).toBeGreaterThan(5);
});

describe('a given mapping', () => {
  const needs = { coresPerTask: 2 };
  it.each<[what: string, slots: readonly number[], needs: TaskNeeds, message: string | undefined]>([
    ['that has the cores', [0, 2, 4, 9], needs, undefined],
    ['two of whose tasks need one core', [0, 1, 4, 9], needs, 'Tasks 0 and 1 both need slot 1. Each takes 2 cores.'],
    ['with a task on two sockets', [0, 3, 4, 9], needs, 'Task 1 has fewer than 2 cores from slot 3 on.'],
    ['at the end of the machine', [0, 71, 4, 9], needs, 'Task 1 has fewer than 2 cores from slot 71 on.'],
    [
      'with too many tasks on a node',
      [0, 2, 4, 9],
      { tasksPerNode: 2 },
      'Task 2 is one too many on node 0: it may have tasks, at most 2 on a node.',
    ],
  ])('%s', (_, numbers, taskNeeds, message) => {
    const map = choiceOf('given', {}, { kind: 'numbers', numbers });
    const { placements, problems } = placed(4, { map, needs: taskNeeds });
    expect(problems.filter(({ severity }) => severity === 'error').map((problem) => problem.message)).toEqual(
      message === undefined ? [] : [message],
    );
    if (message === undefined) expect([...placements[0]!.jobs[0]!.mapping]).toEqual(numbers);
  });
});

it('a file of hosts alone gives ranks the cores of their nodes in a row', () => {
  const hostOfRank = Int32Array.of(1, 1, 0, 1, 0);
  const open = new Int32Array(5).fill(-1);
  const file: GivenFile = {
    ...{ kind: 'hosts', hosts: ['node0000', 'node0001'], hostOfRank, isRoom: false, lineOfRank: hostOfRank },
    ...{ socketOfRank: open, coreOfRank: open, firstCoreOfRank: open, lastCoreOfRank: open },
  };
  const map = choiceOf('given', {}, { kind: 'file', uri: 'hosts' });
  const placement = placementOf({ name: 'p', machine: 'm', jobs: ['heat'], map, needs: { coresPerTask: 2 } });
  const { placements, problems } = run(programOf([machine], [heat(5)], [placement]), {
    files: filesOf({}, { hosts: file }),
  });
  expect(problems).toEqual([]);
  expect([...placements[0]!.jobs[0]!.mapping]).toEqual([8, 10, 0, 12, 2]);
});

describe('what cannot be', () => {
  it.each<[what: string, tasks: number, more: Partial<PlacementDescription>, code: string, message: string]>([
    [
      'more tasks than sockets hold',
      30,
      { needs: { coresPerTask: 3 } },
      'does-not-fit',
      'The machine can hold 18 tasks of 3 cores, and the job has 30: lower `cores-per-task`, or give the job fewer tasks.',
    ],
    [
      'a task wider than a node',
      2,
      { needs: { coresPerTask: 9 } },
      'does-not-fit',
      'The machine can hold 0 tasks of 9 cores, and the job has 2: lower `cores-per-task`, or give the job fewer tasks.',
    ],
    [
      'tasks left over',
      10,
      { needs: { tasksPerNode: 1 } },
      'does-not-fit',
      'The machine can hold 9 tasks, at most 1 on a node, and the job has 10: raise `tasks-per-node`, or give the job fewer tasks.',
    ],
    [
      'all nodes excluded',
      2,
      { exclude: [{ first: 0, last: 8 }] },
      'does-not-fit',
      'The machine has 0 free cores on 0 nodes, and the job needs 2: take a larger machine or give the job fewer tasks.',
    ],
    ['an excluded node that is none', 2, { exclude: [9] }, 'out-of-range', 'Unknown node 9; there are 0 to 8.'],
  ])('%s', (_, tasks, more, code, message) => {
    const { placements, problems } = placed(tasks, more);
    expect(placements).toEqual([]);
    expect(problems.map((problem) => [problem.code, problem.message])).toEqual([[code, message]]);
  });

  it('tasks wider than a socket lie on several, with a warning', () => {
    const { placements, problems } = placed(3, { needs: { coresPerTask: 6 } });
    expect([...placements[0]!.jobs[0]!.mapping]).toEqual([0, 8, 16]);
    expect(problems).toMatchObject([
      {
        ...{ code: 'spans-sockets', severity: 'warning', subject: { property: 'cores-per-task' } },
        message:
          'Tasks of job `heat` need 6 cores and lie on several sockets: 2 sockets of 4 cores. Lower `cores-per-task`.',
      },
    ]);
  });
});
