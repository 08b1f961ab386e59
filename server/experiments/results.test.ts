import { describe, expect, it } from 'vitest';
import { succeed } from '../model/result.ts';
import { compareAll, holm } from './comparisons.ts';
import { bestCell, cellsToCsv, experimentToCsv, experimentToJson } from './results.ts';
import { runExperiment, type Replicate } from './run.ts';
import { poolOfOneThread } from './testing/pool.ts';
import { planOf, queue, environment } from './testing/queues.ts';

const resultOf = (replicate: Replicate, changes: Parameters<typeof planOf>[0] = {}) => {
  const plan = planOf(changes);
  return runExperiment(plan, poolOfOneThread(plan, replicate), environment);
};

/** Point i has the i-th list, a value to a seed. */
const lists =
  (values: readonly (readonly number[])[]): Replicate =>
  ({ index }, seed) =>
    succeed({ metrics: { waiting: values[index]![seed - 1] }, jobs: 0 });

const threeOf = (values: readonly (readonly number[])[], changes: Parameters<typeof planOf>[0] = {}) =>
  resultOf(lists(values), {
    ...{ vary: [], schedulers: [], allocators: ['a', 'b', 'c'], quoted: [], compare: [] },
    replications: { kind: 'seeds', from: 1, to: values[0]!.length },
    ...changes,
  });

describe('comparisons', () => {
  // Hollander and Wolfe (1973), depression scores of nine patients before and after; R gives p = 0.03906.
  const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
  const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
  const larger = before.map((_, patient) => 9 + patient ** 2);

  it('by signed ranks are exact for few pairs, and corrected for all that are tested', () => {
    const result = threeOf([before, after, larger], { compare: [{ kind: 'wilcoxon', level: 0.05 }] });
    const [first, second] = compareAll(result).filter(({ metric }) => metric === 'waiting');
    expect(first).toMatchObject({ of: { allocator: 'a' }, to: { allocator: 'b' }, differs: true });
    expect(first!.p).toBeCloseTo(0.0390625, 10);
    expect(first!.corrected).toBeCloseTo(0.0390625, 10);
    // All nine differ in the same direction: 2/2^9.
    expect(second!.p).toBeCloseTo(0.00390625, 10);
    expect(second!.corrected).toBeCloseTo(0.0078125, 10);
  });

  it('by Kruskal and Wallis take two samples, with ties', () => {
    // Ranks sum to 19.5 and 35.5, three pairs are tied: H = 2.792727/0.981818 = 2.844444, of χ² with one degree of freedom.
    const result = threeOf(
      [
        [1, 2, 3, 4, 5],
        [3, 4, 5, 6, 7],
        [1, 2, 3, 4, 5],
      ],
      { compare: [{ kind: 'kruskal-wallis', level: 0.05 }] },
    );
    const [b, c] = compareAll(result).filter(({ metric }) => metric === 'waiting');
    expect(b).toMatchObject({ of: { allocator: 'b' }, to: { allocator: 'a' }, differs: false });
    expect(b!.p).toBeCloseTo(0.0916903, 6);
    expect(c).toMatchObject({ p: 1, corrected: 1, differs: false });
  });

  it('by ratios are of each other to the one that is named, and p is of Student’s t of the pairs', () => {
    const result = threeOf(
      [
        [2, 2, 8],
        [1, 2, 5],
        [1, 2, 5],
      ],
      { compare: [{ kind: 'paired-ratio', to: 'b' }] },
    );
    const found = compareAll(result).filter(({ metric }) => metric === 'waiting');
    expect(found.map(({ of, to, ratio }) => [of.allocator, to.allocator, ratio])).toEqual([
      ['a', 'b', 1.5],
      ['c', 'b', 1],
    ]);
    // Differences 1, 0, 3: t = 1.511858 with two degrees of freedom.
    expect(found[0]!.p).toBeCloseTo(0.269703, 5);
    expect(found[1]).toMatchObject({ halfWidth: 0, p: 1, corrected: undefined, differs: undefined });
  });

  it('are with the most where more is better', () => {
    const metrics = [{ name: 'waiting', unit: '1', better: 'more' }] as const;
    const result = threeOf([before, after, larger], { metrics, compare: [{ kind: 'wilcoxon', level: 0.05 }] });
    expect(new Set(compareAll(result).map(({ to }) => to.allocator))).toEqual(new Set(['c']));
  });

  it.each([
    { p: [], corrected: [] },
    { p: [0.01, 0.04, 0.03], corrected: [0.03, 0.06, 0.06] },
    { p: [0.5, undefined, 0.6], corrected: [1, undefined, 1] },
  ])('of $p are $corrected after Holm', ({ p, corrected }) => {
    const found = holm(p);
    expect(found.map((value) => value === undefined)).toEqual(corrected.map((value) => value === undefined));
    found.forEach((value = 0, position) => {
      expect(value).toBeCloseTo(corrected[position] ?? 0, 12);
    });
  });

  it('are of points that differ in one name alone, at the same values', () => {
    const found = compareAll(resultOf(queue)).filter(({ metric }) => metric === 'waiting');
    for (const { of, to, compared } of found) {
      expect(of.values).toEqual(to.values);
      expect((['scheduler', 'allocator', 'mapper'] as const).filter((key) => of[key] !== to[key])).toEqual([compared]);
    }
    // Ratios: 2 values, 2 schedulers. Tests, twice: as many for allocators, and for schedulers.
    expect(found).toHaveLength(4 + 2 * (4 + 4));
  });
});

