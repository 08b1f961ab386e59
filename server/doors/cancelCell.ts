import type { Cancellation } from '../model/cancellation.ts';

const cancelWanted = 1;
const finishWanted = 2;

/** A cell of shared memory through which a busy thread hears that its work is cancelled. */
export class CancelCell {
  readonly buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  cancel(): void {
    Atomics.store(new Int32Array(this.buffer), 0, cancelWanted);
  }

  /** Asks searches to end with the best they have; what was cancelled stays so. */
  finish(): void {
    Atomics.compareExchange(new Int32Array(this.buffer), 0, 0, finishWanted);
  }
}

/** The other side of a {@link CancelCell}. */
export function cancellationOf(buffer: SharedArrayBuffer): Cancellation {
  const flag = new Int32Array(buffer);
  return {
    isCancelled: () => Atomics.load(flag, 0) === cancelWanted,
    isFinishWanted: () => Atomics.load(flag, 0) !== 0,
  };
}
