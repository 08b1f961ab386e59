import { mappers } from '../mapping/catalogue.ts';
import type { MapperEntry } from '../mapping/contract.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { defaultOptions, type Choice } from '../model/catalogue.ts';
import type { Failure } from '../model/result.ts';
import type { LowerBound } from '../model/searchRecord.ts';
import { fingerprintOf } from './fingerprint.ts';
import { onlyPlacement } from './onlyPlacement.ts';
import { outlinePlacement } from './outline.ts';
import type { PlacementDescription, Program, StudyFiles, StudyProblem } from './program.ts';
import type { PlacementOutline } from './report.ts';
import type { StudyContext } from './run.ts';
import { runStudy } from './study.ts';

/** A mapper to compare, and how users name it: `grasp(iterations 10)`. */
export interface ComparedMapper {
  readonly text: string;
  readonly choice: Choice;
}

export interface CompareRequest {
  /** Name of the placement whose jobs are placed. */
  readonly placement: string;
  readonly mappers: readonly ComparedMapper[];
  /** Milliseconds after which a mapper is stopped. */
  readonly limit: number;
}

/** Plain data. */
export interface Comparison {
  readonly placement: string;
  /** Fewest hop-bytes first; equal ones in the order of the request. */
  readonly placed: readonly PlacedTrial[];
  readonly refused: readonly { readonly mapper: string; readonly failure: Failure }[];
  readonly stopped: readonly { readonly mapper: string; readonly milliseconds: number }[];
  /** No mapping costs fewer hop-bytes: the best bound that any of the searches found; of one job only. */
  readonly bound: LowerBound | undefined;
  /** What kept every mapper from being tried: no nodes, a table that cannot be read. */
  readonly problems: readonly StudyProblem[];
  /** Mappers that were not tried any more when the comparison was cancelled. */
  readonly left: number;
}

/** What one mapper came to. */
export interface PlacedTrial {
  readonly mapper: string;
  readonly outline: PlacementOutline;
  /** Its hop-bytes as a multiple of the best; undefined where those are 0 and its own are not. */
  readonly ratio: number | undefined;
  /** Later jobs got other nodes than with the first mapper, whose tasks left other cores free. */
  readonly otherNodes: boolean;
}

/** Every mapper that this version runs and that needs nothing besides its name. */
export const comparableMappers = (): readonly ComparedMapper[] =>
  mappers
    .filter(needsOnlyItsName)
    .map((entry) => ({ text: entry.name, choice: { name: entry.name, options: defaultOptions(entry) } }));

const needsOnlyItsName = ({ announced, argument, options }: MapperEntry): boolean =>
  announced !== true && argument?.required !== true && options.every(({ required }) => required !== true);

/**
 * Places the jobs of a placement with each mapper: the same nodes, the same seed. One after the other, so
 * that the times of mappers can be compared. Never fails; a cancelled comparison has what was done by
 * then, and so has one whose machine, jobs or nodes have errors: nothing.
 */
export function compareMappers(
  program: Program,
  files: StudyFiles,
  request: CompareRequest,
  context: StudyContext,
): Comparison {
  const trials: Placed[] = [];
  const refused: Comparison['refused'][number][] = [];
  const stopped: Comparison['stopped'][number][] = [];
  let problems: readonly StudyProblem[] = [];
  let tried = 0;
  for (const mapper of request.mappers) {
    const trial = tryMapper(program, files, request, context, tried);
    if (trial.kind === 'cancelled') break;
    tried++;
    if (trial.kind === 'placed') trials.push(trial);
    else if (trial.kind === 'refused') refused.push({ mapper: mapper.text, failure: trial.failure });
    else if (trial.kind === 'stopped') stopped.push({ mapper: mapper.text, milliseconds: trial.milliseconds });
    else {
      problems = trial.problems;
      break;
    }
  }
  const left = problems.length > 0 ? 0 : request.mappers.length - tried;
  return { placement: request.placement, ...ranked(trials), refused, stopped, problems, left };
}

interface Placed {
  readonly kind: 'placed';
  readonly mapper: string;
  readonly outline: PlacementOutline;
  /** Of the nodes of all jobs. */
  readonly nodes: string;
}

type Trial =
  | Placed
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'stopped'; readonly milliseconds: number }
  | { readonly kind: 'impossible'; readonly problems: readonly StudyProblem[] }
  | { readonly kind: 'cancelled' };

