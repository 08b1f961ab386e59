import { countOf } from '../model/quantities.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import { findEntry, type Choice } from '../model/catalogue.ts';
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import type { Job, ProgramMessages, TaskPositions } from '../model/job.ts';
import type { RandomSource } from '../model/random.ts';
import { cancelled, cancelledCode, fail, succeed, type Result } from '../model/result.ts';
import type { TableEntries, TableUnit, Traffic } from '../model/traffic.ts';
import type { Workload } from '../model/workload.ts';
import { patternTraffic, stencilTraffic, tableTraffic, inexactSums } from '../traffic/build.ts';
import { patterns } from '../traffic/catalogue.ts';
import { jobCollectives, skeletons } from '../simulation/workloads/catalogue.ts';
import { collectiveTraffic } from '../simulation/workloads/collectiveTraffic.ts';
import { trainingTraffic } from '../simulation/workloads/trainingTraffic.ts';
import { trafficWithMessages } from '../simulation/workloads/programs.ts';
import type { BuiltJob } from './cache.ts';
import type { FingerprintedArray } from '../numeric/fingerprint.ts';
import { watchedRandom } from '../model/random.ts';
import { fingerprintWithLooks, randomFor } from './fingerprint.ts';
import {
  studyProblem,
  smallTableMessage,
  type JobDescription,
  type RecordedWorkload,
  type TrafficSource,
} from './program.ts';
import type { Run } from './run.ts';
import { maximumPairs } from './memory.ts';
import type { JobFacts } from './report.ts';

/**
 * The job with its traffic, kept for later runs where `isKept`. Only a pattern that draws random numbers depends on
 * `seed`. What is wrong with the job or its files is reported here.
 */
export function buildJob(run: Run, description: JobDescription, seed: number, isKept = true): Result<BuiltJob> {
  const entries = readTableEntries(run, description.source);
  if (!entries.ok) return entries;
  const recorded = recordedOf(run, description);
  if (!recorded.ok) return recorded;
  const coordinates = jobCoordinates(run, description);
  if (!coordinates.ok) {
    run.problems.add(
      studyProblem(coordinates.failure, { kind: 'job', name: description.name, property: 'coordinates' }),
    );
    return coordinates;
  }
  const content = { entries: entries.value, recorded: recorded.value, coordinates: coordinates.value };
  const built = rememberedJob(run, description, content, seed, isKept);
  if (built.ok) warnOfSmallTable(run, description, entries.value);
  if (!built.ok && built.failure.code !== cancelledCode) {
    const property = description.source.kind === 'table-file' ? 'table' : description.source.kind;
    run.problems.add(studyProblem(built.failure, { kind: 'job', name: description.name, property }));
  }
  return built;
}

/** A table of a file that has fewer tasks than the job; the checker has said it of one in the text. */
function warnOfSmallTable(
  { problems }: Run,
  { name, taskCount, source }: JobDescription,
  entries?: TableEntries,
): void {
  if (source.kind !== 'table-file' || entries === undefined || entries.size >= taskCount) return;
  const message = smallTableMessage(source.name, entries.size, taskCount);
  problems.add({
    code: 'table-smaller',
    message,
    severity: 'warning',
    subject: { kind: 'job', name, property: 'table' },
  });
}

/**
 * Entries of the job's table, inline or read from a file; undefined for other sources of traffic. What is wrong with it, and what
 * its file leaves in doubt, is reported.
 */
function readTableEntries(run: Run, source: TrafficSource): Result<TableEntries | undefined> {
  if (source.kind === 'table') return succeed(source.entries);
  if (source.kind !== 'table-file') return succeed(undefined);
  const entries = run.files.table(source.uri, source.format);
  const subject = { kind: 'table', name: source.name } as const;
  if (!entries.ok) run.problems.add(studyProblem(entries.failure, subject));
  for (const message of (entries.ok && entries.value.warnings) || []) {
    run.problems.add({ severity: 'warning', code: 'table-warning', message, subject });
  }
  return entries;
}

