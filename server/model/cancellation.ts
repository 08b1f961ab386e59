/**
 * A flag that long loops poll. In a worker it reads one cell of shared memory
 * (`Atomics.load`), so polling every few thousand steps costs nothing.
 */
export interface Cancellation {
  isCancelled(): boolean;
}

export const neverCancelled: Cancellation = { isCancelled: () => false };

/** Receives how far a long computation is; `share` is 0 … 1, `message` one short line. */
export type ReportProgress = (share: number, message: string) => void;

export const ignoreProgress: ReportProgress = () => undefined;
