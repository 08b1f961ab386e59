import type { Cancellation } from '../../model/cancellation.ts';
import { formatQuantity, type Unit } from '../../model/quantities.ts';
import type { Metrics, PlacementReport } from '../../model/report.ts';

/** What a metric may be worked out from: a placement that is mapped and whose loads are summed. */
export interface MeasuredPlacement extends Pick<PlacementReport, 'machine' | 'jobs' | 'linkLoads' | 'metrics'> {
  readonly cancellation: Cancellation;
}

/**
 * A number that is measured of a placement. JSON, hovers, pictures, the tables of the command line, CSV and the
 * documentation show the entries of the catalogue, in its order; nothing else lists them.
 */
export interface MetricEntry {
  /** In JSON and CSV. */
  readonly key: string;
  /** The object of the JSON that it stands in; in the one of all metrics where absent. */
  readonly group?: string;
  /** Before its value; absent: in JSON alone, as a part of another metric. */
  readonly label?: string;
  /** Where there is less room: in pictures and tables. */
  readonly shortLabel?: string;
  readonly unit: Unit;
  /** One line of Markdown, for the documentation and `placewright list`. */
  readonly definition: string;
  /** What machine and jobs must give; absent: every placement has it. Such metrics stand last in pictures. */
  readonly needs?: string;
  /** False for what only hovers, JSON and CSV have. */
  readonly isPictured?: false;
  /** Stands in the table and the CSV of `compare`, at this place among the metrics that do. */
  readonly column?: { readonly place: number; readonly onlyWhereKnown?: true };
  /**
   * Stands in the table of several placements that `run` prints, at this place; `header` where the label is too long.
   */
  readonly summary?: { readonly place: number; readonly header?: string };
  /** `compare --sort` knows it by this word, at this place among the words. */
  readonly sort?: {
    readonly word: string;
    readonly place: number;
    /** Every placement has it: stands for the metric where some placement lacks it. */
    readonly instead?: MetricEntry;
  };
  /**
   * Stands in the one line above a placement, at this place. Of several at one place the last that the placement has
   * is shown.
   */
  readonly line?: { readonly place: number; readonly words: (value: number) => string };
  /** Undefined where the placement has none. Reads what was measured; O(1). */
  readonly value: (metrics: Metrics) => number | undefined;
  /** Works it out once a placement is mapped, where {@link Metrics} has no field of its own for it. Of no use where it was cancelled. */
  readonly measure?: (placement: MeasuredPlacement) => number | undefined;
}

/** A metric that is worked out from the placement as a whole and kept in `Metrics.derived`. */
export const derivedMetric = (
  entry: Omit<MetricEntry, 'value' | 'measure'> & Required<Pick<MetricEntry, 'measure'>>,
): MetricEntry => ({ ...entry, value: ({ derived }) => derived?.[entry.key] });

/** The value as it is written everywhere; undefined where the placement has none. */
export function writtenMetric({ value, unit }: MetricEntry, metrics: Metrics): string | undefined {
  const found = value(metrics);
  return found === undefined ? undefined : formatQuantity(unit, found);
}
