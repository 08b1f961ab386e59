import { diagnosticsOf, exitCodeFor, printDiagnostics } from './diagnostics.ts';
import { loadProgram, studyProgram } from './program.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/**
 * Prints everything the editor would show of each file. Placements are evaluated too: that a job
 * does not fit, or that a table cannot be read, is an error like any other.
 */
export async function check(
  files: readonly string[],
  options: { readonly hotLinkFactor: number },
  terminal: Terminal,
): Promise<ExitCode> {
  let worst: ExitCode = exitCodes.good;
  for (const file of files) {
    const loaded = await loadProgram(file, terminal);
    if ('exitCode' in loaded) {
      worst = Math.max(worst, loaded.exitCode) as ExitCode;
      continue;
    }
    const found = diagnosticsOf(loaded, await studyProgram(loaded, terminal, options.hotLinkFactor));
    printDiagnostics(found, terminal);
    worst = Math.max(worst, exitCodeFor(found)) as ExitCode;
  }
  return worst;
}
