/**
 * All threads of the machine, for whatever a study can spread over them. This folder has one queue of work
 * (`workQueue.ts`) and a file for each kind of work; `helper.ts` above it is what the other threads run.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { StudyContext } from '../../study/study.ts';
import { solveOnThreads } from './distances.ts';
import { poolOfThreads } from './searches.ts';
import { WorkQueue } from './workQueue.ts';

/** Beside the bundle that this is part of; run from its sources the product has one thread. */
const path = typeof __dirname === 'string' ? join(__dirname, 'helper.cjs') : undefined;
const queue = new WorkQueue(path, availableParallelism() - 1);

/** How a study uses as many threads as the machine runs at a time. */
export const allThreads: Required<Pick<StudyContext, 'solveDistances' | 'workerPool'>> = {
  solveDistances: solveOnThreads(queue),
  workerPool: poolOfThreads(queue),
};
