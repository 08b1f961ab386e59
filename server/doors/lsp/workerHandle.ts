import { Worker } from 'node:worker_threads';
import type { ReportProgress } from '../../model/cancellation.ts';
import type { AnswerOf, NumberedOrder, WorkerMessage, WorkerOrder } from '../workerMessages.ts';

/** The worker ended while an order was open, or answered with an exception: a fault of ours. */
export class WorkerFault extends Error {}

interface Pending {
  readonly resolve: (answer: never) => void;
  readonly reject: (fault: WorkerFault) => void;
  readonly progress: ReportProgress | undefined;
}

/**
 * The computing thread as seen by the answering one: orders go in, promises come out. A worker
 * that dies fails its open orders with {@link WorkerFault} and is replaced at the next order.
 */
export class WorkerHandle {
  readonly #path: string | URL;
  readonly #report: (message: string) => void;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #nextId = 1;

  /** `report` receives one line per crash, for the log. */
  constructor(path: string | URL, report: (message: string) => void) {
    this.#path = path;
    this.#report = report;
  }

  send<Order extends WorkerOrder>(order: Order, progress?: ReportProgress): Promise<AnswerOf[Order['kind']]> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, progress });
      const numbered: NumberedOrder = { id, order };
      this.#running().postMessage(numbered);
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#path);
    worker.on('message', (message: WorkerMessage) => {
      this.#receive(message);
    });
    worker.on('error', (error) => {
      this.#lose(worker, error instanceof Error ? error.message : String(error));
    });
    worker.on('exit', (code) => {
      this.#lose(worker, `it ended with code ${code}`);
    });
    this.#worker = worker;
    return worker;
  }

  #receive(message: WorkerMessage): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.kind === 'progress') {
      pending.progress?.(message.share, message.message);
      return;
    }
    this.#pending.delete(message.id);
    if (message.kind === 'answer') pending.resolve(message.answer as never);
    else pending.reject(new WorkerFault(message.message));
  }

  /** Called for 'error' and again for 'exit'; only the first finds the worker in its place. */
  #lose(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#report(`The computing thread stopped: ${why}. It is started again at the next save.`);
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of lost) pending.reject(new WorkerFault(why));
  }
}
