/** Results and progress of an experiment in one line each, for lenses, progress bars and the command line. */
import { nameKeys, type NameKey } from '../model/experiment.ts';
import { countOf, formatNumber, formatShare } from '../model/quantities.ts';
import { writtenVaried } from '../model/simulation.ts';
import { progressText } from '../model/words.ts';
import { widestInterval, type ExperimentJson, type RowJson } from './results.ts';
import type { ExperimentProgress } from './run.ts';

/** `40 of about 120 replications, 40,000 jobs, turnaround ± 6 %, 3 min left`. O(points · replications). */
export function experimentProgress({ done, expected, jobs, secondsLeft, soFar }: ExperimentProgress): string {
  const widest = widestInterval(soFar());
  const all = [
    `${formatNumber(done, 0)} of about ${countOf(expected, 'replication')}`,
    countOf(jobs, 'job'),
    ...(widest === undefined ? [] : [`${widest.metric} ± ${formatShare(widest.share)}`]),
  ];
  return progressText(all, secondsLeft);
}

interface Valued {
  readonly row: RowJson;
  readonly mean: number;
}

/**
 * What came of an experiment, of its first metric: `turnaround 812 ± 12 cycles, 60 replications` of a single row, else
 * from the least to the largest, with what differs between them:
 * `turnaround 812 (rbs) to 1,604 (first-fit) cycles, 60 replications`. O(rows).
 */
export function resultWords({ rows, complete, replicationsDone }: ExperimentJson): string {
  const metric = Object.keys(rows[0]?.metrics ?? {})[0] ?? '';
  const known = rows.flatMap((row): Valued[] => {
    const mean = row.metrics[metric]?.mean ?? undefined;
    return mean === undefined ? [] : [{ row, mean }];
  });
  const count = countOf(replicationsDone, 'replication');
  const failed = rows.filter(({ failure }) => failure !== undefined).length;
  const rest = [
    count,
    ...(complete ? [] : ['not finished']),
    ...(failed === 0 ? [] : [`${formatNumber(failed, 0)} of ${formatNumber(rows.length, 0)} failed`]),
  ];
  return [...valueWords(rows, metric, known), ...rest].join(', ');
}

function valueWords(rows: readonly RowJson[], metric: string, known: readonly Valued[]): readonly string[] {
  const [first, ...others] = known;
  if (first === undefined) return [];
  const { unit = '', halfWidth = null } = first.row.metrics[metric] ?? {};
  const unitWords = unit === '' ? '' : ` ${unit}`;
  if (others.length === 0) {
    const interval = halfWidth === null ? '' : ` ± ${formatNumber(halfWidth)}`;
    return [`${metric} ${formatNumber(first.mean)}${interval}${unitWords}`];
  }
  const least = others.reduce((best, one) => (one.mean < best.mean ? one : best), first);
  const most = others.reduce((best, one) => (one.mean > best.mean ? one : best), first);
  if (least.mean === most.mean)
    return [`${metric} ${formatNumber(first.mean)}${unitWords} in all ${formatNumber(known.length, 0)} rows`];
  const named = ({ row, mean }: Valued): string => `${formatNumber(mean)} (${resultRowName(row, rows)})`;
  return [`${metric} ${named(least)} to ${named(most)}${unitWords}`];
}

/** What tells a row from the others. */
function resultRowName(row: RowJson, rows: readonly RowJson[]): string {
  const names = nameKeys.flatMap((key) => {
    const name = row[key] ?? null;
    return name !== null && rows.some((other) => other[key] !== name) ? [name] : [];
  });
  const values = Object.entries(row.point)
    .filter(([path, value]) => rows.some(({ point }) => point[path] !== value))
    .map(([path, value]) => `${path} ${writtenVaried(path, value)}`);
  return [...names, ...values].join(', ');
}

/** All names of a row, then what is varied. */
export const wordsOfRow = (row: Pick<RowJson, NameKey | 'point'>): readonly string[] => [
  ...nameKeys.flatMap((key) => row[key] ?? []),
  ...Object.entries(row.point).map(([path, value]) => `${path} ${writtenVaried(path, value)}`),
];

/**
 * Why rows failed, and what replications said, each sentence once with how many rows it is of:
 * `rbs, arrivals.rate 2: error: with seed 5: … [code]`, `4 of 12 rows: Beyond saturation: …`. O(rows).
 */
export function rowNotices({ rows }: ExperimentJson): readonly string[] {
  const told = new Map<string, number>();
  const failures = rows.flatMap((row) => {
    const { failure } = row;
    if (failure === undefined) return [];
    const words = wordsOfRow(row).join(', ');
    return [
      `${words === '' ? '' : `${words}: `}error: with seed ${failure.seed}: ${failure.message} [${failure.code}]`,
    ];
  });
  for (const { notices } of rows) {
    for (const message of notices?.messages ?? []) {
      const text = message.replace(/\d+ of \d+ jobs/, 'many jobs');
      told.set(text, (told.get(text) ?? 0) + 1);
    }
  }
  return [...failures, ...[...told].map(([text, count]) => `${count} of ${rows.length} rows: ${text}`)];
}
