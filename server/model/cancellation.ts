/**
 * A flag that long loops poll. In a worker it reads one cell of shared memory
 * (`Atomics.load`), so polling every few thousand steps costs nothing.
 */
export interface Cancellation {
  /** Nobody wants the answer any more. */
  isCancelled(): boolean;
  /**
   * The user wants the best that there is by now: a search that has an answer ends with it. True once cancelled
   * as well. Absent where nobody can ask for it.
   */
  isFinishWanted?(): boolean;
}

/** Whether a search that has an answer should end with it. */
export const shouldFinish = (cancellation: Cancellation): boolean =>
  cancellation.isCancelled() || cancellation.isFinishWanted?.() === true;

export const neverCancelled: Cancellation = { isCancelled: () => false };

/** How good the best answer of a search is by now, in the unit of its criterion. */
export interface SearchProgress {
  /** Name in the catalogue of criteria. */
  readonly criterion: string;
  /** Of the best so far. */
  readonly value: number;
  /** Of the first answer: how much the search has taken off since. */
  readonly first: number;
}

/** Receives how far a long computation is; `share` is 0 … 1, `message` one short line. */
export type ReportProgress = (share: number, message: string, search?: SearchProgress) => void;

export const ignoreProgress: ReportProgress = () => undefined;

/** Units of work between two polls of a flag: a millisecond or two, also where every unit misses the cache. */
export const workPerPoll = 2 ** 16;

/**
 * Does some work for the indices 0 … length − 1, for so many at a time as one look at a flag allows: loops of few instructions are
 * quicker without a meter. False where it was cancelled, and the rest left undone.
 */
export function inStretches(
  length: number,
  cancellation: Cancellation,
  work: (begin: number, end: number) => void,
): boolean {
  for (let begin = 0; begin < length; begin += workPerPoll) {
    if (cancellation.isCancelled()) return false;
    work(begin, Math.min(begin + workPerPoll, length));
  }
  return true;
}

/**
 * Looks at a flag once for so much work (edges visited, entries read), for loops whose steps take very different
 * times: a task has two partners, or four thousand.
 */
export class WorkMeter {
  readonly #cancellation: Cancellation;
  #left = workPerPoll;

  constructor(cancellation: Cancellation) {
    this.#cancellation = cancellation;
  }

  /** Counts work that is done or about to be done; true where it is time to look, and it was cancelled. */
  isCancelledAfter(work: number): boolean {
    this.#left -= work;
    if (this.#left > 0) return false;
    if (this.#cancellation.isCancelled()) {
      // Loops that follow end at once.
      this.#left = 0;
      return true;
    }
    this.#left = workPerPoll;
    return false;
  }
}
