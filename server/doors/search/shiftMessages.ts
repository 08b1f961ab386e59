import type { Stint, StintMaterials, StintOutcome } from '../../mapping/auto/stints.ts';

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
