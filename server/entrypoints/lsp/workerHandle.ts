/** The threads beside the answering one: orders go in, promises come out, a thread that is lost is started again. */
import { platform, type Port, type Thread } from '../platform.ts';
import type { AnswerOf, NewsOf, NumberedOrder, Order, OrderKind, WorkerMessage } from '../workerMessages.ts';

/** The worker ended while an order was open, or answered with an exception: a fault of ours, or too little memory. */
class WorkerFault extends Error {}

/** What a request says whose worker was lost; anything else is ours to see in the log. */
export function lostWorkerRefusal(fault: unknown): string {
  if (fault instanceof WorkerFault) return `Internal error: ${fault.message}. Try again.`;
  throw fault;
}

interface Pending {
  readonly resolve: (answer: never) => void;
  readonly reject: (fault: WorkerFault) => void;
  readonly reported: ((news: never) => void) | undefined;
}

interface WorkerEvents {
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
  readonly #heapLimit: number | undefined;
  readonly #pending = new Map<number, Pending>();
  #worker: Thread | undefined;
  #hasAnswered = false;
  #isStopped = false;
  #nextId = 1;

  constructor(path: string | URL, events: WorkerEvents, heapLimit?: number) {
    this.#path = path;
    this.#events = events;
    this.#heapLimit = heapLimit;
  }

  send<Kind extends OrderKind>(
    order: Order<Kind>,
    reported?: (news: NewsOf<Kind>) => void,
    transfer: readonly Port[] = [],
  ): Promise<AnswerOf<Kind>> {
    const worker = this.#running();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, reported });
      const numbered = { id, order } as NumberedOrder;
      worker.postMessage(numbered, transfer);
    });
  }

  /** Else there is nothing that it could forget. */
  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /** Ends the thread, and fails what it has not answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll('it was stopped');
    await worker?.terminate();
  }

  /** Ends what it does, where a flag in memory does not reach it; the next order starts it again. */
  interrupt(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll('it was interrupted');
    void worker?.terminate();
  }

  #running(): Thread {
    if (this.#worker !== undefined) return this.#worker;
    this.#isStopped = false;
    this.#hasAnswered = false;
    const worker = platform().threads.start(this.#path, this.#heapLimit);
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
      pending.reported?.(message.news as never);
      return;
    }
    this.#pending.delete(message.id);
    if (message.kind === 'answer') pending.resolve(message.answer as never);
    else pending.reject(new WorkerFault(message.message));
  }

  /** Called for 'error' and again for 'exit'; only the first finds the worker in its place. */
  #lose(worker: Thread, why: string): void {
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
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'out of memory in one thread';
  return error instanceof Error ? error.message : String(error);
}

/** Most that the heap of one thread may hold, MiB; arrays of numbers lie outside of it. */
const heapLimit = 3072;

interface ThreadEvents {
  /** One line per crash, for the log. */
  readonly report: (message: string) => void;
  /** The reading thread was lost, and what it had. */
  readonly reportsLost: () => void;
}

/**
 * The thread that computes and the one that has the finished reports and answers questions about them, so that no
 * question waits for a search. Reports go from one to the other without passing here. Either is started again
 * where it is lost, and connected to the other.
 */
export class ComputingThreads {
  readonly study: WorkerHandle;
  readonly reading: WorkerHandle;
  /**
   * Draw experiments: their results, and replications, which are simulated first, so that nobody who looks at results waits for
   * that. Each is started with the first of its figures. The first one describes experiments as well, of the same files.
   */
  readonly figures: { readonly results: WorkerHandle; readonly replications: WorkerHandle };
  /** Builds machines for who looks at one, and draws them; started with the first of them. */
  readonly machines: WorkerHandle;
  readonly #path: string | URL;
  readonly #events: ThreadEvents;
  #isConnecting = false;

  constructor(path: string | URL, events: ThreadEvents) {
    this.#path = path;
    this.#events = events;
    const started = (): void => {
      this.#connect();
    };
    const { report, reportsLost } = events;
    this.study = new WorkerHandle(path, { report, started }, heapLimit);
    this.reading = new WorkerHandle(path, { report, started, lost: reportsLost }, heapLimit);
    const drawing = (): WorkerHandle => new WorkerHandle(path, { report }, heapLimit);
    this.figures = { results: drawing(), replications: drawing() };
    this.machines = drawing();
  }

  /** A thread for one task; whoever asks for it ends it. */
  separate(): WorkerHandle {
    return new WorkerHandle(this.#path, { report: this.#events.report }, heapLimit);
  }

  /** The document was closed: what is kept of it may go. */
  forget(uri: string): void {
    for (const thread of [this.study, this.reading, this.figures.results, this.figures.replications]) {
      if (thread.isStarted) thread.send({ kind: 'forget', uri }).catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    const { results, replications } = this.figures;
    await Promise.all([this.study, this.reading, this.machines, results, replications].map((thread) => thread.stop()));
  }

  /** One of them is new: gives both of them the ends of a new channel. */
  #connect(): void {
    if (this.#isConnecting) return; // The other one is started by what is sent to it here.
    this.#isConnecting = true;
    const { port1, port2 } = platform().threads.channel();
    this.study.send({ kind: 'reader', port: port1 }, undefined, [port1]).catch(() => undefined);
    this.reading.send({ kind: 'source', port: port2 }, undefined, [port2]).catch(() => undefined);
    this.#isConnecting = false;
  }
}
