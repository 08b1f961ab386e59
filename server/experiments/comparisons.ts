/**
 * What is said of the points with the same values beside each other: ratios of pairs, and tests of differences. Two points
 * are beside each other where they differ in one name alone: two allocators with the same scheduler and mapper.
 */
import { appendAll } from '../model/lists.ts';
import studentTest from '@stdlib/stats-base-dists-t-cdf';
import kruskalTest from '@stdlib/stats-kruskal-test';
import signedRankTest from '@stdlib/stats-wilcoxon';
import { mean, sampleRankCorrelation, sampleStandardDeviation } from 'simple-statistics';
import { comparedKeys, type ComparedKey } from '../model/experiment.ts';
import { isStaticMetric } from '../model/metrics.ts';
import { itemAt } from '../numeric/elements.ts';
import { confidenceOf, type Comparing, type Point } from './plan.ts';
import { isDeterministic, sampleOf, valuesOf, type ExperimentResult, type PointResult } from './run.ts';
import { pairedRatio } from './statistics.ts';

/** One metric of one point against that of another one. */
export interface Comparison {
  readonly kind: Comparing['kind'];
  readonly metric: string;
  readonly of: Point;
  readonly to: Point;
  /** In which of their names they differ. */
  readonly compared: ComparedKey;
  /** Σ of / Σ to over the replications that both have; undefined where there are none, or where the lower sum is 0. */
  readonly ratio: number | undefined;
  readonly halfWidth: number | undefined;
  /**
   * The probability of such a difference where there is none. Of ratios: of Student's t of the differences of the pairs.
   * Undefined where there are fewer than two pairs.
   */
  readonly p: number | undefined;
  /** Of tests: p after Holm's correction for all that one point is tested against. */
  readonly corrected: number | undefined;
  /** Of tests: whether the corrected p is at most the level. */
  readonly differs: boolean | undefined;
  /** Of Kruskal and Wallis: the points of the two that are the same with every seed, so that there is nothing to test. */
  readonly deterministic: readonly Point[];
}

/**
 * All comparisons that the plan asks for. Ratios: of every other point to the one with the name asked for. Tests: of every
 * other point to the one with the best mean, which is how the tables of the literature mark what differs from their best.
 * Wilcoxon's signed ranks use that replications are pairs; Kruskal and Wallis take the two samples as independent, each of all runs:
 * a point that leaves nothing to chance is not a sample. It is not tested and has its ratio alone; nor are the others if fewer than two
 * samples are left.
 */
export function compareAll({ plan, points }: ExperimentResult): Comparison[] {
  const found: Comparison[] = [];
  for (const comparing of plan.compare) {
    for (const block of plan.blocks) {
      const results = block.map(({ index }) => points[index]).filter((result) => result !== undefined);
      plan.metrics.forEach(({ name, better }, metric) => {
        for (const { compared, group: all } of groupsIn(results, comparing)) {
          const isTested = comparing.kind === 'kruskal-wallis';
          const group = isTested ? samplesOf(all, metric) : all;
          const sign = better === 'less' ? 1 : -1;
          const to =
            comparing.kind === 'paired-ratio' ? named(group, compared, comparing.to) : best(group, metric, sign);
          if (to === undefined) continue;
          const context = { compared, metric, name, confidence: confidenceOf(plan) };
          appendAll(found, compareWith(comparing, without(group, [to]), to, context));
          // Each by itself: they are no part of the family that Holm corrects.
          for (const left of without(all, group)) appendAll(found, compareWith(comparing, [left], to, context));
        }
      });
    }
  }
  return found;
}

function samplesOf(group: readonly PointResult[], metric: number): readonly PointResult[] {
  const samples = group.filter((one) => isSample(one, metric));
  return samples.length < 2 ? group : samples;
}

const without = (group: readonly PointResult[], left: readonly PointResult[]): readonly PointResult[] =>
  group.filter((one) => !left.includes(one));

const isSample = ({ replications }: PointResult, metric: number): boolean =>
  sampleOf(replications, metric).length !== 1 || replications.length === 1;

interface Group {
  readonly compared: ComparedKey;
  readonly group: readonly PointResult[];
}

/** How the ranks of two metrics go together, over all replications of the points with the same values. */
export interface Correlation {
  /** What was simulated, and what is known without a simulation. */
  readonly metric: string;
  readonly to: string;
  /** The first of the block. */
  readonly point: Point;
  /** Spearman's coefficient, −1 … 1; ties have the mean of their ranks. */
  readonly rho: number;
  /** Pairs that it is of. */
  readonly count: number;
}

/**
 * Correlations of the simulated time of jobs with each static metric that is reported too; where nothing is simulated, of the
 * time of the busiest link. O(replications · log replications).
 */
export function correlationsOf({ plan, points }: ExperimentResult): Correlation[] {
  const timeName = ['makespan', 'congestionTime'].find((time) => plan.metrics.some(({ name }) => name === time));
  if (timeName === undefined) return [];
  const time = plan.metrics.findIndex(({ name }) => name === timeName);
  return plan.blocks.flatMap((block) =>
    plan.metrics.flatMap(({ name }, metric): Correlation[] => {
      if (metric === time || !isStaticMetric(name)) return [];
      const pairs = block.flatMap(({ index }) =>
        (points[index]?.replications ?? []).flatMap(({ values }) => {
          const [x, y] = [values[metric] ?? null, values[time] ?? null];
          return x === null || y === null ? [] : [[x, y] as const];
        }),
      );
      const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
      if (pairs.length < 3 || new Set(xs).size < 2 || new Set(ys).size < 2) return [];
      const rho = sampleRankCorrelation(xs, ys);
      return [{ metric: timeName, to: name, point: itemAt(block, 0), rho, count: pairs.length }];
    }),
  );
}

