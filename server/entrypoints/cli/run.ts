/** `placewright run`: the placements of a file, measured, as text or JSON. */
import { shouldFinish } from '../../model/cancellation.ts';
import type { PlacementReport } from '../../model/report.ts';
import { placementToJson } from '../../output/json.ts';
import { studyAsAsked, warnOfTime, type AskedStudy, type StudyOptions } from './askedStudy.ts';
import { diagnosticsToJson, exitCodeFor } from './diagnostics.ts';
import { fileName } from './program.ts';
import { placementText, summarize, type PlacementText } from './summary.ts';
import { type ExitCode, exitCodes, type Environment } from './terminal.ts';

export interface RunRequest extends StudyOptions {
  readonly json?: true;
  /** Every link in the JSON. */
  readonly loads?: true;
}

/** Evaluates a file and prints its placements; those that are sound are printed even where others have errors. */
export async function run(request: RunRequest, environment: Environment): Promise<ExitCode> {
  const { terminal } = environment;
  // A text needs little of each report, JSON all of it.
  const texts = new Map<string, PlacementText>();
  const take = (report: PlacementReport): void => {
    texts.set(report.name, placementText(report));
  };
  const options = { ...request, isDigestWanted: request.json === true };
  const asked = await studyAsAsked(options, environment, request.json ? undefined : take);
  if ('failure' in asked) return asked.exitCode;
  const { loaded, reports, outlines, found, digest } = asked;
  if (asked.from === undefined && !request.json) warnOfTime(outlines, terminal);
  if (request.json) {
    const head = {
      program: digest,
      ...(shouldFinish(environment.cancellation) ? { interrupted: true } : {}),
    };
    const pieces = runToJson(diagnosticsToJson(found, loaded.uri), reports, head, request.loads === true);
    for (const piece of pieces) terminal.data(piece);
  } else {
    terminal.out(summarize(outlines.flatMap(({ name }) => texts.get(name) ?? [])));
  }
  return explainAbsence(request, asked, environment);
}

/** Says why fewer placements were printed than a reader may look for. */
function explainAbsence(
  { file, placement }: RunRequest,
  { loaded, wanted, outlines, found }: AskedStudy,
  { terminal, cancellation }: Environment,
): ExitCode {
  const code = exitCodeFor(found);
  if (placement !== undefined && outlines.length === 0) {
    terminal.err(`placewright: placement '${placement}' could not be evaluated.\n`);
    return exitCodes.fileHasErrors;
  }
  if (loaded.checked.program.placements.length === 0 && code === exitCodes.good) {
    terminal.err(`placewright: ${fileName(file)} declares no placement. Nothing to evaluate.\n`);
  }
  if (placement === undefined && shouldFinish(cancellation)) {
    terminal.err(`placewright: interrupted; ${outlines.length} of ${wanted} placements were evaluated.\n`);
  }
  return code;
}

/**
 * A line per diagnostic and per placement: easy on grep, and half the size of an indented tree. In pieces, so
 * that the text of one large placement is in memory at a time.
 */
function* runToJson(
  found: readonly object[],
  reports: readonly PlacementReport[],
  head: object,
  loads: boolean,
): Iterable<string> {
  const diagnostics = found.map((value) => `\n${JSON.stringify(value)}`).join(',');
  yield `${JSON.stringify(head).slice(0, -1)},\n"diagnostics":[${diagnostics}],\n"placements":[`;
  for (const [index, report] of reports.entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(placementToJson(report, { loads }))}`;
  }
  yield ']}\n';
}
