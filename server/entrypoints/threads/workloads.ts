/**
 * The kinds of work that are spread over threads: work items of a search, the sources of equivalent distances, and the
 * cables whose loss is tried.
 * For each there is the workload, which every thread knows by its name (`../helper.ts`), and the function by which the
 * engine has it done on a queue without knowing of threads.
 */
import type { RouteCircuits, SolveDistances, WantedDistances } from '../../network/distances/contract.ts';
import { EquivalentSolver } from '../../network/distances/equivalentSolver.ts';
import {
  doWorkItem,
  type WorkerPool,
  type WorkItem,
  type WorkItemInputs,
  type WorkItemOutcome,
} from '../../optimisation/workerPool.ts';
import { tryLosses, type LossPool, type LossTrial, type TryBlock } from '../../study/cableLosses.ts';
import type { Workload, WorkQueue } from './workQueue.ts';

/** What the items are is said in `optimisation/workerPool.ts`. */
export const searchWorkload: Workload<WorkItemInputs, WorkItem, WorkItemOutcome> = {
  name: 'search',
  prepare: (inputs) => (workItem, stop) => doWorkItem(inputs, workItem, stop),
};

/** The pool of workers that searches are given. */
export const poolOfThreads = (queue: WorkQueue): WorkerPool => ({
  threads: queue.threads,
  open: (inputs) => {
    const session = queue.open(searchWorkload, inputs);
    return {
      run: (workItems, stop, meanwhile) => session.run(workItems, { stop, meanwhile }),
      close: () => {
        session.close();
      },
    };
  },
});

interface DistanceInputs {
  readonly circuits: RouteCircuits;
  readonly wanted: WantedDistances;
  /** Shared memory. Two threads may write the same values of one source. */
  readonly values: Float64Array;
}

/** The item is the position of a source in `wanted`; the outcome is false where it was stopped. */
export const distanceWorkload: Workload<DistanceInputs, number, boolean> = {
  name: 'distances',
  prepare: ({ circuits, wanted, values }) => {
    const solver = new EquivalentSolver(circuits);
    return (position, stop) => !stop.isCancelled() && solver.solve(wanted, position, values, stop);
  },
};

/** Milliseconds that the calling thread works alone: less than it takes to start threads. */
const aloneFor = 20;

/** Solves for equivalent distances on all threads of a queue; the answer is undefined if it was cancelled. */
export const solveOnThreads =
  (queue: WorkQueue): SolveDistances =>
  (circuits, wanted, cancellation, progress) => {
    const values = new Float64Array(new SharedArrayBuffer(wanted.valueCount * Float64Array.BYTES_PER_ELEMENT));
    const session = queue.open(distanceWorkload, { circuits, wanted, values });
    const sources = Array.from(wanted.sources, (_, position) => position);
    const outcomes = session.run(sources, {
      stop: cancellation,
      aloneFor,
      progress: (share) => {
        progress(share, 'equivalent distances');
      },
    });
    session.close();
    return outcomes.every(Boolean) ? values : undefined;
  };

/** The item is a block of cables; the outcome is undefined where it was stopped. */
export const lossWorkload: Workload<LossTrial, readonly number[], ReturnType<TryBlock>> = {
  name: 'losses',
  prepare: tryLosses,
};

/** Tries the losses of cables on all threads of a queue. */
export const lossesOnThreads = (queue: WorkQueue): LossPool => ({
  memory: (bytes) => new SharedArrayBuffer(bytes),
  run(trial, blocks, cancellation, progress) {
    const session = queue.open(lossWorkload, trial);
    const outcomes = session.run(blocks, { stop: cancellation, aloneFor, progress });
    session.close();
    const found = outcomes.flatMap((outcome) => (outcome === undefined ? [] : [outcome]));
    return found.length === blocks.length ? found : undefined;
  },
});
