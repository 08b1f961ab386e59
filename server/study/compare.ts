/**
 * One placement with many mappers: what to compare comes in as a `CompareRequest`, `compareMappers` runs the study for
 * each.
 */
import { appendAll, largestOf, leastOf } from '../model/lists.ts';
import { mappers } from '../mapping/catalogue.ts';
import { ignoreProgress, type ReportProgress } from '../model/cancellation.ts';
import { defaultOptions, needsOnlyItsName } from '../model/catalogue.ts';
import type { Failure } from '../model/result.ts';
import type { Metrics, PlacementReport } from '../model/report.ts';
import type { LowerBound } from '../model/searchRecord.ts';
import type { PlacementOutline } from './report.ts';
import type { Program, StudyFiles, StudyProblem } from './program.ts';
import { placedOf, tryMapper, type ComparedMapper, type Outcome, type ShownRun } from './comparedRun.ts';
import { metricValue, type PlacementMetric } from '../model/metricEntry.ts';
import { placementMetrics, sortedInstead, sortMetrics } from '../model/metrics.ts';
import { mappingTime } from './metrics/catalogue.ts';
import type { StudyContext } from './run.ts';

export interface CompareRequest {
  /** Name of the placement whose jobs are placed. */
  readonly placement: string;
  readonly mappers: readonly ComparedMapper[];
  /** Milliseconds after which a mapper is stopped. */
  readonly limit: number;
  /** One of `sortWords`; `hop-bytes` where it is left out. */
  readonly sort?: string;
  /**
   * Each mapper is run once with each of these for its random numbers; nodes and traffic are those of the placement's
   * own seed. Left out, each is run once with that.
   */
  readonly seeds?: readonly number[];
  /** The placement as its text has it, where that is worked out: it is not placed again, with no seed. */
  readonly written?: PlacementReport;
}

/** Told of each attempt, so that what is there can be shown before all is done. Mappers are positions in the request. */
export interface ComparisonWatcher {
  readonly begun: (mapper: number) => void;
  /** How far that attempt is; the arguments of `ReportProgress`, for it alone. */
  readonly progressed: (mapper: number, ...progress: Parameters<ReportProgress>) => void;
  /** `best`: this attempt is the one that the row of its mapper shows. `soFar` ranks what there is, O(rows log rows). */
  readonly ended: (mapper: number, best: ShownRun | undefined, soFar: () => Comparison) => void;
}

/** Plain data. */
export interface Comparison {
  readonly placement: string;
  /** As they were asked for. */
  readonly seeds?: readonly number[];
  /** The least first, by `sortedBy`, of several seeds by the mean; equal ones in the order of the request. */
  readonly placed: readonly MapperResult[];
  /** What was asked for; `maximum-link-load` instead of a congestion time that the machine has not. */
  readonly sortedBy: string;
  /** With one of the seeds at least. */
  readonly refused: readonly { readonly mapper: string; readonly failure: Failure }[];
  /** With one of the seeds at least. */
  readonly stopped: readonly { readonly mapper: string; readonly milliseconds: number }[];
  /** No mapping costs fewer hop-bytes: the best bound that any of the searches found; of one job only. */
  readonly bound: LowerBound | undefined;
  /** What kept every mapper from being tried: no nodes, a table that cannot be read. */
  readonly problems: readonly StudyProblem[];
  /** Mappers that were not tried any more when the comparison was cancelled. */
  readonly left: number;
}

/** What one mapper came to. */
export interface MapperResult {
  readonly mapper: string;
  /** It is the placement as its text has it. */
  readonly asWritten: boolean;
  /** One for each seed that was done, in their order; of a mapper that draws no random number the first alone. */
  readonly runs: readonly MapperRun[];
  /** Some run drew random numbers, so that another seed may give another mapping. */
  readonly drewRandom: boolean;
  /** Of the run that came to the least. */
  readonly shown: ShownRun;
  /**
   * Its hop-bytes as a multiple of the best, of several seeds in the mean; undefined where those are 0 and its own are
   * not.
   */
  readonly ratio: number | undefined;
  /** The mapper of an earlier row that places every task on the same slot, with each seed. */
  readonly sameAs: string | undefined;
  /** Later jobs got other nodes than with the first mapper, whose tasks left other cores free. */
  readonly otherNodes: boolean;
}

interface MapperRun {
  readonly seed: number;
  readonly metrics: Metrics;
  /** Of the mapper. */
  readonly milliseconds: number;
}

/** What is compared, one number for each run: the metrics by their keys, and the time of the mapper. */
export const comparedFigures: readonly string[] = [
  ...placementMetrics.filter((metric) => !('group' in metric)).map(({ key }) => key),
  'milliseconds',
];

/** A figure over the runs of a mapper. */
export interface FigureOverRuns {
  readonly mean: number;
  /** The standard deviation of a sample, Σ(x − mean)² / (n − 1) under the root; undefined of one run. */
  readonly deviation: number | undefined;
  readonly minimum: number;
  readonly maximum: number;
  /** In the order of the runs. */
  readonly values: readonly number[];
}