it.each([
  ['less', 1],
  ['more', 9],
] as const)('the best cell is that with the value that is %s', (better, value) => {
  const result = threeOf(
    [
      [3, 1],
      [9, 2],
      [4, 9],
    ],
    { metrics: [{ name: 'waiting', unit: '1', better }] },
  );
  expect(bestCell(result)?.value).toBe(value);
});

describe('results as JSON', () => {
  const json = experimentToJson(resultOf(queue));

  it('have a row for each point, with values in the order of the seeds', () => {
    expect(json).toMatchObject({ name: 'queues', complete: true });
    expect(json.rows).toHaveLength(8);
    const [row] = json.rows;
    expect(row).toMatchObject({
      point: { 'arrivals.rate': 0.2 },
      scheduler: 'exponential',
      allocator: 'plain',
      mapper: null,
    });
    const { waiting, none } = row!.metrics;
    expect(waiting!.values).toHaveLength(row!.replications);
    expect(waiting!.unit).toBe('services');
    expect(none).toMatchObject({ mean: null, halfWidth: null, deviation: null });
    expect(json.replicationsDone).toBe(Math.min(...json.rows.map(({ replications }) => replications)));
  });

  it('have what a paper says beside what there is', () => {
    const [mean, ratio] = json.quoted;
    const at = json.rows[mean!.row]!;
    expect(at).toMatchObject({ point: { 'arrivals.rate': 0.4 }, scheduler: 'exponential', allocator: 'plain' });
    expect(mean).toMatchObject({
      metric: 'waiting',
      paper: 0.6667,
      ours: at.metrics.waiting!.mean,
      halfWidth: at.metrics.waiting!.halfWidth,
    });
    expect(mean!.residual).toBe(at.metrics.waiting!.mean! - 0.6667);
    expect([json.rows[ratio!.row], json.rows[ratio!.over!]]).toMatchObject([
      { point: { 'arrivals.rate': 0.2 }, scheduler: 'constant', allocator: 'slow' },
      { point: { 'arrivals.rate': 0.2 }, scheduler: 'constant', allocator: 'plain' },
    ]);
    const same = json.comparisons.find(
      ({ test, of, scheduler, point }) =>
        test === 'paired-ratio' && of === 'slow' && scheduler === 'constant' && point['arrivals.rate'] === 0.2,
    );
    expect(ratio).toMatchObject({ ours: same!.ratio, halfWidth: same!.halfWidth });
    // Pairs tell 5 % longer services apart where the intervals of the two overlap.
    expect(same!.ratio! - same!.halfWidth!).toBeGreaterThan(1);
  });

  it('say why a point has failed, with which seed', () => {
    const { rows, replicationsDone } = experimentToJson(
      resultOf(queue, { allocators: ['plain', 'broken'], quoted: [] }),
    );
    expect(rows[1]).toMatchObject({
      allocator: 'broken',
      replications: 13,
      failure: { seed: 13, code: 'deadlock', message: 'Nothing moves with seed 13.' },
    });
    expect(rows[1]!.metrics.waiting!.values.at(-1)).toBeNull();
    expect(rows[0]).not.toHaveProperty('failure');
    expect(replicationsDone).toBeGreaterThan(13);
  });

  it('have the interval of batches for one run in steady state, with how they hang together', () => {
    const one = { replications: { kind: 'seeds', from: 1, to: 1 }, steadyState: { delete: 0.2, batches: 10 } } as const;
    const { waiting } = experimentToJson(resultOf(queue, one)).rows[0]!.metrics;
    expect(waiting).toMatchObject({ deviation: null, deleted: [60], values: [waiting!.mean] });
    expect(waiting!.halfWidth).toBeGreaterThan(0);
    expect(Math.abs(waiting!.lag1![0]!)).toBeLessThan(1);
    const two = experimentToJson(resultOf(queue, { ...one, replications: { kind: 'seeds', from: 1, to: 2 } }));
    expect(two.rows[0]!.metrics.waiting!.deleted).toEqual([60, 60]);
  });
});

