import { parentPort } from 'node:worker_threads';
import type { NumberedOrder, WorkerMessage } from '../../workerMessages.ts';

let studies = 0;

/** A worker that places nothing: it answers each study with one problem, which says how it was ordered. */
parentPort?.on('message', ({ id, order }: NumberedOrder) => {
  let message: WorkerMessage = { kind: 'answer', id, answer: null };
  if (order.kind === 'study') {
    const { settings, allowedRoots, program } = order;
    const words = [`study ${++studies}`, `hot ${settings.hotLinkFactor}`, `below ${allowedRoots?.join() ?? 'all'}`];
    const problems = [...program.machines.keys()].map((name) => ({
      severity: 'information' as const,
      code: 'not-evaluated-yet',
      message: words.join(', '),
      subject: { kind: 'machine' as const, name },
    }));
    message = { kind: 'answer', id, answer: { kind: 'studied', machines: [], jobs: [], streams: [], problems } };
  }
  parentPort?.postMessage(message);
});
