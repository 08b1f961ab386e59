/**
 * Replications as job arrays of Slurm. The tasks are split over the elements of an array; each element is a run of this
 * program that does its part and keeps it in a journal of its own, in a folder that all nodes see. What an element did not
 * do, because its node or its daemon died, is submitted again.
 */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '../../experiments/journal.ts';
import type { PreparedExperiment } from '../../experiments/prepare.ts';
import {
  doReplication,
  keyOfTask,
  type FinishedReplication,
  type ReplicationPool,
  type ReplicationTask,
} from '../../experiments/run.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { shellWord, slurmName } from '../../model/commandLine.ts';
import { fail, succeed, withoutControls, type Result } from '../../model/result.ts';
import { JournalFile } from './journalFile.ts';
import { mostQuoted, refusalOfSlurm } from './slurmRefusals.ts';

/** Slurm cannot be asked, or its jobs end without having done anything: a sentence for the user. */
export class SlurmError extends Error {}

export interface ArraySettings {
  /** Of the tasks and journals of the parts; every node must see it under this name. */
  readonly folder: string;
  /** The words that do one part, but for the name of its file, which comes last. */
  readonly command: readonly string[];
}

/** Slurm's own limit is 1001 elements where nobody has set another. */
const mostElements = 1000;
/** A part is worth at least so many seconds, where there are parts enough for a few nodes. */
const secondsOfPart = 10;
const fewParts = 16;
/** Milliseconds between two looks at the journals, and looks between two questions to Slurm. */
const lookEvery = 250;
const looksPerQuestion = 8;
/** Arrays that may end without a single replication. */
const mostVain = 3;

/** What an element runs: the command line of this very version. */
export interface SlurmProgram {
  readonly node: string;
  readonly cli: string;
}

/**
 * Job arrays whose elements run one experiment of a file that all nodes see; throws {@link SlurmError}. `command` are the words of the command
 * line that run this very experiment.
 */
export function experimentOnSlurm(
  { node, cli }: SlurmProgram,
  prepared: PreparedExperiment,
  { command, folder }: ArraySettings,
): ReplicationPool {
  const words = [...command, '--part'];
  // An editor's own Node.js is one only where it is told so.
  return replicationsOnSlurm(prepared, { folder, command: ['env', 'ELECTRON_RUN_AS_NODE=1', node, cli, ...words] });
}

/** The pool that an experiment is given; throws {@link SlurmError}. */
function replicationsOnSlurm(prepared: PreparedExperiment, settings: ArraySettings): ReplicationPool {
  let arrays = 0;
  return {
    run: (tasks, stop, finished) => {
      let missing = tasks;
      let vain = 0;
      while (missing.length > 0 && !stop.isCancelled()) {
        const array = new JobArray(prepared, settings, `${process.pid}-${arrays++}`, missing);
        const left = array.work(stop, finished);
        vain = left.length < missing.length ? 0 : vain + 1;
        if (vain === mostVain)
          throw new SlurmError(
            `${vain} job arrays ended without a replication. Check that nodes can read ${settings.folder} and ${settings.command.find((word) => word.endsWith('cli.cjs')) ?? 'this program'}. ${array.lastWords()}`,
          );
        missing = left;
      }
    },
  };
}

class JobArray {
  readonly #prepared: PreparedExperiment;
  readonly #settings: ArraySettings;
  readonly #name: string;
  readonly #parts: readonly (readonly ReplicationTask[])[];
  readonly #missing: Map<string, ReplicationTask>;

  constructor(prepared: PreparedExperiment, settings: ArraySettings, name: string, tasks: readonly ReplicationTask[]) {
    this.#prepared = prepared;
    this.#settings = settings;
    this.#name = name;
    this.#parts = slurmParts(tasks, prepared);
    this.#missing = new Map(tasks.map((task) => [keyOfTask(task), task]));
  }

