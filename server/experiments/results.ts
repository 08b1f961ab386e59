/** The results of an experiment as plain data: the JSON of docs/reference/json-runs.md, and a table for spreadsheets. */
import { leastOf } from '../model/lists.ts';
import { sampleStandardDeviation } from 'simple-statistics';
import { csvText } from '../model/csv.ts';
import type { NameKey } from '../model/experiment.ts';
import { writtenVaried } from '../model/simulation.ts';
import { compareAll, correlationsOf, pairedValues, type Comparison } from './comparisons.ts';
import { confidenceOf, findQuoted, seedOf, type ExperimentPlan, type Point } from './plan.ts';
import { isDeterministic, sampleOf, valuesOf, type ExperimentResult, type PointResult } from './run.ts';
import { estimateMean, pairedRatio, type Estimate } from './statistics.ts';

/** Keys, units and order are a contract; null stands for what there is not, as of an interval of one value. */
export interface ExperimentJson {
  readonly name: string;
  /** False where it was cancelled. */
  readonly complete: boolean;
  /** That every point has which has not failed. */
  readonly replicationsDone: number;
  /** How the start of runs was left out, and in how many batches the rest is; left out where means are over whole runs. */
  readonly steadyState?: { readonly delete: number | 'mser-5'; readonly batches: number };
  readonly rows: readonly RowJson[];
  readonly comparisons: readonly ComparisonJson[];
  /** Spearman's, of the simulated time of jobs and their static metrics; left out where there are none. */
  readonly correlations?: readonly CorrelationJson[];
  readonly quoted: readonly QuotedJson[];
}

/** What rows of one block share: they are compared with each other, and with no other. */
export type BlockJson = Pick<NamesJson, 'point' | 'job' | 'machine' | 'routing'>;

export const blockJson = ({ point, job, machine, routing }: BlockJson): BlockJson => ({
  point,
  ...(job === undefined ? {} : { job }),
  ...(machine === undefined ? {} : { machine }),
  ...(routing === undefined ? {} : { routing }),
});

export const isOfBlock = (row: BlockJson, block: BlockJson): boolean =>
  JSON.stringify(blockJson(row)) === JSON.stringify(blockJson(block));

/** `heat`, `torus8`, `machine.seed 3`: what tells a block from others, a word for each. */
export const blockWords = ({ point, job, machine, routing }: BlockJson): readonly string[] => [
  ...[job, machine, routing].filter((name) => name !== undefined),
  ...Object.entries(point).map(([path, value]) => `${path} ${writtenVaried(path, value)}`),
];

interface CorrelationJson extends BlockJson {
  readonly metric: string;
  readonly to: string;
  readonly rho: number;
  readonly count: number;
}

interface NamesJson {
  /** What is varied, by path. */
  readonly point: Readonly<Record<string, number>>;
  /** Where several are crossed; else left out. */
  readonly job?: string;
  readonly machine?: string;
  /** In the place of the machine's own; left out where that holds. */
  readonly routing?: string;
  readonly scheduler: string | null;
  readonly allocator: string | null;
  readonly mapper: string | null;
  /** Of traffic without jobs; else left out. */
  readonly pattern?: string | null;
}

export interface RowJson extends NamesJson {
  readonly replications: number;
  /** No seed has a part in it: all replications are the same. Else left out. */
  readonly deterministic?: true;
  /** By name. */
  readonly metrics: Readonly<Record<string, MetricJson>>;
  /** Of messages that saturate the network: how many times as fast as by their times they are sent. */
  readonly speed?: number;
  /** Of replications of a job, where it is asked for: traffic and latency, a point for so many packets that arrived. */
  readonly overTime?: readonly OverTimeJson[];
  /** What replications told the user, as the first of them said it, and how many said such things. */
  readonly notices?: { readonly replications: number; readonly messages: readonly string[] };
  /** Why the last replication has no values, and with which seed. */
  readonly failure?: { readonly seed: number; readonly code: string; readonly message: string };
}

export interface OverTimeJson {
  readonly seed: number;
  /** At which each point ends. */
  readonly cycles: readonly number[];
  /** Flits of a router and cycle that arrived since the point before. */
  readonly traffic: readonly number[];
  /** Mean of these packets, in cycles. */
  readonly latency: readonly number[];
}

