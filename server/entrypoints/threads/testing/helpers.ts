import { serveQueue } from '../workQueue.ts';
import { endless, failing, helpersThat } from './workloads.ts';

serveQueue([failing, endless, ...Object.values(helpersThat)]);
