/**
 * What is known of the figures in `samples/papers`: which numbers of a paper are held against ours, how far apart they are expected to
 * be, and which orders must come out. Used by `npm run papers` and by its test.
 */
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { ExperimentJson, RowJson } from '../server/experiments/results.ts';
import { root } from './run.ts';

export const papersFolder = resolve(root, 'samples', 'papers');

/** The files of figures, all of them or those with one of these names in theirs: `4-1`, `16`, `kth-sp2`. */
export function figureFiles(names: readonly string[] = []): string[] {
  const all = readdirSync(papersFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.place'))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((name) => join(papersFolder, name));
  // `12` is not the figure 4.12 of the thesis.
  const dotted = (name: string): string => name.replaceAll(/\b4-(?=\d)/g, '4.');
  const isNamed = (file: string): boolean =>
    names.some((name) => `-${dotted(stemOf(file))}-`.includes(`-${dotted(stemOf(name))}-`));
  return names.length === 0 ? all : all.filter(isNamed);
}

/** `…/figure-4-1-and-4-9.place` → `figure-4-1-and-4-9`. */
export const stemOf = (file: string): string => basename(file, '.place');

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
  /** How far apart they are expected to be, or that nobody knows why they differ. */
  readonly expected: number | 'open';
}

/**
 * Residuals of an independent simulation under the same rules. `open`: no reading of the thesis that was tried gives its number without giving up
 * others.
 */
const residuals: Readonly<Record<string, number | 'open'>> = {
  'figure-4-3 rbs / paging': 'open',
  'figure-4-4 rbs / paging': 'open',
  'figure-4-3 rbs / first-fit': 0.1,
  // "Very close" in words.
  'figure-4-7 rbs / mbs': 0.1,
};
const usualResidual = 0.06;
/** Of utilisations: the thesis gives the most that is reached, and what first-fit never exceeds. */
const utilisationResidual = 0.11;

export function quotedLines({ name, rows, quoted }: ExperimentJson): QuotedLine[] {
  return quoted.map(({ row, over, metric, paper, ours, halfWidth, residual }) => {
    const [of, to] = [rows[row], over === undefined ? undefined : rows[over]];
    const pair =
      to === undefined ? distinguishing(of, rows) : `${distinguishing(of, rows)} / ${distinguishing(to, rows)}`;
    const places = Object.entries(of?.point ?? {}).map(([path, value]) => ` at ${path} ${value}`);
    return {
      what: `${metric} ${pair}${places.join('')}`,
      metric,
      isRatio: to !== undefined,
      paper,
      ours: ours ?? undefined,
      halfWidth: halfWidth ?? undefined,
      residual: residual ?? undefined,
      expected: metric === 'utilisation' ? utilisationResidual : (residuals[`${name} ${pair}`] ?? usualResidual),
    };
  });
}

/** The names by which a row differs from others. */
function distinguishing(row: RowJson | undefined, rows: readonly RowJson[]): string {
  const keys = ['scheduler', 'allocator', 'mapper'] as const;
  const telling = keys.filter((key) => new Set(rows.map((one) => one[key])).size > 1);
  return telling.map((key) => row?.[key] ?? '').join(' ');
}

export interface OrderLine {
  readonly says: string;
  readonly holds: boolean;
}

type ValueOf = (name: string, metric?: string) => number;
interface Order {
  readonly says: string;
  readonly holds: (of: ValueOf) => boolean;
}

const nonContiguous = ['rbs', 'gabl', 'mbs', 'paging'];
const submeshesLose: Order = {
  says: 'every other allocator beats first-fit',
  holds: (of) => nonContiguous.every((name) => of(name) < of('first-fit')),
};
const rowsWin: Order = {
  says: 'rbs beats gabl, mbs and first-fit',
  holds: (of) => ['gabl', 'mbs', 'first-fit'].every((name) => of('rbs') < of(name)),
};
const busyAndSlow: Order = {
  says: 'mbs is slowest',
  holds: (of) => [...nonContiguous, 'first-fit'].every((name) => of(name) <= of('mbs')),
};
const isClose = (one: number, other: number): boolean => Math.abs(one / other - 1) < 0.15;

