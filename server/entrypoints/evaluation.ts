/**
 * The second half of the way from a text to its reports, for the editor and the command line: the files that a checked
 * program names are read, and its placements are worked out on all threads of the machine. `checkedSources.ts` is the
 * first half. This half needs no parser of `.place` texts, so the thread that does it loads none.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readCoordinates } from '../interchange/coordinates.ts';
import { readFabric } from '../interchange/fabrics.ts';
import { readGiven } from '../interchange/given.ts';
import { readNodeShape } from '../interchange/nodes.ts';
import { readTable } from '../interchange/table.ts';
import type { CheckedProgram, FileNeed } from '../language/check.ts';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { GivenFile } from '../model/given.ts';
import type { TaskPositions } from '../model/job.ts';
import { type Result, fail } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { StudyFiles } from '../study/program.ts';
import type { StudyReport, StudySettings } from '../study/report.ts';
import { runStudy, type StudyContext } from '../study/study.ts';
import { machineFileLimit, nameOf, readBytes, tableFileLimit, type ReadPolicy } from './files.ts';
import { poolOfThreads, solveOnThreads } from './threads/workloads.ts';
import { WorkQueue } from './threads/workQueue.ts';

/** What a study needs of a checked program. Plain data. */
export type StudyInput = Pick<CheckedProgram, 'program' | 'fileUris'>;

interface EvaluationSurroundings {
  readonly policy: ReadPolicy;
  /** What the files held when they were read before; none where it is left out. */
  readonly memory?: FileMemory;
  /** A clock and all threads of the machine are added. */
  readonly context: Omit<StudyContext, 'now' | 'solveDistances' | 'workerPool'>;
}

/** Reads the files that a program names and runs its study. Where that was cancelled, the report has what there is. */
export async function evaluate(
  { program, fileUris }: StudyInput,
  settings: StudySettings,
  { policy, memory, context }: EvaluationSurroundings,
): Promise<StudyReport> {
  const files = await readStudyFiles(fileUris, policy, memory, context.cancellation);
  if (context.cancellation.isCancelled()) return { placements: [], machines: [], jobs: [], problems: [] };
  return runStudy(program, files, settings, { ...clockAndThreads, ...context });
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
}

type Parsed<Value> = Map<string, { readonly stamp: string | undefined; readonly value: Result<Value> }>;

export const createFileMemory = (): FileMemory => ({
  tables: new Map(),
  coordinates: new Map(),
  fabrics: new Map(),
  nodes: new Map(),
  given: new Map(),
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
): Promise<StudyFiles> {
  const tables = new Map<string, Result<TableEntries>>();
  const coordinates = new Map<string, Result<TaskPositions>>();
  const given = new Map<string, Result<GivenFile>>();
  const fabrics = new Map<string, Result<Fabric>>();
  const nodes = new Map<string, Result<NodeShape>>();
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
    }
  }
  if (!cancellation.isCancelled()) {
    forgetOthers(memory.tables, tables);
    forgetOthers(memory.coordinates, coordinates);
    forgetOthers(memory.given, given);
    forgetOthers(memory.fabrics, fabrics);
    forgetOthers(memory.nodes, nodes);
  }
  return {
    table: (uri) => tables.get(uri) ?? notRead(uri),
    coordinates: (uri) => coordinates.get(uri) ?? notRead(uri),
    given: (uri) => given.get(uri) ?? notRead(uri),
    fabric: (uri, format) => fabrics.get(keyOfFabric(uri, format)) ?? notRead(uri),
    nodeShape: (uri) => nodes.get(uri) ?? notRead(uri),
  };
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
