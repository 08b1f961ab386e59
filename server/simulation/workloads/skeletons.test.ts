import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { defaultOptions, findEntry, type OptionValues } from '../../model/catalogue.ts';
import type { Workload } from '../../model/workload.ts';
import { skeletons } from './catalogue.ts';
import { checkMatching, sendsOf } from './programs.ts';
import { stuckLists } from './testing/idealRun.ts';

function build(name: string, taskCount: number, options: OptionValues): Workload {
  const entry = findEntry(skeletons, name)!;
  const result = entry.build(taskCount, { ...defaultOptions(entry), ...options }, neverCancelled);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function refusal(name: string, taskCount: number, options: OptionValues): string | undefined {
  const entry = findEntry(skeletons, name)!;
  const result = entry.build(taskCount, { ...defaultOptions(entry), ...options }, neverCancelled);
  if (result.ok) return undefined;
  expect(result.failure.code).toBe('illegal-ranks');
  // Known before anything is made, so also to whoever has cancelled.
  const cancelled = entry.build(taskCount, { ...defaultOptions(entry), ...options }, { isCancelled: () => true });
  expect(cancelled).toEqual(result);
  return result.failure.message;
}

/** `from to bytes messages` of a pair. */
function between(workload: Workload, from: number, to: number): [number, number] | undefined {
  const { rowStart, partner, bytes, messages } = sendsOf(workload);
  for (let pair = rowStart[from]!; pair < rowStart[from + 1]!; pair++) {
    if (partner[pair] === to) return [bytes[pair]!, messages[pair]!];
  }
  return undefined;
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

describe.each(skeletons.map(({ name }) => name))('the skeleton %s', (name) => {
  // The smallest and the largest class are tried on more counts than those between them.
  it.each([
    ['S', 130],
    ['W', 40],
    ['A', 40],
    ['B', 40],
    ['C', 130],
  ])(
    'of class %s sends what is received, and comes to its end, on all the counts to %i that it names',
    (problem, most) => {
      const counts = Array.from({ length: most }, (_, index) => index + 1);
      const options = { class: problem, iterations: 1 };
      const legal = counts.filter((count) => refusal(name, count, options) === undefined);
      expect(legal.length).toBeGreaterThan(1);
      for (const count of legal) {
        const workload = build(name, count, options);
        expect(workload.taskCount).toBe(count);
        expect(checkMatching(workload)).toEqual({ ok: true, value: undefined });
        if (problem === 'S') expect(stuckLists(workload)).toEqual([]);
      }
      const illegal = counts.find((count) => !legal.includes(count));
      if (illegal !== undefined) {
        expect(refusal(name, illegal, options)).toMatch(
          new RegExp(`^\`${name}.*\` does not support ${illegal} tasks\\. It supports 1, .* tasks`),
        );
      }
    },
  );

  it('repeats its iterations and pauses after each', () => {
    const sums = [1, 2, 12].map((iterations) => sendsOf(build(name, 16, { class: 'W', iterations })));
    const [one, two, twelve] = sums.map(({ bytes }) => total(bytes));
    if (two! > one!) expect((twelve! - one!) / (two! - one!)).toBeCloseTo(11, 9);
    const paused = build(name, 16, { class: 'W', iterations: 3, pause: 0.25 });
    expect(total(sendsOf(paused).bytes)).toBe(total(sendsOf(build(name, 16, { class: 'W', iterations: 3 })).bytes));
    expect([...paused.amounts]).toContain(0.25);
  });

  it('stops when it is cancelled', () => {
    const entry = findEntry(skeletons, name)!;
    const result = entry.build(16, { ...defaultOptions(entry), class: 'W' }, { isCancelled: () => true });
    expect(result.ok ? undefined : result.failure.code).toBe('cancelled');
  });
});

describe('skeletons', () => {
  // Measured: Open MPI's monitoring of NPB 3.3, class W. All pairs are compared by the tests of the corpus.
  it.each([
    ['cg', 16, 0, 0, 5_824_000, 416],
    ['cg', 16, 0, 1, 5_830_912, 1264],
    ['lu', 16, 5, 1, 9_406_528, 9636],
    ['lu', 16, 5, 4, 9_406_560, 9636],
    ['lu', 64, 9, 10, 4_703_200, 9635],
    ['bt', 16, 0, 1, 8_836_560, 805],
    ['bt', 16, 0, 13, 2_927_160, 805],
    ['sp', 16, 0, 1, 23_129_872, 1605],
    ['sp', 16, 0, 12, 15_064_960, 1605],
    ['mg', 16, 0, 1, 786_272, 188],
    ['mg', 16, 0, 12, 857_952, 94],
  ])('%s on %i tasks: task %i sends task %i what was measured', (name, taskCount, from, to, bytes, messages) => {
    expect(between(build(name, taskCount, { class: 'W' }), from, to)).toEqual([bytes, messages]);
  });

  it('send all-to-alls as large as measured: ft to the byte, is evenly', () => {
    const transform = build('ft', 16, { class: 'W' });
    expect(between(transform, 0, 5)).toEqual([262_144, 8]);
    // 11 all-to-alls of all keys, and of one integer; the last key goes to the next task.
    const sort = build('is', 16, { class: 'W', 'all-to-all': 'pairwise', 'all-reduce': 'ring' });
    expect(between(sort, 0, 14)).toEqual([11 * (16_384 + 4), 22]);
    const reduced = 11 * 2 * 1029 * 4;
    expect(between(sort, 3, 4)![0]).toBeCloseTo(11 * (16_384 + 4) + reduced * (15 / 16) + 4, -3);
  });

  it('send the all-to-alls of ft in rows and columns where there are more tasks than planes', () => {
    const transform = build('ft', 64, { class: 'W' });
    // Eight transforms: half of 128 KiB to the neighbour, a 32nd to each task of the column, nothing to others.
    expect(between(transform, 0, 1)).toEqual([8 * 65_536, 8]);
    expect(between(transform, 0, 62)).toEqual([8 * 4096, 8]);
    expect(between(transform, 5, 8)).toBeUndefined();
  });

  it('send what their option says in the order that it says', () => {
    const partners = (name: string): number[] => {
      const workload = build('ft', 4, { class: 'S', iterations: 1, 'all-to-all': name });
      return [...workload.partners.subarray(0, 6)];
    };
    expect(partners('almost-simultaneous')).toEqual([1, 2, 3, 3, 2, 1]);
    expect(partners('ring')).toEqual([1, 3, 2, 2, 3, 1]);
    expect(partners('pairwise')).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('of ft may have the sums that check each transform: a complex number to task 0, or with each partner', () => {
    const [, tree, cube] = ['none', 'binomial', 'recursive-doubling'].map((checks) =>
      build('ft', 16, { class: 'W', checks }),
    );
    for (const [from, to, inTree, inCube] of [
      [1, 0, 6, 6],
      [0, 1, 0, 6],
      [5, 1, 0, 6],
      [5, 4, 6, 6],
      [9, 3, 0, 0],
    ] as const) {
      expect(between(tree!, from, to)).toEqual([262_144 + 16 * inTree, 8 + inTree]);
      expect(between(cube!, from, to)).toEqual([262_144 + 16 * inCube, 8 + inCube]);
    }
  });

  it('of NPB 2 leave out the untimed sweep of lu', () => {
    const [older, newer] = ['npb2', 'npb3'].map((version) => build('lu', 16, { class: 'W', iterations: 20, version }));
    const [before, after] = [between(older!, 0, 1)!, between(newer!, 0, 1)!];
    // 31 planes of 8 points each way, and two faces.
    expect(after[1] - before[1]).toBe(31 + 2);
  });

  it('name the counts that are legal', () => {
    expect(refusal('cg', 12, { class: 'A' })).toBe(
      '`cg` does not support 12 tasks. It supports 1, 2, 4, 8 … 1024 tasks (powers of two).',
    );
    expect(refusal('bt', 32, { class: 'S' })).toBe(
      '`bt(class S)` does not support 32 tasks. It supports 1, 4, 9, 16 tasks.',
    );
    expect(refusal('ft', 48, { class: 'W' })).toBe(
      '`ft(class W)` does not support 48 tasks. It supports 1, 2, 4, 8 … 1024 tasks (powers of two).',
    );
    expect(refusal('lu', 25, { class: 'S' })).toBe(
      '`lu(class S)` does not support 25 tasks. It supports 1, 2, 4 tasks.',
    );
  });
});
