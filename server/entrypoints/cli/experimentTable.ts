/** What `placewright experiment` prints for people, and the table of its jobs. */
import { largestOf, leastOf } from '../../model/lists.ts';
import { csvRecord } from '../../model/csv.ts';
import type { PreparedExperiment } from '../../experiments/prepare.ts';
import { nameKeys } from '../../model/experiment.ts';
import {
  blockWords,
  tableName,
  type ExperimentJson,
  type MetricJson,
  type RowJson,
} from '../../experiments/results.ts';
import type { ExperimentResult } from '../../experiments/run.ts';
import type { ReplicationTrace } from '../../experiments/streamReplications.ts';
import { wordsOfRow } from '../../experiments/words.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { writtenVaried } from '../../model/simulation.ts';
import { align } from './terminal.ts';

/** A table of rows and metrics, then comparisons and the numbers of papers. */
export function describeExperiment(experiment: ExperimentJson): string {
  const { name, complete, rows } = experiment;
  const counts = [...new Set(rows.map(({ replications }) => replications))];
  const [fewest, most] = [leastOf(counts), largestOf(counts)];
  const count = `${fewest === most ? fewest : `${fewest} to ${most}`} ${most === 1 ? 'replication' : 'replications'}`;
  const blocks = [
    [`Experiment ${name} (${count} of each row${complete ? '' : ', interrupted'})`, ...resultTable(rows)],
    ...(rows.some(({ speed }) => speed !== undefined) ? [['Saturation rate factor', ...speedLines(rows)]] : []),
    ...(experiment.steadyState === undefined
      ? []
      : [['Steady state', ...steadyLines(experiment, experiment.steadyState)]]),
    ...(experiment.comparisons.length > 0 ? [['Compared', ...comparisonLines(experiment)]] : []),
    ...(experiment.correlations === undefined ? [] : [['Correlated by rank (Spearman)', ...correlated(experiment)]]),
    ...(experiment.quoted.length > 0 ? [['Quoted', ...quotedTable(experiment)]] : []),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

function resultTable(rows: readonly RowJson[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const paths = Object.keys(first.point);
  const names = nameKeys.filter((key) => rows.some((row) => (row[key] ?? null) !== null));
  const metrics = Object.entries(first.metrics);
  const head = [...paths, ...names, ...metrics.map(([name, { unit }]) => (unit === '' ? name : `${name} (${unit})`))];
  const lines = rows.map((row) => [
    ...paths.map((path) => writtenVaried(path, row.point[path] ?? Number.NaN)),
    ...names.map((key) => row[key] ?? ''),
    ...metrics.map(([name]) => (row.failure ? row.failure.code : metricText(row.metrics[name]))),
  ]);
  const right = (): 'right' => 'right';
  const sides = [...paths.map(right), ...names.map(() => 'left' as const), ...metrics.map(right)];
  return indented(align([head, ...lines], sides));
}

/** One for all rows with the same values. */
function speedLines(rows: readonly RowJson[]): string[] {
  const lines = new Map<string, string[]>();
  for (const row of rows) {
    const { speed } = row;
    const values = blockWords(row);
    if (speed !== undefined) lines.set(values.join(', '), [...values, `${speed} times the send rate`]);
  }
  return indented(align([...lines.values()], [...lines.values()][0]?.map(() => 'left') ?? []));
}

/** `5,312 ± 84`, with two digits of the half width; `–` where there is none. */
function metricText(metric: Pick<MetricJson, 'mean' | 'halfWidth'> | undefined): string {
  if (metric?.mean === null || metric === undefined) return '–';
  const { mean, halfWidth } = metric;
  if (halfWidth === null || halfWidth === 0) return formatDecimals(mean, 4 - magnitude(mean));
  const decimals = 1 - magnitude(halfWidth);
  return `${formatDecimals(mean, decimals)} ± ${formatDecimals(halfWidth, decimals)}`;
}

const magnitude = (value: number): number => (value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value))));

function formatDecimals(value: number, decimals: number): string {
  const digits = Math.min(12, Math.max(0, decimals));
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `turnaround  rbs  2,000 left out  correlation of batches 0.041`: of each replication, or from the least to the most. */
function steadyLines({ rows }: ExperimentJson, { batches }: NonNullable<ExperimentJson['steadyState']>): string[] {
  // Independent batches are correlated by less than this 19 times of 20.
  const suspicious = 1.645 / Math.sqrt(batches);
  const lines = rows.flatMap((row) =>
    Object.entries(row.metrics).flatMap(([metric, { deleted, lag1 }]) => {
      if (deleted === undefined || lag1 === undefined) return [];
      const correlations = lag1.filter((value) => value !== null);
      const verdict = correlations.some((value) => value > suspicious) ? 'are correlated; use longer runs' : '';
      return [
        [
          metric,
          wordsOfRow(row).join(', '),
          `${rangeText(deleted, 0)} jobs skipped`,
          `correlation of batches ${rangeText(lag1, 3)}`,
          verdict,
        ],
      ];
    }),
  );
  return indented(align(lines, ['left', 'left', 'right', 'left', 'left']));
}

function rangeText(values: readonly (number | null)[], decimals: number): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '–';
  const [least, most] = [formatDecimals(leastOf(known), decimals), formatDecimals(largestOf(known), decimals)];
  return least === most ? least : `${least} to ${most}`;
}