/** Points that differ in one kind of name alone, for each kind of which there are several. */
function groupsIn(results: readonly PointResult[], comparing: Comparing): Group[] {
  return comparedKeys.flatMap((compared) => {
    const others = comparedKeys.filter((key) => key !== compared);
    const groups = new Map<string, PointResult[]>();
    for (const result of results) {
      const key = JSON.stringify(others.map((other) => result.point[other] ?? null));
      groups.set(key, [...(groups.get(key) ?? []), result]);
    }
    const isAsked = (group: readonly PointResult[]): boolean =>
      comparing.kind === 'paired-ratio' ? named(group, compared, comparing.to) !== undefined : group.length > 1;
    return [...groups.values()].filter(isAsked).map((group) => ({ compared, group }));
  });
}

const named = (group: readonly PointResult[], compared: ComparedKey, name: string): PointResult | undefined =>
  group.find(({ point }) => point[compared] === name);

/** The first one with the least, or most, mean. */
function best(group: readonly PointResult[], metric: number, sign: 1 | -1): PointResult | undefined {
  let found: PointResult | undefined;
  let least = Infinity;
  for (const result of group) {
    const values = valuesOf(result.replications, metric).filter((value) => value !== null);
    const value = values.length === 0 ? Infinity : sign * mean(values);
    if (value < least) [found, least] = [result, value];
  }
  return found;
}

interface Compared {
  readonly compared: ComparedKey;
  /** Position in the plan. */
  readonly metric: number;
  readonly name: string;
  readonly confidence: number;
}

function compareWith(
  comparing: Comparing,
  others: readonly PointResult[],
  to: PointResult,
  { compared, metric, name, confidence }: Compared,
): Comparison[] {
  const pairs = others.map((of) => pairedValues(of, to, metric));
  const probabilities = others.map((of, position) => {
    const { x = [], y = [] } = pairs[position] ?? {};
    return comparing.kind === 'kruskal-wallis'
      ? kruskalWallis(sampleOf(of.replications, metric), sampleOf(to.replications, metric))
      : probabilityOf(comparing.kind, x, y);
  });
  const corrected = comparing.kind === 'paired-ratio' ? [] : holm(probabilities);
  return others.map((of, position) => {
    const { x = [], y = [] } = pairs[position] ?? {};
    const { ratio, halfWidth } = pairedRatio(x, y, confidence);
    const p = corrected[position];
    const deterministic =
      comparing.kind === 'kruskal-wallis'
        ? [of, to]
            .filter((one) => !isSample(one, metric) && isDeterministic(one.replications))
            .map(({ point }) => point)
        : [];
    const differs = comparing.kind === 'paired-ratio' || p === undefined ? undefined : p <= comparing.level;
    return {
      ...{ kind: comparing.kind, metric: name, of: of.point, to: to.point, compared, ratio, halfWidth },
      ...{ p: probabilities[position], corrected: p, differs, deterministic },
    };
  });
}

/** The values of replications that both have. */
export function pairedValues(of: PointResult, to: PointResult, metric: number): { x: number[]; y: number[] } {
  const [x, y]: [number[], number[]] = [[], []];
  const below = valuesOf(to.replications, metric);
  valuesOf(of.replications, metric).forEach((value, replication) => {
    const other = below[replication] ?? null;
    if (value === null || other === null) return;
    x.push(value);
    y.push(other);
  });
  return { x, y };
}

function kruskalWallis(x: number[], y: number[]): number | undefined {
  if (x.length < 2 || y.length < 2) return undefined;
  // Nothing differs: the test would divide by 0.
  if (new Set([...x, ...y]).size === 1) return 1;
  return kruskalTest(x, y).pValue;
}

function probabilityOf(kind: 'paired-ratio' | 'wilcoxon', x: number[], y: number[]): number | undefined {
  if (x.length < 2) return undefined;
  const differences = x.map((value, pair) => value - (y[pair] ?? 0));
  // Nothing differs: the tests would divide by 0.
  if (differences.every((difference) => difference === 0)) return 1;
  switch (kind) {
    case 'paired-ratio': {
      const t = (mean(differences) * Math.sqrt(x.length)) / sampleStandardDeviation(differences);
      return 2 * studentTest(-Math.abs(t), x.length - 1);
    }
    case 'wilcoxon':
      return Math.min(1, signedRankTest(x, y).pValue);
  }
}

/**
 * Holm's correction (1979) of a family of tests: the i-th smallest of m probabilities times m − i + 1, never below one
 * before it. What is undefined is no test of the family.
 */
export function holm(probabilities: readonly (number | undefined)[]): (number | undefined)[] {
  const corrected = probabilities.map((): number | undefined => undefined);
  const known = [...probabilities.entries()].filter((entry): entry is [number, number] => entry[1] !== undefined);
  known.sort(([, one], [, other]) => one - other);
  let before = 0;
  known.forEach(([position, p], rank) => {
    before = Math.max(before, Math.min(1, p * (known.length - rank)));
    corrected[position] = before;
  });
  return corrected;
}