export interface MetricJson {
  readonly mean: number | null;
  readonly halfWidth: number | null;
  readonly unit: string;
  readonly deviation: number | null;
  /** Of each replication, in the order of their seeds. */
  readonly values: readonly (number | null)[];
  /** The same of each of its runs, where it has several. */
  readonly runs?: readonly (readonly number[])[];
  /** Of metrics in steady state, by replication: values left out at the start, and the correlation of batches. */
  readonly deleted?: readonly (number | null)[];
  readonly lag1?: readonly (number | null)[];
}

interface ComparisonJson extends NamesJson {
  readonly test: Comparison['kind'];
  readonly metric: string;
  /** The two names that differ; the others, of both, are beside `point`. */
  readonly of: string;
  readonly to: string;
  readonly ratio: number | null;
  readonly halfWidth: number | null;
  readonly p: number | null;
  /** Of tests alone: after Holm's correction, and whether that is at most the level. */
  readonly pHolm?: number | null;
  readonly differs?: boolean | null;
  /** Names of `of` and `to` that are the same with every seed, so that Kruskal and Wallis cannot test them. */
  readonly deterministic?: readonly string[];
}

interface QuotedJson {
  /** Position in `rows`. */
  readonly row: number;
  /** Of a ratio: the position of the row below the line. */
  readonly over?: number;
  readonly metric: string;
  /** Of all runs; the mean where it is left out. */
  readonly statistic?: 'best' | 'deviation';
  readonly paper: number;
  /** The paper says that the row differs from the best one. */
  readonly differs?: true;
  /** With the half width of its interval. */
  readonly ours: number | null;
  readonly halfWidth: number | null;
  /** ours − paper. */
  readonly residual: number | null;
}

/** O(points · replications · metrics). */
export function experimentToJson(result: ExperimentResult): ExperimentJson {
  const { plan, complete, points } = result;
  const living = points.filter((point) => pointFailure(point) === undefined);
  const counts = (living.length === 0 ? points : living).map(({ replications }) => replications.length);
  const correlations = correlationsOf(result).map(({ point, ...correlation }) => ({
    ...blockOfPoint(plan, point),
    ...correlation,
  }));
  return {
    name: plan.name,
    complete,
    replicationsDone: leastOf(counts),
    ...(plan.steadyState && { steadyState: plan.steadyState }),
    rows: points.map((point) => resultRow(plan, point)),
    comparisons: compareAll(result).map((comparison) => comparisonJson(plan, comparison)),
    ...(correlations.length === 0 ? {} : { correlations }),
    quoted: plan.quoted.flatMap((quoted) => {
      const found = findQuoted(plan, quoted);
      if (!found.ok) return [];
      const { point, over } = found.value;
      const metric = plan.metrics.findIndex(({ name }) => name === quoted.metric);
      const { statistic, differs } = quoted;
      const { ours, halfWidth } =
        statistic === undefined ? oursOf(result, metric, point, over) : ofAllRuns(result, metric, point, statistic);
      return {
        ...{ row: point.index, ...(over === undefined ? {} : { over: over.index }), metric: quoted.metric },
        ...(statistic === undefined ? {} : { statistic }),
        ...{ paper: quoted.value, ...(differs && { differs }), ours: ours ?? null, halfWidth: halfWidth ?? null },
        residual: ours === undefined ? null : ours - quoted.value,
      };
    }),
  };
}

const pointFailure = ({ replications }: PointResult) => replications.at(-1)?.failure;

const blockOfPoint = ({ vary }: ExperimentPlan, { values, ...names }: Point): BlockJson =>
  blockJson({ ...names, point: Object.fromEntries(vary.map(({ path }, axis) => [path, values[axis] ?? Number.NaN])) });

const pointNames = (plan: ExperimentPlan, point: Point): NamesJson => ({
  ...blockOfPoint(plan, point),
  ...comparedNamesOf(point),
});

const comparedNamesOf = ({ scheduler, allocator, mapper, pattern }: Point) => ({
  scheduler: scheduler ?? null,
  allocator: allocator ?? null,
  mapper: mapper ?? null,
  ...(pattern === undefined ? {} : { pattern }),
});

