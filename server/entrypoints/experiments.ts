/**
 * Experiments of a program, for the editor and the command line: what they name is read, their replications are spread over all
 * threads of the machine, and what is done is kept beside the file, so that a run that ended early goes on.
 */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { isJournal, journalHeader, journalLine, readJournal } from '../experiments/journal.ts';
import {
  contentKey,
  prepareExperiment,
  type ExperimentMaterials,
  type MachineContents,
  type PreparedExperiment,
} from '../experiments/prepare.ts';
import { experimentToJson, type ExperimentJson } from '../experiments/results.ts';
import {
  doReplication,
  keyOfTask,
  runExperiment,
  type ExperimentProgress,
  type ExperimentResult,
  type FinishedReplication,
  type ReplicationPool,
  type ReplicationTask,
} from '../experiments/run.ts';
import type { Choice } from '../model/catalogue.ts';
import type { CheckedProgram } from '../language/check.ts';
import {
  filesOfMachine,
  filesOfRouting,
  machinesOfExperiment,
  tableNeed,
  type FileNeed,
} from '../language/fileNeeds.ts';
import type { ExperimentStanding } from '../language/service/input.ts';
import { neverCancelled, shouldFinish, type Cancellation } from '../model/cancellation.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { ForwardingDump } from '../model/forwarding.ts';
import type { JobLog } from '../model/jobLog.ts';
import { cancelled, cancelledCode, fail, quote, succeed, type Failure, type Result } from '../model/result.ts';
import { readLogFile, readStudyFiles } from './evaluation.ts';
import { formNames, type ExperimentDescription, type FormName } from '../model/experiment.ts';
import type { JobMaterials } from '../experiments/simulatedReplications.ts';
import type { MachineDescription } from '../network/contract.ts';
import type { JobDescription } from '../study/program.ts';
import type { ReadPolicy } from './platform.ts';
import { resultFilesOf } from './keptFiles.ts';
import { programs } from './programs.ts';
import { serveQueue, WorkQueue, type Workload } from './threads/workQueue.ts';
import { version } from './version.ts';

interface ReadingOptions {
  /** The whole where it is left out. */
  readonly form?: FormName | undefined;
  readonly cancellation?: Cancellation;
  /** Logs by their addresses: those that are there are not read again, and those that are read are put there. */
  readonly logs?: Map<string, JobLog>;
}

/** Reads the files that an experiment needs. Fails as they do, and with `cancelled`. */
export async function readExperiment(
  { program, experiments: { experiments, streams } }: Pick<CheckedProgram, 'program' | 'experiments'>,
  name: string,
  policy: ReadPolicy,
  { form, cancellation = neverCancelled, logs }: ReadingOptions,
): Promise<Result<ExperimentMaterials>> {
  const experiment = experiments.find((one) => one.name === name);
  const machines = experiment === undefined ? [] : machinesOfExperiment(experiment, program.machines);
  const [machine, ...otherMachines] = machines;
  if (experiment === undefined || machine === undefined) {
    return fail('bad-experiment', `Experiment ${quote(name)} or what it needs has errors: mend them first.`);
  }
  const stream = experiment.subject.kind === 'stream' ? streams.get(experiment.subject.name) : undefined;
  const contents = await contentsOf(machines, experiment.routing, policy, cancellation);
  if (!contents.ok) return contents;
  const common = {
    experiment,
    machine,
    otherMachines,
    machineContents: contents.value,
    version,
    ...(form && { form }),
  };
  if (experiment.subject.kind === 'job') {
    const jobs = await materialsOfJobs(experiment.subject.names, program, experiment, policy, cancellation);
    return jobs.ok ? succeed({ ...common, jobs: jobs.value }) : jobs;
  }
  if (stream?.jobs.kind !== 'log') return succeed({ ...common, ...(stream && { stream }) });
  const log = await logOf(stream.jobs.uri, policy, cancellation, logs);
  return log.ok ? succeed({ ...common, stream, log: log.value }) : log;
}