/** Runs the study of the placement with the mapper at `position` in the place of its own. */
function tryMapper(
  program: Program,
  files: StudyFiles,
  { placement: name, mappers: compared, limit }: CompareRequest,
  context: StudyContext,
  position: number,
): Trial {
  const { text, choice } = compared[position]!;
  const { cancellation } = context;
  if (cancellation.isCancelled()) return { kind: 'cancelled' };
  const stopwatch = new Stopwatch(limit, context);
  const alone = onlyPlacement(program, name);
  const placements = alone.placements.map((one) =>
    one.name === name ? { ...withoutOwnMappers(one), map: choice } : one,
  );
  const study = runStudy({ ...alone, placements }, files, settings, {
    ...context,
    progress: (share, message, search) => {
      context.progress((position + share) / compared.length, `${text}: ${message}`, search);
    },
    cancellationOfMapper: (placement) => (placement === name ? stopwatch.start() : cancellation),
  });
  const report = study.placements.find((one) => one.name === name);
  if (report !== undefined) {
    const nodes = fingerprintOf(...report.jobs.map(({ allocation }) => allocation));
    return { kind: 'placed', mapper: text, outline: outlinePlacement(report), nodes };
  }
  if (cancellation.isCancelled()) return { kind: 'cancelled' };
  if (stopwatch.stoppedAfter !== undefined) return { kind: 'stopped', milliseconds: stopwatch.stoppedAfter };
  const refusal = study.problems.find(({ placement, subject }) => placement === name && subject.property === 'map');
  return refusal === undefined
    ? { kind: 'impossible', problems: study.problems }
    : { kind: 'refused', failure: { code: refusal.code, message: refusal.message } };
}

/** Every job is placed by the mapper compared; nodes of their own stay. */
const withoutOwnMappers = ({ own, ...placement }: PlacementDescription): PlacementDescription =>
  own === undefined
    ? placement
    : { ...placement, own: own.map(({ allocate }) => (allocate === undefined ? {} : { allocate })) };

/** No link is hot: a comparison does not ask what loads a link, which takes longer than placing. */
const settings = { hotLinkFactor: Infinity };

/** Stops a mapper that runs for too long. */
class Stopwatch implements Cancellation {
  /** Milliseconds that the mapper ran, where it was stopped. */
  stoppedAfter: number | undefined;
  readonly #limit: number;
  readonly #context: Pick<StudyContext, 'cancellation' | 'now'>;
  #started: number | undefined;

  constructor(limit: number, context: Pick<StudyContext, 'cancellation' | 'now'>) {
    this.#limit = limit;
    this.#context = context;
  }

  /** The mapper begins, with its first job or a further one. */
  start(): this {
    this.#started ??= this.#context.now();
    return this;
  }

  isCancelled(): boolean {
    const elapsed = this.#started === undefined ? 0 : this.#context.now() - this.#started;
    if (elapsed > this.#limit) this.stoppedAfter ??= elapsed;
    return this.stoppedAfter !== undefined || this.#context.cancellation.isCancelled();
  }
}

function ranked(trials: readonly Placed[]): Pick<Comparison, 'placed' | 'bound'> {
  // toSorted is stable: equal trials keep the order of the request.
  const sorted = trials.toSorted((a, b) => hopBytesOf(a) - hopBytesOf(b));
  const best = sorted[0];
  const placed = sorted.map((trial) => ({
    mapper: trial.mapper,
    outline: trial.outline,
    ratio: best && ratioOf(hopBytesOf(trial), hopBytesOf(best)),
    otherNodes: trial.nodes !== trials[0]?.nodes,
  }));
  return { placed, bound: boundOf(sorted) };
}

const hopBytesOf = ({ outline }: Pick<Placed, 'outline'>): number => outline.metrics.hopBytes;

function ratioOf(value: number, best: number): number | undefined {
  if (value === best) return 1;
  return best > 0 ? value / best : undefined;
}

/** A bound of nothing says nothing. Bounds of several jobs rest on the cores that the earlier ones left, which differ from mapper to mapper. */
function boundOf(trials: readonly Placed[]): LowerBound | undefined {
  const bounds = trials.flatMap(({ outline: { jobs } }) => {
    const [job] = jobs;
    const search = jobs.length === 1 ? job?.search : undefined;
    const bound = search?.criterion === 'hop-bytes' ? search.bound : undefined;
    return bound !== undefined && bound.value > 0 ? [bound] : [];
  });
  return bounds.reduce<LowerBound | undefined>(
    (best, bound) => (best === undefined || bound.value > best.value ? bound : best),
    undefined,
  );
}
