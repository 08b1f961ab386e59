/** What `placewright compare` prints for people. */
import { formatBytes, formatNumber, formatSeconds } from '../../drawing/quantities.ts';
import type { Comparison, PlacedTrial } from '../../study/compare.ts';
import { align } from './summary.ts';

const headings = [
  'Mapper',
  'Hop-bytes',
  'Ratio',
  'Average hops',
  'Maximum hops',
  'Maximum link load',
  'Mapping coefficient',
  'Milliseconds',
] as const;
const sides = headings.map((_, column) => (column === 0 ? 'left' : 'right'));

/** A line per mapper, the bound below them, and at the end those that came to nothing. */
export function comparisonTable(comparison: Comparison): string {
  const { placement, placed } = comparison;
  const [first] = placed;
  const blocks = [
    first === undefined
      ? [`No mapper placed ${placement}.`]
      : [headOf(placement, first), '', ...align([headings, ...placed.map(rowOf), ...boundRows(comparison)], sides)],
    placed.some(({ otherNodes }) => otherNodes) ? ['* Later jobs got other nodes than with the first mapper.'] : [],
    failures(comparison),
  ];
  return `${blocks.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n')}\n`;
}

function headOf(placement: string, { outline }: PlacedTrial): string {
  const jobs = outline.jobs.map(({ name, tasks }) => `${name} (${tasks} tasks)`).join(', ');
  return `Placement ${placement}: ${jobs} on ${outline.machine}, seed ${outline.seed}`;
}

function rowOf({ mapper, outline, ratio, otherNodes }: PlacedTrial): readonly string[] {
  const { metrics, milliseconds } = outline;
  return [
    otherNodes ? `${mapper} *` : mapper,
    formatBytes(metrics.hopBytes),
    ratioText(ratio),
    formatNumber(metrics.averageHops),
    formatNumber(metrics.maximumHops),
    formatBytes(metrics.maximumLinkLoad),
    metrics.mappingCoefficient === undefined ? '-' : formatBytes(metrics.mappingCoefficient),
    milliseconds.map.toFixed(1),
  ];
}

/** No mapping onto these nodes costs less. */
function boundRows({ bound, placed: [best] }: Comparison): readonly (readonly string[])[] {
  if (bound === undefined || best === undefined) return [];
  const { hopBytes } = best.outline.metrics;
  return [[`at least (${bound.name})`, formatBytes(bound.value), ratioText(hopBytes > 0 ? bound.value / hopBytes : 1)]];
}

const ratioText = (ratio: number | undefined): string => (ratio === undefined ? '-' : ratio.toFixed(3));

function failures({ refused, stopped }: Comparison): readonly string[] {
  return align(
    [
      ...refused.map(({ mapper, failure }) => [mapper, `refused: ${failure.message}`]),
      ...stopped.map(({ mapper, milliseconds }) => [mapper, `stopped after ${formatSeconds(milliseconds / 1000)}`]),
    ],
    ['left', 'left'],
  );
}
