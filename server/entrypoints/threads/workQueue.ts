/**
 * One queue of work over shared memory for everything that is spread over threads: whatever consists of items that do
 * not depend on each other. What the items are is said in `workloads.ts`, the other file of this folder.
 *
 * The engine is synchronous, so the calling thread never waits and never needs its event loop: it takes items as the
 * other threads do, always the next one that nobody has taken (a counter that `Atomics.add` moves on), reads their
 * outcomes with `receiveMessageOnPort`, and does itself what another thread has taken and not finished. Therefore a
 * thread that is slow, that throws, that ends or that cannot be started costs time and nothing else. An outcome
 * depends on the inputs and the item alone, and outcomes come in the order of the items: results are the same with
 * any number of threads.
 *
 * A {@link Workload} says what is done. `WorkQueue` is the side of the calling thread, `serveQueue` that of the others.
 */
import {
  MessageChannel,
  parentPort,
  receiveMessageOnPort,
  Worker,
  workerData,
  type MessagePort,
} from 'node:worker_threads';
import type { Cancellation } from '../../model/cancellation.ts';

/**
 * A kind of work. Inputs, items and outcomes are plain data, or memory that is shared already: they cross threads.
 */
export interface Workload<Inputs, Item, Outcome> {
  /** By which the other threads know it. */
  readonly name: string;
  /** Makes one thread ready for all items with the same inputs. */
  readonly prepare: (inputs: Inputs) => DoItem<Item, Outcome>;
}

/** Must end soon once `stop` says so; what it answers then is its outcome, and may differ from time to time. */
export type DoItem<Item, Outcome> = (item: Item, stop: Cancellation) => Outcome;

/** Items with the same inputs, in one run or in several. */
export interface WorkSession<Item, Outcome> {
  /**
   * Does all items; outcomes are in the order of the items. Throws what the first item that fails throws, as one
   * thread alone would.
   */
  run(items: readonly Item[], options: RunOptions): readonly Outcome[];
  /** The other threads may forget the inputs. */
  close(): void;
}

export interface RunOptions {
  /** Asked by the calling thread, which tells the others. */
  readonly stop: Cancellation;
  /** Done by the calling thread before it takes an item: what no other thread can do. */
  readonly meanwhile?: (() => void) | undefined;
  /** Milliseconds that the calling thread works without the others: short work is done before they have begun. */
  readonly aloneFor?: number;
  /**
   * Told of each outcome once, as soon as the calling thread knows it, in whatever order. While it is at an item of its
   * own it looks for those of others now and then as the item polls `stop`, so that what is done can be kept at once.
   */
  readonly finished?: (position: number, outcome: unknown) => void;
  /** Told after each item that the calling thread has done: the share of the items that were taken, 0 … 1. */
  readonly progress?: (share: number) => void;
}

/**
 * Threads that help the calling one. They start when they are first needed and stay for the next time, but never keep
 * the process alive.
 */
export class WorkQueue {
  /** How many threads work at a time, the calling one included. */
  readonly threads: number;
  readonly #program: string | URL | undefined;
  readonly #helpers = new Map<Worker, Helper>();
  /** Outcomes of the runs that are going on; one may begin within another. */
  readonly #runs = new Map<number, (position: number, outcome: never) => void>();
  #lastNumber = 0;

  /** @param program calls {@link serveQueue}; without one the calling thread is alone */
  constructor(program: string | URL | undefined, helpers: number) {
    this.#program = program;
    this.threads = program === undefined ? 1 : helpers + 1;
  }

  /** How many threads besides the calling one are running. */
  get running(): number {
    return this.#helpers.size;
  }

