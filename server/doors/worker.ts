/**
 * The computing thread of the language server. It takes one order after the other; only the
 * shared flag of a study reaches it while it computes.
 */
import './olderNode.ts';
import { parentPort } from 'node:worker_threads';
import { Desk } from './worker/desk.ts';
import type { NumberedOrder, WorkerMessage } from './workerMessages.ts';

const port = parentPort;
if (port === null) throw new Error('worker.cjs is started by server.cjs, in a thread of its own.');

const post = (message: WorkerMessage): void => {
  port.postMessage(message);
};
const desk = new Desk((id, share, message) => {
  post({ kind: 'progress', id, share, message });
});

let last: Promise<void> = Promise.resolve();
port.on('message', ({ id, order }: NumberedOrder) => {
  last = last.then(async () => {
    try {
      post({ kind: 'answer', id, answer: await desk.take(id, order) });
    } catch (error) {
      post({ kind: 'fault', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
});