/** At the load that the paper quotes. */
const orders: Readonly<Record<string, readonly Order[]>> = {
  'figure-4-1': [submeshesLose],
  'figure-4-2': [submeshesLose],
  'figure-4-3': [
    rowsWin,
    busyAndSlow,
    {
      says: 'mbs uses more processors than rbs, gabl and paging',
      holds: (of) => ['rbs', 'gabl', 'paging'].every((name) => of(name, 'utilisation') < of('mbs', 'utilisation')),
    },
  ],
  'figure-4-4': [rowsWin],
  'figure-4-5': [submeshesLose],
  'figure-4-6': [submeshesLose],
  'figure-4-7': [
    { says: 'first-fit beats gabl, and gabl mbs, rbs and paging', holds: (of) => of('first-fit') < of('gabl') && ['mbs', 'rbs', 'paging'].every((name) => of('gabl') < of(name)) }, // prettier-ignore
    { says: 'rbs is close to paging and mbs', holds: (of) => isClose(of('rbs'), of('paging')) && isClose(of('rbs'), of('mbs')) }, // prettier-ignore
  ],
  'figure-4-8': [
    { says: 'first-fit beats gabl, gabl mbs, and mbs rbs and paging', holds: (of) => of('first-fit') < of('gabl') && of('gabl') < of('mbs') && of('mbs') < Math.min(of('rbs'), of('paging')) }, // prettier-ignore
    { says: 'rbs is close to paging', holds: (of) => isClose(of('rbs'), of('paging')) },
  ],
};

const mappers = ['baseline', 'row-major', 'column-major', 'ordered', 'corner', 'all-corners', 'overlay', 'two-way-overlay']; // prettier-ignore
const searchWins: Order = {
  says: 'incremental is best, and rcb second',
  holds: (of) => of('incremental') < of('rcb') && mappers.every((name) => of('rcb') < of(name)),
};

/** The orders that the paper tells of, at the loads of its numbers, and whether ours are the same. */
export function orderLines(experiment: ExperimentJson): OrderLine[] {
  const { name, rows, quoted } = experiment;
  if (rows.some(({ mapper }) => mapper === 'incremental')) {
    return [...new Set(rows.map(({ allocator }) => allocator ?? ''))].map((allocator) => ({
      says: `${allocator}: ${searchWins.says}`,
      holds: searchWins.holds((mapper) => meanOf(rows.find((row) => row.allocator === allocator && row.mapper === mapper), 'averageHops')), // prettier-ignore
    }));
  }
  const place = JSON.stringify(rows[quoted[0]?.row ?? 0]?.point);
  const valueOf: ValueOf = (allocator, metric = 'turnaround') =>
    meanOf(
      rows.find((row) => row.allocator === allocator && JSON.stringify(row.point) === place),
      metric,
    );
  return (orders[name] ?? []).map(({ says, holds }) => ({ says, holds: holds(valueOf) }));
}

const meanOf = (row: RowJson | undefined, metric: string): number => row?.metrics[metric]?.mean ?? Number.NaN;

/** Jobs of a log in two allocations, from the table that `--jobs` writes. */
export interface LoggedFigures {
  readonly jobs: number;
  readonly serial: number;
  readonly measured: number;
  /** Mean hops of square jobs, by side and allocator: figure 18. */
  readonly sides: readonly { readonly side: number; readonly hops: ReadonlyMap<string, number> }[];
}

/** Figures 14 and 18 of Bunde et al. 2014. O(lines). */
export function loggedFigures(table: string): LoggedFigures {
  const [head = '', ...lines] = table.trimEnd().split('\n');
  const columns = head.split(',');
  const [processorsAt, hopsAt, allocatorAt] = ['processors', 'hops', 'allocator'].map((name) => columns.indexOf(name));
  const sums = new Map<number, Map<string, { count: number; sum: number }>>();
  const counted = { jobs: 0, serial: 0, measured: 0 };
  let first: string | undefined;
  for (const line of lines) {
    const cells = line.split(',');
    const [processors, hops, allocator] = [Number(cells[processorsAt ?? -1]), cells[hopsAt ?? -1], cells[allocatorAt ?? -1] ?? '']; // prettier-ignore
    first ??= allocator;
    if (allocator === first) {
      counted.jobs++;
      if (processors === 1) counted.serial++;
      if (hops !== '') counted.measured++;
    }
    const side = Math.sqrt(processors);
    if (hops === '' || !Number.isInteger(side)) continue;
    const ofSide = sums.get(side) ?? new Map<string, { count: number; sum: number }>();
    const { count, sum } = ofSide.get(allocator) ?? { count: 0, sum: 0 };
    sums.set(side, ofSide.set(allocator, { count: count + 1, sum: sum + Number(hops) }));
  }
  const sides = [...sums]
    .sort(([one], [other]) => one - other)
    .map(([side, ofSide]) => ({
      side,
      hops: new Map([...ofSide].map(([allocator, { count, sum }]) => [allocator, sum / count])),
    }));
  return { ...counted, sides };
}