/** Why experiments cannot be run, and what may come of them: they are planned, and nothing is run. Fewer where cancelled. */
export async function plannedExperiments(
  checked: Pick<CheckedProgram, 'program' | 'experiments'>,
  policy: ReadPolicy,
  cancellation: Cancellation,
): Promise<ReadonlyMap<string, ExperimentStanding>> {
  const found = new Map<string, ExperimentStanding>();
  const logs = new Map<string, JobLog>();
  for (const { name } of checked.experiments.experiments) {
    if (shouldFinish(cancellation)) break;
    const materials = await readExperiment(checked, name, policy, { cancellation, logs });
    const prepared = materials.ok ? prepareExperiment(materials.value, { cancellation }) : materials;
    if (!prepared.ok && prepared.failure.code === cancelledCode) break;
    const known = prepared.ok ? { remarks: prepared.value.remarks } : { problem: prepared.failure };
    found.set(name, { isStale: false, isComplete: false, ...known });
  }
  return found;
}

/** Files of allocators and mappers: `map given "FILE"`. */
export const givenFiles = ({ allocate, map }: ExperimentDescription): readonly string[] =>
  [...allocate, ...map].flatMap(({ argument }) => (argument?.kind === 'file' ? [argument.uri] : []));

/** A log from those that are known, else from its file. */
async function logOf(
  uri: string,
  policy: ReadPolicy,
  cancellation: Cancellation,
  logs: ReadingOptions['logs'],
): Promise<Result<JobLog>> {
  const known = logs?.get(uri);
  const log = known === undefined ? await readLogFile(uri, policy, cancellation) : succeed(known);
  if (log.ok) logs?.set(uri, log.value);
  return log;
}

/** In the order of the names; fails as the first does that cannot be read. */
async function materialsOfJobs(
  names: readonly string[],
  program: CheckedProgram['program'],
  experiment: ExperimentDescription,
  policy: ReadPolicy,
  cancellation: Cancellation,
): Promise<Result<readonly JobMaterials[]>> {
  const jobs: JobMaterials[] = [];
  for (const name of names) {
    const job = await jobMaterials(program.jobs.get(name), experiment, policy, cancellation);
    if (!job.ok) return job;
    jobs.push(job.value);
  }
  return succeed(jobs);
}

