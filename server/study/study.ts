import type { Machine } from '../model/machine.ts';
import type { PlacementReport } from '../model/report.ts';
import { cancelledCode, fail, succeed } from '../model/result.ts';
import type { Failure, Result } from '../model/result.ts';
import { Allocations, inOrderOfNeed, takesOverFrom } from './allocations.ts';
import { fingerprintOf } from './fingerprint.ts';
import { jobFacts } from './jobFacts.ts';
import { buildJob } from './jobs.ts';
import type { BuiltJob } from './builtJob.ts';
import { buildMachines, machineFacts, machineKey } from './machines.ts';
import { MemoryPlan, placementRefusal } from './memory.ts';
import { place } from './placement.ts';
import type { PlacementOutcome } from './outcome.ts';
import { notEvaluatedYet, ProblemList, problemAt } from './problems.ts';
import type { PlacementDescription, Program, StudyFiles } from './program.ts';
import type { StudyReport, StudySettings } from './report.ts';
import type { Run, StudyContext } from './run.ts';

export { createStudyCache } from './cache.ts';
export type { StudyCache } from './cache.ts';
export type { StudyContext } from './run.ts';

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
  const reports = evaluatePlacements(run, machines, refused);
  const facts = machineFacts(run, machines);
  if (!context.cancellation.isCancelled()) context.cache.endRun();
  return {
    placements: program.placements.flatMap(({ name }) => reports.get(name) ?? []),
    machines: facts,
    jobs,
    problems: run.problems.all(),
  };
}

/** The placements that do not fit in memory beside those before them, with what to say of them. Takes nothing itself. */
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

/** All placements, each behind the one whose nodes it takes over; reports by name. */
function evaluatePlacements(
  run: Run,
  machines: Machines,
  refused: ReadonlyMap<string, Failure>,
): ReadonlyMap<string, PlacementReport> {
  const { cancellation, progress } = run.context;
  const reports = new Map<string, PlacementReport>();
  const earlier = new Allocations();
  const ordered = inOrderOfNeed(run.program.placements);
  for (const [index, placement] of ordered.entries()) {
    if (cancellation.isCancelled()) break;
    const within: Run = {
      ...run,
      context: {
        ...run.context,
        progress: (share, message, search) => {
          progress((index + share) / ordered.length, message, search);
        },
      },
    };
    const refusal = refused.get(placement.name);
    const outcome = refusal
      ? unplaced(placement, refusal, jobProperty(placement), true)
      : evaluatePlacement(within, placement, machines, earlier);
    earlier.record(placement, outcome);
    for (const problem of outcome.problems) run.problems.add(problem);
    if (outcome.report !== undefined) reports.set(placement.name, outcome.report);
  }
  return reports;
}

/** Gathers what the placement needs, and places it, or remembers what came of it before. */
function evaluatePlacement(
  run: Run,
  placement: PlacementDescription,
  machines: Machines,
  earlier: Allocations,
): PlacementOutcome {
  const { placements } = run.context.cache;
  const machine = machines.get(placement.machine) ?? missing('machine', placement.machine);
  if (!machine.ok) return unplaced(placement, machine.failure, 'machine');
  const jobs = buildJobs(run, placement);
  if (!jobs.ok) return unplaced(placement, jobs.failure, jobProperty(placement));
  const key = placementKey(run, placement, jobs.value, earlier);
  const known = placements.get(key);
  if (known !== undefined) return known;
  const outcome = place(
    run,
    placement,
    machine.value,
    jobs.value.map(({ job }) => job),
    earlier,
  );
  if (!outcome.cancelled) placements.set(key, outcome);
  return outcome;
}

const jobProperty = ({ jobs }: PlacementDescription): string => (jobs.length > 1 ? 'jobs' : 'job');

const missing = (kind: string, name: string): Result<never> =>
  fail(`missing-${kind}`, `The ${kind} \`${name}\` of this placement is missing or has errors.`);

function buildJobs(run: Run, placement: PlacementDescription): Result<readonly BuiltJob[]> {
  const jobs: BuiltJob[] = [];
  for (const name of placement.jobs) {
    const description = run.program.jobs.get(name);
    const built = description === undefined ? missing('job', name) : buildJob(run, description, placement.seed);
    if (!built.ok) return built;
    jobs.push(built.value);
  }
  return succeed(jobs);
}

/**
 * A placement without its machine or jobs. What cannot be evaluated yet is said at the
 * placement; real errors have been reported where they stand.
 */
function unplaced(
  placement: PlacementDescription,
  failure: Failure,
  property: string,
  isOwn = failure.code === notEvaluatedYet,
): PlacementOutcome {
  const subject = { kind: 'placement', name: placement.name, property } as const;
  const problems = isOwn ? [problemAt(failure, subject, placement.name)] : [];
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
  const given = [placement.map, ...(placement.own ?? []).flatMap(({ map }) => map ?? [])];
  return JSON.stringify([
    placement,
    machineKey(run, run.program.machines.get(placement.machine)!),
    jobs.map(({ key }) => key),
    run.settings.hotLinkFactor,
    source === undefined ? null : earlier.keyOf(source),
    given.map(({ argument }) => (argument?.kind === 'file' ? fileKey(run, argument.uri) : null)),
  ]);
}

function fileKey(run: Run, uri: string): string {
  const numbers = run.files.integers(uri);
  return numbers.ok ? fingerprintOf(numbers.value) : numbers.failure.message;
}
