import { parentPort } from 'node:worker_threads';
import type { NumberedOrder, WorkerMessage } from '../../workerMessages.ts';

/** A worker that ends on one order, runs out of memory on another, fails on a third and answers the rest. */
parentPort?.on('message', ({ id, order }: NumberedOrder) => {
  if (order.kind === 'forget' && order.uri === 'end') process.exit(7);
  if (order.kind === 'forget' && order.uri === 'hoard') hoard();
  if (order.kind === 'forget' && order.uri === 'throw') throw new Error('out of paper');
  const faulty = order.kind === 'forget' && order.uri === 'fault';
  const message: WorkerMessage = faulty
    ? { kind: 'fault', id, message: 'mistaken' }
    : { kind: 'answer', id, answer: null };
  parentPort?.postMessage(message);
});

/** Takes more and more of the heap. */
function hoard(): void {
  const held: unknown[] = [];
  for (;;) held.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
}