/** The job's trace, read from its file; undefined for other sources of traffic. What is wrong with it is reported. */
function recordedOf(run: Run, description: JobDescription): Result<RecordedWorkload | undefined> {
  const { source, name } = description;
  if (source.kind !== 'trace') return succeed(undefined);
  const read = run.files.trace(source.uri, source.format, source.options);
  const recorded = read.ok ? recordedFor(description, read.value) : read;
  const subject = { kind: 'job', name, property: 'trace' } as const;
  if (!recorded.ok) run.problems.add(studyProblem(recorded.failure, subject));
  for (const message of recorded.ok ? recorded.value.warnings : []) {
    run.problems.add({ severity: 'warning', code: 'trace-warning', message, subject });
  }
  return recorded;
}

/** The trace as the job has it: of as many tasks. O(operations). */
export function recordedFor({ name, taskCount }: JobDescription, recorded: RecordedWorkload): Result<RecordedWorkload> {
  const { workload, timed, warnings } = recorded;
  if (workload.taskCount > taskCount) {
    const last = workload.taskCount - 1;
    return fail(
      'trace-exceeds-tasks',
      `The trace has ranks 0 to ${last}, but job \`${name}\` has tasks 0 to ${taskCount - 1}. Write ${last + 1} tasks.`,
    );
  }
  const isShort = workload.taskCount < taskCount;
  const rest = `the last ${taskCount - workload.taskCount} of the ${countOf(taskCount, 'task')} neither send nor receive`;
  const told = isShort ? [...warnings, `The trace has ${countOf(workload.taskCount, 'rank')}: ${rest}.`] : warnings;
  const whole = isShort ? withIdleTasks(workload, taskCount) : succeed(workload);
  if (!whole.ok) return whole;
  return succeed({ workload: whole.value, ...(timed && { timed: { ...timed, taskCount } }), warnings: told });
}

/** The same with further tasks, which do nothing: each has an empty list. O(operations). */
function withIdleTasks(workload: Workload, taskCount: number): Result<Workload> {
  const idle = Array.from({ length: taskCount - workload.taskCount }, (_, task) => workload.taskCount + task);
  const end = intAt(workload.offsets, workload.offsets.length - 1);
  return succeed({
    ...workload,
    taskCount,
    taskOfList: Int32Array.of(...workload.taskOfList, ...idle),
    offsets: Int32Array.of(...workload.offsets, ...idle.map(() => end)),
  });
}

/** The coordinates of the job's tasks, a line of the file for each; undefined where it names no file. */
function jobCoordinates(run: Run, { name, taskCount, coordinates }: JobDescription): Result<TaskPositions | undefined> {
  if (coordinates === undefined) return succeed(undefined);
  const read = run.files.coordinates(coordinates);
  if (!read.ok) return read;
  const { fileName, lines } = read.value;
  if (lines.length > taskCount) {
    return fail(
      'coordinates-exceed-tasks',
      `${fileName}:${intAt(lines, taskCount)}: Coordinate line ${taskCount + 1} is beyond job \`${name}\`, which has tasks 0 to ${taskCount - 1}. Write ${countOf(lines.length, 'task')}, or remove lines.`,
    );
  }
  if (lines.length < taskCount) {
    return fail(
      'missing-coordinates',
      `${fileName}:${lines.at(-1)!}: ${lines.length} coordinate lines, but job \`${name}\` has ${countOf(taskCount, 'task')}. Add the missing lines.`,
    );
  }
  return read;
}

/** What the files of a job hold. */
interface JobContent {
  readonly entries: TableEntries | undefined;
  readonly recorded: RecordedWorkload | undefined;
  readonly coordinates: TaskPositions | undefined;
}