describe('results as CSV', () => {
  it('have a line for each point and metric', () => {
    const result = resultOf(queue);
    const lines = experimentToCsv(result).split('\n');
    expect(lines[0]).toBe(
      'experiment,arrivals.rate,job,machine,allocator,scheduler,mapper,metric,unit,mean,halfWidth,n,seeds',
    );
    expect(lines).toHaveLength(2 + 16);
    const { waiting } = experimentToJson(result).rows[0]!.metrics;
    const n = waiting!.values.length;
    expect(lines[1]).toBe(
      `${result.plan.name},0.2,,,plain,exponential,,waiting,services,${waiting!.mean},${waiting!.halfWidth},${n},1..${n}`,
    );
    expect(lines[2]).toBe(`${result.plan.name},0.2,,,plain,exponential,,none,services,,,0,1..${n}`);
  });

  it('name choices in full, and what all rows have', () => {
    const tableNames = {
      full: { mapper: { grasp: 'grasp(starts 8, alpha 0.3)' } },
      job: 'heat',
      machine: '=torus',
    };
    const result = threeOf([[1]], { allocators: ['a'], mappers: ['grasp'], tableNames });
    const [head, first] = experimentToCsv(result).split('\n');
    expect(head).toBe('experiment,job,machine,allocator,scheduler,mapper,metric,unit,mean,halfWidth,n,seeds');
    expect(first).toBe(`${result.plan.name},heat,'=torus,a,,"grasp(starts 8, alpha 0.3)",waiting,services,1,,1,1`);
    expect(cellsToCsv(result).split('\n')[1]).toBe(
      `${result.plan.name},heat,'=torus,a,"grasp(starts 8, alpha 0.3)",1,1,`,
    );
  });

  it('quotes what has commas', () => {
    const result = threeOf([[1], [2]], { allocators: ['mbs', 'paging(order snake, size "1")'] });
    expect(experimentToCsv(result).split('\n')[3]).toBe(
      `${result.plan.name},,,"paging(order snake, size ""1"")",,,waiting,services,2,,1,1`,
    );
  });
});
