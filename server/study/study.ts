import { mappers } from '../mapping/catalogue.ts';
import type { ReportProgress } from '../model/cancellation.ts';
import { findEntry } from '../model/catalogue.ts';
import type { GivenFile, GivenSource } from '../model/given.ts';
import type { Job } from '../model/job.ts';
import type { Machine } from '../model/machine.ts';
import type { PlacementReport } from '../model/report.ts';
import { cancelledCode, fail, succeed, type Failure, type Result } from '../model/result.ts';
import { Allocations } from './allocations.ts';
import {
  inOrderOfNeed,
  takesOverFrom,
  ProblemList,
  studyProblem,
  type PlacementDescription,
  type Program,
  type StudyFiles,
} from './program.ts';
import { fingerprintOf, fingerprintOfText } from '../numeric/fingerprint.ts';
import { jobFacts, buildJob } from './jobs.ts';
import type { BuiltJob } from './cache.ts';
import { buildMachines, machineFacts, machineKey, problemsOfNetworks } from './machines.ts';
import { MemoryPlan, placementRefusal } from './memory.ts';
import { place } from './placement.ts';
import { wasStopped, type PlacementOutcome, type StudyReport, type StudySettings } from './report.ts';
import type { Run, StudyContext } from './run.ts';

export { createStudyCache, keptRuns } from './cache.ts';
export type { StudyCache } from './cache.ts';
export type { StudyContext, StudyWatcher } from './run.ts';

type Machines = ReadonlyMap<string, Result<Machine>>;

/**
 * Evaluates a checked program: builds its machines and jobs, then allocates, maps and measures
 * every placement. Never fails; what went wrong is among the problems. A cancelled run reports
 * what it has, and says nothing of the rest. The same program, files and settings give the same
 * report, whatever the cache holds, but for `milliseconds`.
 */
export function runStudy(
  program: Program,
  files: StudyFiles,
  settings: StudySettings,
  context: StudyContext,
): StudyReport {
  const run: Run = { program, files, settings, context, problems: new ProblemList(), memory: new MemoryPlan() };
  const machines = buildMachines(run);
  const refused = refusedForMemory(run, machines);
  const evaluated = program.placements.filter(({ name }) => !refused.has(name));
  const jobs = jobFacts(run, new Set(evaluated.flatMap((placement) => placement.jobs)));
  const evaluation = new Evaluation(run, machines, refused);
  evaluation.takeKnown();
  evaluation.evaluate(0);
  const facts = machineFacts(run, machines);
  for (const problem of problemsOfNetworks(run, machines)) run.problems.add(problem);
  if (!context.cancellation.isCancelled()) {
    context.watcher?.described({ machines: facts, jobs, problems: run.problems.all() });
  }
  evaluation.evaluate(Infinity);
  context.cache.endRun(!context.cancellation.isCancelled());
  return { ...evaluation.found(), machines: facts, jobs };
}

/**
 * The placements that do not fit in memory beside those before them, with what to say of them. Takes nothing itself.
 */
function refusedForMemory(run: Run, machines: Machines): ReadonlyMap<string, Failure> {
  const refused = new Map<string, Failure>();
  for (const placement of inOrderOfNeed(run.program.placements)) {
    const machine = machines.get(placement.machine);
    if (machine?.ok !== true) continue;
    const key = machineKey(run, run.program.machines.get(placement.machine)!);
    const failure = placementRefusal(run, placement, machine.value, key);
    if (failure !== undefined) refused.set(placement.name, failure);
  }
  return refused;
}

/**
 * Evaluates placements: at once those that were worked out before, then those that take no time, then the searches;
 * each behind the one whose nodes it takes over. What it finds stands in the order of the program.
 */
class Evaluation {
  readonly #run: Run;
  readonly #machines: Machines;
  readonly #refused: ReadonlyMap<string, Failure>;
  readonly #earlier = new Allocations();
  readonly #outcomes = new Map<string, PlacementOutcome>();
  /** How long each is expected to take, with what it waits for. */
  readonly #seconds = new Map<string, number>();
  #waiting: readonly PlacementDescription[];

