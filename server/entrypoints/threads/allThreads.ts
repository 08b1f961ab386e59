import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { StudyContext } from '../../study/study.ts';
import { DistancePool } from './distancePool.ts';
import { ThreadedWorkerPool } from './searchPool.ts';
import { HelperThreads } from './helperThreads.ts';

/** Beside the bundle that this is part of; run from its sources the product has no helpers. */
const path = typeof __dirname === 'string' ? join(__dirname, 'helper.cjs') : undefined;
const helpers = new HelperThreads(path, availableParallelism() - 1);

/** How a study uses as many threads as the machine runs at a time. */
export const allThreads: Required<Pick<StudyContext, 'solveDistances' | 'workerPool'>> = {
  solveDistances: new DistancePool(helpers).solve,
  workerPool: new ThreadedWorkerPool(helpers),
};
