/** The journal of an experiment on the disk: what is done stays there, so that a run that ended early goes on. */
import { closeSync, constants, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isJournal, journalHeader, journalLine, readJournal } from '../../experiments/journal.ts';
import type { PreparedExperiment } from '../../experiments/prepare.ts';
import { keyOfTask, type FinishedReplication } from '../../experiments/run.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { reasonOfSystem } from '../systemReasons.ts';
import { refusalOfKeptFile } from './keptFiles.ts';

/** A journal that takes what is done, and what was done before. */
export interface OpenJournal {
  readonly journal: JournalFile;
  readonly known: readonly FinishedReplication[];
}

/** Milliseconds between two times at which the disk is waited for. */
const syncEvery = 1000;

/** A line could not be written: the disk is full, or gone. The message says so. */
export class JournalError extends Error {}

/** A journal on the disk: each line is written at once, so that nothing is lost with the process, and soon on the disk. */
export class JournalFile {
  readonly #file: number;
  readonly #path: string;
  readonly #fingerprint: string;
  #syncedAt = performance.now();

  private constructor(file: number, path: string, fingerprint: string) {
    this.#file = file;
    this.#path = path;
    this.#fingerprint = fingerprint;
  }

  /** A new journal, in the place of an old one. Fails with `not-ours` where another file or a link is there, and `not-written`. */
  static begin(path: string, { plan, fingerprint }: PreparedExperiment): Result<OpenJournal> {
    return catchFileErrors(path, () => {
      const refusal = refusalOfKeptFile(path, isJournal);
      if (refusal !== undefined) return { ok: false, failure: refusal };
      mkdirSync(dirname(path), { recursive: true });
      const journal = JournalFile.#from(path, journalHeader(plan.name, fingerprint), 0, fingerprint);
      return succeed({ journal, known: [] });
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
  ): Result<OpenJournal> {
    return catchFileErrors(path, () => {
      const refusal = refusalOfKeptFile(path, () => true);
      if (refusal !== undefined) return { ok: false, failure: refusal };
      const before = readJournalText(path) ?? '';
      const read = readJournal(before, plan, fingerprint);
      if (!read.ok) return { ok: false, failure: { ...read.failure, message: `${path}: ${read.failure.message}` } };
      const whole = before.lastIndexOf('\n') + 1;
      mkdirSync(dirname(path), { recursive: true });
      const header = whole === 0 ? journalHeader(plan.name, fingerprint) : '';
      const journal = JournalFile.#from(path, header, Buffer.byteLength(before.slice(0, whole)), fingerprint);
      const known = [...read.value.replications];
      const kept = new Set(known.map(keyOfTask));
      for (const done of elsewhere.filter((one) => !kept.has(keyOfTask(one)))) {
        journal.add(done);
        known.push(done);
      }
      return succeed({ journal, known });
    });
  }

  static #from(path: string, header: string, length: number, fingerprint: string): JournalFile {
    // A link that came since the look at it is not followed, and a pipe is not waited for.
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o666);
    ftruncateSync(file, length);
    writeSync(file, header);
    fsyncSync(file);
    return new JournalFile(file, path, fingerprint);
  }

  /** Throws a {@link JournalError} where the line cannot be written. */
  add(done: FinishedReplication): void {
    try {
      writeSync(this.#file, journalLine(done, this.#fingerprint));
      if (performance.now() - this.#syncedAt < syncEvery) return;
      fsyncSync(this.#file);
      this.#syncedAt = performance.now();
    } catch (error) {
      throw new JournalError(`${this.#path} cannot be written: ${reasonOfSystem(error, this.#path)}.`);
    }
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}

function readJournalText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function catchFileErrors<Value>(path: string, make: () => Result<Value>): Result<Value> {
  try {
    return make();
  } catch (error) {
    return fail('not-written', `${path} cannot be read and written: ${reasonOfSystem(error, path)}.`);
  }
}