/** What the files hold that a job names, and its allocators and mappers. Files that cannot be read are failures of their own. */
async function jobMaterials(
  description: JobDescription | undefined,
  experiment: ExperimentDescription,
  policy: ReadPolicy,
  cancellation: Cancellation,
): Promise<Result<JobMaterials>> {
  if (description === undefined)
    return fail('bad-experiment', 'The job of the experiment has errors: mend them first.');
  const { source, coordinates } = description;
  const given = givenFiles(experiment);
  const needs: FileNeed[] = given.map((uri) => ({ uri, kind: 'given' }));
  if (source.kind === 'table-file') needs.push(tableNeed(source));
  if (source.kind === 'trace') needs.push({ uri: source.uri, kind: 'trace', format: source.format, options: source.options }); // prettier-ignore
  if (coordinates !== undefined) needs.push({ uri: coordinates, kind: 'coordinates' });
  const files = await readStudyFiles(needs, policy, undefined, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  return succeed({
    description,
    given: new Map(given.map((uri) => [uri, files.given(uri)])),
    ...(source.kind === 'table-file' && { table: files.table(source.uri, source.format) }),
    ...(source.kind === 'trace' && { trace: files.trace(source.uri, source.format, source.options) }),
    ...(coordinates !== undefined && { coordinates: files.coordinates(coordinates) }),
  });
}

/** What the files of machines and routings hold. Fails as the first does that cannot be read, and with `cancelled`. */
async function contentsOf(
  machines: readonly MachineDescription[],
  routings: readonly Choice[] = [],
  policy: ReadPolicy,
  cancellation: Cancellation,
): Promise<Result<MachineContents>> {
  const needs = [...machines.flatMap(filesOfMachine), ...routings.flatMap(filesOfRouting)];
  const files = await readStudyFiles(needs, policy, undefined, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  const [fabrics, forwardings, nodeShapes] = [new Map<string, Fabric>(), new Map<string, ForwardingDump>(), new Map<string, NodeShape>()]; // prettier-ignore
  const keep = <Content>(contents: Map<string, Content>, key: string, read: Result<Content>): Failure | undefined => {
    if (!read.ok) return read.failure;
    contents.set(key, read.value);
    return undefined;
  };
  for (const need of needs) {
    const { uri } = need;
    const format = 'format' in need ? need.format : undefined;
    const key = contentKey(uri, format);
    const failure =
      need.kind === 'fabric'
        ? keep(fabrics, key, files.fabric(uri, format))
        : need.kind === 'forwarding'
          ? keep(forwardings, key, files.forwarding(uri, format))
          : keep(nodeShapes, key, files.nodeShape(uri));
    if (failure !== undefined) return { ok: false, failure };
  }
  return succeed({ fabrics, forwardings, nodeShapes });
}

type ReplicationWorkload<Materials> = Workload<Materials, ReplicationTask, FinishedReplication | undefined>;

/** Replications of one kind of experiment; the outcome is undefined where it was stopped. */
export const replicationWorkload = <Materials>(
  name: string,
  prepare: (materials: Materials) => Pick<PreparedExperiment, 'plan' | 'replicate' | 'findSpeed'>,
): ReplicationWorkload<Materials> => ({
  name,
  prepare: (materials) => {
    let ready: ReturnType<typeof prepare> | undefined;
    return (task, stop) => {
      ready ??= prepare(materials);
      return doReplication(ready.plan, ready, task, stop);
    };
  },
});

/** Of experiments that another thread has prepared, so that nothing of it can fail. */
const experimentWorkload = replicationWorkload<ExperimentMaterials>('experiment', (materials) => {
  const prepared = prepareExperiment(materials, { isTried: true });
  if (!prepared.ok) throw new Error(prepared.failure.message);
  return prepared.value;
});

/** What a thread does that helps with replications: the entry of its program calls it. */
export const serveReplications = (): void => {
  serveQueue([experimentWorkload]);
};

/** The pool that an experiment is given, and how it is let go. */
export function replicationsOnThreads<Materials>(
  queue: WorkQueue,
  workload: ReplicationWorkload<Materials>,
  materials: Materials,
): ReplicationPool & { close(): void } {
  const session = queue.open(workload, materials);
  return {
    run: (tasks, stop, finished) => {
      session.run(tasks, {
        stop,
        finished: (_, outcome) => {
          const done = outcome as FinishedReplication | undefined;
          if (done !== undefined) finished(done);
        },
      });
    },
    close: () => {
      session.close();
    },
  };
}

const queues = new Map<number, WorkQueue>();

function queueOf(threads: number): WorkQueue {
  const queue = queues.get(threads) ?? new WorkQueue(programs.replications, threads - 1);
  queues.set(threads, queue);
  return queue;
}

export interface RunSettings {
  /** As many as the machine runs at a time where it is left out. */
  readonly threads?: number;
  /** Does replications in the place of this machine's threads. */
  readonly pool?: ReplicationPool;
  /** Keeps what is done; nothing is kept where it is left out. */
  readonly journal?: JournalFile;
  /** Done before. */
  readonly known?: readonly FinishedReplication[];
  readonly cancellation: Cancellation;
  readonly progress: (progress: ExperimentProgress) => void;
}

/** Runs what is not known yet; `prepared` is what has been made of the materials. Ends early, with what there is, once cancelled. */
export function runOnThreads(
  materials: ExperimentMaterials,
  { plan }: PreparedExperiment,
  { threads = availableParallelism(), pool, journal, known = [], cancellation, progress }: RunSettings,
): ExperimentResult {
  const chosen =
    pool === undefined
      ? replicationsOnThreads(queueOf(threads), experimentWorkload, materials)
      : { ...pool, close: () => undefined };
  try {
    return runExperiment(plan, chosen, {
      ...{ cancellation, known, progress },
      now: () => performance.now(),
      record: (done) => {
        journal?.add(done);
      },
    });
  } finally {
    chosen.close();
    journal?.close();
  }
}

/** What the command line says of a form: nothing of the whole. */
export const wordsOfForm = (form: FormName | undefined): readonly string[] => (form === undefined ? [] : [`--${form}`]);

/** Milliseconds between two times at which the disk is waited for. */
const syncEvery = 1000;

/** A journal on the disk: each line is written at once, so that nothing is lost with the process, and soon on the disk. */
export class JournalFile {
  readonly #file: number;
  #syncedAt = performance.now();

  private constructor(file: number) {
    this.#file = file;
  }

  /** A new journal, in the place of an old one. Fails with `not-a-journal` where another file is there, and `not-written`. */
  static begin(path: string, experiment: string, fingerprint: string): Result<JournalFile> {
    return written(path, () => {
      const before = textAt(path);
      if (before !== undefined && !isJournal(before)) return fail('not-a-journal', notOurs(path));
      mkdirSync(dirname(path), { recursive: true });
      return succeed(JournalFile.#from(path, journalHeader(experiment, fingerprint), 0));
    });
  }

  /**
   * A journal that is taken up again, and what it has; a new one where there is none. What was cut off at its end is cut away,
   * and what was done elsewhere is added.
   * Fails with `not-a-journal`, `not-written`, and `other-experiment` where what its results depend on has changed.
   */
  static resume(
    path: string,
    { plan, fingerprint }: PreparedExperiment,
    elsewhere: readonly FinishedReplication[] = [],
  ): Result<{ readonly journal: JournalFile; readonly known: readonly FinishedReplication[] }> {
    return written(path, () => {
      const before = textAt(path) ?? '';
      const read = readJournal(before, plan, fingerprint);
      if (!read.ok) return { ok: false, failure: { ...read.failure, message: `${path}: ${read.failure.message}` } };
      const whole = before.lastIndexOf('\n') + 1;
      mkdirSync(dirname(path), { recursive: true });
      const header = whole === 0 ? journalHeader(plan.name, fingerprint) : '';
      const journal = JournalFile.#from(path, header, Buffer.byteLength(before.slice(0, whole)));
      const known = [...read.value.replications];
      const kept = new Set(known.map(keyOfTask));
      for (const done of elsewhere.filter((one) => !kept.has(keyOfTask(one)))) {
        journal.add(done);
        known.push(done);
      }
      return succeed({ journal, known });
    });
  }

  static #from(path: string, header: string, length: number): JournalFile {
    const file = openSync(path, 'a');
    ftruncateSync(file, length);
    writeSync(file, header);
    fsyncSync(file);
    return new JournalFile(file);
  }

  add(done: FinishedReplication): void {
    writeSync(this.#file, journalLine(done));
    if (performance.now() - this.#syncedAt < syncEvery) return;
    fsyncSync(this.#file);
    this.#syncedAt = performance.now();
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}

const notOurs = (path: string): string => `${path} is no journal of an experiment: it is left as it is. Move it away.`;

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function written<Value>(path: string, make: () => Result<Value>): Result<Value> {
  try {
    return make();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail('not-written', `${path} cannot be read and written: ${reason}.`);
  }
}

/** The last result of an experiment, whether or not it still holds. */
export interface KeptResult {
  readonly result: ExperimentJson;
  /** It holds where this is the fingerprint of the prepared experiment. */
  readonly fingerprint: string;
}

/** Keeps a result beside its file. Fails with `not-written`. */
export async function keepResult(path: string, result: ExperimentResult, fingerprint: string): Promise<Result<void>> {
  const kept: KeptResult = { fingerprint, result: experimentToJson(result) };
  try {
    mkdirSync(dirname(path), { recursive: true });
    await writeFileAtomic(path, `${JSON.stringify(kept)}\n`);
    return succeed(undefined);
  } catch (error) {
    return fail('not-written', `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Undefined where none was kept; `damaged` where something else is in its place, or it cannot be read. */
export function lastResult(uri: string, experiment: string, form?: FormName): KeptResult | 'damaged' | undefined {
  try {
    const kept = JSON.parse(readFileSync(resultFilesOf(uri, experiment, form).result, 'utf8')) as unknown;
    const { result, fingerprint } = isRecord(kept) ? kept : {};
    const isIt = isRecord(result) && result['name'] === experiment && isSound(result);
    return isIt && typeof fingerprint === 'string' ? ({ result, fingerprint } as unknown as KeptResult) : 'damaged';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'damaged';
  }
}

/** The results of an experiment that are kept beside its file. */
export interface ShownResults {
  readonly result: ExperimentJson;
  /** They are of an older text, or of older files. */
  readonly stale: boolean;
  /** Of a smaller run than the whole. */
  readonly form?: FormName | undefined;
}

/** What tells whether a kept result still holds: of a whole run, and of the smaller ones that the experiment has. */
export type Fingerprints = Readonly<Partial<Record<FormName | 'whole', string>>>;

/** The smaller runs that an experiment has: their fingerprints, and about how long each takes on one thread. */
export function smallerRuns(materials: ExperimentMaterials): {
  readonly fingerprints: Fingerprints;
  readonly seconds: Readonly<Partial<Record<FormName, number>>>;
} {
  const runs = formNames.flatMap((form) => {
    const prepared = prepareExperiment({ ...materials, form }, { isTried: true });
    return prepared.ok ? [{ form, ...prepared.value }] : [];
  });
  return {
    fingerprints: Object.fromEntries(runs.map(({ form, fingerprint }) => [form, fingerprint])),
    seconds: Object.fromEntries(runs.map(({ form, seconds }) => [form, seconds])),
  };
}

/** The larger one before the smaller one. */
const formsBySize = [undefined, ...formNames.toReversed()] as const;

/**
 * Of the last whole run and the last smaller ones the largest that holds for these fingerprints; else the largest that there is.
 */
export function shownResults(
  uri: string,
  experiment: string,
  fingerprints: Fingerprints,
): ShownResults | 'damaged' | undefined {
  const found = formsBySize.map((form): ShownResults | 'damaged' | undefined => {
    const kept = lastResult(uri, experiment, form);
    if (typeof kept !== 'object') return kept;
    return { result: kept.result, form, stale: kept.fingerprint !== fingerprints[form ?? 'whole'] };
  });
  const results = found.filter((one) => typeof one === 'object');
  return results.find(({ stale }) => !stale) ?? results[0] ?? found.find((one) => one !== undefined);
}

/** Whether a file that anybody may have edited holds results as they are written, as far as they are told and drawn. O(rows). */
function isSound({ rows, quoted, complete, replicationsDone }: Readonly<Record<string, unknown>>): boolean {
  const isRow = (row: unknown): boolean =>
    isRecord(row) &&
    isRecord(row['point']) &&
    Object.values(row['point']).every(isMeasure) &&
    [row['scheduler'], row['allocator'], row['mapper']].every((name) => name === null || typeof name === 'string') &&
    isMeasure(row['replications']) &&
    (row['failure'] === undefined || (isRecord(row['failure']) && typeof row['failure']['message'] === 'string')) &&
    isRecord(row['metrics']) &&
    Object.values(row['metrics']).every(isMetric);
  const isMetric = (metric: unknown): boolean =>
    isRecord(metric) &&
    typeof metric['unit'] === 'string' &&
    [metric['mean'], metric['halfWidth']].every((value) => value === null || isMeasure(value));
  const isQuoted = (quote: unknown): boolean =>
    isRecord(quote) &&
    typeof quote['metric'] === 'string' &&
    [quote['row'], quote['over'] ?? 0, quote['paper'], quote['ours'] ?? 0, quote['halfWidth'] ?? 0].every(isMeasure);
  if (typeof complete !== 'boolean' || !isMeasure(replicationsDone)) return false;
  return Array.isArray(rows) && rows.every(isRow) && Array.isArray(quoted) && quoted.every(isQuoted);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Finite, also where it is doubled. */
const isMeasure = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 1e300;
