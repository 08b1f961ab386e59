import type { Machine } from '../model/machine.ts';
import type { Result } from '../model/result.ts';
import type { KnownDistances } from '../network/distances/knownDistances.ts';
import type { RecordedWorkload } from './program.ts';
import type { JobFacts, MachineFacts, PlacementOutcome } from './report.ts';
import type { Job } from '../model/job.ts';

/**
 * What earlier runs worked out, by content: a key says everything that the value depends on, so
 * nothing is ever stale. Entries that the last `keptRuns` runs have not asked for are dropped, so
 * saving a file again and again does not grow it, and undoing a change costs nothing. Outcomes of
 * searches are kept for `keptRunsOfSearches` runs. If all entries hold more than `cacheLimit` bytes,
 * only those of the last run are kept.
 *
 * One cache per document: runs of other documents would count as runs that did not ask.
 */
export interface StudyCache {
  readonly machines: Memory<Result<Machine>>;
  readonly machineFacts: Memory<MachineFacts>;
  /** What may come of networks on their machines. */
  readonly networkRisks: Memory<{ readonly message: string | undefined }>;
  readonly jobs: Memory<JobMemory>;
  readonly jobFacts: Memory<JobFacts>;
  readonly placements: Memory<PlacementOutcome>;
  /** Equivalent distances, by the routes they belong to. */
  readonly distances: Memory<KnownDistances>;
  /** Fingerprints of tables and lists that have been read, so that each is worked out once. */
  readonly fingerprints: WeakMap<object, string>;
  /**
   * Ends a run. One that went through forgets what has not been asked for lately. One that was cancelled has not
   * asked for everything: it forgets what it made itself, and only where all is too much.
   */
  endRun(wentThrough: boolean): void;
}

/** A built job, or that its traffic depends on the seed and stands under a key with it. */
type JobMemory = Result<BuiltJob> | 'depends-on-seed';

export function createStudyCache(limit = cacheLimit): StudyCache {
  const machines = new Memory<Result<Machine>>();
  const machineFacts = new Memory<MachineFacts>();
  const networkRisks = new Memory<{ readonly message: string | undefined }>();
  const jobs = new Memory<JobMemory>();
  const jobFacts = new Memory<JobFacts>();
  const placements = new Memory<PlacementOutcome>(isOfSearch);
  const distances = new Memory<KnownDistances>();
  const memories = [machines, machineFacts, networkRisks, jobs, jobFacts, placements, distances];
  const endRun = (wentThrough: boolean): void => {
    const counted = new Set<object>();
    if (wentThrough) for (const memory of memories) memory.forgetOld();
    const bytes = memories.reduce((sum, memory) => sum + memory.bytes(counted), 0);
    if (bytes > limit) {
      for (const memory of memories) {
        if (wentThrough) memory.forgetUnused();
        else memory.forgetNew();
      }
    }
    if (wentThrough) for (const memory of memories) memory.nextRun();
  };
  return {
    machines,
    machineFacts,
    networkRisks,
    jobs,
    jobFacts,
    placements,
    distances,
    fingerprints: new WeakMap(),
    endRun,
  };
}

/** An entry is kept as long as one of this many runs before the last one has asked for it. */
export const keptRuns = 3;

/** The same of the outcome of a search, which the user has waited for: every pause while typing may be a run. */
const keptRunsOfSearches = 20;

const isOfSearch = ({ report }: PlacementOutcome): boolean =>
  report?.jobs.some(({ search }) => search !== undefined) === true;

/** Bytes of arrays up to which entries are kept that the last run did not need. */
const cacheLimit = 256 * 2 ** 20;

interface Remembered<Value> {
  readonly value: Value;
  readonly made: number;
  lastUsed: number;
}

/** Values by key, with the run that made each and the one that last asked for it. */
class Memory<Value> {
  readonly #entries = new Map<string, Remembered<Value>>();
  readonly #isOfSearch: (value: Value) => boolean;
  /** How many runs went through. */
  #run = 0;

  constructor(isOfSearch: (value: Value) => boolean = () => false) {
    this.#isOfSearch = isOfSearch;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.lastUsed = this.#run;
    return entry?.value;
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, { value, made: this.#entries.get(key)?.made ?? this.#run, lastUsed: this.#run });
  }

  /** Forgets what none of the last runs asked for: this one, and so many before it that went through. */
  forgetOld(): void {
    for (const [key, { lastUsed, value }] of this.#entries) {
      const runs = this.#isOfSearch(value) ? keptRunsOfSearches : keptRuns;
      if (lastUsed < this.#run - runs) this.#entries.delete(key);
    }
  }

  /** Forgets what this run has not asked for. */
  forgetUnused(): void {
    for (const [key, { lastUsed }] of this.#entries) if (lastUsed < this.#run) this.#entries.delete(key);
  }

  /** Forgets what was made since the last run that went through, but for outcomes of searches. */
  forgetNew(): void {
    for (const [key, { made, value }] of this.#entries)
      if (made === this.#run && !this.#isOfSearch(value)) this.#entries.delete(key);
  }

  /** Runs that were cancelled do not count: they have not asked for everything. */
  nextRun(): void {
    this.#run++;
  }

  /** Of the arrays that the entries hold, each counted once for all memories with the same `counted`. O(objects). */
  bytes(counted: Set<object>): number {
    let sum = 0;
    for (const { value } of this.#entries.values()) sum += bytesIn(value, counted);
    return sum;
  }

  /** Entries held, for tests. */
  get size(): number {
    return this.#entries.size;
  }
}

/**
 * Bytes of the typed arrays that a value of plain data holds. Lists of names and numbers are not looked into: they are
 * small beside.
 */
function bytesIn(value: unknown, counted: Set<object>): number {
  if (typeof value !== 'object' || value === null || counted.has(value)) return 0;
  counted.add(value);
  if (ArrayBuffer.isView(value)) {
    if (counted.has(value.buffer)) return 0;
    counted.add(value.buffer);
    return value.buffer.byteLength;
  }
  if (Array.isArray(value) && typeof value[0] !== 'object') return 0;
  let sum = 0;
  for (const part of Object.values(value)) sum += bytesIn(part, counted);
  return sum;
}

/** A job with its traffic, and the text of everything that depends on. */
export interface BuiltJob {
  readonly job: Job;
  readonly key: string;
  /** What its tasks do in order, where a skeleton or a trace says it; the traffic is the sum. */
  readonly recorded?: RecordedWorkload;
}
