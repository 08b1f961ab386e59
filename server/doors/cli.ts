/** The command line: the engine without an editor. Contract: docs/language.md, "On the command line". */
import './olderNode.ts';
import { runCommandLine } from './cli/commands.ts';
import { exitCodes } from './cli/terminal.ts';

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