  /** Submits, waits and tells of what is done; what is not when the array has ended. */
  work(stop: Cancellation, finished: (done: FinishedReplication) => void): readonly ReplicationTask[] {
    const { folder } = this.#settings;
    mkdirSync(folder, { recursive: true });
    this.#parts.forEach((tasks, part) => {
      writeFileSync(join(folder, `${this.#name}-${part}.tasks`), JSON.stringify(tasks));
    });
    const id = this.#submit();
    for (let look = 1; ; look++) {
      const isOver = look % looksPerQuestion === 0 && !isQueued(id);
      this.#gather(finished);
      if (this.#missing.size === 0 || isOver || stop.isCancelled()) break;
      sleep(lookEvery);
    }
    // A node that has died may keep elements for a while; nobody waits for them.
    slurm('scancel', ['--quiet', id], true);
    return [...this.#missing.values()];
  }

  #submit(): string {
    const { folder, command } = this.#settings;
    const words = [...command.map(shellWord), `${shellWord(join(folder, `${this.#name}-`))}"$SLURM_ARRAY_TASK_ID"`];
    const out = slurm('sbatch', [
      ...['--parsable', '--no-requeue', '--job-name=placewright', '--ntasks=1', '--cpus-per-task=1'],
      ...[`--array=0-${this.#parts.length - 1}`, `--output=${slurmName(join(folder, `${this.#name}-`))}%a.out`],
      ...['--wrap', `exec ${words.join(' ')}`],
    ]);
    return /^\d+/.exec(out)?.[0] ?? '';
  }

  #gather(finished: (done: FinishedReplication) => void): void {
    const { plan, fingerprint } = this.#prepared;
    this.#parts.forEach((tasks, part) => {
      if (!tasks.some((task) => this.#missing.has(keyOfTask(task)))) return;
      const read = readJournal(readOrEmpty(this.#path(part, 'journal')), plan, fingerprint);
      for (const done of read.ok ? read.value.replications : [])
        if (this.#missing.delete(keyOfTask(done))) finished(done);
    });
  }

  #path(part: number, ending: string): string {
    return join(this.#settings.folder, `${this.#name}-${part}.${ending}`);
  }

  /** What an element printed last, as a sentence. */
  lastWords(): string {
    const texts = this.#parts
      .map((_, part) => readOrEmpty(this.#path(part, 'out')).trim())
      .filter((text) => text !== '');
    const last = texts[0]?.split('\n').at(-1);
    return last === undefined
      ? 'They printed nothing. See `sacct` or the log of slurmctld.'
      : `Last output: “${withoutControls(last.slice(0, mostQuoted))}”.`;
  }
}

/** In turn, so that parts are alike. */
function slurmParts(tasks: readonly ReplicationTask[], { plan, seconds }: PreparedExperiment): ReplicationTask[][] {
  const each = seconds / plan.points.length / 60;
  const worth = Math.ceil((tasks.length * each) / secondsOfPart);
  const count = Math.min(tasks.length, mostElements, Math.max(fewParts, worth));
  return Array.from({ length: count }, (_, part) => tasks.filter((__, index) => index % count === part));
}

function isQueued(id: string): boolean {
  const states = 'PENDING,RUNNING,SUSPENDED,CONFIGURING,REQUEUED';
  return (
    slurm('squeue', ['--noheader', '--array', `--jobs=${id}`, `--states=${states}`, '--format=%i'], true).trim() !== ''
  );
}

/** What a command of Slurm prints; one that is no `sbatch` is called with `mayFail`. That of one that fails: an array that has ended may be forgotten by Slurm. */
function slurm(program: string, words: readonly string[], mayFail = false): string {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    if (code === 'ENOENT')
      throw new SlurmError(`${program} not found. Run the experiment where Slurm commands are available.`);
    if (!mayFail) throw new SlurmError(refusalOfSlurm(stderr.trim() || message));
    // A controller that does not answer for a moment has forgotten nothing.
    return /Invalid job id/i.test(stderr) || program === 'scancel' ? '' : 'unknown';
  }
}

const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const sleep = (milliseconds: number): void => void Atomics.wait(cell, 0, 0, milliseconds);

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What earlier arrays have done of this very experiment, whether or not somebody has waited for them. */
export function doneBySlurm(folder: string, { plan, fingerprint }: PreparedExperiment): readonly FinishedReplication[] {
  return fileNamesIn(folder).flatMap((name) => {
    const read = name.endsWith('.journal')
      ? readJournal(readOrEmpty(join(folder, name)), plan, fingerprint)
      : undefined;
    return read?.ok === true ? read.value.replications : [];
  });
}

function fileNamesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** What cannot be removed stays: whoever cannot write there is told by the journal. */
export function forgetParts(folder: string): void {
  try {
    // Placewright makes folders, not links. Files of others stay.
    if (!lstatSync(folder).isDirectory()) return;
    for (const name of fileNamesIn(folder))
      if (/\.(?:journal|tasks|out|err)$/.test(name)) rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
  } catch {
    // A file has the place of the folder above, or the disk is read-only.
  }
}

/**
 * One element: does the tasks of its part that its journal does not have, until it is cancelled. Fails with `bad-part`, and as a
 * journal does.
 */
export function doPart(prepared: PreparedExperiment, part: string, cancellation: Cancellation): Result<void> {
  const tasks = parseReplicationTasks(readOrEmpty(`${part}.tasks`));
  if (tasks === undefined)
    return fail('bad-part', `${part}.tasks has no tasks of an experiment. Nodes need access to the same files.`);
  const opened = JournalFile.resume(`${part}.journal`, prepared);
  if (!opened.ok) return opened;
  const { journal, known } = opened.value;
  const done = new Set(known.map(keyOfTask));
  for (const task of tasks.filter((one) => !done.has(keyOfTask(one)))) {
    if (cancellation.isCancelled()) break;
    const finished = doReplication(prepared.plan, prepared, task, cancellation);
    if (finished !== undefined) journal.add(finished);
  }
  journal.close();
  return succeed(undefined);
}

function parseReplicationTasks(text: string): readonly ReplicationTask[] | undefined {
  try {
    const tasks = JSON.parse(text) as readonly Partial<ReplicationTask>[];
    const isTask = ({ point, seed }: Partial<ReplicationTask>): boolean =>
      Number.isInteger(point) && Number.isInteger(seed);
    return Array.isArray(tasks) && tasks.every(isTask) ? (tasks as readonly ReplicationTask[]) : undefined;
  } catch {
    return undefined;
  }
}