function resultRow(plan: ExperimentPlan, result: PointResult): RowJson {
  const { replications, point } = result;
  const failure = pointFailure(result);
  const [told, ...others] = replications.flatMap(({ notices }) => (notices === undefined ? [] : [notices]));
  const seed = replications.at(-1)?.seed ?? 0;
  const speed = replications.find((done) => done.speed !== undefined)?.speed;
  const overTime = replications.flatMap((done) =>
    done.overTime === undefined ? [] : [{ seed: done.seed, ...done.overTime }],
  );
  return {
    ...pointNames(plan, point),
    replications: replications.length,
    ...(replications.length > 1 && isDeterministic(replications) && { deterministic: true as const }),
    metrics: Object.fromEntries(plan.metrics.map(({ name }, metric) => [name, metricOf(plan, result, metric)])),
    ...(speed === undefined ? {} : { speed }),
    ...(overTime.length === 0 ? {} : { overTime }),
    ...(told === undefined ? {} : { notices: { replications: 1 + others.length, messages: told } }),
    ...(failure === undefined ? {} : { failure: { seed, code: failure.code, message: failure.message } }),
  };
}

function metricOf(plan: ExperimentPlan, result: PointResult, metric: number): MetricJson {
  const { mean: middle, halfWidth, deviation } = estimateMetric(plan, result, metric);
  const figures = {
    mean: middle ?? null,
    halfWidth: halfWidth ?? null,
    unit: plan.metrics[metric]?.unit ?? '',
    deviation: deviation ?? null,
    values: valuesOf(result.replications, metric),
    ...(result.replications.some(({ runs }) => (runs?.[metric] ?? null) !== null) && {
      runs: result.replications.map(({ runs }) => runs?.[metric] ?? []),
    }),
  };
  const steady = result.replications.map((done) => done.steady?.[metric] ?? null);
  if (steady.every((one) => one === null)) return figures;
  return {
    ...figures,
    deleted: steady.map((one) => one?.deleted ?? null),
    lag1: steady.map((one) => one?.lag1 ?? null),
  };
}

/** One long run has the interval of its batches; several have that of their means. */
function estimateMetric(plan: ExperimentPlan, { replications }: PointResult, metric: number): Estimate {
  const all = valuesOf(replications, metric);
  // A replication of traffic without a latency is saturated: then the rate has none, whatever others found by chance.
  const values = plan.patterns !== undefined && all.includes(null) ? [] : all.filter((value) => value !== null);
  const estimate = estimateMean(values, confidenceOf(plan));
  const halfWidth = replications.length === 1 ? replications[0]?.steady?.[metric]?.halfWidth : undefined;
  return typeof halfWidth === 'number' ? { ...estimate, halfWidth } : estimate;
}

/** The metric whose interval is widest in relation to its mean, of all points; undefined where there is no interval yet. */
export function widestInterval({
  plan,
  points,
}: ExperimentResult): { readonly metric: string; readonly share: number } | undefined {
  let widest: { readonly metric: string; readonly share: number } | undefined;
  for (const point of points) {
    plan.metrics.forEach(({ name: metric }, index) => {
      const { mean: middle = 0, halfWidth = 0 } = estimateMetric(plan, point, index);
      const share = middle === 0 ? 0 : halfWidth / Math.abs(middle);
      if (share > (widest?.share ?? 0)) widest = { metric, share };
    });
  }
  return widest;
}

function comparisonJson(plan: ExperimentPlan, comparison: Comparison): ComparisonJson {
  const { kind, metric, of, to, compared, ratio, halfWidth, p, corrected, differs, deterministic } = comparison;
  const names = { ...pointNames(plan, of), [compared]: null };
  return {
    ...{ test: kind, metric, of: of[compared] ?? '', to: to[compared] ?? '', ...names },
    ...{ ratio: ratio ?? null, halfWidth: halfWidth ?? null, p: p ?? null },
    ...(kind === 'paired-ratio' ? {} : { pHolm: corrected ?? null, differs: differs ?? null }),
    ...(deterministic.length > 0 && { deterministic: deterministic.map((point) => point[compared] ?? '') }),
  };
}

function oursOf({ plan, points }: ExperimentResult, metric: number, point: Point, over: Point | undefined) {
  const of = points[point.index];
  if (of === undefined) return { ours: undefined, halfWidth: undefined };
  const to = over === undefined ? undefined : points[over.index];
  if (to === undefined) {
    const { mean: ours, halfWidth } = estimateMetric(plan, of, metric);
    return { ours, halfWidth };
  }
  const { x, y } = pairedValues(of, to, metric);
  const { ratio: ours, halfWidth } = pairedRatio(x, y, confidenceOf(plan));
  return { ours, halfWidth };
}

