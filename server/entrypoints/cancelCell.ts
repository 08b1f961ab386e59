/** How a busy thread learns, through shared memory, that its work is to end: cancelled, or with the best it has. */
import type { Cancellation } from '../model/cancellation.ts';
import { sharedMemory } from './platform.ts';

const cancelWanted = 1;
const finishWanted = 2;

/** The side of the thread that asks. */
export class CancelCell {
  /**
   * What is wanted of all the work, and the one part of it that is to end with what it has (counted from 1; 0: none).
   */
  readonly buffer = sharedMemory(2 * Int32Array.BYTES_PER_ELEMENT);

  cancel(): void {
    Atomics.store(new Int32Array(this.buffer), 0, cancelWanted);
  }

  /** Asks searches to end with the best they have; what was cancelled stays so. */
  finish(): void {
    Atomics.compareExchange(new Int32Array(this.buffer), 0, 0, finishWanted);
  }

  /** Asks the search of one part of the work to end with the best it has. */
  finishOne(position: number): void {
    Atomics.store(new Int32Array(this.buffer), 1, position);
  }
}

/** Does what a request asks for; where the request is cancelled, the thread that does it learns so. */
export async function whileAsked<Answer>(
  token: { readonly onCancellationRequested: (act: () => void) => { readonly dispose: () => void } },
  work: (cell: CancelCell) => Promise<Answer>,
): Promise<Answer> {
  const cell = new CancelCell();
  const subscription = token.onCancellationRequested(() => {
    cell.cancel();
  });
  try {
    return await work(cell);
  } finally {
    subscription.dispose();
  }
}

/** The side of the busy thread. */
export function cancellationOf(buffer: ArrayBufferLike): Cancellation {
  const flag = new Int32Array(buffer);
  return {
    isCancelled: () => Atomics.load(flag, 0) === cancelWanted,
    isFinishWanted: () => Atomics.load(flag, 0) !== 0,
  };
}

/** Milliseconds in which a search that runs has long looked whether it is to end with what it has. */
const patience = 200;

/**
 * For somebody who waits at a terminal: where work is to end with what it has and no search looks whether it is, there is nothing to end with, and the work is
 * cancelled. A search that has looked ends by itself, and what it found is measured.
 */
export function cancelledUnlessSearching(cancellation: Cancellation, now: () => number): Cancellation {
  let askedAt: number | undefined;
  let isSearching = false;
  const isFinishWanted = (): boolean => cancellation.isFinishWanted?.() === true;
  return {
    isCancelled: () => {
      if (cancellation.isCancelled()) return true;
      if (isSearching || !isFinishWanted()) return false;
      askedAt ??= now();
      return now() - askedAt > patience;
    },
    isFinishWanted: () => {
      isSearching ||= isFinishWanted();
      return isSearching;
    },
  };
}

/** The same, for one part of the work. */
export function cancellationOfOne(buffer: ArrayBufferLike, position: number): Cancellation {
  const flag = new Int32Array(buffer);
  return {
    isCancelled: () => Atomics.load(flag, 0) === cancelWanted,
    isFinishWanted: () => Atomics.load(flag, 0) !== 0 || Atomics.load(flag, 1) === position,
  };
}
