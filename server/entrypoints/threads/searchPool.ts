import { receiveMessageOnPort } from 'node:worker_threads';
import {
  type WorkerPool,
  type PoolSession,
  doWorkItem,
  type WorkItem,
  type WorkItemMaterials,
  type WorkItemOutcome,
} from '../../optimisation/workerPool.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Helper, HelperThreads } from './helperThreads.ts';
import { cellsFor, firstDoneCell, nextCell, runCell, stopCell, type WorkItemAnswer } from './searchWorker.ts';

/**
 * Spreads the work items of a search over threads. The calling thread works as well and never waits: what a
 * helper has taken and not finished it does itself, until the helper's answer is there, so a helper
 * that is slow or lost costs nothing but time. Outcomes are the same either way.
 */
export class ThreadedWorkerPool implements WorkerPool {
  readonly threads: number;
  readonly #helpers: HelperThreads;
  #shifts = 0;
  #runs = 0;

  constructor(helpers: HelperThreads) {
    this.#helpers = helpers;
    this.threads = helpers.count + 1;
  }

  open(materials: WorkItemMaterials): PoolSession {
    return new ThreadedSession(this.#helpers, this.#shifts++, materials, () => ++this.#runs);
  }
}

class ThreadedSession implements PoolSession {
  readonly #threads: HelperThreads;
  readonly #session: number;
  readonly #materials: WorkItemMaterials;
  readonly #nextRun: () => number;
  readonly #told = new Set<Helper>();

  constructor(threads: HelperThreads, session: number, materials: WorkItemMaterials, nextRun: () => number) {
    this.#threads = threads;
    this.#session = session;
    this.#materials = materials;
    this.#nextRun = nextRun;
  }

  run(workItems: readonly WorkItem[], stop: Cancellation, meanwhile?: () => void): readonly WorkItemOutcome[] {
    const cells = cellsFor(workItems.length, this.#nextRun());
    const outcomes = new Array<WorkItemOutcome | undefined>(workItems.length).fill(undefined);
    const run: Run = {
      cells,
      outcomes,
      helpers: this.#isShared(workItems, meanwhile) ? this.#callHelpers(workItems, cells) : [],
    };
    const stopAll = passedOn(stop, cells);
    meanwhile?.();
    for (;;) {
      const position = Atomics.add(cells, nextCell, 1);
      const workItem = workItems[position];
      if (workItem === undefined) break;
      outcomes[position] = doWorkItem(this.#materials, workItem, stopAll);
    }
    gather(run);
    for (const [position, workItem] of workItems.entries()) {
      outcomes[position] ??= this.#fetchOrDo(run, workItem, position, stopAll);
    }
    // Helpers may still be at work items that were done here as well.
    Atomics.store(cells, stopCell, 1);
    return outcomes as readonly WorkItemOutcome[];
  }

  /** A single work item is done here, unless there is something else to do here. */
  #isShared(workItems: readonly WorkItem[], meanwhile: (() => void) | undefined): boolean {
    return workItems.length > (meanwhile === undefined ? 1 : 0);
  }

  close(): void {
    for (const helper of this.#told) helper.tell({ kind: 'close', session: this.#session });
  }

  #callHelpers(workItems: readonly WorkItem[], cells: Int32Array): readonly Helper[] {
    const helpers = this.#threads.call();
    for (const helper of helpers) {
      if (!this.#told.has(helper)) helper.tell({ kind: 'open', session: this.#session, materials: this.#materials });
      this.#told.add(helper);
      helper.tell({ kind: 'run', session: this.#session, workItems, cells });
    }
    return helpers;
  }

  /** Does a work item that a helper is at, and gives up where the helper is first. */
  #fetchOrDo(run: Run, workItem: WorkItem, position: number, stop: Cancellation): WorkItemOutcome {
    const isAnswered = (): boolean => Atomics.load(run.cells, firstDoneCell + position) !== 0;
    const own = doWorkItem(this.#materials, workItem, { isCancelled: () => isAnswered() || stop.isCancelled() });
    gather(run);
    return run.outcomes[position] ?? own;
  }
}

/** Work items that are being done. */
interface Run {
  readonly cells: Int32Array;
  readonly outcomes: (WorkItemOutcome | undefined)[];
  readonly helpers: readonly Helper[];
}

/** Takes in what helpers have answered so far; answers to earlier runs are of no use any more. */
function gather({ cells, outcomes, helpers }: Run): void {
  for (const { answers } of helpers) {
    for (;;) {
      const received = receiveMessageOnPort(answers) as { message: WorkItemAnswer } | undefined;
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
