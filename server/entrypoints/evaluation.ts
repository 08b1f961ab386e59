/**
 * The second half of the way from a text to its reports, for the editor and the command line: the files that a checked
 * program names are read, and its placements are worked out on all threads of the machine. The first half
 * is `readAndCheck` of `language/check.ts`. This half needs no parser of `.place` texts, so the thread that does it loads none.
 */
import { readCoordinates } from '../interchange/coordinates.ts';
import { readFabric, readForwarding, readGiven, readNodeShape, readTrace } from '../interchange/readers.ts';
import { readJobLog } from '../interchange/swf.ts';
import type { CheckedProgram } from '../language/check.ts';
import type { FileNeed } from '../language/fileNeeds.ts';
import { fileNameOf } from '../language/uris.ts';
import { type Cancellation, ignoreProgress, neverCancelled, type ReportProgress } from '../model/cancellation.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { ForwardingDump } from '../model/forwarding.ts';
import type { GivenFile } from '../model/given.ts';
import type { TaskPositions } from '../model/job.ts';
import { refusedLinesText, type JobLog } from '../model/jobLog.ts';
import { type Result, fail } from '../model/result.ts';
import type { StreamFacts } from '../model/stream.ts';
import type { TableEntries } from '../model/traffic.ts';
import { describeLog } from '../scheduling/jobs.ts';
import { studyProblem, type RecordedWorkload, type StudyFiles, type StudyProblem } from '../study/program.ts';
import type { StudyReport, StudySettings } from '../study/report.ts';
import { runStudy, type StudyContext } from '../study/study.ts';
import { openFiles, unlessBroken } from './filesInPieces.ts';
import { unpackedFile } from './packed.ts';
import {
  givenFileLimit,
  logFileLimit,
  machineFileLimit,
  platform,
  tableFileLimit,
  type ReadPolicy,
} from './platform.ts';
import { readTableAt, type ReadTable } from './tableFiles.ts';

/** What a study needs of a checked program. Plain data. */
export type StudyInput = Pick<CheckedProgram, 'program' | 'fileUris' | 'experiments'>;

interface EvaluationEnvironment {
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
export async function evaluateStudy(
  { program, fileUris, experiments }: StudyInput,
  settings: StudySettings,
  { policy, memory, context }: EvaluationEnvironment,
): Promise<Evaluation> {
  const files = await readStudyFiles(fileUris, policy, memory, context.cancellation, context.progress);
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
  const usual = { ...platform().studyEnvironment(), ...context };
  const networks = new Map([...experiments.simulations].map(([name, { network }]) => [name, network]));
  const report = runStudy(
    { ...program, networks },
    files,
    settings,
    withStreams ? { ...usual, watcher: withStreams } : usual,
  );
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
    else problems.push(studyProblem(facts.failure, subject));
    if (!log.ok || !facts.ok) continue;
    for (const lines of log.value.refused) {
      const message = refusedLinesText(log.value.fileName, lines);
      problems.push({ code: 'refused-lines', message, severity: 'warning', subject });
    }
  }
  return { streams: found, problems };
}

/** What each kind of file holds. */
interface FileContents {
  readonly table: TableEntries;
  readonly coordinates: TaskPositions;
  readonly given: GivenFile;
  readonly fabric: Fabric;
  readonly forwarding: ForwardingDump;
  readonly node: NodeShape;
  readonly log: JobLog;
  readonly trace: RecordedWorkload;
}

type FileKind = FileNeed['kind'];

/** Kinds of files that are read by themselves and as a whole; a trace and a table may lie in several. */
type LoneKind = Exclude<FileKind, 'trace' | 'table'>;

interface FileReader<Content> {
  /** Most bytes that are read, and that a packed file may hold. */
  readonly limit: number;
  /** Of a packed file that is damaged or too large. */
  readonly code: string;
  readonly read: (
    bytes: Uint8Array,
    fileName: string,
    cancellation: Cancellation,
    format: string | undefined,
  ) => Result<Content> | Promise<Result<Content>>;
}

const fileReaders: { readonly [Kind in LoneKind]: FileReader<FileContents[Kind]> } = {
  coordinates: { limit: tableFileLimit, code: 'bad-coordinates', read: readCoordinates },
  given: { limit: givenFileLimit, code: 'bad-mapping-file', read: readGiven },
  fabric: {
    limit: machineFileLimit,
    code: 'bad-fabric',
    read: (bytes, fileName, cancellation, format) => readFabric(bytes, fileName, format, cancellation),
  },
  forwarding: {
    limit: tableFileLimit,
    code: 'bad-forwarding',
    read: (bytes, fileName, cancellation, format) => readForwarding(bytes, fileName, format, cancellation),
  },
  node: { limit: machineFileLimit, code: 'bad-node', read: readNodeShape },
  log: { limit: logFileLimit, code: 'bad-log', read: readJobLog },
};

/** Of a file in the memory: one file may be read as several kinds and formats. */
const fileMemoryKey = (kind: FileKind, uri: string, format: string | undefined): string =>
  `${kind} ${format ?? ''} ${uri}`;

const keyOfNeed = (file: FileNeed): string => fileMemoryKey(file.kind, file.uri, variantOf(file));

/** What was made of a file, and the stamp that the file had then; no stamp where it cannot tell whether the file has changed. */
interface RememberedFile {
  readonly stamp: string | undefined;
  readonly content: Result<unknown>;
}

/**
 * What was made of files as they were last read, so that a save does not parse a hundred megabytes again. A thread has one, and a
 * command has one. A file that has changed is read again, unless the memory `isFinal`: a command opens no file twice.
 */
export class FileMemory {
  readonly isFinal: boolean;
  readonly #files = new Map<string, RememberedFile>();
  readonly #needs = new Map<string, ReadonlySet<string>>();

