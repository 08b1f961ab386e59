import { describe, expect, it } from 'vitest';
import { gridDescription } from '../network/testing/machines.ts';
import {
  choiceOf,
  filesOf,
  gridJob,
  jobOf,
  placementOf,
  programOf,
  run,
  sameAs,
  tableJob,
  tableOf,
} from './testing/programs.ts';

const machine = gridDescription('torus', [4, 4], { name: 'small' });
const job = gridJob('job', [4, 4], 'five-point');
const at = { name: 'p', machine: 'small' };

describe('a placement whose trace cannot be read', () => {
  it('is told at the job, once', () => {
    const traced = jobOf({
      name: 'traced',
      taskCount: 4,
      source: { kind: 'trace', uri: 'file:///trace', options: {} },
    });
    const placements = [
      placementOf({ ...at, jobs: ['traced'] }),
      placementOf({ ...at, name: 'q', jobs: ['job', 'traced'] }),
    ];
    const { placements: reports, problems } = run(programOf([machine], [job, traced], placements));
    expect(reports).toEqual([]);
    expect(problems).toMatchObject([
      { code: 'file-not-found', severity: 'error', subject: { kind: 'job', name: 'traced', property: 'trace' } },
    ]);
  });
});

describe('a placement whose packets may come to a deadlock', () => {
  it('is told at its network, where it names one that may', () => {
    const placements = ['p', 'q', 'r'].map((name) => placementOf({ ...at, name }));
    const networks = new Map([
      ['p', { switching: 'cut-through' }],
      ['q', { switching: 'cut-through', channels: 2 }],
    ] as const);
    const { problems } = run({ ...programOf([machine], [job], placements), networks });
    expect(problems).toMatchObject([
      {
        code: 'possible-deadlock',
        severity: 'warning',
        subject: { kind: 'placement', name: 'p', property: 'simulate' },
      },
    ]);
    expect(problems[0]?.message).toMatch(
      /routers 0, 1, 2, 3 form .* write `channels 2`, or `bubble 2`, in the network/,
    );
  });
});

describe('nodes that are taken over', () => {
  it('leaves the nodes to those that take them over', () => {
    const placements = [
      placementOf({ ...at, name: 'tuned', allocate: sameAs('by-hand') }),
      placementOf({
        ...at,
        name: 'by-hand',
        allocate: choiceOf('random', { count: 16 }),
        map: { name: 'given', argument: { kind: 'numbers', numbers: [0] }, options: {} },
        seed: 4,
      }),
    ];
    const report = run(programOf([gridDescription('torus', [8, 8], { name: 'small' })], [job], placements));
    expect(report.placements.map(({ name }) => name)).toEqual(['tuned']);
    expect(report.problems.map(({ placement }) => placement)).toEqual(['by-hand']);
  });
});

