/** `placewright draw` of an experiment: its results, or one of its replications, as SVG or as the numbers of it. */
import { pathToFileURL } from 'node:url';
import { prepareExperiment } from '../../experiments/prepare.ts';
import type { Failure } from '../../model/result.ts';
import type { FigureChoice } from '../../protocol/figures.ts';
import { ExperimentFigures, labelOfPoint } from '../experiments/figures.ts';
import { lastResult } from '../experiments/keptResults.ts';
import { readExperiment } from '../experiments/reading.ts';
import { wordsOfForm } from '../experiments/running.ts';
import { resultFilesOf } from '../experiments/keptFiles.ts';
import { diagnosticsOf, exitCodeFor, printDiagnostics } from './diagnostics.ts';
import { figureNames, formOf, optionsOf, type FigureOptions, type FigurePageOptions } from './figureOptions.ts';
import { writeOutput } from './output.ts';
import { fileOfFigure } from './pictureFiles.ts';
import { displayName, sourcesOf, type LoadedProgram } from './program.ts';
import { type ExitCode, exitCodes, printFailure, type Environment, UsageError } from './terminal.ts';

const kinds = { results: 'curves', jobs: 'gantt', machine: 'moment', queue: 'timeline' } as const;

interface DrawRequest extends FigureOptions, FigurePageOptions {
  readonly experiment: string;
  readonly output: string;
  readonly force?: true;
}

/** Draws an experiment of a file that declares it. */
export async function drawExperiment(
  loaded: LoadedProgram,
  request: DrawRequest,
  { terminal, cancellation }: Environment,
): Promise<ExitCode> {
  const { experiment, output, force = false } = request;
  const form = formOf(request);
  const { uri, policy, checked, memory } = loaded;
  const failed = (failure: Failure): ExitCode => {
    printFailure(failure, terminal);
    return exitCodes.fileHasErrors;
  };
  const found = diagnosticsOf(loaded, undefined);
  printDiagnostics(found, terminal);
  const inputs = await readExperiment(checked, experiment, policy, { form, cancellation, memory });
  if (!inputs.ok) return failed(inputs.failure);
  const prepared = prepareExperiment(inputs.value, { cancellation });
  if (!prepared.ok) return failed(prepared.failure);
  const { plan, fingerprint } = prepared.value;
  const points = plan.points.map((point) => labelOfPoint(plan, point));
  const kept = lastResult(uri, experiment, form);
  const stale = typeof kept === 'object' && kept.fingerprint !== fingerprint;
  const figures = new ExperimentFigures(inputs.value, prepared.value);
  const choice = choiceOf(request, points);
  const answer = figures.draw(
    choice,
    typeof kept === 'object' ? { result: kept.result, stale, form } : kept,
    cancellation,
  );
  if (answer.kind === 'nothing') {
    const isMissing = choice.kind === 'curves' && kept === undefined;
    const hint = isMissing
      ? ` Run it: placewright experiment ${[displayName(uri), experiment, ...wordsOfForm(form)].join(' ')}`
      : '';
    terminal.err(`placewright: ${answer.reason}${hint}\n`);
    return exitCodes.fileHasErrors;
  }
  if (choice.kind === 'curves' && stale) {
    terminal.err('placewright: warning: the results are out of date. Run the experiment again.\n');
  }
  const { result, journal } = resultFilesOf(uri, experiment, form);
  const sources = [...sourcesOf(loaded), ...[result, journal].map((path) => pathToFileURL(path).href)];
  await writeOutput(
    { ...(await fileOfFigure(output, answer.figure, request)), target: output, force, sources, cancellation },
    terminal,
  );
  return exitCodeFor(found);
}

function choiceOf(request: FigureOptions, points: readonly string[]): FigureChoice {
  const figure = figureNames.find((name) => name === (request.figure ?? 'results')) ?? 'results';
  for (const option of new Set(Object.values(optionsOf).flat())) {
    if (request[option] === undefined || optionsOf[figure].includes(option)) continue;
    const where = figureNames.filter((name) => optionsOf[name].includes(option));
    throw new UsageError(`--${option} needs ${where.map((name) => `--figure ${name}`).join(', ')}.`);
  }
  const { metric, replication, time, between } = request;
  if (figure === 'results') return { kind: 'curves', ...(metric !== undefined && { metric }) };
  const which = { point: pointOf(request.point, points), ...(replication !== undefined && { replication }) };
  const kind = kinds[figure];
  if (kind === 'moment') return { kind, ...which, ...(time !== undefined && { time }) };
  return kind === 'gantt' ? { kind, ...which, ...(between && { between }) } : { kind, ...which };
}

/** Points that a message lists. */
const listedPoints = 12;

/** The point whose label has all parts of what is asked for; the first one where nothing is. */
function pointOf(asked: string | undefined, points: readonly string[]): number {
  if (asked === undefined) return 0;
  const parts = (label: string): readonly string[] => label.split(',').map((part) => part.trim());
  const matching = [...points.keys()].filter((index) => {
    const own = parts(points[index] ?? '');
    return parts(asked).every((part) => own.includes(part));
  });
  const [only, second] = matching;
  if (only !== undefined && second === undefined) return only;
  const candidates = (only === undefined ? [...points.keys()] : matching).map((index) => `'${points[index] ?? ''}'`);
  const listed = candidates.slice(0, listedPoints).join(', ');
  const more = candidates.length > listedPoints ? ` and ${candidates.length - listedPoints} more` : '';
  throw new UsageError(
    only === undefined
      ? `No row '${asked}'. Expected one of ${listed}${more}.`
      : `'${asked}' matches several rows. Choose one of ${listed}${more}.`,
  );
}