  constructor(run: Run, machines: Machines, refused: ReadonlyMap<string, Failure>) {
    this.#run = run;
    this.#machines = machines;
    this.#refused = refused;
    for (const placement of inOrderOfNeed(run.program.placements)) {
      const source = takesOverFrom(placement);
      const before = source === undefined ? 0 : (this.#seconds.get(source) ?? 0);
      this.#seconds.set(placement.name, Math.max(before, expectedSeconds(placement)));
    }
    const byTime = run.program.placements.toSorted((one, other) => this.#secondsOf(one) - this.#secondsOf(other));
    this.#waiting = inOrderOfNeed(byTime);
  }

  /** Takes what the cache knows. */
  takeKnown(): void {
    this.#visit((placement) => {
      const source = takesOverFrom(placement);
      if (source !== undefined && !this.#outcomes.has(source)) return undefined;
      const prepared = this.#prepare(placement);
      return prepared.ok ? this.#known(placement, prepared.value) : prepared.failure;
    });
  }

  /**
   * Evaluates those whose searches, and those of what they take their nodes from, are expected to take at most so long.
   */
  evaluate(mostSeconds: number): void {
    const { cancellation, watcher } = this.#run.context;
    this.#visit((placement) => {
      if (this.#secondsOf(placement) > mostSeconds || cancellation.isCancelled()) return undefined;
      watcher?.begun(placement.name);
      const prepared = this.#prepare(placement);
      return prepared.ok ? this.#place(placement, prepared.value) : prepared.failure;
    });
  }

  #secondsOf({ name }: PlacementDescription): number {
    return this.#seconds.get(name) ?? 0;
  }

  found(): Pick<StudyReport, 'placements' | 'problems'> {
    const { program, problems } = this.#run;
    const outcomes = program.placements.flatMap(({ name }) => this.#outcomes.get(name) ?? []);
    for (const problem of outcomes.flatMap((outcome) => outcome.problems)) problems.add(problem);
    return { placements: outcomes.flatMap(({ report }) => report ?? []), problems: problems.all() };
  }

  /** Records what is answered for placements that wait; the others go on waiting. */
  #visit(outcomeOf: (placement: PlacementDescription) => PlacementOutcome | undefined): void {
    this.#waiting = this.#waiting.filter((placement) => {
      const outcome = outcomeOf(placement);
      if (outcome === undefined) return true;
      const { keepsNoReports, watcher } = this.#run.context;
      const { report, ...others } = outcome;
      this.#earlier.record(placement, others);
      this.#outcomes.set(placement.name, report === undefined || keepsNoReports ? others : outcome);
      if (!outcome.cancelled) watcher?.ended(placement.name, outcome);
      return false;
    });
  }

  /** What the placement needs and the key of all that; else what comes of it without. */
  #prepare(placement: PlacementDescription): Result<Prepared, PlacementOutcome> {
    const refusal = this.#refused.get(placement.name);
    if (refusal) return { ok: false, failure: unplaced(placement, refusal, jobProperty(placement), true) };
    const machine = this.#machines.get(placement.machine) ?? missingDeclaration('machine', placement.machine);
    if (!machine.ok) return { ok: false, failure: unplaced(placement, machine.failure, 'machine') };
    const jobs = buildJobs(this.#run, placement);
    if (!jobs.ok) return { ok: false, failure: unplaced(placement, jobs.failure, jobProperty(placement)) };
    const key = placementKey(this.#run, placement, jobs.value, this.#earlier);
    return succeed({ machine: machine.value, jobs: jobs.value.map(({ job }) => job), key });
  }

  #place(placement: PlacementDescription, { machine, jobs, key }: Prepared): PlacementOutcome {
    const { cache, keepsNoReports } = this.#run.context;
    const known = this.#known(placement, { key });
    if (known !== undefined) return known;
    const outcome = place(this.#reporting(placement), placement, machine, jobs, this.#earlier);
    if (outcome.cancelled || keepsNoReports) return outcome;
    const best = bestOf(outcome, cache.placements.get(key));
    cache.placements.set(key, best);
    return best;
  }

  /** What the cache knows, unless the user ended its search and wants it to go on. */
  #known({ name }: PlacementDescription, { key }: Pick<Prepared, 'key'>): PlacementOutcome | undefined {
    const { cache, again } = this.#run.context;
    const known = cache.placements.get(key);
    return again?.has(name) === true && known?.report !== undefined && wasStopped(known.report) ? undefined : known;
  }

  /** The run as one placement sees it: its progress is a part of the whole. */
  #reporting({ name }: PlacementDescription): Run {
    const { context, program } = this.#run;
    const done = this.#outcomes.size;
    const progress: ReportProgress = (share, message, search) => {
      context.progress((done + share) / program.placements.length, `${name}: ${message}`, search);
      context.watcher?.progressed(name, share, message, search);
    };
    return { ...this.#run, context: { ...context, progress } };
  }
}

