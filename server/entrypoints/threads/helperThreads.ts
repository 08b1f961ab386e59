import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { SharedTask } from './sharedTask.ts';
import type { WorkItemMessage } from './searchWorker.ts';

/** A thread that helps, and the port its answers come through: it can be read without an event loop. */
export interface Helper {
  readonly answers: MessagePort;
  tell(message: HelperMessage): void;
}

/**
 * Threads that help with long computations. They start when they are first called, stay for the
 * next time, and end with the process, which does not stay for their sake. One that cannot be
 * started or is lost is not missed: whoever calls them must be able to do all of it alone.
 */
export class HelperThreads {
  readonly count: number;
  readonly #path: string | URL | undefined;
  readonly #running = new Map<Worker, Helper>();

  /** @param path the program of a helper; without one there are no helpers */
  constructor(path: string | URL | undefined, count: number) {
    this.#path = path;
    this.count = path === undefined ? 0 : count;
  }

  /** All helpers, started where they do not run yet. */
  call(): readonly Helper[] {
    while (this.#path !== undefined && this.#running.size < this.count) this.#start(this.#path);
    return [...this.#running.values()];
  }

  async stop(): Promise<void> {
    const workers = [...this.#running.keys()];
    this.#running.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #start(path: string | URL): void {
    const { port1: answers, port2: port } = new MessageChannel();
    const worker = new Worker(path, { workerData: port, transferList: [port] });
    worker.unref();
    answers.unref();
    const lose = (): void => {
      this.#running.delete(worker);
      answers.close();
    };
    worker.on('error', lose);
    worker.on('exit', lose);
    this.#running.set(worker, {
      answers,
      tell: (message) => {
        worker.postMessage(message);
      },
    });
  }
}

/** What a helping thread may be told. */
export type HelperMessage = { readonly kind: 'distances'; readonly task: SharedTask } | WorkItemMessage;
