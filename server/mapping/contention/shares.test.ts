import { describe, expect, it } from 'vitest';
import { shareNodes } from './shares.ts';
import { paperCluster, patternJob } from '../../queueing/testing/paperWorkloads.ts';
import { problemsOf } from './testing/paperWorkloads.ts';

const machine = paperCluster(4, 1, 4);
/** Jobs by their tasks and nodes. */
const claims = (...jobs: readonly (readonly [tasks: number, nodes: readonly number[]])[]) =>
  jobs.flatMap(([tasks, nodes], position) =>
    problemsOf(machine, [patternJob(`job-${position}`, 'linear', tasks, 1, 1)], nodes),
  );

describe('jobs whose nodes overlap', () => {
  it.each([
    { name: 'the same nodes', jobs: claims([8, [0, 1, 2, 3]], [8, [0, 1, 2, 3]]) },
    { name: 'a later one that has fewer nodes', jobs: claims([8, [0, 1, 2]], [4, [0]]) },
    {
      name: 'a chain of three, each pushed on by the next',
      jobs: claims([4, [0, 1]], [4, [1, 2]], [4, [2, 3]], [4, [2]]),
    },
    { name: 'a full machine', jobs: claims([10, [0, 1, 2, 3]], [3, [3]], [2, [1]], [1, [0]]) },
  ])('find room: $name', ({ jobs }) => {
    const shared = shareNodes(jobs, () => true);
    if (!shared.fits) throw new Error('There is room.');
    const used = new Map<number, number>();
    for (const [position, share] of shared.shares.entries()) {
      const own = [...share].filter(([, cores]) => cores > 0);
      expect(own.reduce((sum, [, cores]) => sum + cores, 0)).toBe(jobs[position]!.job.taskCount);
      for (const [node, cores] of own) {
        expect(jobs[position]!.allocation).toContain(node);
        used.set(node, (used.get(node) ?? 0) + cores);
      }
    }
    expect(Math.max(...used.values())).toBeLessThanOrEqual(4);
  });

  it.each([
    { name: 'the second', jobs: claims([4, [0]], [3, [0]]), job: 1, room: 0 },
    { name: 'the third, with what is left for it', jobs: claims([4, [0, 1]], [2, [1]], [4, [0, 1]]), job: 2, room: 2 },
  ])('are told which finds none: $name', ({ jobs, job, room }) => {
    expect(shareNodes(jobs, () => true)).toEqual({ fits: false, job, room });
  });

  it('count free slots only', () => {
    expect(shareNodes(claims([3, [0]]), (slot) => slot > 1)).toEqual({ fits: false, job: 0, room: 2 });
  });
});
