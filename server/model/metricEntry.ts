/** What a metric is: a row of the table in `metrics.ts`, how its value is found, and how it is written. */
import { formatQuantity, unitSymbols, type Unit } from './quantities.ts';
import type { Metrics, QueueingMetrics } from './report.ts';

/** What an experiment runs: jobs over time, jobs that are placed, or messages between all nodes. */
export type SubjectKind = 'stream' | 'job' | 'traffic';

/**
 * How a run counts time: a network of `packets` in cycles, `servers` of a cluster in seconds, a `stream` in cycles, one
 * whose jobs come from a `log` in seconds.
 */
export type RunKind = 'packets' | 'servers' | 'stream' | 'log';

interface CommonEntry {
  /** In JSON, CSV and `report` of experiments. */
  readonly key: string;
  /** One line of Markdown, for the documentation, hovers, completion and `placewright list`. */
  readonly definition: string;
  /** Experiments on these subjects can report it: its place among the metrics of each, the default first. */
  readonly reportedFor?: Readonly<Partial<Record<SubjectKind, number>>>;
}

/**
 * A number that is measured of a placement, without a simulation. JSON, hovers, diagrams, the tables of the command
 * line, CSV and the documentation show these, in the order of the table.
 */
export type PlacementMetric = CommonEntry & {
  readonly basis: 'placement';
  /** Before its value; absent: in JSON alone, as a part of another metric. */
  readonly label?: string;
  /** Where there is less room: in diagrams and tables. */
  readonly shortLabel?: string;
  readonly unit: Unit;
  /** What machine and jobs must give; absent: every placement has it. Such metrics are last beside diagrams. */
  readonly needs?: string;
  /** False for what only hovers, JSON and CSV have. */
  readonly isPictured?: false;
  /** Among the numbers that one looks at first beside a diagram, at this place. */
  readonly headline?: { readonly place: number };
  /** A column in the table and the CSV of `compare`, at this place among them. */
  readonly column?: { readonly place: number; readonly onlyWhereKnown?: true };
  /** A column in the table of several placements that `run` prints; `header` where the label is too long. */
  readonly summary?: { readonly place: number; readonly header?: string };
  /**
   * `compare --sort` knows it by this word, at this place among the words. Every placement has the metric `instead`,
   * which replaces it where some placement lacks it.
   */
  readonly sort?: { readonly word: string; readonly place: number; readonly instead?: string };
  /** In the one line above a placement, at this place. Of several at one place the last that the placement has. */
  readonly line?: { readonly place: number; readonly words: (value: number) => string };
} & (
    | { readonly key: keyof Omit<Metrics, 'queueing' | 'derived'> }
    /** In an inner object of the JSON. */
    | { readonly key: keyof Omit<QueueingMetrics, 'busiest'>; readonly group: 'queueing' }
    /** Computed from the placement as a whole by a function in `study/metrics/catalogue.ts`. */
    | { readonly key: string; readonly isDerived: true }
  );

/** A number that is measured or predicted of a run, which experiments report. */
export interface RunMetric extends CommonEntry {
  /** What it is computed from: a simulation, servers in the network of `queueing`, or the queueing model alone. */
  readonly basis: 'simulation' | 'servers' | 'prediction';
  readonly label: string;
  /** Of each kind of run that has it; '' for a ratio. Runs of servers measure times in seconds, and here in this unit. */
  readonly unit: Readonly<Partial<Record<RunKind, string>>> | '';
  /** Which values are good, for comparisons with the best; `less` where absent. */
  readonly better?: 'more';
  readonly reportedFor: NonNullable<CommonEntry['reportedFor']>;
  /** Compares the first job beside the others with the first job alone. */
  readonly isBesideOthers?: true;
}

export type MetricEntry = PlacementMetric | RunMetric;

/** Undefined where the placement has none. O(1). */
export function metricValue(entry: PlacementMetric, metrics: Metrics): number | undefined {
  if ('isDerived' in entry) return metrics.derived?.[entry.key];
  return 'group' in entry ? metrics.queueing?.[entry.key] : metrics[entry.key];
}

/** The value as it is written everywhere; undefined where the placement has none. */
export function writtenMetric(entry: PlacementMetric, metrics: Metrics): string | undefined {
  const value = metricValue(entry, metrics);
  return value === undefined ? undefined : formatQuantity(entry.unit, value);
}

/** The unit in results of experiments; '' where it has none. */
export function metricUnit({ unit }: MetricEntry, run: RunKind): string {
  if (typeof unit === 'string') return unit === '' ? '' : unitSymbols[unit];
  return unit[run] ?? '';
}

/** How many of the unit a second has; undefined of what is no time. */
export const perSecond = (unit: string): number | undefined => unitsPerSecond.get(unit);

const unitsPerSecond: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['ms', 1e3],
  ['us', 1e6],
]);
