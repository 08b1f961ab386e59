import { describe, expect, it } from 'vitest';
import type { TaskPositions } from '../model/job.ts';
import { gridDescription } from '../network/testing/machines.ts';
import { createStudyCache } from './study.ts';
import { choiceOf, filesOf, jobOf, placementOf, programOf, run } from './testing/programs.ts';

/** What a file `xyz.txt` with a comment on its first line holds. */
const positions = (...rows: readonly (readonly number[])[]): TaskPositions => ({
  fileName: 'xyz.txt',
  dimensions: rows[0]!.length,
  values: Float64Array.from(rows.flat()),
  lines: Int32Array.from(rows.keys(), (row) => row + 2),
});

const machine = gridDescription('torus', [4], { name: 'm' });
const job = jobOf({ name: 'job', taskCount: 3, coordinates: 'file:///xyz.txt' });
const program = programOf([machine], [job], [placementOf({ name: 'p', machine: 'm' })]);
const withFile = (found: TaskPositions) => filesOf({}, {}, { 'file:///xyz.txt': found });

describe('coordinates of a job', () => {
  it('reach the job as the file has them', () => {
    const { placements, problems } = run(program, { files: withFile(positions([0, 1], [2, 3], [4, 5])) });
    expect(problems).toEqual([]);
    expect(placements[0]!.jobs[0]!.job.coordinates).toEqual({
      dimensions: 2,
      values: Float64Array.of(0, 1, 2, 3, 4, 5),
    });
  });

  it.each([
    [
      'fewer lines than tasks',
      positions([0], [1]),
      'missing-coordinates',
      /^xyz\.txt:3: 2 coordinate lines, .* 3 tasks/,
    ],
    [
      'more lines than tasks',
      positions([0], [1], [2], [3]),
      'coordinates-exceed-tasks',
      /^xyz\.txt:5: Coordinate line 4 .* tasks 0 to 2/,
    ],
  ])('are an error where there are %s, once and at the property', (_, found, code, message) => {
    const twice = { ...program, placements: [...program.placements, placementOf({ name: 'q', machine: 'm' })] };
    const { placements, problems } = run(twice, { files: withFile(found) });
    expect(placements).toEqual([]);
    expect(problems).toEqual([
      {
        code,
        message: expect.stringMatching(message) as string,
        severity: 'error',
        subject: { kind: 'job', name: 'job', property: 'coordinates' },
      },
    ]);
  });

  it('are an error where the file cannot be read', () => {
    expect(run(program).problems).toMatchObject([
      { code: 'file-not-found', severity: 'error', subject: { kind: 'job', name: 'job', property: 'coordinates' } },
    ]);
  });

  it('make a placement anew when they change, and only then', () => {
    const cache = createStudyCache();
    const placed = (found: TaskPositions) => run(program, { cache, files: withFile(found) }).placements[0];
    const first = placed(positions([0], [1], [2]));
    expect(placed(positions([0], [1], [2]))).toBe(first);
    const others = placed(positions([0], [2], [1]));
    expect(others).not.toBe(first);
    // The same numbers in rows of another length are other coordinates.
    const flat = { ...program, jobs: new Map([['job', { ...job, taskCount: 2 }]]) };
    const wide = { ...positions([0, 1], [2, 3]), lines: Int32Array.of(2, 3) };
    const long = { ...wide, dimensions: 1, values: Float64Array.of(0, 1, 2, 3), lines: Int32Array.of(2, 3) };
    const keyed = (found: TaskPositions) => run(flat, { cache, files: withFile(found) }).placements[0];
    expect(keyed(wide)).not.toBe(keyed(long));
  });

  it('stand beside every source of traffic', () => {
    const source = { kind: 'pattern', choice: choiceOf('random') } as const;
    const seeded = { ...program, jobs: new Map([['job', { ...job, source }]]) };
    const files = withFile(positions([0], [1], [2]));
    expect(run(seeded, { files }).placements[0]!.jobs[0]!.job.coordinates?.dimensions).toBe(1);
  });
});