  constructor({ isFinal = false }: { readonly isFinal?: boolean } = {}) {
    this.isFinal = isFinal;
  }

  /** What `owner` needs from now on. What it needed before is forgotten, unless another owner needs it. */
  need(owner: string, files: readonly FileNeed[]): void {
    const before = this.#needs.get(owner) ?? [];
    this.#needs.set(owner, new Set(files.map(keyOfNeed)));
    if (files.length === 0) this.#needs.delete(owner);
    const needed = [...this.#needs.values()];
    for (const key of before) if (!needed.some((keys) => keys.has(key))) this.#files.delete(key);
  }

  /** What was made of a file when it was last read. */
  get(file: FileNeed): RememberedFile | undefined {
    return this.#files.get(keyOfNeed(file));
  }

  set(file: FileNeed, remembered: RememberedFile): void {
    if (this.isFinal || remembered.stamp !== undefined) this.#files.set(keyOfNeed(file), remembered);
  }

  /** Files that are remembered, for tests. */
  get size(): number {
    return this.#files.size;
  }
}

/** All that a program names. */
export interface ProgramFiles extends StudyFiles {
  log(uri: string): Result<JobLog>;
}

/**
 * Reads and parses all files that a program names, so that the study can ask for them without
 * waiting. A file that cannot be read is a failure of its own: the others still serve. With a
 * `memory`, what a file held that has not changed is the same object as before. Once cancelled, the
 * files not read yet fail as cancelled.
 */
export async function readStudyFiles(
  files: readonly FileNeed[],
  policy: ReadPolicy,
  memory: FileMemory = new FileMemory(),
  cancellation: Cancellation = neverCancelled,
  progress: ReportProgress = ignoreProgress,
): Promise<ProgramFiles> {
  const contents = new Map<string, Result<unknown>>();
  for (const file of files) {
    if (cancellation.isCancelled()) break;
    contents.set(keyOfNeed(file), await readFile(file, { policy, memory, cancellation, progress }));
  }
  const contentOf = <Kind extends FileKind>(kind: Kind, uri: string, format?: string): Result<FileContents[Kind]> => {
    // The key names the kind, and `fileReaders` what a file of that kind holds.
    const content = contents.get(fileMemoryKey(kind, uri, format)) as Result<FileContents[Kind]> | undefined;
    return content ?? fail('file-unreadable', `${uri} was not read before the study.`);
  };
  return {
    table: (uri, format) => contentOf('table', uri, format),
    coordinates: (uri) => contentOf('coordinates', uri),
    trace: (uri, format, options) => contentOf('trace', uri, variantOf({ kind: 'trace', uri, format, options })),
    given: ({ uri, format }) => contentOf('given', uri, format),
    fabric: (uri, format) => contentOf('fabric', uri, format),
    forwarding: (uri, format) => contentOf('forwarding', uri, format),
    nodeShape: (uri) => contentOf('node', uri),
    log: (uri) => contentOf('log', uri),
  };
}

interface Reading {
  readonly policy: ReadPolicy;
  readonly memory: FileMemory;
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
}

/** What a file holds, from the memory where it has not changed. */
async function readFile(file: FileNeed, reading: Reading): Promise<Result<unknown>> {
  const { memory, cancellation } = reading;
  const known = memory.get(file);
  if (known !== undefined && memory.isFinal) return known.content;
  const found =
    file.kind === 'trace'
      ? await readTraceAt(file, reading, known)
      : file.kind === 'table'
        ? // The memory holds what was made of it by the same key.
          await readTableAt(file.uri, file.format, reading, known as ReadTable | undefined)
        : await readLoneFile(file, reading, known);
  if (!cancellation.isCancelled()) memory.set(file, found);
  return found.content;
}

/** A file that is read by itself; `known` is answered where it has not changed. */
async function readLoneFile(
  file: Extract<FileNeed, { readonly kind: LoneKind }>,
  { policy, cancellation }: Reading,
  known: RememberedFile | undefined,
): Promise<RememberedFile> {
  const { kind, uri } = file;
  const { limit, code, read } = fileReaders[kind];
  const found = await platform().files.readBytes(uri, policy, { limit, unlessStamp: known?.stamp, cancellation });
  if (!found.ok) return { stamp: undefined, content: found };
  const { stamp, bytes } = found.value;
  if (bytes === undefined && known !== undefined) return known;
  const fileName = fileNameOf(uri);
  const whole = await unpackedFile(bytes ?? new Uint8Array(), limit, fileName, code);
  const format = 'format' in file ? file.format : undefined;
  return { stamp, content: whole.ok ? await read(whole.value, fileName, cancellation, format) : whole };
}

/** As what a file is read, where there are several ways. */
const variantOf = (file: FileNeed): string | undefined =>
  file.kind === 'trace' ? JSON.stringify([file.format, file.options]) : 'format' in file ? file.format : undefined;

/** A trace; `known` is answered where its one file has not changed. */
async function readTraceAt(
  { uri, format, options }: Extract<FileNeed, { readonly kind: 'trace' }>,
  { policy, cancellation, progress }: Reading,
  known: RememberedFile | undefined,
): Promise<RememberedFile> {
  const found = await openFiles(uri, 'bad-trace', { policy, cancellation, progress }, known?.stamp);
  if (!found.ok) return { stamp: undefined, content: found };
  const { stamp, files: opened = [], close } = found.value;
  if (found.value.files === undefined && known !== undefined) return known;
  const files = opened.map(({ file: one }) => one);
  const trace = readTrace(files, format, options, cancellation);
  const content = unlessBroken(opened, trace);
  close();
  return { stamp: content === trace ? stamp : undefined, content };
}