/** Undefined where the machine or its routing has no such figure, one of {@link comparedFigures}. O(runs). */
export function overRuns({ runs }: Pick<MapperResult, 'runs'>, figure: string): FigureOverRuns | undefined {
  const values = runs.flatMap((run) => figureOfRun(run, figure) ?? []);
  const [first] = values;
  if (first === undefined) return undefined;
  // A wait without end is one in the mean, and has no deviation.
  const isEndless = values.includes(Infinity);
  // Counted from the first one, so that the mean of equal values is that value.
  const mean = isEndless ? Infinity : first + values.reduce((sum, value) => sum + (value - first), 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    mean,
    deviation: values.length < 2 || isEndless ? undefined : Math.sqrt(squares / (values.length - 1)),
    minimum: leastOf(values),
    maximum: largestOf(values),
    values,
  };
}

function figureOfRun({ metrics, milliseconds }: MapperRun, figure: string): number | undefined {
  const metric = placementMetrics.find(({ key }) => key === figure);
  return figure === mappingTime ? milliseconds : metric && metricValue(metric, metrics);
}

/** The placement as it is written, to compare others with: `as written (rcb)`. `texts` are its mappers, of each job. */
export const asWritten = (texts: readonly string[]): ComparedMapper => ({
  text: `as written (${[...new Set(texts)].join(', ')})`,
});

/** Every mapper that this version runs and that needs nothing besides its name. */
export const comparableMappers = (): readonly ComparedMapper[] =>
  mappers
    .filter(needsOnlyItsName)
    .map((entry) => ({ text: entry.name, choice: { name: entry.name, options: defaultOptions(entry) } }));

/**
 * Places the jobs of a placement with each mapper: the same nodes, the same seeds for all. One after the other, so
 * that the times of mappers can be compared, and one seed after the other, so that a cancelled comparison has nearly
 * the same seeds of all. A mapper that drew no random number is not run again: it would do the same. Never fails; a
 * cancelled comparison has what was done by then, and so has one whose machine, jobs or nodes have errors: nothing.
 */
export function compareMappers(
  program: Program,
  files: StudyFiles,
  request: CompareRequest,
  context: StudyContext,
  watcher?: ComparisonWatcher,
): Comparison {
  const { mappers: compared, seeds, sort = 'hop-bytes', written } = request;
  const rows = compared.map((mapper) => new Row(mapper, sort));
  const rounds: readonly (number | undefined)[] = seeds ?? [undefined];
  let problems: readonly StudyProblem[] = [];
  let isOver = false;
  const soFar = (): Comparison => comparisonSoFar(request, rows, problems);
  for (const [round, seed] of rounds.entries()) {
    for (const [position, row] of rows.entries()) {
      if (isOver || row.isDone) continue;
      watcher?.begun(position);
      const { mapper } = row;
      const progressed: ReportProgress =
        watcher === undefined
          ? ignoreProgress
          : (...how) => {
              watcher.progressed(position, ...how);
            };
      const place = { step: round * rows.length + position, of: rounds.length * rows.length, progressed };
      const known = mapper.choice === undefined ? written : undefined;
      const outcome = known
        ? placedOf(known, known.seed)
        : tryMapper(program, files, request, context, { mapper, seed, ...place });
      if (outcome.kind === 'impossible') problems = outcome.problems;
      if (outcome.kind === 'impossible' || outcome.kind === 'cancelled') isOver = true;
      else {
        const best = row.take(outcome, known !== undefined);
        watcher?.ended(position, best, soFar);
      }
    }
  }
  return comparisonSoFar(request, rows, problems);
}

/** What the rows have come to by now. */
function comparisonSoFar(
  { placement, seeds, sort = 'hop-bytes' }: CompareRequest,
  rows: readonly Row[],
  problems: readonly StudyProblem[],
): Comparison {
  return {
    placement,
    ...(seeds === undefined ? {} : { seeds }),
    ...ranked(rows, sort),
    refused: rows.flatMap(({ mapper, end }) =>
      end?.kind === 'refused' ? [{ mapper: mapper.text, failure: end.failure }] : [],
    ),
    stopped: rows.flatMap(({ mapper, end }) =>
      end?.kind === 'stopped' ? [{ mapper: mapper.text, milliseconds: end.milliseconds }] : [],
    ),
    problems,
    left: problems.length > 0 ? 0 : rows.filter(({ isTried }) => !isTried).length,
  };
}

/** What one mapper came to so far. Of its mappings it keeps the best alone. */
class Row {
  readonly mapper: ComparedMapper;
  readonly runs: MapperRun[] = [];
  readonly bounds: LowerBound[] = [];
  readonly nodes = new Set<string>();
  /** Fingerprints. */
  readonly mappings = new Set<string>();
  drewRandom = false;
  shown: ShownRun | undefined;
  /** It is as it was worked out before. */
  isKnown = false;
  /** Why it has no figures. */
  end: Extract<Outcome, { kind: 'refused' | 'stopped' }> | undefined;
  readonly #sort: string;