  open<Inputs, Item, Outcome>(workload: Workload<Inputs, Item, Outcome>, inputs: Inputs): WorkSession<Item, Outcome> {
    const session = ++this.#lastNumber;
    const doItem = workload.prepare(inputs);
    const told = new Set<Helper>();
    const call = (run: Run<Item, Outcome>): void => {
      for (const helper of this.#called()) {
        if (!told.has(helper)) helper.tell({ kind: 'open', session, workload: workload.name, inputs });
        told.add(helper);
        helper.tell({ kind: 'run', session, run: run.number, items: run.items, cells: run.cells });
      }
    };
    return {
      run: (items, options) => {
        const outcomes = new Map<number, Outcome>();
        const keep = (position: number, outcome: Outcome): void => {
          if (outcomes.has(position)) return;
          outcomes.set(position, outcome);
          options.finished?.(position, outcome);
        };
        const run = { number: ++this.#lastNumber, items, outcomes, keep, cells: createCells(items.length) };
        this.#runs.set(run.number, keep);
        const gather = (): void => {
          this.#gather();
        };
        try {
          return new Caller(run, doItem, options, gather).work(() => {
            call(run);
          });
        } finally {
          // Others may still be at items that were done here as well.
          Atomics.store(run.cells, stopCell, 1);
          this.#runs.delete(run.number);
        }
      },
      close: () => {
        for (const helper of told) helper.tell({ kind: 'close', session });
        this.#gather();
      },
    };
  }

  /** Ends all threads but the calling one; they are started again when they are needed. */
  async stop(): Promise<void> {
    const workers = [...this.#helpers.keys()];
    this.#helpers.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  /** All helpers, started where they do not run yet. */
  #called(): readonly Helper[] {
    while (this.#program !== undefined && this.#helpers.size < this.threads - 1) this.#start(this.#program);
    return [...this.#helpers.values()];
  }

  #start(program: string | URL): void {
    const { port1: answers, port2: port } = new MessageChannel();
    const worker = new Worker(program, { workerData: port, transferList: [port] });
    worker.unref();
    answers.unref();
    const lose = (): void => {
      this.#helpers.delete(worker);
      answers.close();
    };
    worker.on('error', lose);
    worker.on('exit', lose);
    this.#helpers.set(worker, {
      answers,
      tell: (message) => {
        worker.postMessage(message);
      },
    });
  }

  /** Takes in what helpers have answered so far; answers to runs that are over are of no use any more. */
  #gather(): void {
    for (const { answers } of this.#helpers.values()) {
      for (;;) {
        const received: { message: ItemAnswer } | undefined = receiveMessageOnPort(answers);
        if (received === undefined) break;
        const { run, position, outcome } = received.message;
        this.#runs.get(run)?.(position, outcome as never);
      }
    }
  }
}

/**
 * Another thread as the calling one sees it. Its answers come through a port of their own, which can be read without an
 * event loop.
 */
interface Helper {
  readonly answers: MessagePort;
  tell(message: QueueMessage): void;
}

interface Run<Item, Outcome> {
  readonly number: number;
  readonly items: readonly Item[];
  readonly cells: Int32Array;
  /** By position, as far as they are known to the calling thread. */
  readonly outcomes: ReadonlyMap<number, Outcome>;
  /** Adds one that is not known yet. */
  readonly keep: (position: number, outcome: Outcome) => void;
}

/** Milliseconds between two looks for answers while the calling thread is at an item. */
const gatherEvery = 20;

/** What the calling thread does in one run. */
class Caller<Item, Outcome> {
  readonly #run: Run<Item, Outcome>;
  readonly #doItem: DoItem<Item, Outcome>;
  readonly #options: RunOptions;
  /** Takes in what the other threads have answered. */
  readonly #gather: () => void;
  #gatheredAt = 0;
  /** Asks `stop`, and lets all threads know what it says. */
  readonly #stop: Cancellation;