/** Looks the job up under its description, then under its description and the seed. */
function rememberedJob(
  run: Run,
  description: JobDescription,
  content: JobContent,
  seed: number,
  isKept: boolean,
): Result<BuiltJob> {
  const { cache, cancellation, shareTraffic = (traffic: Traffic) => traffic } = run.context;
  const { jobs } = cache;
  const key = jobKey(run, description, content);
  if (key === undefined) return cancelled();
  const seededKey = `${key} seed ${seed}`;
  const known = jobs.get(key);
  const found = known === 'depends-on-seed' ? jobs.get(seededKey) : known;
  if (found !== undefined && found !== 'depends-on-seed') return found;
  const random = watchedRandom(randomFor(seed, 'pattern', description.name));
  const recorded = skeletonOf(description, cancellation) ?? succeed(content.recorded);
  const traffic = recorded.ok
    ? jobTraffic(description, { ...content, recorded: recorded.value }, random, cancellation)
    : recorded;
  if (!traffic.ok && traffic.failure.code === cancelledCode) return traffic;
  const ownKey = random.used ? seededKey : key;
  const withTraffic = ({ value }: { readonly value: JobTraffic }): BuiltJob => ({
    job: {
      ...jobWith(description, isKept ? shareTraffic(value.traffic, cancellation) : value.traffic, content.coordinates),
      ...(value.program && { program: value.program }),
    },
    key: ownKey,
    ...(recorded.ok && recorded.value && { recorded: recorded.value }),
  });
  const built = traffic.ok ? succeed(withTraffic(traffic)) : traffic;
  if (cancellation.isCancelled()) return cancelled();
  if (!isKept) return built;
  if (random.used) jobs.set(key, 'depends-on-seed');
  jobs.set(ownKey, built);
  return built;
}

/**
 * Everything the job depends on but the seed: its description, with fingerprints for what its files hold. Undefined where it was
 * cancelled.
 */
function jobKey(
  run: Run,
  description: JobDescription,
  { entries, recorded, coordinates }: JobContent,
): string | undefined {
  const { source, ...rest } = description;
  const ofCoordinates = coordinates && cachedFingerprint(run, coordinates, [coordinates.values]);
  const positions = coordinates && [coordinates.dimensions, ofCoordinates];
  const keyWith = (...parts: readonly unknown[]) => JSON.stringify([rest, ...parts, positions]);
  if (coordinates !== undefined && ofCoordinates === undefined) return undefined;
  if (recorded !== undefined) {
    const { offsets, kinds, partners, tags, amounts } = recorded.workload;
    const ofWorkload = cachedFingerprint(run, recorded, [offsets, kinds, partners, tags, amounts]);
    return ofWorkload && keyWith(ofWorkload);
  }
  if (entries === undefined) return keyWith(source);
  const ofEntries = cachedFingerprint(run, entries, [entries.from, entries.to, entries.amount]);
  return ofEntries && keyWith('unit' in source ? source.unit : source.kind, ofEntries);
}

/** The fingerprint of what a file holds, worked out once; undefined where it was cancelled. */
function cachedFingerprint(
  { context: { cache, cancellation } }: Run,
  content: object,
  arrays: readonly FingerprintedArray[],
): string | undefined {
  const { fingerprints } = cache;
  const fingerprint = fingerprints.get(content) ?? fingerprintWithLooks(arrays, cancellation);
  if (fingerprint !== undefined) fingerprints.set(content, fingerprint);
  return fingerprint;
}

/** Sources that say themselves how large messages are. */
const hasOwnSizes: ReadonlySet<TrafficSource['kind']> = new Set(['skeleton', 'trace', 'collective', 'parallelism']);

const jobWith = (
  { name, taskCount, grid, periodic, source, bytes = 1, messages, rate }: JobDescription,
  traffic: Traffic,
  positions: TaskPositions | undefined,
): Job => ({
  name,
  taskCount,
  ...(grid === undefined ? {} : { grid }),
  periodic,
  traffic,
  // A table of bytes says what a pair sends at a time, and `bytes` has no effect.
  ...(('unit' in source && source.unit === 'bytes') || hasOwnSizes.has(source.kind) ? {} : { messageBytes: bytes }),
  ...(messages === undefined ? {} : { messages }),
  ...(rate === undefined ? {} : { rate }),
  ...(positions === undefined ? {} : { coordinates: { dimensions: positions.dimensions, values: positions.values } }),
});

