/** Bunde et al. 2014: figures 14 and 18 from the jobs of a log one by one, and figure 12 from one placement with each mapper. */
import { lineCells } from '../../server/interchange/csv.ts';
import { claimText } from '../paperClaims.ts';
import {
  figureOf,
  largestOf,
  pageTable,
  type Figure,
  type Figures,
  type Kept,
  type PagePart,
  type QuotedOf,
} from '../paperMeasured.ts';
import { columns } from '../paperReport.ts';
import { paperNumbers } from './runningTimes.ts';

/** Jobs of a log in two allocations, from the table that `--jobs` writes. */
export interface LoggedFigures {
  readonly jobs: number;
  readonly serial: number;
  readonly measured: number;
  /** Mean hops of square jobs, by side and allocator: figure 18. */
  readonly sides: readonly { readonly side: number; readonly hops: ReadonlyMap<string, number> }[];
}

/** Figures 14 and 18 of Bunde et al. 2014, by the names of the allocators, of which each stands once. O(lines). */
export function loggedFigures(table: string): LoggedFigures {
  const [head = '', ...lines] = table.trimEnd().split('\n');
  const columns = lineCells(head, ',');
  const sums = new Map<number, Map<string, { count: number; sum: number }>>();
  const counted = { jobs: 0, serial: 0, measured: 0 };
  let first: string | undefined;
  for (const line of lines) {
    const cells = lineCells(line, ',');
    const cellUnder = (column: string) => cells[columns.indexOf(column)] ?? '';
    const [allocator, hops] = [cellUnder('allocator').replace(/\(.*/, ''), cellUnder('hops')];
    const processors = Number(cellUnder('processors'));
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

export function loggedReport(name: string, { jobs, serial, measured, sides }: LoggedFigures): string[] {
  const paper = measuredJobs[name];
  const quoted = paper === undefined ? '' : `; the paper measured ${paper.jobs} (${(paper.share * 100).toFixed(1)} %)`;
  const allocators = [...new Set(sides.flatMap(({ hops }) => [...hops.keys()]))];
  return [
    `${measured} jobs measured of ${jobs} (${((100 * measured) / jobs).toFixed(1)} %), ${((100 * serial) / jobs).toFixed(1)} % serial${quoted}`,
    ...columns([
      ['side', ...allocators],
      ...sides.map(({ side, hops }) => [`${side}`, ...allocators.map((one) => hops.get(one)?.toFixed(3) ?? '–')]),
    ]),
  ];
}

/** Part of what `placewright compare --json` prints. */
export interface MapperComparison {
  readonly placement: string;
  readonly mappers: readonly { readonly mapper: string; readonly metrics: { readonly hopBytes: number } }[];
}

/** The mappers of figures 11 to 13. */
export const stencilMappers = [
  'baseline',
  'grouping',
  'row-major',
  'column-major',
  'ordered',
  'corner',
  'all-corners',
  'overlay',
  'two-way-overlay',
  'rcb',
];

/** What is printed of the placement of one size of job. */
export function comparisonReport({ mappers: compared }: MapperComparison): string[] {
  const bytes = new Map(compared.map(({ mapper, metrics }) => [mapper, metrics.hopBytes]));
  const hopsOf = (mapper: string): number => bytes.get(mapper) ?? Number.NaN;
  const sorted = stencilMappers.toSorted((one, other) => hopsOf(one) - hopsOf(other));
  const told = [
    { says: 'rcb is best', holds: sorted[0] === 'rcb' },
    { says: 'row-major is at least as good as column-major', holds: hopsOf('row-major') <= hopsOf('column-major') },
    {
      says: 'ordered is at least as good as both',
      holds: hopsOf('ordered') <= Math.min(hopsOf('row-major'), hopsOf('column-major')),
    },
  ];
  return [
    ...columns([['hops', 'of rcb'], ...sorted.map((mapper) => [mapper, (hopsOf(mapper) / hopsOf('rcb')).toFixed(3)])]),
    ...told.map((claim) => claimText({ ...claim, failing: [] })),
  ];
}

/** Figures 11 to 13 and sections 4.4 and 4.5: each number that is kept beside the paper's. */
function runningTimesPart(kept: readonly Kept[]): string {
  const titles: Readonly<Record<string, string>> = {
    'figure-11': '11',
    'figure-12': '12',
    'figure-13': '13, rcb under baseline, %',
    'section-4-4': '4.4, saved by rotations, %',
    'section-4-5': '4.5',
  };
  const lines = kept.flatMap(({ experiment, figures }) =>
    Object.entries(experiment in titles ? figures : {}).map(([what, figure]) => [
      titles[experiment] ?? '',
      what,
      paperNumbers[what] ?? '',
      figureText(figure),
    ]),
  );
  return pageTable(['figure', '', 'paper', 'ours'], lines);
}

const figureText = ({ value, least, most, holds, of }: Figure): string => {
  const number = String(Number(value.toFixed(2))).replace('-', '−');
  const count = holds === undefined || of === undefined ? '' : `${holds} of ${of}`;
  // A share of what is counted says no more than the count.
  if (count !== '' && Math.abs(value) <= 1 && value === shareOf(holds, of)) return count;
  return `${number}${count === '' ? '' : ` (${count})`}${least === undefined || most === undefined ? '' : ` (${least.toFixed(1)} to ${most.toFixed(1)})`}`;
};

const shareOf = (holds = 0, of = 1): number => Number((holds / of).toPrecision(6));

/** What is kept of the jobs of a log: figures 14 and 18. */
export const keptLogged = ({ jobs, serial, measured, sides }: LoggedFigures): Figures =>
  Object.fromEntries(
    [
      ...Object.entries({ jobs, 'serial jobs': serial, 'measured jobs': measured }),
      ...sides.flatMap(({ side, hops }) =>
        [...hops].map(([allocator, mean]) => [`hops at side ${side} ${allocator}`, mean] as const),
      ),
    ].map(([what, value]) => [what, { value }]),
  );

/** Figures 16 and 17: the two mappers with the fewest hops, by log and allocator; figure 14 beside them. */
function logsPart(kept: readonly Kept[], quotedOf: QuotedOf): string {
  const lines = [...quotedOf.keys()].flatMap((experiment) => {
    const log = experiment.replace(/-mappers$/, '');
    const hops = Object.entries(experiment === log ? {} : (largestOf(kept, experiment)?.figures ?? {})).flatMap(
      ([what, { value }]) => {
        const [, allocator, mapper] = /^averageHops (.+) (\S+)$/.exec(what) ?? [];
        return allocator === undefined || mapper === undefined ? [] : [{ allocator, mapper, value }];
      },
    );
    return [...new Set(hops.map(({ allocator }) => allocator))].flatMap((allocator) => {
      const [best, second] = hops
        .filter((one) => one.allocator === allocator)
        .sort((one, other) => one.value - other.value);
      if (best === undefined || second === undefined) return [];
      const above = `${(100 * (second.value / best.value - 1)).toFixed(1)} %`;
      const [first, next] = [best, second].map(({ mapper, value }) => `${mapper}, ${value.toFixed(3)}`);
      return [[log, allocator, first ?? '', next ?? '', above, measuredText(kept, log)]];
    });
  });
  return pageTable(['log', 'allocator', 'fewest hops', 'next', 'above it', 'jobs measured, paper → ours'], lines);
}

function measuredText(kept: readonly Kept[], log: string): string {
  const [jobs, measured, serial] = ['jobs', 'measured jobs', 'serial jobs'].map(
    (what) => figureOf(kept, `${log}-sides`, what)?.value,
  );
  if (jobs === undefined || measured === undefined || serial === undefined) return '';
  const [paper, percent] = [measuredJobs[log], (share: number) => `${(100 * share).toFixed(1)} %`];
  const theirs = paper === undefined ? '' : `${paper.jobs} (${percent(paper.share)}) → `;
  return `${theirs}${measured} (${percent(measured / jobs)}) of ${jobs}, ${percent(serial / jobs)} serial`;
}

export const bundeParts: readonly PagePart[] = [
  { name: 'bunde logs', text: logsPart },
  { name: 'bunde figures 11 to 13', text: runningTimesPart },
];
