/** The table of mappers that are tried, as the editor shows it: what is known by now, in the words that everything else has. */
import type { ComparisonCell, ComparisonColumn, ComparisonRow } from '../../protocol/mapperComparison.ts';
import { metricValue } from '../../model/metricEntry.ts';
import { metricColumns } from '../../model/metrics.ts';
import { formatQuantity, formatSeconds, formatShare } from '../../model/quantities.ts';
import { gapOf } from '../../model/searchRecord.ts';
import { changeText } from '../../model/words.ts';
import { overRuns, type Comparison, type FigureOverRuns, type MapperResult } from '../../study/compare.ts';
import { endsText, stoppedText, untriedIn } from '../../output/comparisonCsv.ts';

/** A mapper that is being tried. */
export interface Attempted {
  readonly mapper: string;
  /** How far it is. */
  readonly words: string;
}

interface ColumnOfTable extends ComparisonColumn {
  /** Of rows that are placed; `written`: the placement as it is written, where that is placed. */
  readonly cell: (
    result: MapperResult,
    written: MapperResult | undefined,
    comparison: Comparison,
  ) => ComparisonCell | null;
  readonly isNeeded?: (comparison: Comparison) => boolean;
}

const gapColumn: ColumnOfTable = {
  key: 'gap',
  title: 'Gap',
  hint: 'Upper limit of the optimality gap of the hop-bytes. A search finds the lower bound.',
  cell: (result, _written, { bound }) => {
    const value = overRuns(result, 'hopBytes')?.mean;
    const gap = value === undefined ? undefined : gapOf({ value, ...(bound && { bound }) });
    return gap === undefined ? null : { value: gap, text: formatShare(gap) };
  },
};

/** Figures that rows are sorted by; others are in the CSV. */
const columns: readonly ColumnOfTable[] = [
  ...metricColumns
    .filter(({ sort }) => sort !== undefined)
    .flatMap((metric) => [columnOfMetric(metric), ...(metric.key === 'hopBytes' ? [gapColumn] : [])]),
  {
    key: 'milliseconds',
    title: 'Time',
    hint: 'Run time of the mapper.',
    cell: (result) => {
      const found = overRuns(result, 'milliseconds');
      return found === undefined ? null : amountCell(found, (one) => formatSeconds(Math.round(one * 1000) / 1e6));
    },
  },
];

function columnOfMetric(metric: (typeof metricColumns)[number]): ColumnOfTable {
  const { key, label = key, shortLabel = label, unit, definition, column } = metric;
  return {
    ...{ key, title: shortLabel, hint: definition.replaceAll(/[`*]/g, '') },
    cell: (result, written, { seeds = [] }) => {
      const found = overRuns(result, key);
      if (found === undefined) return null;
      const ends = key === 'maximumLinkLoad' && seeds.length < 2 ? endsText(result.shown.heaviestLink) : '';
      const before = written === result ? undefined : written && overRuns(written, key)?.mean;
      return {
        ...amountCell(found, (one) => formatQuantity(unit, one)),
        ...(ends !== '' && { detail: ends }),
        ...changed(found.mean, before),
      };
    },
    ...(column.onlyWhereKnown === true && {
      isNeeded: ({ placed }: Comparison) =>
        placed.some(({ shown }) => metricValue(metric, shown.outline.metrics) !== undefined),
    }),
  };
}

function amountCell({ mean, deviation }: FigureOverRuns, format: (value: number) => string): ComparisonCell {
  // JSON has no number without end.
  const value = Math.min(mean, Number.MAX_VALUE);
  return { value, text: format(mean), ...(deviation !== undefined && { detail: `± ${format(deviation)}` }) };
}

function changed(value: number, before: number | undefined): Partial<ComparisonCell> {
  if (before === undefined || before === 0) return {};
  const change = value / before - 1;
  if (!Number.isFinite(change)) return {};
  const text = changeText(change);
  return { change: text, isBetter: text !== '0 %' && change < 0 };
}

/** What there is of a comparison by now; `current` is under way. Rows as they were asked for. O(rows). */
export function comparisonRows(
  comparison: Comparison | undefined,
  mappers: readonly string[],
  current: Attempted | undefined,
): { readonly columns: readonly ComparisonColumn[]; readonly rows: readonly ComparisonRow[] } {
  const shown = columns.filter(({ isNeeded }) => comparison === undefined || isNeeded?.(comparison) !== false);
  const written = comparison?.placed.find(({ asWritten }) => asWritten);
  const rowOf = (mapper: string, position: number): ComparisonRow => {
    const isWritten = position === 0;
    const now = current?.mapper === mapper ? current : undefined;
    const result = comparison?.placed.find((one) => one.mapper === mapper);
    if (comparison !== undefined && result !== undefined) {
      const cells = shown.map(({ cell }) => cell(result, written, comparison));
      const words = now === undefined ? resultNotes(result, comparison) : `${resultNotes(result, comparison)} …`;
      return { mapper, isWritten, state: now === undefined ? 'placed' : 'running', words, cells };
    }
    const refused = comparison?.refused.find((one) => one.mapper === mapper);
    if (refused !== undefined)
      return { mapper, isWritten, state: 'refused', words: refused.failure.message, cells: [] };
    const stopped = comparison?.stopped.find((one) => one.mapper === mapper);
    if (stopped !== undefined)
      return {
        mapper,
        isWritten,
        state: 'stopped',
        words: `${stoppedText(stopped.milliseconds)}: budget used up`,
        cells: [],
      };
    return now === undefined
      ? { mapper, isWritten, state: 'waiting', words: '', cells: [] }
      : { mapper, isWritten, state: 'running', words: now.words, cells: [] };
  };
  return {
    columns: shown.map(({ key, title, hint }) => ({ key, title, hint })),
    rows: mappers.map(rowOf),
  };
}

/** What else there is to say of a row: its seeds, which row has the same mapping, and what it had no time for. */
function resultNotes(result: MapperResult, comparison: Comparison): string {
  const { sameAs } = result;
  const untried = untriedIn(result);
  return [
    seedWords(result, comparison),
    sameAs === undefined ? '' : `same mapping as ${sameAs}`,
    untried === '' ? '' : `Budget too short for ${untried}.`,
  ]
    .filter((words) => words !== '')
    .join(' · ');
}

/** What the figures of a row are of, where there is more than one seed. */
function seedWords({ runs, drewRandom, shown, asWritten }: MapperResult, { seeds = [] }: Comparison): string {
  if (seeds.length < 2) return '';
  if (asWritten) return `seed ${shown.seed}, current`;
  return drewRandom ? `${runs.length} of ${seeds.length} seeds, best ${shown.seed}` : 'deterministic';
}