interface Prepared {
  readonly machine: Machine;
  readonly jobs: readonly Job[];
  /** Says everything that the outcome depends on. */
  readonly key: string;
}

/** The newer outcome of two, but where the user has ended both searches the one that had come further. */
function bestOf(outcome: PlacementOutcome, before: PlacementOutcome | undefined): PlacementOutcome {
  const [now, earlier] = [outcome.report, before?.report];
  if (now === undefined || earlier === undefined || before === undefined) return outcome;
  return wasStopped(now) && wasStopped(earlier) && searchCost(earlier) < searchCost(now) ? before : outcome;
}

/** What the searches of a placement left, in the unit of its criterion. */
const searchCost = ({ jobs }: PlacementReport): number =>
  jobs.reduce((sum, { search }) => sum + (search?.value ?? 0), 0);

/** Roughly how long the mapper of a placement searches, in seconds; 0 where it does not search. */
function expectedSeconds({ map: { name, options } }: PlacementDescription): number {
  for (const option of Object.values(options)) {
    if (typeof option === 'object' && 'kind' in option) return option.kind === 'seconds' ? option.amount : 1;
  }
  return findEntry(mappers, name)?.isSearch === true ? 1 : 0;
}

const jobProperty = ({ jobs }: PlacementDescription): string => (jobs.length > 1 ? 'jobs' : 'job');

const missingDeclaration = (kind: string, name: string): Result<never> =>
  fail(`missing-${kind}`, `The ${kind} \`${name}\` of this placement is missing or has errors.`);

function buildJobs(run: Run, placement: PlacementDescription): Result<readonly BuiltJob[]> {
  const jobs: BuiltJob[] = [];
  for (const name of placement.jobs) {
    const description = run.program.jobs.get(name);
    const built =
      description === undefined ? missingDeclaration('job', name) : buildJob(run, description, placement.seed);
    if (!built.ok) return built;
    jobs.push(built.value);
  }
  return succeed(jobs);
}

/** A placement without its machine or jobs: what is wrong has been reported where it stands, unless it is of its own. */
function unplaced(
  placement: PlacementDescription,
  failure: Failure,
  property: string,
  isOwn = false,
): PlacementOutcome {
  const subject = { kind: 'placement', name: placement.name, property } as const;
  const problems = isOwn ? [studyProblem(failure, subject, placement.name)] : [];
  return { problems, allocations: [], jobCount: placement.jobs.length, cancelled: failure.code === cancelledCode };
}

/** Everything that a placement's outcome depends on. */
function placementKey(
  run: Run,
  placement: PlacementDescription,
  jobs: readonly BuiltJob[],
  earlier: Allocations,
): string {
  const source = takesOverFrom(placement);
  const own = (placement.own ?? []).flatMap(({ allocate, map }) => [allocate ?? [], map ?? []].flat());
  return JSON.stringify([
    placement,
    machineKey(run, run.program.machines.get(placement.machine)!),
    jobs.map(({ key }) => key),
    run.settings.hotLinkFactor,
    source === undefined ? null : earlier.keyOf(source),
    [placement.allocate, placement.map, ...own].map(({ argument }) =>
      argument?.kind === 'file' ? fileKey(run, argument) : null,
    ),
  ]);
}

function fileKey(run: Run, source: GivenSource): string {
  const given = run.files.given(source);
  return given.ok ? keyOfGiven(given.value) : given.failure.message;
}

function keyOfGiven(given: GivenFile): string {
  switch (given.kind) {
    case 'slots':
      return fingerprintOf(given.slots);
    case 'hosts': {
      const { hosts, hostOfRank, socketOfRank, coreOfRank, firstCoreOfRank, lastCoreOfRank } = given;
      const ranks = fingerprintOf(hostOfRank, socketOfRank, firstCoreOfRank, coreOfRank, lastCoreOfRank);
      return `${fingerprintOfText(hosts.join('\n'))} ${ranks}`;
    }
    case 'nodes':
      return `${given.counted} ${given.perNode ?? ''} ${fingerprintOf(given.numbers)}`;
    case 'coordinates':
      return `${given.axes} axes ${fingerprintOf(given.values)}`;
    case 'results': {
      const jobs = given.placements.flatMap((placement) => placement.jobs.map((job) => ({ placement, job })));
      const words = jobs.map(({ placement, job }) => [placement.name, job.name, job.nodes.length]);
      return `${JSON.stringify(words)} ${fingerprintOf(...jobs.flatMap(({ job }) => [job.nodes, job.mapping]))}`;
    }
  }
}
