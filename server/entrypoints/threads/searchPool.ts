import { receiveMessageOnPort } from 'node:worker_threads';
import { type Crew, type Shift, doStint, type Stint, type StintMaterials, type StintOutcome } from '../../optimisation/workerPool.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Helper, HelperThreads } from './helperThreads.ts';
import { cellsFor, firstDoneCell, nextCell, runCell, stopCell, type StintAnswer } from './searchWorker.ts';

/**
 * Spreads the stints of a search over threads. The calling thread works as well and never waits: what a
 * helper has taken and not finished it does itself, until the helper's answer is there, so a helper
 * that is slow or lost costs nothing but time. Outcomes are the same either way.
 */
export class ThreadedCrew implements Crew {
  readonly threads: number;
  readonly #helpers: HelperThreads;
  #shifts = 0;
  #runs = 0;

  constructor(helpers: HelperThreads) {
    this.#helpers = helpers;
    this.threads = helpers.count + 1;
  }

  open(materials: StintMaterials): Shift {
    return new ThreadedShift(this.#helpers, this.#shifts++, materials, () => ++this.#runs);
  }
}

class ThreadedShift implements Shift {
  readonly #threads: HelperThreads;
  readonly #shift: number;
  readonly #materials: StintMaterials;
  readonly #nextRun: () => number;
  readonly #told = new Set<Helper>();

  constructor(threads: HelperThreads, shift: number, materials: StintMaterials, nextRun: () => number) {
    this.#threads = threads;
    this.#shift = shift;
    this.#materials = materials;
    this.#nextRun = nextRun;
  }

  run(stints: readonly Stint[], stop: Cancellation, meanwhile?: () => void): readonly StintOutcome[] {
    const cells = cellsFor(stints.length, this.#nextRun());
    const outcomes = new Array<StintOutcome | undefined>(stints.length).fill(undefined);
    const run: Run = {
      cells,
      outcomes,
      helpers: this.#isShared(stints, meanwhile) ? this.#callHelpers(stints, cells) : [],
    };
    const stopAll = passedOn(stop, cells);
    meanwhile?.();
    for (;;) {
      const position = Atomics.add(cells, nextCell, 1);
      const stint = stints[position];
      if (stint === undefined) break;
      outcomes[position] = doStint(this.#materials, stint, stopAll);
    }
    gather(run);
    for (const [position, stint] of stints.entries()) {
      outcomes[position] ??= this.#fetchOrDo(run, stint, position, stopAll);
    }
    // Helpers may still be at stints that were done here as well.
    Atomics.store(cells, stopCell, 1);
    return outcomes as readonly StintOutcome[];
  }

  /** A single stint is done here, unless there is something else to do here. */
  #isShared(stints: readonly Stint[], meanwhile: (() => void) | undefined): boolean {
    return stints.length > (meanwhile === undefined ? 1 : 0);
  }

  close(): void {
    for (const helper of this.#told) helper.tell({ kind: 'close', shift: this.#shift });
  }

  #callHelpers(stints: readonly Stint[], cells: Int32Array): readonly Helper[] {
    const helpers = this.#threads.call();
    for (const helper of helpers) {
      if (!this.#told.has(helper)) helper.tell({ kind: 'open', shift: this.#shift, materials: this.#materials });
      this.#told.add(helper);
      helper.tell({ kind: 'run', shift: this.#shift, stints, cells });
    }
    return helpers;
  }

  /** Does a stint that a helper is at, and gives up where the helper is first. */
  #fetchOrDo(run: Run, stint: Stint, position: number, stop: Cancellation): StintOutcome {
    const isAnswered = (): boolean => Atomics.load(run.cells, firstDoneCell + position) !== 0;
    const own = doStint(this.#materials, stint, { isCancelled: () => isAnswered() || stop.isCancelled() });
    gather(run);
    return run.outcomes[position] ?? own;
  }
}

/** Stints that are being done. */
interface Run {
  readonly cells: Int32Array;
  readonly outcomes: (StintOutcome | undefined)[];
  readonly helpers: readonly Helper[];
}

/** Takes in what helpers have answered so far; answers to earlier runs are of no use any more. */
function gather({ cells, outcomes, helpers }: Run): void {
  for (const { answers } of helpers) {
    for (;;) {
      const received = receiveMessageOnPort(answers) as { message: StintAnswer } | undefined;
      if (received === undefined) break;
      const { run, position, outcome } = received.message;
      if (run === cells[runCell]) outcomes[position] ??= outcome;
    }
  }
}

/** Asks `stop`, and lets all threads know what it says. */
const passedOn = (stop: Cancellation, cells: Int32Array): Cancellation => ({
  isCancelled: () => {
    if (!stop.isCancelled()) return false;
    Atomics.store(cells, stopCell, 1);
    return true;
  },
});