  constructor(mapper: ComparedMapper, sort: string) {
    this.mapper = mapper;
    this.#sort = sort;
  }

  get isTried(): boolean {
    return this.end !== undefined || this.runs.length > 0;
  }

  /** Another run would tell nothing new. */
  get isDone(): boolean {
    return this.end !== undefined || this.isKnown || (this.runs.length > 0 && !this.drewRandom);
  }

  /** Answers the run where that is the one that it shows from now on. */
  take(outcome: Extract<Outcome, { kind: 'placed' | 'refused' | 'stopped' }>, isKnown: boolean): ShownRun | undefined {
    this.isKnown = isKnown;
    if (outcome.kind !== 'placed') {
      this.end = outcome;
      return undefined;
    }
    const { run, drewRandom, nodes, mapping } = outcome;
    const { seed, outline } = run;
    this.drewRandom ||= drewRandom;
    this.nodes.add(nodes);
    this.mappings.add(mapping);
    appendAll(this.bounds, comparableBounds(outline));
    const shown = this.shown?.outline;
    if (shown === undefined || sortValue(outline, this.#sort) < sortValue(shown, this.#sort)) this.shown = run;
    this.runs.push({ seed, metrics: outline.metrics, milliseconds: outline.milliseconds.map });
    return this.shown === run ? run : undefined;
  }
}

function ranked(rows: readonly Row[], asked: string): Pick<Comparison, 'placed' | 'bound' | 'sortedBy'> {
  const [usual] = rows.find(({ end, shown }) => end === undefined && shown !== undefined)?.nodes ?? [];
  const placed = rows.flatMap(({ mapper, runs, drewRandom, shown, end, nodes, mappings }) =>
    end !== undefined || shown === undefined
      ? []
      : [
          {
            mapper: mapper.text,
            asWritten: mapper.choice === undefined,
            runs,
            drewRandom,
            shown,
            otherNodes: [...nodes].some((one) => one !== usual),
            mapping: [...mappings].sort().join(' '),
          },
        ],
  );
  const wanted: PlacementMetric | undefined = sortMetric(asked);
  const isLacking = wanted && placed.some(({ shown }) => metricValue(wanted, shown.outline.metrics) === undefined);
  const sorting = isLacking ? (sortedInstead(wanted) ?? wanted) : wanted;
  const figure = sorting?.key ?? mappingTime;
  const meanOf = (result: Pick<MapperResult, 'runs'>, figure: string): number => overRuns(result, figure)?.mean ?? 0;
  const fewest = leastOf(placed.map((result) => meanOf(result, 'hopBytes')));
  // toSorted is stable: equal results keep the order of the request.
  const sorted = placed.toSorted((one, other) => compareAscending(meanOf(one, figure), meanOf(other, figure)));
  const firstWith = new Map(sorted.toReversed().map(({ mapper, mapping }) => [mapping, mapper]));
  return {
    placed: sorted.map(({ mapping, ...result }) => {
      const first = firstWith.get(mapping);
      return {
        ...result,
        ratio: ratioOf(meanOf(result, 'hopBytes'), fewest),
        sameAs: first === result.mapper ? undefined : first,
      };
    }),
    sortedBy: sorting?.sort?.word ?? asked,
    bound: bestBound(rows.filter(({ end }) => end === undefined).flatMap(({ bounds }) => bounds)),
  };
}

/** Two numbers without end are equal. */
const compareAscending = (one: number, other: number): number => (one === other ? 0 : one - other);

/** The metric of such a word; undefined: the time. */
const sortMetric = (word: string) => sortMetrics.find(({ sort }) => sort.word === word);

/** What the rows are sorted by, or what sorts them alike where the placement lacks it. */
function sortValue({ metrics, milliseconds }: PlacementOutline, word: string): number {
  const metric = sortMetric(word);
  if (metric === undefined) return milliseconds.map;
  const instead = sortedInstead(metric);
  return metricValue(metric, metrics) ?? (instead && metricValue(instead, metrics)) ?? Infinity;
}

function ratioOf(value: number, best: number): number | undefined {
  if (value === best) return 1;
  return best > 0 ? value / best : undefined;
}

/**
 * A bound of nothing says nothing. Bounds of several jobs rest on the cores that the earlier ones left, which differ
 * from mapper to mapper.
 */
function comparableBounds({ jobs }: PlacementOutline): readonly LowerBound[] {
  const [job] = jobs;
  const search = jobs.length === 1 ? job?.search : undefined;
  const bound = search?.criterion === 'hop-bytes' ? search.bound : undefined;
  return bound !== undefined && bound.value > 0 ? [bound] : [];
}

const bestBound = (bounds: readonly LowerBound[]): LowerBound | undefined =>
  bounds.reduce<LowerBound | undefined>(
    (best, bound) => (best === undefined || bound.value > best.value ? bound : best),
    undefined,
  );
