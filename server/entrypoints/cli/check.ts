/** `placewright check`: what is wrong with files; with `--run` what measuring says as well. */
import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import type { StudyContext } from '../../study/study.ts';
import { FileMemory } from '../evaluation.ts';
import { plannedExperiments } from '../experiments/reading.ts';
import { type FileDiagnostic, diagnosticsOf, diagnosticsToJson, exitCodeFor, printDiagnostics } from './diagnostics.ts';
import { fileName, loadProgram, type LoadedProgram, readProgram, studyInTurn } from './program.ts';
import { type ExitCode, exitCodes, type Environment } from './terminal.ts';

export interface CheckRequest {
  readonly files: readonly string[];
  readonly hotLinkFactor: number;
  /** Places and measures as well. */
  readonly run?: true;
  readonly json?: true;
}

/**
 * Prints what is wrong with each file. Machines, jobs and allocations are made and experiments planned, so that a job that does not fit
 * and a table that cannot be read are found; nothing is searched unless `run` asks for it, and nothing simulated.
 */
export async function check(request: CheckRequest, environment: Environment): Promise<ExitCode> {
  const { terminal, cancellation } = environment;
  const checked: object[] = [];
  let worst: ExitCode = exitCodes.good;
  let [declared, measured] = [0, 0];
  const memory = new FileMemory({ isFinal: true });
  for (const file of request.files) {
    const loaded = await (request.json ? readProgram : loadProgram)(file, terminal, memory);
    if ('failure' in loaded) {
      const start = { line: 0, character: 0 };
      checked.push({ file, diagnostics: [{ severity: 'error', ...loaded.failure, range: { start, end: start } }] });
      worst = Math.max(worst, loaded.exitCode) as ExitCode;
      continue;
    }
    memory.need('program', loaded.checked.fileUris);
    const { hotLinkFactor, run } = request;
    // After an interrupt the other files are still read, and nothing of them is measured.
    const measures = run === true && !shouldFinish(cancellation);
    const context = measures ? {} : withoutSearches(loaded, cancellation);
    const study = await studyInTurn(loaded, { hotLinkFactor, context, take: () => undefined }, environment);
    declared += loaded.checked.program.placements.length;
    if (measures) measured += study.placements.length;
    const experiments = await plannedExperiments(loaded.checked, loaded.policy, { cancellation, memory });
    const found = diagnosticsOf(loaded, study, experiments);
    if (request.json) checked.push({ file, diagnostics: diagnosticsToJson(found, loaded.uri) });
    else printFound(file, found, environment);
    worst = Math.max(worst, exitCodeFor(found)) as ExitCode;
  }
  const isCut = cancellation.isCancelled();
  if (isCut) {
    terminal.err('placewright: interrupted; the files were not checked to their end.\n');
    worst = Math.max(worst, exitCodes.fileHasErrors) as ExitCode;
  }
  const isInterrupted = !isCut && request.run === true && shouldFinish(cancellation);
  if (isInterrupted) terminal.err(`placewright: interrupted; ${measured} of ${declared} placements were measured.\n`);
  const head = isInterrupted || isCut ? { interrupted: true } : {};
  if (request.json) terminal.data(`${JSON.stringify({ ...head, files: checked })}\n`);
  return worst;
}

/** The diagnostics of a file, or that there are none: a command that prints nothing looks as if it did nothing. */
function printFound(file: string, found: readonly FileDiagnostic[], { terminal, cancellation }: Environment): void {
  printDiagnostics(found, terminal);
  if (found.length === 0 && !cancellation.isCancelled()) terminal.out(`${fileName(file)}: no problems found.\n`);
}

/** Mappers end before they begin, but for mappings that are given: those can be wrong, and cost nothing. */
function withoutSearches(
  { checked }: LoadedProgram,
  cancellation: Cancellation,
): Pick<StudyContext, 'cancellation' | 'cancellationOfMapper'> {
  const isGiven = new Map(checked.program.placements.map(({ name, map }) => [name, map.name === 'given']));
  return {
    cancellation,
    cancellationOfMapper: (name) => (isGiven.get(name) ? cancellation : { isCancelled: () => true }),
  };
}
