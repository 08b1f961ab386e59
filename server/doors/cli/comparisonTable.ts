/** What `placewright compare` prints for people and for spreadsheets. */
import { formatBytes, formatNumber, formatSeconds, plural } from '../../drawing/quantities.ts';
import type { Comparison, PlacedTrial } from '../../study/compare.ts';
import { csvLine } from './csvLine.ts';
import { align } from './summary.ts';

interface Column {
  readonly heading: string;
  readonly side: 'left' | 'right';
  readonly cell: (trial: PlacedTrial) => string;
  /** Without it the column is there always. */
  readonly isNeeded?: (trial: PlacedTrial) => boolean;
}

const columns: readonly Column[] = [
  { heading: 'Mapper', side: 'left', cell: ({ mapper, otherNodes }) => (otherNodes ? `${mapper} *` : mapper) },
  { heading: 'Hop-bytes', side: 'right', cell: ({ outline }) => formatBytes(outline.metrics.hopBytes) },
  { heading: 'Ratio', side: 'right', cell: ({ ratio }) => ratioText(ratio) },
  { heading: 'Average hops', side: 'right', cell: ({ outline }) => formatNumber(outline.metrics.averageHops) },
  { heading: 'Maximum hops', side: 'right', cell: ({ outline }) => formatNumber(outline.metrics.maximumHops) },
  { heading: 'Maximum link load', side: 'right', cell: ({ outline }) => formatBytes(outline.metrics.maximumLinkLoad) },
  { heading: 'Heaviest link', side: 'left', cell: ({ heaviestLink }) => endsText(heaviestLink) || '-' },
  {
    heading: 'Congestion time',
    side: 'right',
    cell: ({ outline: { metrics } }) =>
      metrics.congestionTime === undefined ? '-' : formatSeconds(metrics.congestionTime),
    isNeeded: ({ outline }) => outline.metrics.congestionTime !== undefined,
  },
  {
    heading: 'Mapping coefficient',
    side: 'right',
    cell: ({ outline: { metrics } }) =>
      metrics.mappingCoefficient === undefined ? '-' : formatBytes(metrics.mappingCoefficient),
  },
  { heading: 'Milliseconds', side: 'right', cell: ({ outline }) => outline.milliseconds.map.toFixed(1) },
];

/** A line per mapper, the bound below them, and at the end those that came to nothing. */
export function comparisonTable(comparison: Comparison): string {
  const { placement, placed } = comparison;
  const [first] = placed;
  const blocks = [
    first === undefined ? [`No mapper placed ${placement}.`] : [headOf(placement, first), '', ...rowsOf(comparison)],
    placed.some(({ otherNodes }) => otherNodes) ? ['* Later jobs got other nodes than with the first mapper.'] : [],
    failures(comparison),
  ];
  return `${blocks.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n')}\n`;
}

function headOf(placement: string, { outline }: PlacedTrial): string {
  const jobs = outline.jobs.map(({ name, tasks }) => `${name} (${plural(tasks, 'task')})`).join(', ');
  return `Placement ${placement}: ${jobs} on ${outline.machine}, seed ${outline.seed}`;
}

function rowsOf(comparison: Comparison): readonly string[] {
  const { placed } = comparison;
  const shown = columns.filter(({ isNeeded }) => isNeeded === undefined || placed.some(isNeeded));
  const head = shown.map(({ heading }) => heading);
  const rows = placed.map((trial) => shown.map(({ cell }) => cell(trial)));
  const sides = shown.map(({ side }) => side);
  return align([head, ...rows, ...boundRows(comparison)], sides);
}

/** No mapping onto these nodes costs less. */
function boundRows({ bound, placed }: Comparison): readonly (readonly string[])[] {
  if (bound === undefined || placed.length === 0) return [];
  const fewest = Math.min(...placed.map(({ outline }) => outline.metrics.hopBytes));
  return [[`at least (${bound.name})`, formatBytes(bound.value), ratioText(fewest > 0 ? bound.value / fewest : 1)]];
}

const ratioText = (ratio: number | undefined): string => (ratio === undefined ? '-' : ratio.toFixed(3));

const endsText = (link: PlacedTrial['heaviestLink']): string =>
  link === undefined ? '' : `${link.fromName} → ${link.toName}`;

function failures({ refused, stopped }: Comparison): readonly string[] {
  return align(
    [
      ...refused.map(({ mapper, failure }) => [mapper, `refused: ${failure.message}`]),
      ...stopped.map(({ mapper, milliseconds }) => [mapper, stoppedText(milliseconds)]),
    ],
    ['left', 'left'],
  );
}

const stoppedText = (milliseconds: number): string => `stopped after ${formatSeconds(milliseconds / 1000)}`;

/** The same rows for programs: RFC 4180, plain numbers in the units of `compare --json`, the same columns always. */
export function comparisonCsv({ placed, refused, stopped }: Comparison): string {
  const rows: Partial<Record<CsvColumn, string | number | undefined>>[] = [
    ...placed.map(({ mapper, outline: { metrics, milliseconds }, ratio, heaviestLink }) => ({
      ...metrics,
      mapper,
      ratio,
      heaviestLink: endsText(heaviestLink),
      milliseconds: milliseconds.map,
    })),
    ...refused.map(({ mapper, failure }) => ({ mapper, failure: `refused: ${failure.message}` })),
    ...stopped.map(({ mapper, milliseconds }) => ({ mapper, failure: stoppedText(milliseconds) })),
  ];
  return [csvLine(csvColumns), ...rows.map((row) => csvLine(csvColumns.map((column) => row[column])))].join('');
}

const csvColumns = [
  'mapper',
  'hopBytes',
  'ratio',
  'averageHops',
  'maximumHops',
  'maximumLinkLoad',
  'heaviestLink',
  'congestionTime',
  'mappingCoefficient',
  'milliseconds',
  'failure',
] as const;
type CsvColumn = (typeof csvColumns)[number];
