import type { ReportProgress } from '../../model/cancellation.ts';
import type { Terminal } from './terminal.ts';

/** Milliseconds before anything is said, and between two updates. */
const silentFor = 1000;
const updateEvery = 200;

/**
 * One line on stderr that says how far a long computation is, where a user is looking at it;
 * `clear` takes it away.
 */
export function progressLine(
  terminal: Pick<Terminal, 'progress'>,
  isWatched: boolean,
  now = (): number => performance.now(),
): { readonly report: ReportProgress; readonly clear: () => void } {
  let next = now() + silentFor;
  let shown = false;
  return {
    report(share, message) {
      if (!isWatched || now() < next) return;
      next = now() + updateEvery;
      shown = true;
      terminal.progress(`${message} ${Math.floor(100 * share)} %`);
    },
    clear() {
      if (shown) terminal.progress('');
    },
  };
}
