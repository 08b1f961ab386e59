/**
 * The engine collects garbage when its own heap grows. Memory that threads share does not count there: what
 * holds hundreds of megabytes of it may lie about for ever in a thread that has little else to do. So it is said
 * here how much was taken, and when a document was let go.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of shared memory that are taken between two collections. */
const step = 128 * 2 ** 20;

let taken = 0;
let collect: (() => void) | undefined;

/** Frees what is not reachable. Takes as long as this thread's own heap is large: some ten milliseconds. */
export function collectGarbage(): void {
  taken = 0;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

/** So much shared memory is about to be held. */
export function takeShared(bytes: number): void {
  taken += bytes;
  if (taken > step) {
    collectGarbage();
    taken = bytes;
  }
}
