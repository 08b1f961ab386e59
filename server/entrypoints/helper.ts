/** A thread that helps with equivalent distances and with searches; what it finds goes through shared memory and its port. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { helpWith } from './threads/sharedTask.ts';
import { PoolWorker } from './threads/searchWorker.ts';
import type { HelperMessage } from './threads/helperThreads.ts';

const shifts = new PoolWorker(workerData as MessagePort);

parentPort?.on('message', (message: HelperMessage) => {
  if (message.kind === 'distances') helpWith(message.task);
  else shifts.take(message);
});
