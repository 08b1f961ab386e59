/**
 * The second half of the way from a text to its reports, for the editor and the command line: the files that a checked
 * program names are read, and its placements are worked out on all threads of the machine. `checkedSources.ts` is the
 * first half. This half needs no parser of `.place` texts, so the thread that does it loads none.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readCoordinates } from '../interchange/coordinates.ts';
import { readFabric } from '../interchange/fabrics.ts';
import { readGiven } from '../interchange/given.ts';
import { readNodeShape } from '../interchange/nodes.ts';
import { readJobLog } from '../interchange/swf.ts';
import { readTable } from '../interchange/table.ts';
import type { CheckedProgram, FileNeed } from '../language/check.ts';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { GivenFile } from '../model/given.ts';
import type { TaskPositions } from '../model/job.ts';
import { refusedLinesText, type JobLog } from '../model/jobLog.ts';
import { type Result, fail } from '../model/result.ts';
import type { StreamFacts } from '../model/stream.ts';
import type { TableEntries } from '../model/traffic.ts';
import { describeLog } from '../scheduling/jobs.ts';
import { problemAt, type StudyFiles, type StudyProblem } from '../study/program.ts';
import type { StudyReport, StudySettings } from '../study/report.ts';
import { runStudy, type StudyContext } from '../study/study.ts';
import { logFileLimit, machineFileLimit, nameOf, readBytes, tableFileLimit, type ReadPolicy } from './files.ts';
import { poolOfThreads, solveOnThreads } from './threads/workloads.ts';
import { WorkQueue } from './threads/workQueue.ts';

/** What a study needs of a checked program. Plain data. */
export type StudyInput = Pick<CheckedProgram, 'program' | 'fileUris' | 'experiments'>;

interface EvaluationSurroundings {
  readonly policy: ReadPolicy;
  /** What the files held when they were read before; none where it is left out. */
  readonly memory?: FileMemory;
  /** A clock and all threads of the machine are added. */
  readonly context: Omit<StudyContext, 'now' | 'solveDistances' | 'workerPool'>;
}

/** What a study found, and what the logs of the streams hold. */
export interface Evaluation extends StudyReport {
  readonly streams: readonly StreamFacts[];
}

/** Reads the files that a program names and runs its study. Where that was cancelled, the report has what there is. */
export async function evaluate(
  { program, fileUris, experiments }: StudyInput,
  settings: StudySettings,
  { policy, memory, context }: EvaluationSurroundings,
): Promise<Evaluation> {
  const files = await readStudyFiles(fileUris, policy, memory, context.cancellation);
  if (context.cancellation.isCancelled()) return { placements: [], machines: [], jobs: [], streams: [], problems: [] };
  const { streams, problems } = describeLogs(experiments, files);
  const { watcher } = context;
  const withStreams: StudyContext['watcher'] = watcher && {
    begun: watcher.begun,
    progressed: watcher.progressed,
    ended: watcher.ended,
    described: (found) => {
      watcher.described({ ...found, streams, problems: [...found.problems, ...problems] });
    },
  };
  const usual = { ...clockAndThreads, ...context };
  const report = runStudy(program, files, settings, withStreams ? { ...usual, watcher: withStreams } : usual);
  return { ...report, streams, problems: [...report.problems, ...problems] };
}

/** What the logs of streams hold, and what is wrong with them: a line that is none of a job is a warning. O(logs). */
function describeLogs(
  { streams }: StudyInput['experiments'],
  files: ProgramFiles,
): { readonly streams: readonly StreamFacts[]; readonly problems: readonly StudyProblem[] } {
  const found: StreamFacts[] = [];
  const problems: StudyProblem[] = [];
  for (const stream of streams.values()) {
    if (stream.jobs.kind !== 'log') continue;
    const subject = { kind: 'stream', name: stream.name, property: 'log' } as const;
    const log = files.log(stream.jobs.uri);
    const facts = log.ok ? describeLog(stream, log.value) : log;
    if (facts.ok) found.push(facts.value);
    else problems.push(problemAt(facts.failure, subject));
    if (!log.ok || !facts.ok) continue;
    for (const lines of log.value.refused) {
      const message = refusedLinesText(log.value.fileName, lines);
      problems.push({ code: 'refused-lines', message, severity: 'warning', subject });
    }
  }
  return { streams: found, problems };
}

/**
 * What the other threads run. It lies beside the bundle that this is part of; run from its sources the product has one
 * thread.
 */
const helperPath = typeof __dirname === 'string' ? join(__dirname, 'helper.cjs') : undefined;
const queue = new WorkQueue(helperPath, availableParallelism() - 1);

/**
 * What every study is given, whoever asks for it: a clock, in milliseconds, and as many threads as the machine runs at
 * a time.
 */
export const clockAndThreads: Required<Pick<StudyContext, 'now' | 'solveDistances' | 'workerPool'>> = {
  now: () => performance.now(),
  solveDistances: solveOnThreads(queue),
  workerPool: poolOfThreads(queue),
};

/** What was made of files as they were last read, so that a save does not parse a hundred megabytes again. */
export interface FileMemory {
  readonly tables: Parsed<TableEntries>;
  readonly coordinates: Parsed<TaskPositions>;
  readonly fabrics: Parsed<Fabric>;
  readonly nodes: Parsed<NodeShape>;
  readonly given: Parsed<GivenFile>;
  readonly logs: Parsed<JobLog>;
}

/** All that a program names. */
export interface ProgramFiles extends StudyFiles {
  log(uri: string): Result<JobLog>;
}

type Parsed<Value> = Map<string, { readonly stamp: string | undefined; readonly value: Result<Value> }>;

