import { serveQueue } from '../workQueue.ts';
import { endlessQueues, queues } from './replications.ts';

serveQueue([queues, endlessQueues]);
