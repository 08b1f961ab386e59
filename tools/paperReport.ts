/** What is printed of one experiment of a paper: its numbers beside ours, tests, correlations, claims, misprints. */
import type { ExperimentJson, RowJson } from '../server/experiments/results.ts';
import { claimLines, claimText } from './paperClaims.ts';
import type { PaperClaims } from './paperFigures.ts';

export type Form = 'short' | 'middle' | undefined;

/** A number of a paper beside ours. */
export interface QuotedLine {
  /** `turnaround rbs / gabl at arrivals.rate 0.0009`. */
  readonly what: string;
  readonly metric: string;
  readonly isRatio: boolean;
  readonly paper: number;
  /** Undefined where there is none, as of an interval of one run. */
  readonly ours: number | undefined;
  readonly halfWidth: number | undefined;
  /** ours − paper. */
  readonly residual: number | undefined;
  /** How far apart they are expected to be, or that nobody knows why they differ; undefined where nothing is said. */
  readonly expected: number | 'open' | undefined;
}

export function quotedLines({ name, rows, quoted }: ExperimentJson, { expected = {} }: PaperClaims): QuotedLine[] {
  return quoted.map(({ row, over, metric, statistic, paper, ours, halfWidth, residual }) => {
    const [of, to] = [rows[row], over === undefined ? undefined : rows[over]];
    const pair = to === undefined ? rowWords(of, rows) : `${rowWords(of, rows)} / ${rowWords(to, rows)}`;
    const places = Object.entries(of?.point ?? {}).map(([path, value]) => ` at ${path} ${value}`);
    const measured = statistic === undefined ? metric : `${statistic} ${metric}`;
    const said = expected[`${name} ${pair}`] ?? expected[measured] ?? expected[metric] ?? expected['usual'];
    return {
      what: `${measured} ${pair}${places.join('')}`,
      metric,
      isRatio: to !== undefined,
      paper,
      ours: ours ?? undefined,
      halfWidth: halfWidth ?? undefined,
      residual: residual ?? undefined,
      expected: said === 'open' ? said : typeof said === 'string' ? (Number.parseFloat(said) / 100) * paper : said,
    };
  });
}

/** The names by which a row differs from others. */
export function rowWords(row: RowJson | undefined, rows: readonly RowJson[]): string {
  const keys = ['scheduler', 'allocator', 'mapper', 'pattern'] as const;
  const telling = keys.filter((key) => new Set(rows.map((one) => one[key])).size > 1);
  return telling.map((key) => row?.[key] ?? '').join(' ');
}

/** A row of a table of a paper: mean, best and deviation, and whether it differs from the best mean. */
export interface CellLine {
  readonly row: RowJson;
  readonly mean: Pair;
  readonly best: Pair | undefined;
  readonly deviation: Pair | undefined;
  /** Marked by the paper; of ours by Kruskal and Wallis, and with Holm's correction. Undefined where nothing was tested. */
  readonly differs: { readonly paper: boolean; readonly ours: boolean | undefined; readonly holm: boolean | undefined };
}

interface Pair {
  readonly paper: number;
  readonly ours: number | undefined;
}

/** The level of significance of the tables that have marks. */
const level = 0.05;

/** The quoted numbers of rows, by row. In smaller runs they are ratios to one row of the same point, as the claims say. */
export function cellLines(
  { rows, quoted, comparisons }: ExperimentJson,
  { relativeTo }: PaperClaims,
  form: Form,
): CellLine[] {
  const single = quoted.filter(({ over }) => over === undefined);
  const ofRow = (row: RowJson, statistic?: 'best' | 'deviation') =>
    single.find((one) => rows[one.row] === row && one.statistic === statistic);
  return rows.flatMap((row): CellLine[] => {
    const quote = ofRow(row);
    if (quote === undefined) return [];
    const base = rows.find((one) => form !== undefined && hasPointOf(one, row) && one.mapper === relativeTo);
    const below = base && ofRow(base);
    const pairOf = (one: typeof quote | undefined): Pair | undefined =>
      one && {
        paper: one.paper / (below?.paper ?? 1),
        ours: one.ours === null ? undefined : one.ours / (below?.ours ?? 1),
      };
    const test = comparisons.find(
      ({ of, test: kind, metric, point }) =>
        kind === 'kruskal-wallis' && metric === quote.metric && of === row.mapper && hasPointOf({ point }, row),
    );
    const isBest = comparisons.some(
      ({ to, test: kind, metric, point }) =>
        kind === 'kruskal-wallis' && metric === quote.metric && to === row.mapper && hasPointOf({ point }, row),
    );
    const below5 = (p: number | null | undefined): boolean | undefined =>
      isBest ? false : typeof p === 'number' ? p <= level : undefined;
    return [
      {
        row,
        mean: pairOf(quote) ?? { paper: Number.NaN, ours: undefined },
        best: pairOf(ofRow(row, 'best')),
        deviation: pairOf(ofRow(row, 'deviation')),
        differs: { paper: quote.differs === true, ours: below5(test?.p), holm: below5(test?.pHolm) },
      },
    ];
  });
}