  constructor(run: Run<Item, Outcome>, doItem: DoItem<Item, Outcome>, options: RunOptions, gather: () => void) {
    this.#run = run;
    this.#doItem = doItem;
    this.#options = options;
    this.#gather = gather;
    this.#stop = {
      isCancelled: () => {
        this.#gatherAfterAWhile();
        if (!options.stop.isCancelled()) return false;
        Atomics.store(run.cells, stopCell, 1);
        return true;
      },
    };
  }

  #gatherAfterAWhile(): void {
    if (this.#options.finished === undefined || performance.now() - this.#gatheredAt < gatherEvery) return;
    this.#gather();
    this.#gatheredAt = performance.now();
  }

  /** `call` has the other threads take part. */
  work(call: () => void): readonly Outcome[] {
    const { items, outcomes, keep, cells } = this.#run;
    const { meanwhile, aloneFor = 0 } = this.#options;
    const startedAt = performance.now();
    // A single item is done here, unless there is something else to do here.
    let isToBeCalled = items.length > (meanwhile === undefined ? 1 : 0);
    const callAfterAWhile = (): void => {
      if (!isToBeCalled || performance.now() - startedAt < aloneFor) return;
      isToBeCalled = false;
      call();
    };
    callAfterAWhile();
    meanwhile?.();
    this.#takeItems(callAfterAWhile);
    this.#gather();
    for (const [position, item] of items.entries()) {
      if (outcomes.has(position)) continue;
      const isAnswered = (): boolean => Atomics.load(cells, firstDoneCell + position) !== 0;
      const stop = this.#stop;
      // Gives up where the thread that is at the item is first.
      const own = this.#doItem(item, { isCancelled: () => isAnswered() || stop.isCancelled() });
      this.#gather();
      // An answer may be lost with its thread.
      if (!outcomes.has(position)) keep(position, isAnswered() ? this.#doItem(item, stop) : own);
    }
    return items.map((_, position) => outcomes.get(position) as Outcome);
  }

  #takeItems(between: () => void): void {
    const { items, cells, keep } = this.#run;
    for (;;) {
      const position = Atomics.add(cells, nextCell, 1);
      if (position >= items.length) return;
      let outcome: Outcome;
      try {
        outcome = this.#doItem(items[position]!, this.#stop);
      } catch {
        return; // An item before it may fail as well: in its turn it is done once more, and throws.
      }
      keep(position, outcome);
      this.#options.progress?.(Math.min(1, Atomics.load(cells, nextCell) / items.length));
      between();
    }
  }
}

/**
 * The other threads' side: does items that nobody has taken, as it is told. Called once, by a program that does nothing
 * else.
 */
export function serveQueue(workloads: readonly Workload<never, never, unknown>[]): void {
  const answers = workerData as MessagePort;
  const sessions = new Map<number, DoItem<never, unknown>>();
  parentPort?.on('message', (message: QueueMessage) => {
    switch (message.kind) {
      case 'open': {
        const workload = workloads.find(({ name }) => name === message.workload);
        if (workload !== undefined) sessions.set(message.session, workload.prepare(message.inputs as never));
        return;
      }
      case 'run': {
        const doItem = sessions.get(message.session);
        if (doItem !== undefined) takeItems(message, doItem, answers);
        return;
      }
      case 'close':
        sessions.delete(message.session);
    }
  });
}

function takeItems(
  { run, items, cells }: QueueMessage & { kind: 'run' },
  doItem: DoItem<never, unknown>,
  answers: MessagePort,
): void {
  const stop = { isCancelled: () => Atomics.load(cells, stopCell) !== 0 };
  for (;;) {
    const position = Atomics.add(cells, nextCell, 1);
    if (position >= items.length || stop.isCancelled()) return;
    try {
      const answer: ItemAnswer = { run, position, outcome: doItem(items[position] as never, stop) };
      answers.postMessage(answer);
    } catch {
      continue; // The calling thread does it again, and fails as it would have failed alone.
    }
    Atomics.store(cells, firstDoneCell + position, 1);
  }
}

type QueueMessage =
  | { readonly kind: 'open'; readonly session: number; readonly workload: string; readonly inputs: unknown }
  | {
      readonly kind: 'run';
      readonly session: number;
      readonly run: number;
      readonly items: readonly unknown[];
      readonly cells: Int32Array;
    }
  | { readonly kind: 'close'; readonly session: number };

/** What another thread answers, once for each item that it has done. */
interface ItemAnswer {
  readonly run: number;
  readonly position: number;
  readonly outcome: unknown;
}

/**
 * Shared memory of one run. Cell 0: the next item to be taken. Cell 1: not 0 where all shall stop. Cell 2 + s: not 0
 * once another thread has answered item s.
 */
const nextCell = 0;
const stopCell = 1;
const firstDoneCell = 2;

const createCells = (items: number): Int32Array =>
  new Int32Array(new SharedArrayBuffer((firstDoneCell + items) * Int32Array.BYTES_PER_ELEMENT));
