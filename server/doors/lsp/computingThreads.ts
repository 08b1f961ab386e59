import { MessageChannel } from 'node:worker_threads';
import { WorkerHandle } from './workerHandle.ts';

/** Most that the heap of one thread may hold, MiB; arrays of numbers lie outside of it. */
const heapLimit = { maxOldGenerationSizeMb: 3072 };

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
  }

  /** A thread for one task; whoever asks for it ends it. */
  separate(): WorkerHandle {
    return new WorkerHandle(this.#path, { report: this.#events.report }, heapLimit);
  }

  /** The document was closed: what is kept of it may go. */
  forget(uri: string): void {
    for (const thread of [this.study, this.reading]) thread.send({ kind: 'forget', uri }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    await Promise.all([this.study.stop(), this.reading.stop()]);
  }

  /** One of them is new: gives both of them the ends of a new channel. */
  #connect(): void {
    if (this.#isConnecting) return; // The other one is started by what is sent to it here.
    this.#isConnecting = true;
    const { port1, port2 } = new MessageChannel();
    this.study.send({ kind: 'reader', port: port1 }, undefined, [port1]).catch(() => undefined);
    this.reading.send({ kind: 'source', port: port2 }, undefined, [port2]).catch(() => undefined);
    this.#isConnecting = false;
  }
}
