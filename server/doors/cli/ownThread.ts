/**
 * A command in a thread of its own: what computes never waits for the event loop, so Ctrl-C would only be
 * heard when all is done. The first one asks the command to end with what it has, the second one ends it.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { CancelCell, cancellationOf } from '../cancelCell.ts';
import { compare, type CompareOptions } from './compare.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Order {
  readonly file: string;
  readonly placement: string;
  readonly options: CompareOptions;
  readonly isWatched: boolean;
  readonly cancelFlag: SharedArrayBuffer;
}

type Message =
  | { readonly kind: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'end'; readonly exitCode: ExitCode }
  | { readonly kind: 'wrong-usage'; readonly message: string };

/** Signal 2, as the shell counts it. */
const interruptedExitCode = 130;

/** `program` is the bundle that this is part of, started again as {@link serveOrder}. */
export async function compareInThread(
  program: string,
  words: Pick<Order, 'file' | 'placement' | 'options'>,
  terminal: Terminal,
): Promise<ExitCode> {
  const cell = new CancelCell();
  const order: Order = { ...words, isWatched: process.stderr.isTTY, cancelFlag: cell.buffer };
  let interrupts = 0;
  const interrupt = (): void => {
    if (interrupts++ > 0) process.exit(interruptedExitCode);
    cell.cancel();
  };
  process.on('SIGINT', interrupt);
  const worker = new Worker(program, { workerData: order });
  try {
    return await endOf(worker, terminal);
  } finally {
    process.off('SIGINT', interrupt);
    // Threads that helped it would keep it alive while they finish what nobody waits for.
    await worker.terminate();
  }
}

function endOf(worker: Worker, terminal: Terminal): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: Message) => {
      if (message.kind === 'end') resolve(message.exitCode);
      else if (message.kind === 'wrong-usage') reject(new UsageError(message.message));
      else terminal[message.kind](message.text);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      reject(new Error(`The computing thread ended with code ${code}.`));
    });
  });
}

/** The other end: does what the order says, and writes through the thread that gave it. */
export async function serveOrder(): Promise<void> {
  const { file, placement, options, isWatched, cancelFlag } = workerData as Order;
  const tell = (message: Message): void => {
    parentPort?.postMessage(message);
  };
  const terminal: Terminal = {
    out: (text) => {
      tell({ kind: 'out', text });
    },
    err: (text) => {
      tell({ kind: 'err', text });
    },
  };
  try {
    const surroundings = { terminal, cancellation: cancellationOf(cancelFlag), isWatched };
    tell({ kind: 'end', exitCode: await compare(file, placement, options, surroundings) });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tell({ kind: 'wrong-usage', message: error.message });
  }
}
