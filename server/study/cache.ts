import type { Machine } from '../model/machine.ts';
import type { Result } from '../model/result.ts';
import type { KnownDistances } from '../network/distances/knownDistances.ts';
import type { BuiltJob } from './builtJob.ts';
import type { PlacementOutcome } from './outcome.ts';
import type { JobFacts, MachineFacts } from './report.ts';

/**
 * What earlier runs worked out, by content: a key says everything that the value depends on, so
 * nothing is ever stale. Entries that the last `keptRuns` runs have not asked for are dropped, so
 * saving a file again and again does not grow it, and taking a change back costs nothing.
 *
 * One cache per document: runs of other documents would count as runs that did not ask.
 */
export interface StudyCache {
  readonly machines: Memory<Result<Machine>>;
  readonly machineFacts: Memory<MachineFacts>;
  readonly jobs: Memory<JobMemory>;
  readonly jobFacts: Memory<JobFacts>;
  readonly placements: Memory<PlacementOutcome>;
  /** Equivalent distances, by the routes they belong to. */
  readonly distances: Memory<KnownDistances>;
  /** Fingerprints of tables and lists that have been read, so that each is worked out once. */
  readonly fingerprints: WeakMap<object, string>;
  /** Ends a run that went through, and forgets what has not been asked for lately. */
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
  const distances = new Memory<KnownDistances>();
  const endRun = (): void => {
    for (const memory of [machines, machineFacts, jobs, jobFacts, placements, distances]) memory.endRun();
  };
  return { machines, machineFacts, jobs, jobFacts, placements, distances, fingerprints: new WeakMap(), endRun };
}

/** An entry is kept as long as one of this many runs has asked for it. */
const keptRuns = 3;

interface Remembered<Value> {
  readonly value: Value;
  lastUsed: number;
}

/** Values by key, with the run that last asked for each. */
export class Memory<Value> {
  readonly #entries = new Map<string, Remembered<Value>>();
  #run = 0;

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.lastUsed = this.#run;
    return entry?.value;
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, { value, lastUsed: this.#run });
  }

  endRun(): void {
    this.#run++;
    for (const [key, { lastUsed }] of this.#entries) {
      if (lastUsed < this.#run - keptRuns) this.#entries.delete(key);
    }
  }

  /** Entries held, for tests. */
  get size(): number {
    return this.#entries.size;
  }
}
