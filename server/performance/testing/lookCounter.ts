/**
 * A thread that counts how much of our code runs between two looks of a simulation at its cancellation, as blocks of code that the
 * engine counts exactly (see `workCounter.ts` of the editor's features, which this is like).
 */
import { Session, type Profiler } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import type { Cancellation } from '../../model/cancellation.ts';

/** The most blocks that ran between two looks, or before the first, or after the last; and how often it looked. */
export interface CountedLooks {
  readonly name: string;
  readonly most: number;
  readonly looks: number;
}

/** It is cancelled then. */
const mostLooks = 25;

const profiler = new Session();
profiler.connect();

/** Blocks that ran since it was asked last. The answer is there when the call returns. */
function blocksRun(): number {
  let sum = 0;
  profiler.post('Profiler.takePreciseCoverage', (_, answer: Profiler.TakePreciseCoverageReturnType | undefined) => {
    for (const { url, functions } of answer?.result ?? []) {
      if (!url.includes('/server/')) continue;
      for (const { ranges } of functions) for (const { count } of ranges) sum += count;
    }
  });
  return sum;
}

function countLooks(name: string, work: (cancellation: Cancellation) => unknown): CountedLooks {
  let [most, looks] = [0, 0];
  const look = (): boolean => {
    most = Math.max(most, blocksRun());
    return ++looks > mostLooks;
  };
  blocksRun();
  work({ isCancelled: look });
  most = Math.max(most, blocksRun());
  return { name, most, looks };
}

profiler.post('Profiler.enable');
profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { longWorks } = await import('./longWorks.ts');
/** Every so many of the works are counted. */
const { every } = workerData as { readonly every: number };
const works = longWorks().filter((_, index) => index % every === 0);
parentPort?.postMessage(works.map(([name, work]) => countLooks(name, work)));