function ofAllRuns(
  { plan, points }: ExperimentResult,
  metric: number,
  { index }: Point,
  statistic: 'best' | 'deviation',
) {
  const sample = sampleOf(points[index]?.replications ?? [], metric);
  const best = plan.metrics[metric]?.better === 'more' ? Math.max : Math.min;
  const least = statistic === 'best' ? 1 : 2;
  if (sample.length < least) return { ours: undefined, halfWidth: undefined };
  return { ours: statistic === 'best' ? best(...sample) : sampleStandardDeviation(sample), halfWidth: undefined };
}

/** The names of rows that are columns of a table: of some what has been crossed alone. */
const columnsOf = ({ routings, patterns }: ExperimentPlan, usual: readonly NameKey[]): readonly NameKey[] => [
  'job',
  'machine',
  ...(routings === undefined ? [] : ['routing' as const]),
  ...usual,
  ...(patterns === undefined ? [] : ['pattern' as const]),
];

/** What a table writes for a name of a point: choices with all their options, so that rows of several files can be told apart. */
export function tableName({ tableNames }: ExperimentPlan, point: Point, key: NameKey): string | undefined {
  const name = point[key];
  if (name === undefined) return key === 'job' || key === 'machine' ? tableNames?.[key] : undefined;
  return tableNames?.full[key]?.[name] ?? name;
}

/**
 * A line for each point and metric, with a head: the experiment, the values of what is varied, names of what is crossed, metric, unit,
 * mean, half width, number of replications with a value, seeds. Empty where there is none.
 */
export function experimentToCsv({ plan, points }: ExperimentResult): string {
  const columns = columnsOf(plan, ['allocator', 'scheduler', 'mapper']);
  const head = [
    'experiment',
    ...plan.vary.map(({ path }) => path),
    ...columns,
    'metric',
    'unit',
    'mean',
    'halfWidth',
    'n',
    'seeds',
  ];
  const lines = points.flatMap((result) => {
    const names = [plan.name, ...result.point.values, ...columns.map((key) => tableName(plan, result.point, key))];
    return plan.metrics.map(({ name, unit }, metric) => {
      const { mean: middle, halfWidth, count } = estimateMetric(plan, result, metric);
      return [...names, name, unit, middle, halfWidth, count, seedsText(plan, result)];
    });
  });
  return csvText([head, ...lines]);
}

/**
 * A line for each point and seed, with a head: the experiment, the values of what is varied, names of what is crossed, the seed, then every metric, with
 * its unit behind its name. Empty where there is none.
 */
export function cellsToCsv({ plan, points }: ExperimentResult): string {
  const metrics = plan.metrics.map(({ name, unit }) => (unit === '' ? name : `${name} (${unit})`));
  const columns = columnsOf(plan, ['allocator', 'mapper']);
  const head = ['experiment', ...plan.vary.map(({ path }) => path), ...columns, 'seed', ...metrics];
  const lines = points.flatMap(({ point, replications }) =>
    replications.map(({ seed, values: measured }) => [
      ...[plan.name, ...point.values, ...columns.map((key) => tableName(plan, point, key)), seed],
      ...measured.map((value) => value ?? undefined),
    ]),
  );
  return csvText([head, ...lines]);
}

/** The replication with the best value of the first metric, the first of several; undefined where none has one. O(replications). */
export function bestCell({
  plan,
  points,
}: ExperimentResult): { readonly point: Point; readonly seed: number; readonly value: number } | undefined {
  const sign = plan.metrics[0]?.better === 'more' ? -1 : 1;
  let best: { readonly point: Point; readonly seed: number; readonly value: number } | undefined;
  for (const { point, replications } of points) {
    for (const { seed, values } of replications) {
      const value = values[0] ?? undefined;
      if (value !== undefined && (best === undefined || sign * value < sign * best.value))
        best = { point, seed, value };
    }
  }
  return best;
}

/** From the first to the last where seeds are one after the other, else all of them. */
function seedsText({ replications }: ExperimentPlan, { replications: { length } }: PointResult): string {
  if (length === 0) return '';
  if (replications.kind === 'listed') return replications.seeds.slice(0, length).join(' ');
  const [first, last] = [seedOf(replications, 0), seedOf(replications, length - 1)];
  return first === last ? `${first}` : `${first}..${last}`;
}