/** The program of a job with a skeleton; undefined for other sources of traffic. O(operations as they are written). */
function skeletonOf(
  { name, taskCount, source }: JobDescription,
  cancellation: Cancellation,
): Result<RecordedWorkload> | undefined {
  if (source.kind !== 'skeleton') return undefined;
  const { choice } = source;
  const entry = findEntry(skeletons, choice.name);
  if (entry === undefined) return fail('unknown-skeleton', `Skeleton \`${choice.name}\` does not exist.`);
  const built = entry.build(taskCount, choice.options, cancellation);
  if (built.ok) return succeed({ workload: built.value, warnings: [] });
  const { code, message } = built.failure;
  return code === cancelledCode ? built : fail(code, `Job \`${name}\`: ${message}`);
}

/** What a job sends; of a program also in which messages. */
interface JobTraffic {
  readonly traffic: Traffic;
  readonly program?: ProgramMessages;
}

function jobTraffic(
  description: JobDescription,
  content: JobContent,
  random: RandomSource,
  cancellation: Cancellation,
): Result<JobTraffic> {
  const { kind } = description.source;
  // Whoever asks has read or built it.
  if (kind === 'skeleton' || kind === 'trace') {
    const summed = trafficWithMessages(content.recorded!.workload, cancellation);
    return cancellation.isCancelled() ? cancelled() : succeed(summed);
  }
  const traffic = writtenTraffic(description, description.source, content.entries, random, cancellation);
  return traffic.ok ? succeed({ traffic: traffic.value }) : traffic;
}

function writtenTraffic(
  description: JobDescription,
  source: Exclude<TrafficSource, { kind: 'skeleton' | 'trace' }>,
  entries: TableEntries | undefined,
  random: RandomSource,
  cancellation: Cancellation,
): Result<Traffic> {
  const { taskCount, grid, periodic } = description;
  const bytesPerPair = (description.bytes ?? 1) * (description.messages ?? 1);
  switch (source.kind) {
    case 'stencil':
      return stencilTraffic(source.stencil, grid ?? [taskCount], periodic, bytesPerPair, cancellation);
    case 'pattern':
      return trafficOfPattern(description, source.choice, bytesPerPair, random, cancellation);
    case 'collective':
      return trafficOfCollective(description, source.choice, cancellation);
    case 'parallelism':
      return trainingTraffic(taskCount, source.step, cancellation);
    case 'table':
    case 'table-file':
      return trafficOfTable(description, source.unit, entries!, bytesPerPair, cancellation);
  }
}

function trafficOfPattern(
  { taskCount, grid, periodic }: JobDescription,
  choice: Choice,
  bytesPerPair: number,
  random: RandomSource,
  cancellation: Cancellation,
): Result<Traffic> {
  const entry = findEntry(patterns, choice.name);
  if (entry === undefined) return fail('unknown-pattern', `Pattern \`${choice.name}\` does not exist.`);
  const request = {
    taskCount,
    ...(grid === undefined ? {} : { grid }),
    periodic,
    random,
    options: choice.options,
    cancellation,
  };
  return patternTraffic(entry, request, bytesPerPair);
}

/** `bytes` is what a rank gives, `messages` how often. */
function trafficOfCollective(
  { taskCount, bytes = 1, messages = 1 }: JobDescription,
  { name, argument, options }: Choice,
  cancellation: Cancellation,
): Result<Traffic> {
  const entry = findEntry(jobCollectives, name);
  if (entry === undefined) return fail('unknown-collective', `Collective operation \`${name}\` does not exist.`);
  const ranks = argument?.kind === 'numbers' ? { ranks: Array.from(argument.numbers) } : {};
  return collectiveTraffic(entry, { taskCount, ...ranks, bytes, times: messages, options }, cancellation);
}

