/** A thread that helps another one with whatever is spread over threads: see `threads/workQueue.ts`. */
import { distanceWorkload } from './threads/distances.ts';
import { searchWorkload } from './threads/searches.ts';
import { serveQueue } from './threads/workQueue.ts';

serveQueue([distanceWorkload, searchWorkload]);
