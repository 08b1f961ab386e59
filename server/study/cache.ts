import type { Machine } from '../model/machine.ts';
import type { Result } from '../model/result.ts';
import type { BuiltJob } from './jobs.ts';
import type { PlacementOutcome } from './placement.ts';
import type { JobFacts, MachineFacts } from './report.ts';

/**
 * What earlier runs worked out, by content: a key says everything that the value depends on, so
 * nothing is ever stale. Entries that two runs in a row have not asked for are dropped, so saving
 * a file again and again does not grow it.
 *
 * One cache per document: runs of other documents would count as runs that did not ask.
 */
export interface StudyCache {
  readonly machines: Memory<Result<Machine>>;
  readonly machineFacts: Memory<MachineFacts>;
  readonly jobs: Memory<JobMemory>;
  readonly jobFacts: Memory<JobFacts>;
  readonly placements: Memory<PlacementOutcome>;
  /** Fingerprints of tables and lists that have been read, so that each is worked out once. */
  readonly fingerprints: WeakMap<object, string>;
  /** Ends a run that went through: forgets what neither it nor the run before has asked for. */
  endRun(): void;
}

/** A built job, or that its traffic depends on the seed and stands under a key with it. */
export type JobMemory = Result<BuiltJob> | 'depends-on-seed';

export function createStudyCache(): StudyCache {
  const machines = new Memory<Result<Machine>>();
  const machineFacts = new Memory<MachineFacts>();
  const jobs = new Memory<JobMemory>();
  const jobFacts = new Memory<JobFacts>();
  const placements = new Memory<PlacementOutcome>();
  const endRun = (): void => {
    for (const memory of [machines, machineFacts, jobs, jobFacts, placements]) memory.endRun();
  };
  return { machines, machineFacts, jobs, jobFacts, placements, fingerprints: new WeakMap(), endRun };
}

/** Values by key in two generations: those of this run, and those of the run before. */
export class Memory<Value> {
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();

  get(key: string): Value | undefined {
    const value = this.#recent.get(key) ?? this.#older.get(key);
    if (value !== undefined) this.#recent.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#recent.set(key, value);
  }

  endRun(): void {
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  /** Entries held, for tests. */
  get size(): number {
    return new Set([...this.#recent.keys(), ...this.#older.keys()]).size;
  }
}
