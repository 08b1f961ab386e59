import type { MessagePort } from 'node:worker_threads';
import {
  doWorkItem,
  type WorkItemMaterials,
  type WorkItem,
  type WorkItemOutcome,
} from '../../optimisation/workerPool.ts';

/** The helper's side of searches: keeps the materials of open shifts and does the work items that nobody has taken. */
export class PoolWorker {
  readonly #answers: MessagePort;
  readonly #materials = new Map<number, WorkItemMaterials>();

  constructor(answers: MessagePort) {
    this.#answers = answers;
  }

  take(message: WorkItemMessage): void {
    switch (message.kind) {
      case 'open':
        this.#materials.set(message.session, message.materials);
        return;
      case 'close':
        this.#materials.delete(message.session);
        return;
      case 'run':
        this.#run(message);
    }
  }

  #run({ session, workItems, cells }: Extract<WorkItemMessage, { kind: 'run' }>): void {
    const materials = this.#materials.get(session);
    if (materials === undefined) return;
    const stop = { isCancelled: () => Atomics.load(cells, stopCell) !== 0 };
    for (;;) {
      const position = Atomics.add(cells, nextCell, 1);
      const workItem = workItems[position];
      if (workItem === undefined || stop.isCancelled()) return;
      const outcome = doWorkItem(materials, workItem, stop);
      const answer: WorkItemAnswer = { run: cells[runCell]!, position, outcome };
      this.#answers.postMessage(answer);
      Atomics.store(cells, firstDoneCell + position, 1);
    }
  }
}

/** Told to helpers; `shift` tells the searches apart. */
export type WorkItemMessage =
  | { readonly kind: 'open'; readonly session: number; readonly materials: WorkItemMaterials }
  | {
      readonly kind: 'run';
      readonly session: number;
      readonly workItems: readonly WorkItem[];
      readonly cells: Int32Array;
    }
  | { readonly kind: 'close'; readonly session: number };

/** What a helper answers, once for each work item that it has done. */
export interface WorkItemAnswer {
  /** The cells of the run, which say what it belongs to. */
  readonly run: number;
  readonly position: number;
  readonly outcome: WorkItemOutcome;
}

/**
 * Shared memory of one run of work items. Cell 0: the next work item to be taken. Cell 1: not 0 where all
 * shall stop. Cell 2: the number of the run. Cell 3 + s: 1 once work item s is done.
 */
export const nextCell = 0;
export const stopCell = 1;
export const runCell = 2;
export const firstDoneCell = 3;

export function cellsFor(workItemCount: number, run: number): Int32Array {
  const bytes = (firstDoneCell + workItemCount) * Int32Array.BYTES_PER_ELEMENT;
  const cells = new Int32Array(new SharedArrayBuffer(bytes));
  cells[runCell] = run;
  return cells;
}
