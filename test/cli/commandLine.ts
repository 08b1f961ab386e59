import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { CancelCell, cancellationOf } from '../../server/entrypoints/cancelCell.ts';
import { runCommandLine } from '../../server/entrypoints/cli/commands.ts';
import { computingCommands, interruptCommand, type CommandRunner } from '../../server/entrypoints/cli/ownThread.ts';
import { terminalOn, type Terminal } from '../../server/entrypoints/cli/terminal.ts';
import { shouldFinish } from '../../server/model/cancellation.ts';
import { root } from '../../tools/run.ts';

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What happens while a command computes. */
interface Event {
  /** How often the command has asked by then whether it is to end. */
  readonly after: number;
  /** `interrupt` is Ctrl-C. */
  readonly act: (interrupt: () => void) => void;
}

export interface CommandLine {
  /** Runs a command, in the repository's top directory and without standard input unless told otherwise. */
  readonly run: (words: readonly string[], directory?: string, input?: string) => Promise<Outcome>;
  /** Runs a command during which something happens. */
  readonly runWith: (event: Event, words: readonly string[], directory: string) => Promise<Outcome>;
  /** A directory of the test's own, removed behind it. */
  readonly scratch: () => string;
}

/**
 * The command line for the tests of a file, in the process of the tests and in its only thread. What a process has besides (threads,
 * signals, open files, memory) is tested with the built bundle: binary.ts.
 */
export function commandLine(): CommandLine {
  let queue: Promise<unknown> = Promise.resolve();
  /** The process has one current directory: commands follow each other. */
  const inTurn = (work: () => Promise<Outcome>): Promise<Outcome> => {
    const outcome = queue.then(work);
    queue = outcome.catch(() => undefined);
    return outcome;
  };
  return {
    scratch: scratchDirectory(),
    run: (words, directory = root, input = '') => inTurn(() => runIn(directory, words, input, nothing)),
    runWith: (event, words, directory) => inTurn(() => runIn(directory, words, '', event)),
  };
}

const nothing: Event = { after: Infinity, act: () => undefined };

/** A directory for the tests of a file. */
export function scratchDirectory(): () => string {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'placewright-cli-'));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return () => directory;
}

async function runIn(directory: string, words: readonly string[], input: string, event: Event): Promise<Outcome> {
  let [out, err] = ['', ''];
  const printed = terminalOn(
    (text) => void (out += text),
    (text) => void (err += text),
  );
  const before = process.cwd();
  process.chdir(directory);
  try {
    const code = await runCommandLine(words, { ...printed, read: readerOf(input) }, inThisThread(event));
    return { code, out, err };
  } finally {
    process.chdir(before);
  }
}

const inThisThread =
  ({ after, act }: Event): CommandRunner =>
  async (command, request, terminal) => {
    const cell = new CancelCell();
    const flag = cancellationOf(cell.buffer);
    let asked = 0;
    const counted = (answer: () => boolean) => (): boolean => {
      if (++asked === after) {
        act(() => {
          interruptCommand(command, cell);
        });
      }
      return answer();
    };
    const cancellation = {
      isCancelled: counted(() => flag.isCancelled()),
      isFinishWanted: counted(() => shouldFinish(flag)),
    };
    const run = await computingCommands[command]();
    return run(request as never, { terminal, cancellation, isWatched: false });
  };

function readerOf(input: string): Terminal['read'] {
  let rest = Buffer.from(input);
  return (bytes) => {
    const taken = rest.copy(bytes);
    rest = rest.subarray(taken);
    return taken;
  };
}
