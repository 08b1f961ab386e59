/** One placement with one mapper in the place of its own, once: what a comparison is made of. */
import { realAt } from '../numeric/elements.ts';
import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import type { Choice } from '../model/catalogue.ts';
import { asLinkId } from '../model/identifiers.ts';
import type { Failure } from '../model/result.ts';
import type { LinkEnd, PlacementReport } from '../model/report.ts';
import { endsOfLink } from '../network/links.ts';
import { endName } from '../network/names.ts';
import { fingerprintOf } from '../numeric/fingerprint.ts';
import type { PlacementOutline, StudySettings } from './report.ts';
import { type Program, type StudyFiles, type StudyProblem, onlyPlacements, withoutOwnMappers } from './program.ts';
import { outlinePlacement } from './outline.ts';
import type { PlacedBefore, StudyContext } from './run.ts';
import { runStudy } from './study.ts';

/**
 * A mapper to compare, and how users name it: `grasp(iterations 10)`. Without a choice: the placement as it is written.
 */
export interface ComparedMapper {
  readonly text: string;
  readonly choice?: Choice;
}

/** A run with all that came of it. */
export interface ShownRun {
  readonly seed: number;
  readonly outline: PlacementOutline;
  /** Of each job, its nodes. */
  readonly nodes: readonly (readonly number[])[];
  /** Of each job, the slot of each task. */
  readonly mappings: readonly (readonly number[])[];
  /** Undefined where nothing crosses a link. */
  readonly heaviestLink: HeaviestLink | undefined;
}

/** One of those that carry the most, the one with the lowest number. */
export interface HeaviestLink {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  /** What users call the ends: `3`, `leaf-3`, `node 7`. */
  readonly fromName: string;
  readonly toName: string;
  /** The names are those of the fabric's file. */
  readonly isNamed: boolean;
  readonly load: number;
}

interface Placed {
  readonly kind: 'placed';
  readonly run: ShownRun;
  readonly drewRandom: boolean;
  /** Fingerprint of the nodes of all jobs. */
  readonly nodes: string;
  /** Fingerprint of where all tasks are. */
  readonly mapping: string;
}

export type Outcome =
  | Placed
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'stopped'; readonly milliseconds: number }
  | { readonly kind: 'impossible'; readonly problems: readonly StudyProblem[] }
  | { readonly kind: 'cancelled' };

/** The placement that is compared. */
interface ComparedPlacement {
  readonly placement: string;
  /** Milliseconds after which a mapper is stopped. */
  readonly limit: number;
}

interface Attempt {
  readonly mapper: ComparedMapper;
  /** That of the placement where it is left out. */
  readonly seed: number | undefined;
  /** Attempts before it, of so many. */
  readonly step: number;
  readonly of: number;
  readonly progressed: ReportProgress;
}

/** Runs the study of the placement with the mapper in the place of its own. */
export function tryMapper(
  program: Program,
  files: StudyFiles,
  { placement: name, limit }: ComparedPlacement,
  context: StudyContext,
  { mapper: { text, choice }, seed, step, of, progressed }: Attempt,
): Outcome {
  const { cancellation } = context;
  if (cancellation.isCancelled()) return { kind: 'cancelled' };
  const stopwatch = new Stopwatch(limit, context);
  const alone = onlyPlacements(program, [name]);
  const placements = alone.placements.map((one) =>
    one.name !== name
      ? one
      : {
          ...(choice === undefined ? one : { ...withoutOwnMappers(one), map: choice }),
          ...(seed === undefined ? {} : { mapSeed: seed }),
        },
  );
  const study = runStudy({ ...alone, placements }, files, settings, {
    ...context,
    progress: (share, message, search) => {
      const who = seed === undefined ? text : `${text}, seed ${seed}`;
      progressed(share, message, search);
      context.progress((step + share) / of, `${who}: ${message}`, search);
    },
    cancellationOfMapper: (placement) => (placement === name ? stopwatch.start() : cancellation),
  });
  const report = study.placements.find((one) => one.name === name);
  if (report !== undefined) return placedOf(report, seed ?? report.seed);
  if (cancellation.isCancelled()) return { kind: 'cancelled' };
  if (stopwatch.stoppedAfter !== undefined) return { kind: 'stopped', milliseconds: stopwatch.stoppedAfter };
  const refusal = study.problems.find(({ placement, subject }) => placement === name && subject.property === 'map');
  return refusal === undefined
    ? { kind: 'impossible', problems: study.problems }
    : { kind: 'refused', failure: { code: refusal.code, message: refusal.message } };
}

