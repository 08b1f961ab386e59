/** A thread that helps another one with what is spread over threads: see `threads/workQueue.ts`. */
import { distanceWorkload, lossWorkload, searchWorkload } from './threads/workloads.ts';
import { serveQueue } from './threads/workQueue.ts';

serveQueue([distanceWorkload, searchWorkload, lossWorkload]);
