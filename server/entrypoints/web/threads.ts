/**
 * Threads of a browser, as the program sees them that starts them: web workers. A worker cannot look into a port without waiting,
 * and nothing says in which order messages come that go through different ports; the engine needs both. So what passes between
 * two workers goes through the one that started them, in one line with everything else that they are told, and waits there while
 * nobody has the other end. `thread.ts` is the other side.
 */
import type { NumberedOrder } from '../workerMessages.ts';
import type { Port, Thread, Threads } from '../platform.ts';

/** One end of a channel, on its way into a thread: what came before it goes along. */
export interface PortToken {
  readonly port: number;
  readonly waiting: readonly unknown[];
}

/** What a thread is told. */
export type ToThread =
  | { readonly kind: 'message'; readonly message: unknown; readonly token: PortToken | undefined }
  | { readonly kind: 'port'; readonly port: number; readonly message: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

/** What a thread says. It listens from the first of these on. */
export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'message'; readonly message: unknown }
  | { readonly kind: 'port'; readonly port: number; readonly message: unknown }
  /** Something that only the answering thread can ask the editor for. */
  | { readonly kind: 'ask'; readonly id: number; readonly question: unknown };

/** A worker as browsers have it. */
interface WebWorker {
  onmessage: ((event: { readonly data: FromThread }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  postMessage(message: ToThread): void;
  terminate(): void;
}

const browser = globalThis as unknown as { readonly Worker: new (url: string, options: { name: string }) => WebWorker };

/** By number: the ends that are in this thread or have gone into another. */
const ends = new Map<number, ChannelEnd>();
let lastPort = 0;

class ChannelEnd implements Port {
  readonly number = ++lastPort;
  #other: ChannelEnd | undefined;
  #home: WebThread | undefined;
  readonly #waiting: unknown[] = [];

  static pair(): { readonly port1: ChannelEnd; readonly port2: ChannelEnd } {
    const [port1, port2] = [new ChannelEnd(), new ChannelEnd()];
    [port1.#other, port2.#other] = [port2, port1];
    for (const end of [port1, port2]) ends.set(end.number, end);
    return { port1, port2 };
  }

  postMessage(message: unknown): void {
    this.#other?.arrive(message);
  }

  /** Into a thread: what has arrived goes along. */
  moveTo(thread: WebThread): PortToken {
    this.#home = thread;
    return { port: this.number, waiting: this.#waiting.splice(0) };
  }

  close(): void {
    ends.delete(this.number);
  }

  /** The answering thread makes channels for others alone: nothing listens here. */
  on(): void {
    throw new Error('A port is listened to in the thread that it was given to.');
  }

  unref(): void {
    // Nothing waits for ports here.
  }

  /** From the other end. */
  arrive(message: unknown): void {
    if (this.#home === undefined) this.#waiting.push(message);
    else this.#home.tell({ kind: 'port', port: this.number, message });
  }

  isAt(thread: WebThread): boolean {
    return this.#home === thread;
  }
}

/** Answers what threads ask. */
export type AnswerThread = (question: unknown) => Promise<unknown>;

class WebThread implements Thread {
  readonly #worker: WebWorker;
  readonly #listeners = new Map<string, ((value: never) => void)[]>();
  /** What it is told before it listens. */
  #early: ToThread[] | undefined = [];

  constructor(program: string | URL, answer: AnswerThread) {
    // The worker is of this page's origin, whatever origin its program comes from.
    const start = `import(${JSON.stringify(String(program))}).catch((e) => setTimeout(() => { throw e; }));`;
    const url = URL.createObjectURL(new Blob([start], { type: 'text/javascript' }));
    this.#worker = new browser.Worker(url, { name: 'placewright' });
    this.#worker.onmessage = ({ data }) => {
      this.#receive(data, answer);
    };
    this.#worker.onerror = ({ message }) => {
      const why = new Error(message === undefined || message === '' ? 'it could not be started' : message);
      this.#emit('error', why);
    };
  }

  postMessage(message: unknown, [port]: readonly Port[]): void {
    if (!(port instanceof ChannelEnd)) {
      this.tell({ kind: 'message', message, token: undefined });
      return;
    }
    // An order with a port: the other side puts it in again.
    const { order, ...numbered } = message as NumberedOrder;
    this.tell({
      kind: 'message',
      message: { ...numbered, order: { ...order, port: undefined } },
      token: port.moveTo(this),
    });
  }

  tell(message: ToThread): void {
    if (this.#early === undefined) this.#worker.postMessage(message);
    else this.#early.push(message);
  }

  on(event: string, listener: (value: never) => void): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  terminate(): Promise<void> {
    this.#worker.terminate();
    for (const end of [...ends.values()]) if (end.isAt(this)) end.close();
    return Promise.resolve();
  }

  #receive(said: FromThread, answer: AnswerThread): void {
    switch (said.kind) {
      case 'ready': {
        const early = this.#early ?? [];
        this.#early = undefined;
        for (const message of early) this.tell(message);
        break;
      }
      case 'message':
        this.#emit('message', said.message);
        break;
      case 'port':
        ends.get(said.port)?.postMessage(said.message);
        break;
      case 'ask':
        void answer(said.question).then((found) => {
          this.tell({ kind: 'answer', id: said.id, answer: found });
        });
        break;
    }
  }

  #emit(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value as never);
  }
}

/** Threads that this one starts; `answer` is for what they ask. */
export const webThreads = (answer: AnswerThread): Threads => ({
  start: (program) => new WebThread(program, answer),
  channel: () => ChannelEnd.pair(),
  receive: () => undefined,
  collectGarbage: () => undefined,
});