/** In bytes an amount is the whole of what a pair sends at a time; otherwise it counts messages or packets. */
function trafficOfTable(
  { name, taskCount, messages }: JobDescription,
  unit: TableUnit,
  entries: TableEntries,
  bytesPerPair: number,
  cancellation: Cancellation,
): Result<Traffic> {
  const excess = firstExcess(entries, taskCount, cancellation);
  if (excess !== undefined) {
    return fail(
      'table-exceeds-tasks',
      `The table names task ${excess}, but job \`${name}\` has tasks 0 to ${taskCount - 1}. Write at least ${excess + 1} tasks, or fix the table.`,
    );
  }
  // Of a source that counts both, `unit` says which.
  const amounts =
    unit !== 'bytes' && entries.messages !== undefined ? { ...entries, amount: entries.messages } : entries;
  return tableTraffic(amounts, taskCount, unit === 'bytes' ? (messages ?? 1) : bytesPerPair, cancellation);
}

/** The first index of the table that no task has; leaves off where cancelled. O(entries). */
function firstExcess({ from, to }: TableEntries, taskCount: number, cancellation: Cancellation): number | undefined {
  const meter = new WorkMeter(cancellation);
  for (let entry = 0; entry < from.length && !meter.isCancelledAfter(1); entry++) {
    if (intAt(from, entry) >= taskCount) return from[entry];
    if (intAt(to, entry) >= taskCount) return to[entry];
  }
  return undefined;
}

/** A job that no placement evaluates is built for its facts alone, up to this many pairs, and let go again. */
const describedPairLimit = 2 ** 22;

/**
 * Facts for hovers of every job whose traffic stands; fewer where the run is cancelled, and none of a large
 * one that is not among those `placed`. A total that cannot be summed exactly is reported here.
 */
export function jobFacts(run: Run, placed: ReadonlySet<string>): readonly JobFacts[] {
  const { cache, cancellation } = run.context;
  const facts: JobFacts[] = [];
  for (const description of run.program.jobs.values()) {
    if (cancellation.isCancelled()) return facts;
    const seed = seedFor(run, description.name);
    const isPlaced = placed.has(description.name);
    if (!isPlaced && maximumPairs(description, run.files) > describedPairLimit) {
      readTableEntries(run, description.source);
      continue;
    }
    const built = buildJob(run, description, seed, isPlaced);
    if (!built.ok) continue;
    const { key } = built.value;
    const known = cache.jobFacts.get(key) ?? measureJob(built.value, cancellation);
    if (known === undefined) return facts;
    cache.jobFacts.set(key, known);
    facts.push(known);
    const warning = inexactSums(known.bytes);
    if (warning) {
      run.problems.add({ ...warning, severity: 'warning', subject: { kind: 'job', name: description.name } });
    }
  }
  return facts;
}

/** Random traffic is described as the first placement of the job sees it. */
const seedFor = (run: Run, job: string): number =>
  run.program.placements.find(({ jobs }) => jobs.includes(job))?.seed ?? 1;

/** Undefined if cancelled. O(pairs + tasks). */
function measureJob({ job }: BuiltJob, cancellation: Cancellation): JobFacts | undefined {
  const { rowStart, bytes } = job.traffic;
  const meter = new WorkMeter(cancellation);
  let total = 0;
  let maximumDegree = 0;
  for (let task = 0; task < job.taskCount; task++) {
    const [first, end] = [intAt(rowStart, task), intAt(rowStart, task + 1)];
    for (let pair = first; pair < end; pair++) total += realAt(bytes, pair);
    maximumDegree = Math.max(maximumDegree, end - first);
    if (meter.isCancelledAfter(1 + end - first)) return undefined;
  }
  return {
    name: job.name,
    tasks: job.taskCount,
    pairs: bytes.length,
    bytes: total,
    meanDegree: job.taskCount > 0 ? bytes.length / job.taskCount : 0,
    maximumDegree,
  };
}