/** Jobs that Bunde et al. measured, of all those of the log (figure 14). Of Atlas they had another release of the log. */
export const measuredJobs: Readonly<Record<string, { readonly jobs: number; readonly share: number }>> = {
  'kth-sp2': { jobs: 18_603, share: 0.653 },
  'sdsc-par': { jobs: 29_172, share: 0.908 },
  atlas: { jobs: 37_378, share: 0.98 },
};

/** What is printed of one experiment: numbers of the paper beside ours, and orders. */
export function reportOf(experiment: ExperimentJson): string[] {
  const lines = quotedLines(experiment).map(({ what, paper, ours, halfWidth, residual, expected }) => [
    what,
    paper.toFixed(2),
    ours?.toFixed(3) ?? '–',
    halfWidth === undefined ? '' : `± ${halfWidth.toFixed(3)}`,
    residual === undefined ? '–' : `${residual < 0 ? '−' : '+'}${Math.abs(residual).toFixed(3)}`,
    expected === 'open' ? 'open' : `within ${expected}`,
  ]);
  const table = lines.length === 0 ? [] : columns([['', 'paper', 'ours', '', 'residual', 'expected'], ...lines]);
  return [...table, ...hopLines(experiment), ...orderLines(experiment).map(orderText)]; // prettier-ignore
}

/** Mean hops by mapper and allocator (figures 16 and 17), best first by the first allocator. */
function hopLines({ rows }: ExperimentJson): string[] {
  const allocators = [...new Set(rows.map(({ allocator }) => allocator ?? ''))];
  const names = [...new Set(rows.map(({ mapper }) => mapper ?? ''))];
  if (names.length < 2) return [];
  const hopsOf = (allocator: string, mapper: string): number => meanOf(rows.find((row) => row.allocator === allocator && row.mapper === mapper), 'averageHops'); // prettier-ignore
  const best = allocators[0] ?? '';
  const sorted = names.sort((one, other) => hopsOf(best, one) - hopsOf(best, other));
  return columns([['hops', ...allocators], ...sorted.map((mapper) => [mapper, ...allocators.map((one) => hopsOf(one, mapper).toFixed(3))])]); // prettier-ignore
}

export function loggedReport(name: string, { jobs, serial, measured, sides }: LoggedFigures): string[] {
  const paper = measuredJobs[name];
  const quoted = paper === undefined ? '' : `; the paper measured ${paper.jobs} (${(paper.share * 100).toFixed(1)} %)`;
  const allocators = [...new Set(sides.flatMap(({ hops }) => [...hops.keys()]))];
  return [
    `${measured} jobs measured of ${jobs} (${((100 * measured) / jobs).toFixed(1)} %), ${((100 * serial) / jobs).toFixed(1)} % serial${quoted}`,
    ...columns([['side', ...allocators], ...sides.map(({ side, hops }) => [`${side}`, ...allocators.map((one) => hops.get(one)?.toFixed(3) ?? '–')])]), // prettier-ignore
  ];
}

/** Part of what `placewright compare --json` prints. */
export interface MapperComparison {
  readonly placement: string;
  readonly mappers: readonly { readonly mapper: string; readonly metrics: { readonly hopBytes: number } }[];
}

/** The mappers of figures 11 to 13. */
export const stencilMappers = ['baseline', 'grouping', 'row-major', 'column-major', 'ordered', 'corner', 'all-corners', 'overlay', 'two-way-overlay', 'rcb']; // prettier-ignore

/** What is printed of the placement of one size of job. */
export function comparisonReport({ mappers: compared }: MapperComparison): string[] {
  const bytes = new Map(compared.map(({ mapper, metrics }) => [mapper, metrics.hopBytes]));
  const hopsOf = (mapper: string): number => bytes.get(mapper) ?? Number.NaN;
  const sorted = stencilMappers.toSorted((one, other) => hopsOf(one) - hopsOf(other));
  const told: readonly OrderLine[] = [
    { says: 'rcb is best', holds: sorted[0] === 'rcb' },
    { says: 'row-major is at least as good as column-major', holds: hopsOf('row-major') <= hopsOf('column-major') },
    { says: 'ordered is at least as good as both', holds: hopsOf('ordered') <= Math.min(hopsOf('row-major'), hopsOf('column-major')) }, // prettier-ignore
  ];
  return [
    ...columns([['hops', 'of rcb'], ...sorted.map((mapper) => [mapper, (hopsOf(mapper) / hopsOf('rcb')).toFixed(3)])]),
    ...told.map(orderText),
  ];
}

const orderText = ({ says, holds }: OrderLine): string => `${holds ? 'yes' : 'NO '}  ${says}`;

/** Lines with cells below each other, the first to the left. */
function columns(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ').trimEnd()); // prettier-ignore
}
