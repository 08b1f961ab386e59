#!/usr/bin/env node
/** The command line: the engine without an editor. Contract: docs/language.md, "On the command line". */
import './olderNode.ts';
import { isMainThread } from 'node:worker_threads';
import { runCommandLine } from './cli/commands.ts';
import { exitCodes } from './cli/terminal.ts';

function main(): void {
  // `placewright … | head` closes the pipe early: that is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.good : exitCodes.fault);
  });
  void runCommandLine(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  }).then((code) => {
    process.exitCode = code;
  });
}

if (isMainThread) main();
else void import('./cli/ownThread.ts').then(({ serveOrder }) => serveOrder());