function comparisonLines({ comparisons }: ExperimentJson): string[] {
  const lines = comparisons.map((comparison) => {
    const { test, metric, of, to, ratio, halfWidth, p, pHolm, differs, deterministic } = comparison;
    const shown = (value: number): string => (value < 0.0001 ? '< 0.0001' : value.toFixed(4));
    const holm = pHolm === null || pHolm === undefined ? '' : `, ${shown(pHolm)} with Holm's correction`;
    const verdict = differs === true ? 'differs' : differs === false ? 'may be equal' : notTested(deterministic);
    return [
      ...[test, metric, `${of} / ${to}`, wordsOfRow(comparison).join(', '), metricText({ mean: ratio, halfWidth })],
      ...[p === null ? '' : `p ${shown(p)}${holm}`, verdict],
    ];
  });
  return indented(align(lines, ['left', 'left', 'left', 'left', 'right', 'left', 'left']));
}

const notTested = (deterministic: readonly string[] | undefined): string =>
  deterministic === undefined
    ? ''
    : `not tested: ${deterministic.join(' and ')} ${deterministic.length === 1 ? 'has' : 'have'} one value for all seeds`;

function correlated({ correlations = [] }: ExperimentJson): string[] {
  const lines = correlations.map((correlation) => {
    const { metric, to, rho, count } = correlation;
    return [`${metric}, ${to}`, blockWords(correlation).join(', '), rho.toFixed(3), `of ${count} runs`];
  });
  return indented(align(lines, ['left', 'left', 'right', 'left']));
}

/** As it is written, thousands apart. */
const groupedThousands = (value: number): string =>
  Math.abs(value) < 1000 ? String(value) : value.toLocaleString('en-US');

function quotedTable({ quoted, rows }: ExperimentJson): string[] {
  const head = ['', '', 'paper', 'ours', 'residual'];
  const lines = quoted.map(({ row, over, metric, statistic, paper, ours, halfWidth, residual }) => {
    const [of, below] = [rows[row], over === undefined ? undefined : rows[over]];
    const names = [of, below].flatMap((one) => (one === undefined ? [] : [wordsOfRow(one).join(', ')]));
    const signed =
      residual === null ? '–' : `${residual > 0 ? '+' : ''}${groupedThousands(Number(residual.toPrecision(3)))}`;
    return [
      statistic === undefined ? metric : `${statistic} ${metric}`,
      names.join(' / '),
      groupedThousands(paper),
      metricText({ mean: ours, halfWidth }),
      signed,
    ];
  });
  return indented(align([head, ...lines], ['left', 'left', 'right', 'right', 'right']));
}

/** A text is no longer than this. */
const mostLetters = 2 ** 28;

/**
 * A line of CSV for each job of each replication that is done, in the order of the points and seeds: simulates them once more.
 * Fails with `too-many-jobs`, and as a replication does.
 */
export function jobLines(
  { traceReplication }: PreparedExperiment,
  { plan, points }: ExperimentResult,
  cancellation: Cancellation,
): Result<string> {
  const paths = plan.vary.map(({ path }) => path);
  const head = ['replication', 'job', 'submit', 'start', 'end', 'processors', 'nodes', 'hops', 'refused'];
  const keys = ['job', 'machine', 'scheduler', 'allocator', 'mapper'] as const;
  const shared = ['experiment', 'stream', ...keys.slice(1), ...paths];
  const blocks = [csvRecord([...head, 'line', 'number', ...shared])];
  let letters = 0;
  for (const { point, replications } of points) {
    const names = keys.map((key) => tableName(plan, point, key));
    const end = csvRecord([plan.name, ...names, ...point.values]);
    for (const [replication, { failure }] of replications.entries()) {
      if (failure !== undefined) continue;
      const trace = traceReplication(point, replication, cancellation, { withHops: true });
      if (!trace.ok) return trace;
      const block = traceLines(trace.value, end);
      letters += block.length;
      if (letters > mostLetters) {
        return fail('too-many-jobs', '--jobs: the table exceeds 256 MiB. Use fewer replications or points.');
      }
      blocks.push(block);
    }
  }
  return succeed(blocks.join(''));
}

/** Jobs in order of arrival, counted from 0; nodes as ranges of ascending numbers, with blanks between them. */
function traceLines({ seed, run, hops }: ReplicationTrace, end: string): string {
  const { jobs, starts, ends, refusedJobs, nodes } = run;
  let lines = '';
  for (let job = 0; job < jobs.count; job++) {
    const cells = [
      ...[seed, job, jobs.submit[job], starts[job], ends[job], jobs.processors[job]],
      ...[nodeRanges(nodes[job] ?? new Int32Array(0)), hops[job], refusedJobs[job] ?? 0, jobs.line[job] ?? 0],
      jobs.number[job],
    ];
    lines += `${csvRecord(cells, '')},${end}`;
  }
  return lines;
}

function nodeRanges(nodes: Int32Array): string {
  const ranges: string[] = [];
  let [first, last] = [-1, -1];
  const add = (): void => {
    if (first >= 0) ranges.push(first === last ? String(first) : `${first}-${last}`);
  };
  for (const node of nodes.toSorted()) {
    if (first >= 0 && node === last + 1) {
      last = node;
      continue;
    }
    add();
    [first, last] = [node, node];
  }
  add();
  return ranges.join(' ');
}