const hasPointOf = (one: Pick<RowJson, 'point'>, other: Pick<RowJson, 'point'>): boolean =>
  JSON.stringify(one.point) === JSON.stringify(other.point);

/** All that is printed of an experiment. */
export function reportOf(experiment: ExperimentJson, claims: PaperClaims, form?: Form): string[] {
  const notes = (claims.notes ?? []).filter((note) => note.experiment === experiment.name);
  const hasCells = experiment.quoted.some(({ statistic, differs }) => statistic !== undefined || differs === true);
  return [
    ...(hasCells ? cellReport(experiment, claims, form) : quotedReport(experiment, claims)),
    ...hopLines(experiment),
    ...correlationLines(experiment),
    ...claimLines(experiment, claims).map(claimText),
    ...notes.map(({ says }) => `misprint: ${says}`),
  ];
}

/** Numbers one by one. */
function quotedReport(experiment: ExperimentJson, claims: PaperClaims): string[] {
  const lines = quotedLines(experiment, claims).map(({ what, paper, ours, halfWidth, residual, expected }) => [
    ...[what, paper.toFixed(2), ours?.toFixed(3) ?? '–', halfWidth === undefined ? '' : `± ${halfWidth.toFixed(3)}`],
    ...[residual === undefined ? '–' : signed(residual, 3)],
    expected === undefined ? '' : expected === 'open' ? 'open' : `within ${expected}`,
  ]);
  return lines.length === 0 ? [] : columns([['', 'paper', 'ours', '', 'residual', 'expected'], ...lines]);
}

/** Rows of a table with best, mean and deviation; † says that a row differs from the best mean. */
function cellReport(experiment: ExperimentJson, claims: PaperClaims, form: Form): string[] {
  const { rows, quoted } = experiment;
  const unit = form === undefined ? (claims.unit?.[quoted[0]?.metric ?? ''] ?? 1) : 1;
  const number = (value: number | undefined): string =>
    value === undefined ? '–' : (value / unit).toFixed(form === undefined ? 2 : 3);
  const share = ({ paper, ours }: Pair): string =>
    ours === undefined ? '–' : `${signed(100 * (ours / paper - 1), 1)} %`;
  const mark = (differs: boolean | undefined): string => (differs === undefined ? '' : differs ? '†' : '=');
  const lines = cellLines(experiment, claims, form).map(({ row, mean, best, deviation, differs }) => [
    [...Object.values(row.point), rowWords(row, rows)].join(' '),
    ...[number(mean.paper), number(mean.ours), share(mean)],
    ...(best === undefined ? ['', '', ''] : [number(best.paper), number(best.ours), share(best)]),
    ...(deviation === undefined ? ['', ''] : [number(deviation.paper), number(deviation.ours)]),
    ...[differs.ours === undefined ? '' : mark(differs.paper), mark(differs.ours), mark(differs.holm)],
  ]);
  const over = form === undefined || claims.relativeTo === undefined ? '' : `over ${claims.relativeTo}`;
  return columns([[over, 'mean', 'ours', '', 'best', 'ours', '', 'deviation', 'ours', '†', 'ours', 'Holm'], ...lines]);
}

/** Mean hops by mapper and allocator, best first by the first allocator; of streams. */
function hopLines({ rows }: ExperimentJson): string[] {
  const allocators = [...new Set(rows.map(({ allocator }) => allocator ?? ''))];
  const names = [...new Set(rows.map(({ mapper }) => mapper ?? ''))];
  if (names.length < 2 || rows.some(({ scheduler }) => scheduler === null)) return [];
  const hopsOf = (allocator: string, mapper: string): number =>
    rows.find((row) => row.allocator === allocator && row.mapper === mapper)?.metrics['averageHops']?.mean ??
    Number.NaN;
  const best = allocators[0] ?? '';
  const sorted = names.sort((one, other) => hopsOf(best, one) - hopsOf(best, other));
  return columns([
    ['hops', ...allocators],
    ...sorted.map((mapper) => [mapper, ...allocators.map((one) => hopsOf(one, mapper).toFixed(3))]),
  ]);
}

function correlationLines({ correlations = [] }: ExperimentJson): string[] {
  return correlations.map(({ metric, to, rho, count, point }) => {
    const where = Object.entries(point).map(([path, value]) => ` at ${path} ${value}`);
    return `Spearman of ${metric} and ${to}${where.join('')}: ${rho.toFixed(2)}, ${count} runs`;
  });
}

const signed = (value: number, digits: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;

/** Lines with cells below each other, the first to the left. */
export function columns(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
