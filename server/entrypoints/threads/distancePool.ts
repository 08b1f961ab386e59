import { EquivalentSolver } from '../../network/distances/equivalentSolver.ts';
import type { SolveDistances } from '../../network/distances/solveDistances.ts';
import type { HelperThreads } from './helperThreads.ts';
import { createTask, finishSources, shareTaken, stopTask, takeSources } from './sharedTask.ts';

/** Milliseconds that the calling thread works alone: less than it takes to start helpers. */
const aloneFor = 20;

/**
 * Equivalent distances with the help of other threads. The calling thread works as well and never waits,
 * so this is as synchronous as the engine. Helpers are called when work has taken a while; without
 * them all is done by the caller.
 */
export class DistancePool {
  readonly #helpers: HelperThreads;

  constructor(helpers: HelperThreads) {
    this.#helpers = helpers;
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
      for (const helper of this.#helpers.call()) helper.tell({ kind: 'distances', task });
    });
    const finished = went && finishSources(task, solver, cancellation);
    stopTask(task);
    return finished ? task.values : undefined;
  };
}
