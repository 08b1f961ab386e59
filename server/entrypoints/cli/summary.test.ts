import { describe, expect, it } from 'vitest';
import type { Job } from '../../model/job.ts';
import type { SearchRecord } from '../../model/searchRecord.ts';
import { exampleSearch } from '../../study/testing/searches.ts';
import { searchRows } from './summary.ts';

const nothing = new Int32Array(0);
const placed = (name: string, search?: SearchRecord) => ({
  job: { name } as Job,
  allocation: nothing,
  mapping: nothing,
  allocator: 'all',
  mapper: 'auto',
  ...(search === undefined ? {} : { search }),
});
const rowsOf = (...jobs: readonly ReturnType<typeof placed>[]) => searchRows({ jobs });

describe('the searches in the summary of a placement', () => {
  it('say what was found, what is left, why, and how much was done for it', () => {
    expect(rowsOf(placed('heat', exampleSearch))).toEqual([
      ['Search', 'hop-bytes 3 MiB, optimality gap ≤ 20 % (2.5 MiB, edge bound)'],
      ['', '  chose annealing: the cheapest of 2 mappings'],
      ['', '  tried annealing 3 MiB, rcb 8 MiB'],
      ['', '  1,234,567 evaluations in 500 ms, 2,470,000 per second; the clock ended it, another run may differ'],
    ]);
  });

  it('leave out what is not known, and name the job where there are several', () => {
    const { criterion, value, evaluations, convergence } = exampleSearch;
    const short = { criterion, value, evaluations, convergence, end: 'steps', milliseconds: 0 } as const;
    expect(rowsOf(placed('quiet'), placed('heat', short))).toEqual([
      ['Search heat', 'hop-bytes 3 MiB'],
      ['', '  1,234,567 evaluations in 0 s; all its steps were done'],
    ]);
  });

  it.each([
    [
      { untried: ['drb'], budget: { kind: 'seconds', amount: 1 } },
      'not tried within 1 s: drb; a longer budget tries it',
    ],
    [
      { untried: ['grasp', 'tabu'], budget: { kind: 'steps', amount: 20_000 } },
      'not tried within 20,000 steps: grasp, tabu; a time budget tries them',
    ],
    [{ untried: ['drb'], end: 'stopped' }, 'not tried before the stop: drb'],
    [{ untried: ['drb'] }, 'not tried: drb'],
  ] as const)('name what was not tried: %j', (left, expected) => {
    expect(rowsOf(placed('heat', { ...exampleSearch, ...left }))[3]).toEqual(['', `  ${expected}`]);
  });

  it('name the best of many mappers that were tried', () => {
    const tried = Array.from({ length: 9 }, (_, index) => ({ name: `m${index}`, value: 10, milliseconds: 1 }));
    expect(rowsOf(placed('heat', { ...exampleSearch, tried }))[2]?.[1]).toMatch(/m4 10 B and 4 more$/);
  });
});