describe('what is wrong is said where it stands', () => {
  it('a machine beyond the limits, once for all that use it', () => {
    const huge = gridDescription('torus', [1000, 1000, 1000], { name: 'small' });
    const { problems, machines } = run(programOf([huge], [job], [placementOf(at), placementOf({ ...at, name: 'q' })]));
    expect(machines).toEqual([]);
    expect(problems).toMatchObject([
      {
        code: 'machine-too-large',
        severity: 'error',
        subject: { kind: 'machine', name: 'small', property: 'topology' },
      },
    ]);
  });

  it('a pattern with too many pairs', () => {
    const dense = jobOf({ name: 'dense', taskCount: 100_000 });
    expect(run(programOf([], [dense], [])).problems).toMatchObject([
      { code: 'too-many-pairs', subject: { kind: 'job', name: 'dense', property: 'pattern' } },
    ]);
  });

  const fromFile = (name: string, taskCount: number) =>
    jobOf({ name, taskCount, source: { kind: 'table-file', name: 'cg', unit: 'bytes', uri: 'cg.mtx' } });

  it('a file that is missing, once per table', () => {
    const { problems } = run(
      programOf([machine], [fromFile('a', 4), fromFile('b', 4)], [placementOf({ ...at, jobs: ['a'] })]),
    );
    expect(problems).toMatchObject([
      { code: 'file-not-found', severity: 'error', subject: { kind: 'table', name: 'cg' } },
    ]);
    expect(problems).toHaveLength(1);
  });

  it('a table that names a task which the job does not have', () => {
    const files = filesOf({
      'cg.mtx': tableOf([
        [0, 1, 5],
        [2, 7, 5],
        [9, 0, 1],
      ]),
    });
    const { problems, jobs } = run(programOf([machine], [fromFile('a', 4), fromFile('b', 10)], []), { files });
    expect(problems).toMatchObject([
      { code: 'table-exceeds-tasks', subject: { kind: 'job', name: 'a', property: 'table' } },
    ]);
    expect(problems[0]!.message).toContain('task 7');
    expect(jobs.map(({ name }) => name)).toEqual(['b']);
  });

  it('a table that has fewer tasks than the job', () => {
    const files = filesOf({ 'cg.mtx': tableOf([[0, 1, 5]]) });
    const { problems, jobs } = run(programOf([machine], [fromFile('a', 4)], []), { files });
    expect(problems).toMatchObject([
      { code: 'table-smaller', severity: 'warning', subject: { kind: 'job', name: 'a', property: 'table' } },
    ]);
    expect(problems[0]!.message).toContain('has 2 tasks, but the job has 4: the last 2 neither send nor receive');
    expect(jobs.map(({ name }) => name)).toEqual(['a']);
  });

  it('a job that does not fit its machine', () => {
    const { problems } = run(programOf([machine], [jobOf({ name: 'job', taskCount: 17 })], [placementOf(at)]));
    expect(problems).toMatchObject([
      {
        code: 'does-not-fit',
        severity: 'error',
        placement: 'p',
        subject: { kind: 'placement', name: 'p', property: 'allocate' },
      },
    ]);
  });

  it('nodes taken over from another machine, from a failure, or in a circle', () => {
    const placements = [
      placementOf({ ...at, name: 'elsewhere', machine: 'other' }),
      placementOf({ ...at, name: 'mistaken', allocate: sameAs('elsewhere') }),
      placementOf({ ...at, name: 'crowded', jobs: ['crowd'] }),
      placementOf({ ...at, name: 'follower', allocate: sameAs('crowded') }),
      placementOf({ ...at, name: 'egg', allocate: sameAs('hen') }),
      placementOf({ ...at, name: 'hen', allocate: sameAs('egg') }),
    ];
    const other = { ...machine, name: 'other' };
    const { placements: done, problems } = run(
      programOf([machine, other], [job, jobOf({ name: 'crowd', taskCount: 99 })], placements),
    );
    expect(done.map(({ name }) => name)).toEqual(['elsewhere']);
    const codes = new Map(problems.map(({ placement, code }) => [placement, code]));
    expect(Object.fromEntries(codes)).toEqual({
      mistaken: 'same-as-other-machine',
      crowded: 'does-not-fit',
      follower: 'same-as-failed',
      egg: 'same-as-failed',
      hen: 'same-as-failed',
    });
  });
});

describe('tables', () => {
  it.each([
    ['bytes', undefined, undefined, 10],
    ['bytes', 100, 3, 30],
    ['messages', 100, undefined, 1000],
    ['packets', 100, 3, 3000],
  ] as const)('in %s with bytes %s and messages %s send %s bytes', (unit, bytes, messages, expected) => {
    const source = {
      kind: 'table',
      name: 't',
      unit,
      entries: tableOf([
        [0, 1, 4],
        [1, 1, 9],
        [0, 1, 6],
        [1, 0, 0],
      ]),
    } as const;
    const { jobs } = run(programOf([], [{ ...tableJob('job', 2, []), source, bytes, messages }], []));
    expect(jobs).toMatchObject([{ pairs: 1, bytes: expected }]);
  });
});

describe('amounts too large to be added up exactly', () => {
  it.each([
    [2 ** 52, []],
    [2 ** 53, [{ code: 'inexact-sums', severity: 'warning', subject: { kind: 'job', name: 'heavy' } }]],
  ])('are evaluated with a warning at the job: two entries of %d bytes', (amount, expected) => {
    const heavy = tableJob('heavy', 2, [
      [0, 1, amount],
      [1, 0, amount],
    ]);
    const { placements, problems } = run(programOf([machine], [heavy], [placementOf({ ...at, jobs: ['heavy'] })]));
    expect(placements).toHaveLength(1);
    expect(problems).toMatchObject(expected);
  });
});
