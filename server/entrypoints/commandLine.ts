/** The command line: the engine without an editor. `cli.ts` loads it. Contract: docs/reference/command-line.md. */
import './olderNode.ts';
import { fileURLToPath } from 'node:url';
import { isMainThread, MessagePort, workerData } from 'node:worker_threads';
import { runCommandLine } from './cli/commands.ts';
import { type CommandRunner, inOwnThread, serveOrder } from './cli/ownThread.ts';
import { exitCodes, terminalOn } from './cli/terminal.ts';
import { nodePlatform } from './node.ts';
import { installPlatform } from './platform.ts';
import { programs } from './programs.ts';

installPlatform(nodePlatform);
/** Threads begin with it as well: each keeps what it compiles. */
const ownProgram = fileURLToPath(new URL('../cli.cjs', import.meta.url));
programs.helper = new URL('../helper.js', import.meta.url);
programs.replications = ownProgram;
programs.commandLine = ownProgram;

function main(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `placewright … | head` closes the pipe early: that is no fault.
    if (error.code === 'EPIPE') process.exit(exitCodes.good);
    process.stderr.write(`placewright: Cannot write to standard output: ${error.message}.\n`);
    process.exit(exitCodes.wrongUsage);
  });
  // There is nobody left to tell.
  process.stderr.on('error', () => undefined);
  const terminal = terminalOn(
    (text) => process.stdout.write(text),
    (text) => process.stderr.write(text),
    () => process.stderr.columns || Infinity,
  );
  const run: CommandRunner = (command, request) => inOwnThread(ownProgram, command, request, terminal);
  void runCommandLine(process.argv.slice(2), terminal, run).then(async (code) => {
    process.exitCode = code;
    await Promise.all([process.stdout, process.stderr].map(flushStream));
    // Threads, timers and the heap need not be taken down one by one: after Ctrl-C nobody waits for that.
    process.exit();
  });
}

/** All that was written so far has gone out, or never will: what a full pipe has not yet taken would be lost. */
const flushStream = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });

/** A thread that helps with replications has a port for what it answers, one that does a command has its order. */
async function serve(): Promise<void> {
  if (workerData instanceof MessagePort) (await import('./experiments/running.ts')).serveReplications();
  else await serveOrder();
}

if (isMainThread) main();
else void serve();