/** O(tasks + links). */
export const placedOf = (report: PlacementReport, seed: number): Placed => ({
  kind: 'placed',
  run: {
    seed,
    outline: outlinePlacement(report),
    nodes: report.jobs.map(({ allocation }) => Array.from(allocation)),
    mappings: report.jobs.map(({ mapping }) => Array.from(mapping)),
    heaviestLink: heaviestLinkOf(report),
  },
  drewRandom: report.jobs.some(({ drewRandom }) => drewRandom),
  nodes: fingerprintOf(...report.jobs.map(({ allocation }) => allocation)),
  mapping: fingerprintOf(...report.jobs.map(({ mapping }) => mapping)),
});

/** O(links). */
function heaviestLinkOf({ machine, linkLoads }: PlacementReport): HeaviestLink | undefined {
  let heaviest = 0;
  for (let link = 1; link < linkLoads.length; link++)
    if (realAt(linkLoads, link) > realAt(linkLoads, heaviest)) heaviest = link;
  const load = linkLoads[heaviest] ?? 0;
  if (load === 0) return undefined;
  const { from, to } = endsOfLink(machine, asLinkId(heaviest));
  const isNamed = machine.topology.names !== undefined;
  return { from, to, fromName: endName(machine, from), toName: endName(machine, to), isNamed, load };
}

/**
 * The placement as a comparison had placed it, measured again: a report for pictures. Nothing is mapped; `choice` is the
 * mapper that its jobs are said to have. Undefined where it was cancelled, or where the program is not the one that was
 * compared any more. As {@link runStudy}.
 */
export function reportPlaced(
  program: Program,
  files: StudyFiles,
  { placement: name, choice, jobs, settings: own }: PlacedAgain,
  context: StudyContext,
): PlacementReport | undefined {
  const alone = program.placements.filter((one) => one.name === name);
  const placements = choice === undefined ? alone : alone.map((one) => ({ ...withoutOwnMappers(one), map: choice }));
  const placedBefore = (): readonly PlacedBefore[] => jobs;
  return runStudy({ ...program, placements }, files, own, { ...context, placedBefore }).placements[0];
}

interface PlacedAgain {
  readonly placement: string;
  readonly choice?: Choice;
  readonly jobs: readonly PlacedBefore[];
  readonly settings: StudySettings;
}

/**
 * Whether a placement has the same nodes and the same traffic with another seed, so that the mappers alone draw from it. Places its
 * jobs, by number, with either.
 */
export function seedIsOfMappersAlone(
  program: Program,
  files: StudyFiles,
  { placement: name, seed }: { readonly placement: string; readonly seed: number },
  context: StudyContext,
): boolean {
  const alone = onlyPlacements(program, [name]);
  const byNumber: Choice = { name: 'consecutive', options: {} };
  const nodesAndTraffic = (other?: number): string | undefined => {
    const placements = alone.placements.map((one) =>
      one.name === name
        ? { ...withoutOwnMappers(one), map: byNumber, ...(other === undefined ? {} : { seed: other }) }
        : one,
    );
    const study = runStudy({ ...alone, placements }, files, settings, context);
    const report = study.placements.find((one) => one.name === name);
    if (report === undefined) return undefined;
    const parts = report.jobs.flatMap(({ allocation, job: { traffic } }) => [
      allocation,
      traffic.rowStart,
      traffic.partner,
      traffic.bytes,
    ]);
    return fingerprintOf(...parts);
  };
  const before = nodesAndTraffic();
  return before !== undefined && before === nodesAndTraffic(seed);
}

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
