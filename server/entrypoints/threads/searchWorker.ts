import type { MessagePort } from 'node:worker_threads';
import { doStint, type StintMaterials, type Stint, type StintOutcome } from '../../optimisation/workerPool.ts';

/** The helper's side of searches: keeps the materials of open shifts and does the stints that nobody has taken. */
export class ShiftHelper {
  readonly #answers: MessagePort;
  readonly #materials = new Map<number, StintMaterials>();

  constructor(answers: MessagePort) {
    this.#answers = answers;
  }

  take(message: StintMessage): void {
    switch (message.kind) {
      case 'open':
        this.#materials.set(message.shift, message.materials);
        return;
      case 'close':
        this.#materials.delete(message.shift);
        return;
      case 'run':
        this.#run(message);
    }
  }

  #run({ shift, stints, cells }: Extract<StintMessage, { kind: 'run' }>): void {
    const materials = this.#materials.get(shift);
    if (materials === undefined) return;
    const stop = { isCancelled: () => Atomics.load(cells, stopCell) !== 0 };
    for (;;) {
      const position = Atomics.add(cells, nextCell, 1);
      const stint = stints[position];
      if (stint === undefined || stop.isCancelled()) return;
      const outcome = doStint(materials, stint, stop);
      const answer: StintAnswer = { run: cells[runCell]!, position, outcome };
      this.#answers.postMessage(answer);
      Atomics.store(cells, firstDoneCell + position, 1);
    }
  }
}

/** Told to helpers; `shift` tells the searches apart. */
export type StintMessage =
  | { readonly kind: 'open'; readonly shift: number; readonly materials: StintMaterials }
  | { readonly kind: 'run'; readonly shift: number; readonly stints: readonly Stint[]; readonly cells: Int32Array }
  | { readonly kind: 'close'; readonly shift: number };

/** What a helper answers, once for each stint that it has done. */
export interface StintAnswer {
  /** The cells of the run, which say what it belongs to. */
  readonly run: number;
  readonly position: number;
  readonly outcome: StintOutcome;
}

/**
 * Shared memory of one run of stints. Cell 0: the next stint to be taken. Cell 1: not 0 where all
 * shall stop. Cell 2: the number of the run. Cell 3 + s: 1 once stint s is done.
 */
export const nextCell = 0;
export const stopCell = 1;
export const runCell = 2;
export const firstDoneCell = 3;

export function cellsFor(stintCount: number, run: number): Int32Array {
  const bytes = (firstDoneCell + stintCount) * Int32Array.BYTES_PER_ELEMENT;
  const cells = new Int32Array(new SharedArrayBuffer(bytes));
  cells[runCell] = run;
  return cells;
}
