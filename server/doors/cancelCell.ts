import type { Cancellation } from '../model/cancellation.ts';

/** A cell of shared memory through which a busy thread hears that its work is cancelled. */
export class CancelCell {
  readonly buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  cancel(): void {
    Atomics.store(new Int32Array(this.buffer), 0, 1);
  }
}

/** The other side of a {@link CancelCell}. */
export function cancellationOf(buffer: SharedArrayBuffer): Cancellation {
  const flag = new Int32Array(buffer);
  return { isCancelled: () => Atomics.load(flag, 0) !== 0 };
}
