import { mappers } from '../mapping/catalogue.ts';
import type { MapperEntry } from '../mapping/contract.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { defaultOptions, type Choice } from '../model/catalogue.ts';
import { asLinkId } from '../model/identifiers.ts';
import type { Failure } from '../model/result.ts';
import type { LinkEnd, PlacementReport } from '../model/report.ts';
import type { LowerBound } from '../model/searchRecord.ts';
import { linkEnds } from '../network/linkEnds.ts';
import { endName } from '../network/names.ts';
import { fingerprintOf } from './fingerprint.ts';
import { onlyPlacement } from './onlyPlacement.ts';
import { outlinePlacement } from './outline.ts';
import { mapOf, type PlacementDescription, type Program, type StudyFiles, type StudyProblem } from './program.ts';
import type { PlacementOutline, SortKey } from './report.ts';
import type { StudyContext } from './run.ts';
import { runStudy } from './study.ts';

/** A mapper to compare, and how users name it: `grasp(iterations 10)`. Without a choice: the placement as it is written. */
export interface ComparedMapper {
  readonly text: string;
  readonly choice?: Choice;
}

export interface CompareRequest {
  /** Name of the placement whose jobs are placed. */
  readonly placement: string;
  readonly mappers: readonly ComparedMapper[];
  /** Milliseconds after which a mapper is stopped. */
  readonly limit: number;
  /** `hop-bytes` where it is left out. */
  readonly sort?: SortKey;
}

/** Plain data. */
export interface Comparison {
  readonly placement: string;
  /** The least first, by what was asked for; equal ones in the order of the request. */
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
  /** It is the placement as its text has it. */
  readonly asWritten: boolean;
  readonly outline: PlacementOutline;
  /** Of each job, the slot of each task. */
  readonly mappings: readonly (readonly number[])[];
  /** Undefined where nothing crosses a link. */
  readonly heaviestLink: HeaviestLink | undefined;
  /** Its hop-bytes as a multiple of the best; undefined where those are 0 and its own are not. */
  readonly ratio: number | undefined;
  /** Later jobs got other nodes than with the first mapper, whose tasks left other cores free. */
  readonly otherNodes: boolean;
}

/** One of those that carry the most, the one with the lowest number. */
export interface HeaviestLink {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  /** What users call the ends: `3`, `leaf-3`, `node 7`. */
  readonly fromName: string;
  readonly toName: string;
  readonly load: number;
}

/** The placement as it is written, to compare others with: `as written (rcb)`. */
export function asWritten(placement: PlacementDescription): ComparedMapper {
  const names = new Set(placement.jobs.map((_, position) => mapOf(placement, position).name));
  return { text: `as written (${[...names].join(', ')})` };
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
  return { placement: request.placement, ...ranked(trials, request.sort), refused, stopped, problems, left };
}

interface Placed extends Pick<PlacedTrial, 'mapper' | 'asWritten' | 'outline' | 'mappings' | 'heaviestLink'> {
  readonly kind: 'placed';
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
    one.name === name && choice !== undefined ? { ...withoutOwnMappers(one), map: choice } : one,
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
    return {
      kind: 'placed',
      mapper: text,
      asWritten: choice === undefined,
      outline: outlinePlacement(report),
      mappings: report.jobs.map(({ mapping }) => Array.from(mapping)),
      heaviestLink: heaviestLinkOf(report),
      nodes,
    };
  }
  if (cancellation.isCancelled()) return { kind: 'cancelled' };
  if (stopwatch.stoppedAfter !== undefined) return { kind: 'stopped', milliseconds: stopwatch.stoppedAfter };
  const refusal = study.problems.find(({ placement, subject }) => placement === name && subject.property === 'map');
  return refusal === undefined
    ? { kind: 'impossible', problems: study.problems }
    : { kind: 'refused', failure: { code: refusal.code, message: refusal.message } };
}

/** O(links). */
function heaviestLinkOf({ machine, linkLoads }: PlacementReport): HeaviestLink | undefined {
  let heaviest = 0;
  for (let link = 1; link < linkLoads.length; link++) if (linkLoads[link]! > linkLoads[heaviest]!) heaviest = link;
  const load = linkLoads[heaviest] ?? 0;
  if (load === 0) return undefined;
  const { from, to } = linkEnds(machine, asLinkId(heaviest));
  return { from, to, fromName: endName(machine, from), toName: endName(machine, to), load };
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

function ranked(trials: readonly Placed[], sort: SortKey = 'hop-bytes'): Pick<Comparison, 'placed' | 'bound'> {
  const keyOf = keyFunctions[sort];
  // toSorted is stable: equal trials keep the order of the request.
  const sorted = trials.toSorted((a, b) => keyOf(a) - keyOf(b));
  const fewest = Math.min(...trials.map(hopBytesOf));
  const placed = sorted.map((trial) => ({
    mapper: trial.mapper,
    asWritten: trial.asWritten,
    outline: trial.outline,
    mappings: trial.mappings,
    heaviestLink: trial.heaviestLink,
    ratio: ratioOf(hopBytesOf(trial), fewest),
    otherNodes: trial.nodes !== trials[0]?.nodes,
  }));
  return { placed, bound: boundOf(sorted) };
}

const hopBytesOf = ({ outline }: Pick<Placed, 'outline'>): number => outline.metrics.hopBytes;

/** Without a bandwidth no placement has a congestion time: they stay in the order of the request. */
const keyFunctions: Readonly<Record<SortKey, (trial: Placed) => number>> = {
  'hop-bytes': hopBytesOf,
  'maximum-link-load': ({ outline }) => outline.metrics.maximumLinkLoad,
  'congestion-time': ({ outline }) => outline.metrics.congestionTime ?? 0,
  'average-hops': ({ outline }) => outline.metrics.averageHops,
  milliseconds: ({ outline }) => outline.milliseconds.map,
};

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
