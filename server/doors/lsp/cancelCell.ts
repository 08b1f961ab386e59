/** A cell of shared memory through which a busy worker hears that its order is cancelled. */
export class CancelCell {
  readonly buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  cancel(): void {
    Atomics.store(new Int32Array(this.buffer), 0, 1);
  }
}
