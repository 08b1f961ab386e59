import { describe, expect, it } from 'vitest';
import type { ExperimentJson, RowJson } from './results.ts';
import { resultWords, rowNotices } from './words.ts';

const row = (allocator: string, mean: number | null, rate = 1, halfWidth: number | null = null): RowJson => ({
  point: { 'arrivals.rate': rate },
  scheduler: 'fcfs',
  allocator,
  mapper: null,
  replications: 60,
  metrics: { turnaround: { mean, halfWidth, unit: 'cycles', deviation: null, values: [] } },
});
const result = (rows: readonly RowJson[], changes: Partial<ExperimentJson> = {}): ExperimentJson => ({
  ...{ name: 'e', complete: true, replicationsDone: 60, rows, comparisons: [], quoted: [] },
  ...changes,
});

describe('a result in one line', () => {
  it.each<[string, ExperimentJson, string]>([
    ['of one row', result([row('rbs', 812, 1, 12)]), 'turnaround 812 ± 12 cycles, 60 replications'],
    ['without an interval', result([row('rbs', 812)], { replicationsDone: 1 }), 'turnaround 812 cycles, 1 replication'],
    [
      'of several allocators',
      result([row('gabl', 900), row('rbs', 812), row('mbs', 1604)]),
      'turnaround 812 (rbs) to 1,604 (mbs) cycles, 60 replications',
    ],
    [
      'of several values',
      result([row('rbs', 900, 2), row('rbs', 812)]),
      'turnaround 812 (arrivals.rate 1) to 900 (arrivals.rate 2) cycles, 60 replications',
    ],
    [
      'of both',
      result([row('rbs', 900, 2), row('mbs', 812)]),
      'turnaround 812 (mbs, arrivals.rate 1) to 900 (rbs, arrivals.rate 2) cycles, 60 replications',
    ],
    [
      'that are alike',
      result([row('rbs', 812), row('mbs', 812)]),
      'turnaround 812 cycles in all 2 rows, 60 replications',
    ],
    [
      'that was cancelled',
      result([row('rbs', 5)], { complete: false, replicationsDone: 3 }),
      'turnaround 5 cycles, 3 replications, not finished',
    ],
    [
      'of rows that failed',
      result([row('rbs', 5), { ...row('mbs', null), failure: { seed: 1, code: 'x', message: 'No.' } }]),
      'turnaround 5 cycles, 60 replications, 1 of 2 failed',
    ],
    ['of nothing', result([row('rbs', null)], { replicationsDone: 0 }), '0 replications'],
  ])('%s', (_, json, words) => {
    expect(resultWords(json)).toBe(words);
  });
});

it('tells why rows failed, and what they said once for all of them', () => {
  const notices = (jobs: number) => ({ replications: 3, messages: [`Beyond saturation: ${jobs} of 900 jobs wait.`] });
  const failed = { ...row('mbs', null, 2), failure: { seed: 5, code: 'deadlock', message: 'No way.' } };
  const rows = [{ ...row('rbs', 5), notices: notices(400) }, { ...row('gabl', 6), notices: notices(500) }, failed];
  expect(rowNotices(result(rows))).toEqual([
    'fcfs, mbs, arrivals.rate 2: error: with seed 5: No way. [deadlock]',
    '2 of 3 rows: Beyond saturation: many jobs wait.',
  ]);
});
