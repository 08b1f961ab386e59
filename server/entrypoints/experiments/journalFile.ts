/** The journal of an experiment on the disk: what is done stays there, so that a run that ended early goes on. */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isJournal, journalHeader, journalLine, readJournal } from '../../experiments/journal.ts';
import type { PreparedExperiment } from '../../experiments/prepare.ts';
import { keyOfTask, type FinishedReplication } from '../../experiments/run.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { reasonOfSystem } from '../systemReasons.ts';

/** A journal that takes what is done, and what was done before. */
export interface OpenJournal {
  readonly journal: JournalFile;
  readonly known: readonly FinishedReplication[];
}

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
  static begin(path: string, { plan, fingerprint }: PreparedExperiment): Result<OpenJournal> {
    return written(path, () => {
      const before = textAt(path);
      if (before !== undefined && !isJournal(before)) return fail('not-a-journal', notOurs(path));
      mkdirSync(dirname(path), { recursive: true });
      return succeed({ journal: JournalFile.#from(path, journalHeader(plan.name, fingerprint), 0), known: [] });
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
    return fail('not-written', `${path} cannot be read and written: ${reasonOfSystem(error, path)}.`);
  }
}
