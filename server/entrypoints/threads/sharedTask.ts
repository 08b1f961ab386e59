import type { Cancellation } from '../../model/cancellation.ts';
import { EquivalentSolver } from '../../network/distances/equivalentSolver.ts';
import type { RouteCircuits, WantedDistances } from '../../network/distances/routeCircuits.ts';

/**
 * Distances that several threads work out together. Whoever is free takes the next source; what a
 * source comes to depends on nobody else, so the bytes are the same however many help.
 */
export interface SharedTask {
  readonly circuits: RouteCircuits;
  readonly wanted: WantedDistances;
  /** Shared memory, as are the states: takes the values. */
  readonly values: Float64Array;
  /** Cell 0: the next source to be taken. Cell 1: not 0 where all shall stop. Cell 2 + s: 1 once source s is done. */
  readonly states: Int32Array;
}

const nextCell = 0;
const stopCell = 1;
const firstDoneCell = 2;

export function createTask(circuits: RouteCircuits, wanted: WantedDistances): SharedTask {
  const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);
  const { valueCount, sources } = wanted;
  return {
    circuits,
    wanted,
    values: new Float64Array(shared(valueCount * Float64Array.BYTES_PER_ELEMENT)),
    states: new Int32Array(shared((firstDoneCell + sources.length) * Int32Array.BYTES_PER_ELEMENT)),
  };
}

export const stopTask = ({ states }: SharedTask): void => {
  Atomics.store(states, stopCell, 1);
};

export const isStopped = ({ states }: SharedTask): boolean => Atomics.load(states, stopCell) !== 0;

const isDone = ({ states }: SharedTask, position: number): boolean =>
  Atomics.load(states, firstDoneCell + position) !== 0;

/** How much of the sources has been taken, 0 … 1. */
export const shareTaken = ({ states, wanted }: SharedTask): number =>
  Math.min(1, Atomics.load(states, nextCell) / wanted.sources.length);

/** Takes sources until there is none left; calls `between` after each. False where it was cancelled. */
export function takeSources(
  task: SharedTask,
  solver: EquivalentSolver,
  cancellation: Cancellation,
  between: () => void,
): boolean {
  const { wanted, values, states } = task;
  for (;;) {
    const position = Atomics.add(states, nextCell, 1);
    if (position >= wanted.sources.length) return true;
    if (!solver.solve(wanted, position, values, cancellation)) return false;
    Atomics.store(states, firstDoneCell + position, 1);
    between();
  }
}

/**
 * Works out what others have taken and not finished. Two threads may then write the same values
 * into the same cells; in return nobody waits, and a helper that is lost is not missed.
 */
export function finishSources(task: SharedTask, solver: EquivalentSolver, cancellation: Cancellation): boolean {
  const { wanted, values } = task;
  for (let position = wanted.sources.length - 1; position >= 0; position--) {
    if (!isDone(task, position) && !solver.solve(wanted, position, values, cancellation)) return false;
  }
  return true;
}

/** What a helper does with a task. */
export function helpWith(task: SharedTask): void {
  const cancellation = { isCancelled: () => isStopped(task) };
  takeSources(task, new EquivalentSolver(task.circuits), cancellation, () => undefined);
}
