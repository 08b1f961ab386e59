/** A thread of a browser as its own program sees it: the other side of `threads.ts`. */
import type { Port, Threads } from '../platform.ts';
import type { NumberedOrder, WorkerMessage } from '../workerMessages.ts';
import type { FromThread, PortToken, ToThread } from './threads.ts';

/** What a worker has in the place of a window. */
const scope = globalThis as unknown as {
  onmessage: ((event: { readonly data: ToThread }) => void) | null;
  postMessage(message: FromThread): void;
};

/** The ends of channels that this thread has, by number. */
const ends = new Map<number, ArrivedEnd>();

class ArrivedEnd implements Port {
  readonly #number: number;
  readonly #waiting: unknown[];
  #listener: ((message: unknown) => void) | undefined;

  constructor({ port, waiting }: PortToken) {
    this.#number = port;
    this.#waiting = [...waiting];
    ends.set(port, this);
  }

  postMessage(message: unknown): void {
    scope.postMessage({ kind: 'port', port: this.#number, message });
  }

  on(_event: 'message', listener: (message: unknown) => void): void {
    this.#listener = listener;
    for (const message of this.#waiting.splice(0)) listener(message);
  }

  arrive(message: unknown): void {
    if (this.#listener === undefined) this.#waiting.push(message);
    else this.#listener(message);
  }

  take(): { readonly message: unknown } | undefined {
    return this.#waiting.length === 0 ? undefined : { message: this.#waiting.shift() };
  }

  close(): void {
    ends.delete(this.#number);
  }

  unref(): void {
    // Nothing waits for ports here.
  }
}

const asked = new Map<number, (answer: unknown) => void>();
let lastQuestion = 0;

/** Asks the answering thread. */
export const ask = (question: unknown): Promise<unknown> =>
  new Promise((resolve) => {
    const id = ++lastQuestion;
    asked.set(id, resolve);
    scope.postMessage({ kind: 'ask', id, question });
  });

export const post = (message: WorkerMessage): void => {
  scope.postMessage({ kind: 'message', message });
};

/** Takes what comes from now on, and says so. */
export function listen(take: (order: NumberedOrder) => void): void {
  scope.onmessage = ({ data }) => {
    switch (data.kind) {
      case 'message': {
        const { id, order } = data.message as NumberedOrder;
        const whole = data.token === undefined ? order : { ...order, port: new ArrivedEnd(data.token) };
        take({ id, order: whole });
        break;
      }
      case 'port':
        ends.get(data.port)?.arrive(data.message);
        break;
      case 'answer':
        asked.get(data.id)?.(data.answer);
        asked.delete(data.id);
        break;
    }
  };
  scope.postMessage({ kind: 'ready' });
}

/** It starts no threads of its own. */
export const ownThreads: Threads = {
  start: () => {
    throw new Error('A thread of a browser starts no others.');
  },
  channel: () => {
    throw new Error('A thread of a browser makes no channels.');
  },
  receive: (port) => (port instanceof ArrivedEnd ? port.take() : undefined),
  collectGarbage: () => undefined,
};
