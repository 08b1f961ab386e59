import { describe, expect, it } from 'vitest';
import { type JobLog, type SwfField, swfFields } from '../model/jobLog.ts';
import type { LoggedJobs } from '../model/stream.ts';
import { streamJobs } from './jobs.ts';
import { loggedStream } from './testing/streams.ts';

type Line = Partial<Record<SwfField, number>>;

/** A log with these lines, numbered from 1; fields that are left out are unknown. */
const logOf = (lines: readonly Line[]): JobLog => ({
  fileName: 'jobs.swf',
  headers: [],
  jobCount: lines.length,
  lines: Int32Array.from(lines, (_, line) => line + 1),
  columns: swfFields.map((field) => Float64Array.from(lines, (line) => line[field] ?? -1)),
  refused: [{ reason: 'it has 17 fields instead of 18', count: 2, lines: [8, 9] }],
});

const log = logOf([
  {
    submit: 40,
    run: 6,
    'allocated-processors': 12,
    'requested-processors': 16,
    'requested-time': 9,
    status: 1,
    user: 3,
  },
  { submit: 10, run: 5, 'requested-processors': 7, 'requested-time': 2, status: 0, user: 3 },
  { submit: 20, run: 0, 'allocated-processors': 1, status: 5, user: 4 },
  {
    submit: 20,
    run: 8,
    'allocated-processors': 36,
    'requested-processors': 30,
    'requested-time': 8,
    status: 1,
    user: 4,
  },
  { submit: 50, run: 3, status: 1, user: 3 },
  { run: 3, 'allocated-processors': 2, status: 1, user: 3 },
  { submit: 60, 'allocated-processors': 2, status: 1, user: 3 },
]);

function sourceOf(jobs: Partial<LoggedJobs>) {
  const made = streamJobs(loggedStream(jobs), 1, log);
  if (!made.ok) throw new Error(made.failure.message);
  while (made.value.next());
  return made.value;
}

type Column = 'line' | 'submit' | 'run' | 'estimate' | 'processors' | 'width' | 'height' | 'measured';

const read = (jobs: Partial<LoggedJobs>, column: Column): number[] => {
  const { table } = sourceOf(jobs);
  return [...table[column].subarray(0, table.count)];
};

describe('jobs of a log', () => {
  it('are the lines with processors, submit and run times, in order of submission, then of lines', () => {
    expect(read({}, 'line')).toEqual([2, 3, 4, 1]);
    const { refused, disordered, total } = sourceOf({});
    expect(refused).toEqual([
      { reason: 'it has 17 fields instead of 18', count: 2, lines: [8, 9] },
      { reason: 'its processors are unknown (fields 5 and 8)', count: 1, lines: [5] },
      { reason: 'its submit time is unknown (field 2)', count: 1, lines: [6] },
      { reason: 'its run time is unknown (field 4)', count: 1, lines: [7] },
    ]);
    expect([disordered, total]).toEqual([3, 4]);
  });

  const cases: readonly (readonly [string, Partial<LoggedJobs>, Column, readonly number[]])[] = [
    ['allocated processors, else those requested', {}, 'processors', [7, 1, 36, 12]],
    ['requested processors, else those allocated', { processors: 'requested' }, 'processors', [7, 1, 30, 16]],
    ['the widest divisor up to the root', {}, 'width', [1, 1, 6, 3]],
    ['and what is left of it', {}, 'height', [7, 1, 6, 4]],
    ['one row', { shape: 'row' }, 'width', [7, 1, 36, 12]],
    ['estimates, at least the run time', {}, 'estimate', [5, 0, 8, 9]],
    [
      'the double run time where there is no estimate',
      { estimates: { kind: 'at-least-run', missing: 'double' } },
      'estimate',
      [5, 0, 8, 9],
    ],
    ['run times as estimates', { estimates: { kind: 'run', missing: 'run' } }, 'estimate', [5, 0, 8, 6]],
    [
      'run times longer than they were, estimates too',
      { scale: [{ field: 'run', factor: 3 }] },
      'estimate',
      [15, 0, 24, 18],
    ],
    ['estimates longer than they were', { scale: [{ field: 'estimate', factor: 4 }] }, 'estimate', [8, 0, 32, 36]],
    ['submission in half the time', { scale: [{ field: 'submit', factor: 0.5 }] }, 'submit', [5, 10, 10, 20]],
    [
      'factors of one field are multiplied',
      {
        scale: [
          { field: 'run', factor: 2 },
          { field: 'run', factor: 1.5 },
        ],
      },
      'run',
      [15, 0, 24, 18],
    ],
    ['whole processors, at least one', { scale: [{ field: 'processors', factor: 0.4 }] }, 'processors', [3, 1, 14, 5]],
    ['completed', { status: 'completed' }, 'line', [4, 1]],
    ['failed', { status: 'failed' }, 'line', [2]],
    ['cancelled', { status: 'cancelled' }, 'line', [3]],
    ['the first in order of submission', { first: 2 }, 'line', [2, 3]],
    ['the first of those that are taken', { first: 1, status: 'completed' }, 'line', [4]],
    ['more than there are', { first: 99 }, 'line', [2, 3, 4, 1]],
    [
      'run but not measured',
      { measure: [{ field: 'processors', comparison: '>', value: 1 }] },
      'measured',
      [1, 0, 1, 1],
    ],
    [
      'all conditions hold',
      {
        where: [
          { field: 'user', comparison: '=', value: 4 },
          { field: 'run', comparison: '>', value: 0 },
        ],
      },
      'line',
      [4],
    ],
    [
      'processors as they are scaled',
      { where: [{ field: 'processors', comparison: '<=', value: 5 }], scale: [{ field: 'processors', factor: 0.4 }] },
      'line',
      [2, 3, 1],
    ],
    [
      'fields 5 and 8 as they are written',
      { where: [{ field: 'requested-processors', comparison: '<', value: 0 }] },
      'line',
      [3],
    ],
    ...(
      [
        ['<', 20, [2]],
        ['<=', 20, [2, 3, 4]],
        ['=', 20, [3, 4]],
        ['!=', 20, [2, 1]],
        ['>=', 20, [3, 4, 1]],
        ['>', 20, [1]],
      ] as const
    ).map(
      ([comparison, value, lines]) =>
        [`submit ${comparison} ${value}`, { where: [{ field: 'submit', comparison, value }] }, 'line', lines] as const,
    ),
  ];

  it.each(cases)('%s', (_, jobs, column, expected) => {
    expect(read(jobs, column)).toEqual(expected);
  });

  it('refused by a condition are counted with their lines', () => {
    const { refused } = sourceOf({ where: [{ field: 'user', comparison: '=', value: 4 }] });
    expect(refused).toContainEqual({ reason: 'user = 4 does not hold', count: 2, lines: [1, 2] });
  });

  it('fail with all reasons where no line is left', () => {
    const made = streamJobs(loggedStream({ where: [{ field: 'queue', comparison: '>', value: 5 }] }), 1, log);
    expect(!made.ok && made.failure.message).toMatch(
      /^jobs\.swf: No usable job in the log \(2 × it has 17 fields.*4 × queue > 5 does not hold; .*\)\.$/,
    );
  });
});
