import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { EquivalentSolver } from '../../network/distances/equivalentSolver.ts';
import type { SolveDistances } from '../../network/distances/solveDistances.ts';
import { createTask, finishSources, shareTaken, stopTask, takeSources, type SharedTask } from './sharedTask.ts';

/** Milliseconds that the calling thread works alone: less than it takes to start helpers. */
const aloneFor = 20;

/**
 * Threads that help with equivalent distances. The calling thread works as well and never waits, so
 * this is as synchronous as the engine. Helpers start when work has taken a while, stay for the next
 * time, and end with the process; without them all is done by the caller.
 */
export class DistancePool {
  readonly #path: string | URL | undefined;
  readonly #helperCount: number;
  #helpers: Worker[] = [];

  constructor(path: string | URL | undefined, helperCount: number) {
    this.#path = path;
    this.#helperCount = helperCount;
  }

  readonly solve: SolveDistances = (circuits, wanted, cancellation, progress) => {
    const task = createTask(circuits, wanted);
    const solver = new EquivalentSolver(circuits);
    const started = performance.now();
    let alone = true;
    const went = takeSources(task, solver, cancellation, () => {
      progress(shareTaken(task), 'equivalent distances');
      if (!alone || performance.now() - started < aloneFor) return;
      alone = false;
      this.#callHelpers(task);
    });
    const finished = went && finishSources(task, solver, cancellation);
    stopTask(task);
    return finished ? task.values : undefined;
  };

  async stop(): Promise<void> {
    const helpers = this.#helpers;
    this.#helpers = [];
    await Promise.all(helpers.map((helper) => helper.terminate()));
  }

  #callHelpers(task: SharedTask): void {
    while (this.#path !== undefined && this.#helpers.length < this.#helperCount) this.#start(this.#path);
    for (const helper of this.#helpers) helper.postMessage(task);
  }

  #start(path: string | URL): void {
    const helper = new Worker(path);
    // The process does not stay for the sake of a helper.
    helper.unref();
    const lose = (): void => {
      this.#helpers = this.#helpers.filter((other) => other !== helper);
    };
    helper.on('error', lose);
    helper.on('exit', lose);
    this.#helpers.push(helper);
  }
}

/** Beside the bundle that this is part of; run from its sources it has no helpers. */
const path = typeof __dirname === 'string' ? join(__dirname, 'distances.cjs') : undefined;
const pool = new DistancePool(path, availableParallelism() - 1);

/** Spreads the sources over as many threads as the machine runs at a time. */
export const solveOnAllThreads: SolveDistances = pool.solve;
