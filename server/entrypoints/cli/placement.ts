/** The report of one placement of a file, for the commands that write it somewhere: `export`, `draw`. */
import type { PlacementReport } from '../../model/report.ts';
import { onlyPlacement } from '../../study/report.ts';
import { diagnosticsOf, exitCodeFor, printDiagnostics, withoutHotLinks } from './diagnostics.ts';
import { keptResult } from './keptResult.ts';
import { loadProgram, requireDeclared, sourcesOf, studyProgram } from './program.ts';
import { type ExitCode, exitCodes, type Surroundings, type Terminal } from './terminal.ts';

/** Which placement of which file, as the user named them. */
export interface PlacementRequest {
  readonly file: string;
  readonly placement: string;
  readonly hotLinkFactor: number;
  /** A result of `run --json` whose mappings are taken. */
  readonly from?: string;
}

export interface PlacedOne {
  readonly report: PlacementReport;
  /** URIs of all that it was made of. */
  readonly sources: readonly string[];
}

/** Evaluates one placement of a file and prints its diagnostics; `placed` is absent where it has no report. */
export async function reportOfPlacement(
  { file, placement: name, hotLinkFactor, from }: PlacementRequest,
  surroundings: Surroundings,
): Promise<{ readonly placed?: PlacedOne; readonly exitCode: ExitCode }> {
  const { terminal } = surroundings;
  const loaded = await loadProgram(file, terminal);
  if ('failure' in loaded) return { exitCode: loaded.exitCode };
  requireDeclared(loaded, 'placement', name);
  const kept = from === undefined ? undefined : await keptResult(from, loaded, name);
  const program = onlyPlacement(loaded.checked.program, name);
  const study = await studyProgram(
    loaded,
    { hotLinkFactor, program, ...(kept === undefined ? {} : { context: { placedBefore: kept.placedBefore } }) },
    surroundings,
  );
  const found = diagnosticsOf(loaded, study);
  printDiagnostics(withoutHotLinks(found), terminal);
  const report = study.placements.find((placement) => placement.name === name);
  if (report === undefined) {
    terminal.err(`placewright: placement '${name}' could not be evaluated, so nothing is written.\n`);
    return { exitCode: exitCodes.fileHasErrors };
  }
  if (kept === undefined) warnOfTime([report], terminal);
  const sources = [...sourcesOf(loaded), ...(kept === undefined ? [] : [kept.uri])];
  return { placed: { report, sources }, exitCode: exitCodeFor(found) };
}

/** What another run may give otherwise is said, so that what is drawn is not taken for what is launched. */
export function warnOfTime(reports: readonly PlacementReport[], terminal: Terminal): void {
  for (const { name, jobs } of reports) {
    for (const { job, search } of jobs) {
      if (search?.end !== 'time' && search?.end !== 'stopped') continue;
      const why = search.end === 'time' ? 'the clock ended' : 'an interrupt ended';
      terminal.err(
        `placewright: ${name}: ${why} the search for ${job.name}; another run may give another mapping ` +
          '(keep this one with `run --json` and take it with `--from`, or give a budget in steps).\n',
      );
    }
  }
}
