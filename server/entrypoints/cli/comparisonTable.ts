/** What `placewright compare` prints for people. */
import { leastOf } from '../../model/lists.ts';
import { metricValue, type PlacementMetric } from '../../model/metricEntry.ts';
import { metricColumns } from '../../model/metrics.ts';
import { formatBytes, formatQuantity, countOf } from '../../model/quantities.ts';
import { overRuns, type Comparison, type MapperResult } from '../../study/compare.ts';
import { endsText, stoppedText, untriedIn } from '../../output/comparisonCsv.ts';
import { align } from './terminal.ts';

interface Column {
  readonly heading: string;
  readonly side: 'left' | 'right';
  readonly cell: (result: MapperResult) => string;
  /** It is a mean, with a deviation behind it where there are several seeds. */
  readonly isMean?: true;
  /** Without it the column is there always. */
  readonly isNeeded?: (comparison: Comparison) => boolean;
}

/** Letters of a mapper that are shown: a list of slots may have thousands. */
const shownLetters = 72;

/** Columns that say more of a metric than its value, behind it. */
const behind: Readonly<Record<string, readonly Column[]>> = {
  hopBytes: [{ heading: 'Ratio', side: 'right', cell: ({ ratio }) => ratioText(ratio) }],
  maximumLinkLoad: [
    {
      heading: 'Most loaded link',
      side: 'left',
      cell: ({ shown }) => endsText(shown.heaviestLink) || '-',
      // Another one with each seed.
      isNeeded: (comparison) => !hasSpread(comparison),
    },
  ],
};

const columns: readonly Column[] = [
  {
    heading: 'Mapper',
    side: 'left',
    cell: ({ mapper, otherNodes }) =>
      `${mapper.length > shownLetters ? `${mapper.slice(0, shownLetters - 1)}…` : mapper}${otherNodes ? ' *' : ''}`,
  },
  {
    heading: 'Seeds',
    side: 'right',
    cell: ({ runs, drewRandom }) => (drewRandom ? String(runs.length) : 'any'),
    isNeeded: hasSpread,
  },
  ...metricColumns.flatMap((entry) => [metricColumn(entry), ...(behind[entry.key] ?? [])]),
  figureColumn('Milliseconds', 'milliseconds', (value) => value.toFixed(1)),
];

function metricColumn(metric: PlacementMetric): Column {
  const { key, label, shortLabel, unit, column } = metric;
  const shown = figureColumn(shortLabel ?? label ?? key, key, (amount) => formatQuantity(unit, amount));
  if (column?.onlyWhereKnown !== true) return shown;
  return {
    ...shown,
    isNeeded: ({ placed }) => placed.some((result) => metricValue(metric, result.shown.outline.metrics) !== undefined),
  };
}

function figureColumn(heading: string, figure: string, format: (value: number) => string): Column {
  return {
    heading,
    side: 'right',
    isMean: true,
    cell: (result) => {
      const found = overRuns(result, figure);
      if (found === undefined) return '-';
      return found.deviation === undefined ? format(found.mean) : `${format(found.mean)} ± ${format(found.deviation)}`;
    },
  };
}

/** Several seeds were asked for. */
function hasSpread({ seeds = [] }: Comparison): boolean {
  return seeds.length > 1;
}

/** A line per mapper, the bound below them, and at the end those that came to nothing. */
export function comparisonTable(comparison: Comparison): string {
  const { placement, placed } = comparison;
  const [first] = placed;
  const blocks = [
    first === undefined
      ? [`No mapper placed ${placement}.`]
      : [...comparisonHead(comparison, first), '', ...alignedRows(comparison)],
    sameMappings(placed),
    placed.flatMap((result) => {
      const untried = untriedIn(result);
      return untried === '' ? [] : [`${result.mapper}: time limit too short for ${untried}.`];
    }),
    placed.some(({ otherNodes }) => otherNodes) ? ['* Later jobs use other nodes than with the first mapper.'] : [],
    failures(comparison),
  ];
  return `${blocks.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n')}\n`;
}

/** A line for each mapping that several mappers came to. */
const sameMappings = (placed: readonly MapperResult[]): readonly string[] =>
  placed.flatMap(({ mapper }) => {
    const others = placed.filter(({ sameAs }) => sameAs === mapper).map((other) => other.mapper);
    return others.length === 0 ? [] : [`Same mapping: ${[mapper, ...others].join(', ')}.`];
  });

function comparisonHead(comparison: Comparison, { shown: { outline } }: MapperResult): readonly string[] {
  const { placement, seeds } = comparison;
  const jobs = outline.jobs.map(({ name, tasks }) => `${name} (${countOf(tasks, 'task')})`).join(', ');
  const ofMappers =
    seeds === undefined ? '' : `; mappers with ${seeds.length === 1 ? 'seed' : 'seeds'} ${rangesText(seeds)}`;
  return [
    `Placement ${placement}: ${jobs} on ${outline.machine}, seed ${outline.seed}${ofMappers}`,
    ...(hasSpread(comparison)
      ? ['± SD: mean and standard deviation over the seeds. Deterministic mappers have one value.']
      : []),
  ];
}

/** `1 to 20, 25`. */
function rangesText(seeds: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const seed of seeds) {
    const last = ranges.at(-1);
    if (last !== undefined && seed === last[1] + 1) last[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(', ');
}

function alignedRows(comparison: Comparison): readonly string[] {
  const { placed } = comparison;
  const shown = columns.filter(({ isNeeded }) => isNeeded === undefined || isNeeded(comparison));
  const head = shown.map(({ heading, isMean }) => (isMean && hasSpread(comparison) ? `${heading} ± SD` : heading));
  const rows = placed.map((result) => shown.map(({ cell }) => cell(result)));
  const sides = shown.map(({ side }) => side);
  return align([head, ...rows, ...boundRows(comparison)], sides);
}

/** No mapping onto these nodes costs less. */
function boundRows(comparison: Comparison): readonly (readonly string[])[] {
  const { bound, placed } = comparison;
  if (bound === undefined || placed.length === 0) return [];
  const fewest = leastOf(placed.map((result) => overRuns(result, 'hopBytes')!.mean));
  const ratio = ratioText(fewest > 0 ? bound.value / fewest : 1);
  return [[`at least (${bound.name})`, ...(hasSpread(comparison) ? ['any'] : []), formatBytes(bound.value), ratio]];
}

const ratioText = (ratio: number | undefined): string => (ratio === undefined ? '-' : ratio.toFixed(3));

function failures({ refused, stopped }: Comparison): readonly string[] {
  return align(
    [
      ...refused.map(({ mapper, failure }) => [mapper, `refused: ${failure.message}`]),
      ...stopped.map(({ mapper, milliseconds }) => [mapper, stoppedText(milliseconds)]),
    ],
    ['left', 'left'],
  );
}