export const createFileMemory = (): FileMemory => ({
  tables: new Map(),
  coordinates: new Map(),
  fabrics: new Map(),
  nodes: new Map(),
  given: new Map(),
  logs: new Map(),
});

/**
 * Reads and parses all files that a program names, so that the study can ask for them without
 * waiting. A file that cannot be read is a failure of its own: the others still serve. With a
 * `memory`, what a file held that has not changed is the same object as before; files that are no
 * longer named are forgotten. Once cancelled, the files not read yet fail as cancelled.
 */
export async function readStudyFiles(
  files: readonly FileNeed[],
  policy: ReadPolicy,
  memory: FileMemory = createFileMemory(),
  cancellation: Cancellation = neverCancelled,
): Promise<ProgramFiles> {
  const tables = new Map<string, Result<TableEntries>>();
  const coordinates = new Map<string, Result<TaskPositions>>();
  const given = new Map<string, Result<GivenFile>>();
  const fabrics = new Map<string, Result<Fabric>>();
  const nodes = new Map<string, Result<NodeShape>>();
  const logs = new Map<string, Result<JobLog>>();
  const of = <Value>(limit: number, known: Parsed<Value>): Reading<Value> => ({
    policy,
    limit,
    memory: known,
    cancellation,
  });
  for (const file of files) {
    if (cancellation.isCancelled()) break;
    const { uri } = file;
    switch (file.kind) {
      case 'table':
        tables.set(uri, await parsed(uri, of(tableFileLimit, memory.tables), readTable));
        break;
      case 'coordinates':
        coordinates.set(uri, await parsed(uri, of(tableFileLimit, memory.coordinates), readCoordinates));
        break;
      case 'given':
        given.set(uri, await parsed(uri, of(tableFileLimit, memory.given), readGiven));
        break;
      case 'fabric': {
        const key = keyOfFabric(uri, file.format);
        const reading = { ...of(machineFileLimit, memory.fabrics), key };
        const read = (bytes: Uint8Array, name: string) => readFabric(bytes, name, file.format, cancellation);
        fabrics.set(key, await parsed(uri, reading, read));
        break;
      }
      case 'node':
        nodes.set(uri, await parsed(uri, of(machineFileLimit, memory.nodes), readNodeShape));
        break;
      case 'log':
        logs.set(uri, await parsed(uri, of(logFileLimit, memory.logs), readPackedLog));
        break;
    }
  }
  if (!cancellation.isCancelled()) {
    forgetOthers(memory.tables, tables);
    forgetOthers(memory.coordinates, coordinates);
    forgetOthers(memory.given, given);
    forgetOthers(memory.fabrics, fabrics);
    forgetOthers(memory.nodes, nodes);
    forgetOthers(memory.logs, logs);
  }
  return {
    table: (uri) => tables.get(uri) ?? notRead(uri),
    coordinates: (uri) => coordinates.get(uri) ?? notRead(uri),
    given: (uri) => given.get(uri) ?? notRead(uri),
    fabric: (uri, format) => fabrics.get(keyOfFabric(uri, format)) ?? notRead(uri),
    nodeShape: (uri) => nodes.get(uri) ?? notRead(uri),
    log: (uri) => logs.get(uri) ?? notRead(uri),
  };
}

/** The log of a stream by itself, for those who run it. Fails as {@link readBytes} does, and with `bad-log`. */
export async function readLogFile(
  uri: string,
  policy: ReadPolicy,
  cancellation: Cancellation,
): Promise<Result<JobLog>> {
  return parsed(uri, { policy, cancellation, limit: logFileLimit, memory: new Map() }, readPackedLog);
}

/** A job log as it is, or packed by gzip, whatever its name. O(bytes). */
function readPackedLog(bytes: Uint8Array, fileName: string, cancellation: Cancellation): Result<JobLog> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return readJobLog(bytes, fileName, cancellation);
  let unpacked: Uint8Array;
  try {
    unpacked = gunzipSync(bytes, { maxOutputLength: logFileLimit });
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    const why = isLarge
      ? `it holds more than ${logFileLimit / 2 ** 20} MiB, and at most so much is read.`
      : 'it is damaged: fetch it anew, or unpack it (gunzip) and name that file.';
    return fail('bad-log', `${fileName} is packed by gzip, and ${why}`);
  }
  return readJobLog(unpacked, fileName, cancellation);
}

const notRead = (uri: string) => fail('file-unreadable', `${uri} was not read before the study.`);

/** One file may be read as several formats. */
const keyOfFabric = (uri: string, format: string | undefined): string => `${format ?? ''} ${uri}`;

interface Reading<Value> {
  readonly policy: ReadPolicy;
  readonly cancellation: Cancellation;
  readonly limit: number;
  readonly memory: Parsed<Value>;
  /** Under which it is remembered; its URI where absent. */
  readonly key?: string;
}

/** What a file holds, from the memory where it has not changed. */
async function parsed<Value>(
  uri: string,
  { policy, cancellation, limit, memory, key = uri }: Reading<Value>,
  parse: (bytes: Uint8Array, fileName: string, cancellation: Cancellation) => Result<Value>,
): Promise<Result<Value>> {
  const known = memory.get(key);
  const file = await readBytes(uri, policy, { limit, unlessStamp: known?.stamp, cancellation });
  if (!file.ok) return file;
  const { stamp, bytes } = file.value;
  if (bytes === undefined && known !== undefined) return known.value;
  const value = parse(bytes ?? new Uint8Array(), nameOf(uri), cancellation);
  if (!cancellation.isCancelled()) memory.set(key, { stamp, value });
  return value;
}

function forgetOthers(memory: Parsed<unknown>, named: ReadonlyMap<string, unknown>): void {
  for (const key of [...memory.keys()]) if (!named.has(key)) memory.delete(key);
}
