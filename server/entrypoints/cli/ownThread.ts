/**
 * A command in a thread of its own: what computes never waits for the event loop, so Ctrl-C would only be
 * heard when all is done. The first one asks the command to end with what it has, the second one ends it, and so does the first before it has
 * begun: while the thread loads its code nobody could hear.
 */
import module from 'node:module';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { CancelCell, cancellationOf, cancelledUnlessSearching } from '../cancelCell.ts';
import {
  type ExitCode,
  type Output,
  readStandardInput,
  type Environment,
  type Terminal,
  UsageError,
} from './terminal.ts';

/** The commands that compute. Each loads its code when it is chosen, so that the others do not wait for it. */
export const computingCommands = {
  check: async () => (await import('./check.ts')).check,
  run: async () => (await import('./run.ts')).run,
  compare: async () => (await import('./compare.ts')).compare,
  export: async () => (await import('./export.ts')).exportPlacement,
  draw: async () => (await import('./draw.ts')).draw,
  experiment: async () => (await import('./experiment.ts')).experiment,
  losses: async () => (await import('./losses.ts')).losses,
  sweep: async () => (await import('./sweep.ts')).sweep,
  simulate: async () => (await import('./simulate.ts')).simulate,
} satisfies Record<string, () => Promise<(request: never, environment: Environment) => Promise<ExitCode>>>;

export type CommandName = keyof typeof computingCommands;
export type RequestOf<Name extends CommandName> = Parameters<Awaited<ReturnType<(typeof computingCommands)[Name]>>>[0];

/**
 * Does a command that computes: in a thread of its own, so that Ctrl-C is heard meanwhile, or in the calling one. Fails with
 * {@link UsageError} where the command is used wrongly.
 */
export type CommandRunner = <Name extends CommandName>(
  command: Name,
  request: RequestOf<Name>,
  terminal: Terminal,
) => Promise<ExitCode>;

const compiler = module as Partial<Pick<typeof module, 'flushCompileCache'>>;

interface Order {
  readonly command: CommandName;
  readonly request: unknown;
  readonly isWatched: boolean;
  readonly cancelFlag: ArrayBufferLike;
}

type Message =
  | { readonly kind: keyof Output; readonly text: string }
  | { readonly kind: 'begun' }
  | { readonly kind: 'end'; readonly exitCode: ExitCode }
  | { readonly kind: 'wrong-usage'; readonly message: string };

/** Signal 2, as the shell counts it. */
const interruptedExitCode = 130;

/**
 * What Ctrl-C asks of a command: comparisons, experiments and simulations have what was done by then; a search that is asked for has the
 * best it found, and where none runs the command is cancelled.
 */
export function interruptCommand(command: CommandName, cell: CancelCell): void {
  if (['compare', 'experiment', 'losses', 'sweep', 'simulate'].includes(command)) cell.cancel();
  else cell.finish();
}

/** `program` is the bundle that this is part of, started again as {@link serveOrder}. */
export async function inOwnThread<Name extends CommandName>(
  program: string,
  command: Name,
  request: RequestOf<Name>,
  terminal: Terminal,
): Promise<ExitCode> {
  const cell = new CancelCell();
  const order: Order = { command, request, isWatched: process.stderr.isTTY, cancelFlag: cell.buffer };
  let interrupts = 0;
  let hasBegun = false;
  const interrupt = (): void => {
    if (interrupts++ > 0 || !hasBegun) process.exit(interruptedExitCode);
    interruptCommand(command, cell);
  };
  process.on('SIGINT', interrupt);
  const worker = new Worker(program, { workerData: order });
  try {
    return await awaitExitCode(worker, terminal, () => (hasBegun = true));
  } finally {
    process.off('SIGINT', interrupt);
    // Threads that helped it would keep it alive while they finish what nobody waits for. The process ends at once, and does not wait for it.
    void worker.terminate();
  }
}

function awaitExitCode(worker: Worker, terminal: Terminal, begun: () => void): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: Message) => {
      if (message.kind === 'end') resolve(message.exitCode);
      else if (message.kind === 'begun') begun();
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
  const { command, request, isWatched, cancelFlag } = workerData as Order;
  const tell = (message: Message): void => {
    parentPort?.postMessage(message);
  };
  const channel = (kind: keyof Output) => (text: string) => {
    tell({ kind, text });
  };
  const terminal: Terminal = {
    read: readStandardInput,
    out: channel('out'),
    data: channel('data'),
    err: channel('err'),
    progress: channel('progress'),
  };
  const cancellation = cancelledUnlessSearching(cancellationOf(cancelFlag), () => performance.now());
  const environment = { terminal, cancellation, isWatched };
  try {
    const run = await computingCommands[command]();
    tell({ kind: 'begun' });
    const exitCode = await run(request as never, environment);
    // The process ends with the next message, and with it what this thread has compiled.
    compiler.flushCompileCache?.();
    tell({ kind: 'end', exitCode });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tell({ kind: 'wrong-usage', message: error.message });
  }
}
