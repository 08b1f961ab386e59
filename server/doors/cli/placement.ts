import type { PlacementReport } from '../../model/report.ts';
import { onlyPlacement } from '../../study/onlyPlacement.ts';
import { diagnosticsOf, exitCodeFor, printDiagnostics, withoutHotLinks } from './diagnostics.ts';
import { loadProgram, requireDeclared, studyProgram } from './program.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** Evaluates one placement of a file and prints its diagnostics; the report is absent where it has none. */
export async function reportOfPlacement(
  file: string,
  name: string,
  hotLinkFactor: number,
  terminal: Terminal,
): Promise<{ readonly report: PlacementReport | undefined; readonly exitCode: ExitCode }> {
  const loaded = await loadProgram(file, terminal);
  if ('exitCode' in loaded) return { report: undefined, exitCode: loaded.exitCode };
  requireDeclared(loaded, 'placement', name);
  const study = await studyProgram(loaded, terminal, hotLinkFactor, onlyPlacement(loaded.checked.program, name));
  const found = diagnosticsOf(loaded, study);
  printDiagnostics(withoutHotLinks(found), terminal);
  const report = study.placements.find((placement) => placement.name === name);
  if (report === undefined) {
    terminal.err(`placewright: placement '${name}' could not be evaluated, so nothing is written.\n`);
    return { report, exitCode: exitCodes.fileHasErrors };
  }
  return { report, exitCode: exitCodeFor(found) };
}
