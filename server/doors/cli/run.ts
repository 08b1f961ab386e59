import type { PlacementReport } from '../../model/report.ts';
import { placementToJson } from '../../study/json.ts';
import { onlyPlacement } from '../../study/onlyPlacement.ts';
import { diagnosticsOf, diagnosticsToJson, exitCodeFor, printDiagnostics, withoutHotLinks } from './diagnostics.ts';
import { loadProgram, requireDeclared, studyProgram } from './program.ts';
import { summarize } from './summary.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface RunOptions {
  readonly placement?: string;
  readonly json?: true;
  readonly hotLinkFactor: number;
}

/** Evaluates a file and prints its placements; those that are sound are printed even where others have errors. */
export async function run(file: string, options: RunOptions, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadProgram(file, terminal);
  if ('exitCode' in loaded) return loaded.exitCode;
  const { placement } = options;
  if (placement !== undefined) requireDeclared(loaded, 'placement', placement);
  const program = placement === undefined ? undefined : onlyPlacement(loaded.checked.program, placement);
  const study = await studyProgram(loaded, terminal, options.hotLinkFactor, program);
  const found = diagnosticsOf(loaded, study);
  printDiagnostics(withoutHotLinks(found), terminal);
  const reports = study.placements.filter(({ name }) => placement === undefined || name === placement);
  if (options.json) {
    for (const piece of runToJson(diagnosticsToJson(found, loaded.uri), reports)) terminal.out(piece);
  } else {
    terminal.out(summarize(reports));
  }
  return exitCodeFor(found);
}

/**
 * A line per diagnostic and per placement: easy on grep, and half the size of an indented tree. In pieces, so
 * that the text of one large placement is in memory at a time.
 */
function* runToJson(found: readonly object[], reports: readonly PlacementReport[]): Iterable<string> {
  yield `{"diagnostics":[${found.map((value) => `\n${JSON.stringify(value)}`).join(',')}],\n"placements":[`;
  for (const [index, report] of reports.entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(placementToJson(report))}`;
  }
  yield ']}\n';
}
