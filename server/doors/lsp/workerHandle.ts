import { Worker, type ResourceLimits, type Transferable } from 'node:worker_threads';
import type { AnswerOf, NumberedOrder, StudyNews, WorkerMessage, WorkerOrder } from '../workerMessages.ts';

/** The worker ended while an order was open, or answered with an exception: a fault of ours, or too little memory. */
export class WorkerFault extends Error {}

interface Pending {
  readonly resolve: (answer: never) => void;
  readonly reject: (fault: WorkerFault) => void;
  readonly told: ((news: StudyNews) => void) | undefined;
}

export interface WorkerEvents {
  /** One line per crash, for the log. */
  readonly report: (message: string) => void;
  /** A thread was started, for the first time or after a loss; orders that are sent here come first. */
  readonly started?: () => void;
  /** A thread was lost; its open orders have failed. */
  readonly lost?: () => void;
}

/**
 * A thread as seen by the answering one: orders go in, promises come out. A thread that dies fails its open orders
 * with {@link WorkerFault} and is started again at once; one that dies before it has answered anything is started at
 * the next order, so that a broken program is not started for ever.
 */
export class WorkerHandle {
  readonly #path: string | URL;
  readonly #events: WorkerEvents;
  readonly #limits: ResourceLimits;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #hasAnswered = false;
  #isStopped = false;
  #nextId = 1;

  constructor(path: string | URL, events: WorkerEvents, limits: ResourceLimits = {}) {
    this.#path = path;
    this.#events = events;
    this.#limits = limits;
  }

  send<Order extends WorkerOrder>(
    order: Order,
    told?: (news: StudyNews) => void,
    transfer: readonly Transferable[] = [],
  ): Promise<AnswerOf[Order['kind']]> {
    const worker = this.#running();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, told });
      const numbered: NumberedOrder = { id, order };
      worker.postMessage(numbered, transfer);
    });
  }

  /** Ends the thread, and fails what it has not answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll('it was stopped');
    await worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    this.#isStopped = false;
    this.#hasAnswered = false;
    const worker = new Worker(this.#path, { resourceLimits: this.#limits });
    worker.on('message', (message: WorkerMessage) => {
      this.#receive(message);
    });
    worker.on('error', (error) => {
      this.#lose(worker, sentenceOf(error));
    });
    worker.on('exit', (code) => {
      this.#lose(worker, `it ended with code ${code}`);
    });
    this.#worker = worker;
    this.#events.started?.();
    return worker;
  }

  #receive(message: WorkerMessage): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#hasAnswered = true;
    if (message.kind === 'news') {
      pending.told?.(message.news);
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
    this.#events.report(`A computing thread stopped: ${why}.`);
    this.#failAll(why);
    if (this.#hasAnswered && !this.#isStopped) this.#running();
    this.#events.lost?.();
  }

  #failAll(why: string): void {
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of lost) pending.reject(new WorkerFault(why));
  }
}

function sentenceOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it needed more memory than one thread may have';
  return error instanceof Error ? error.message : String(error);
}
