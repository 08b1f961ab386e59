/** `placewright experiment`: runs the experiments of a file on all threads, and keeps what is done in a journal beside it. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { drawCurves } from '../../drawing/figures/curves.ts';
import { confidenceOf } from '../../experiments/plan.ts';
import type { ExperimentInputs } from '../../experiments/inputs.ts';
import { prepareExperiment, type PreparedExperiment } from '../../experiments/prepare.ts';
import { experimentToCsv, experimentToJson } from '../../experiments/results.ts';
import type {
  ExperimentProgress,
  ExperimentResult,
  FinishedReplication,
  ReplicationPool,
} from '../../experiments/run.ts';
import { experimentProgress, rowNotices } from '../../experiments/words.ts';
import { shellWord } from '../../model/commandLine.ts';
import { cancelledCode, type Failure, type Result } from '../../model/result.ts';
import { JournalError, JournalFile } from '../experiments/journalFile.ts';
import { keepResult } from '../experiments/keptResults.ts';
import { programs } from '../programs.ts';
import { readExperiment } from '../experiments/reading.ts';
import { runOnThreads, wordsOfForm, type RunSettings } from '../experiments/running.ts';
import { isKeptResult, refusalOfKeptFile, resultFilesOf } from '../experiments/keptFiles.ts';
import { doneBySlurm, doPart, experimentOnSlurm, forgetParts, SlurmError } from '../experiments/slurm.ts';
import {
  diagnosticsOf,
  diagnosticsOfProblems,
  exitCodeFor,
  declarationPlace,
  printDiagnostics,
} from './diagnostics.ts';
import { fileOfFigure, refuseEnding } from './pictureFiles.ts';
import { formOf } from './figureOptions.ts';
import { describeExperiment, jobLines } from './experimentTable.ts';
import { besideOutput, requirePlaces, writeOutput } from './output.ts';
import { displayName, loadProgram, requireDeclared, sourcesOf, type LoadedProgram, fileName } from './program.ts';
import {
  progressLine,
  tellOfTime,
  type ExitCode,
  exitCodes,
  type Environment,
  type Terminal,
  UsageError,
} from './terminal.ts';

export interface ExperimentRequest {
  readonly file: string;
  /** All of the file where it is left out. */
  readonly name?: string;
  readonly short?: true;
  readonly middle?: true;
  readonly resume?: true;
  readonly threads?: number;
  /** In job arrays of Slurm, in the place of threads. */
  readonly slurm?: true;
  /** As an element of such an array: the file of its tasks, without its ending. */
  readonly part?: string;
  readonly json?: true;
  /** Where to write. */
  readonly csv?: string;
  readonly jobs?: string;
  /** Where the curves of the first metric are drawn. */
  readonly output?: string;
  readonly force?: true;
}

/** Runs experiments one after the other and prints each as soon as it is done; those that are sound are run even where others have errors. */
export async function experiment(request: ExperimentRequest, environment: Environment): Promise<ExitCode> {
  const { csv, jobs, output, json } = request;
  const terminal = besideOutput(environment.terminal, { json, files: { '--csv': csv, '--jobs': jobs, '-o': output } });
  const { cancellation } = environment;
  refuseEnding(output);
  await requirePlaces(csv, jobs, output);
  const loaded = await loadProgram(request.file, terminal);
  if ('failure' in loaded) return loaded.exitCode;
  const found = diagnosticsOf(loaded, undefined);
  printDiagnostics(found, terminal);
  const names = experimentNames(loaded, request);
  let code = exitCodeFor(found);
  if (names.length === 0 && code === exitCodes.good) {
    const what = request.middle ? 'experiment with a `middle` form' : 'experiment';
    terminal.err(`placewright: ${fileName(request.file)} declares no ${what}. Nothing to run.\n`);
  }
  const results: ExperimentResult[] = [];
  const told = new Set<string>();
  for (const name of names) {
    if (cancellation.isCancelled()) break;
    const words = (path: string): readonly string[] => ['experiment', path, name, ...wordsOfForm(formOf(request))];
    const place = declarationPlace(loaded, 'experiment', name);
    const result = await runOne({ loaded, name, place, words, told }, request, { ...environment, terminal });
    if (typeof result === 'number') code = Math.max(code, result) as ExitCode;
    else results.push(result);
  }
  return printResults(results, request, terminal) ?? code;
}

/** Prints results as JSON where that is asked for; an exit code where a row has failed. */
export function printResults(
  results: readonly ExperimentResult[],
  { json }: Pick<ExperimentRequest, 'json'>,
  terminal: Terminal,
): ExitCode | undefined {
  const lines = json ? results.map((result) => `\n${JSON.stringify(experimentToJson(result))}`) : [];
  if (json) terminal.data(`{"experiments":[${lines.join(',')}]}\n`);
  return results.some(hasFailed) ? exitCodes.fileHasErrors : undefined;
}

/** The experiments that are asked for; wrong usage where there is none of the name, or where one file is for several. */
function experimentNames(
  loaded: LoadedProgram,
  { file, name, csv, jobs, output, resume, slurm, middle }: ExperimentRequest,
): readonly string[] {
  if (slurm && file === '-') throw new UsageError('--slurm needs a file, not standard input.');
  if (name !== undefined) requireDeclared(loaded, 'experiment', name);
  if (resume && file === '-') throw new UsageError('--resume needs a file, not standard input.');
  const sound = loaded.checked.experiments.experiments.map((one) => one.name);
  if (name !== undefined && !sound.includes(name)) {
    // The errors have been printed, or stand in a file that it imports.
    throw new UsageError(`Experiment '${name}' has errors, refers to something with errors, or is in another file.`);
  }
  const names = name === undefined ? sound.filter((one) => hasForm(loaded, one, middle)) : [name];
  if (names.length > 1 && (csv ?? jobs ?? output) !== undefined) {
    throw new UsageError(`--csv, --jobs and -o need one experiment. Name one of ${names.join(', ')}.`);
  }
  return names;
}

/** All can be run short and whole; a middle run is one that is written. */
const hasForm = ({ checked }: LoadedProgram, name: string, middle: true | undefined): boolean =>
  middle !== true ||
  checked.experiments.experiments.some((one) => one.name === name && one.forms?.middle !== undefined);

const hasFailed = ({ points }: ExperimentResult): boolean =>
  points.some(({ replications }) => replications.at(-1)?.failure !== undefined);

/** One experiment among those of a file. */
export interface RunOfFile {
  readonly loaded: LoadedProgram;
  readonly name: string;
  /** `file:line:column` of what failures are of. */
  readonly place: string;
  /** The command line that runs this very experiment of a file of that path, without how and where. */
  readonly words: (path: string) => readonly string[];
  /** Warnings that have been printed, so that a file which several experiments read has each once. */
  readonly told: Set<string>;
}

/** Runs one experiment, prints and keeps its result; an exit code where it could not be run. */
export async function runOne(
  { loaded, name, place, words, told }: RunOfFile,
  request: ExperimentRequest,
  environment: Environment,
): Promise<ExperimentResult | ExitCode> {
  const { terminal, cancellation } = environment;
  const form = formOf(request);
  const tell = ({ code, message }: Failure): ExitCode => {
    if (code === cancelledCode) {
      terminal.err(`placewright: interrupted before '${name}' started.\n`);
      return exitCodes.good;
    }
    terminal.err(`${place}: error: ${message} [${code}]\n`);
    return exitCodes.fileHasErrors;
  };
  const { checked, policy, memory } = loaded;
  const inputs = await readExperiment(checked, name, policy, { form, cancellation, memory });
  if (!inputs.ok) return tell(inputs.failure);
  const prepared = prepareExperiment(inputs.value, { cancellation });
  if (!prepared.ok) return tell(prepared.failure);
  if (request.part !== undefined) {
    const done = doPart(prepared.value, request.part, cancellation);
    return done.ok ? exitCodes.good : tell(done.failure);
  }
  const warnings = prepared.value.problems.filter(({ message }) => !told.has(message));
  for (const { message } of warnings) told.add(message);
  printDiagnostics(diagnosticsOfProblems(loaded, warnings), terminal);
  for (const notice of prepared.value.notices) terminal.err(`placewright: ${notice}\n`);
  const kept = openRunJournal(loaded, prepared.value, request, terminal);
  if (!kept.ok) return tell(kept.failure);
  const files = resultFilesOf(loaded.uri, name, form);
  // What was done before is not done again, of however many replications it is.
  if (kept.value.known.length === 0) tellOfTime(name, prepared.value.seconds, terminal);
  const slurmPool = (): ReplicationPool =>
    experimentOnSlurm({ node: process.execPath, cli: programs.commandLine ?? '' }, prepared.value, {
      command: words(fileURLToPath(loaded.uri)),
      folder: files.parts,
    });
  const where = request.slurm ? { pool: slurmPool() } : { threads: request.threads };
  const result = runLocally(inputs.value, prepared.value, { ...kept.value, ...where }, environment);
  if (kept.value.journal !== undefined) await keepWhole(files, result, prepared.value.fingerprint, terminal);
  if (!request.json) terminal.out(describeExperiment(experimentToJson(result)));
  tellOfRows(result, terminal);
  tellOfInterrupt(result, request.file === '-' ? undefined : words(displayName(loaded.uri)), terminal);
  const fault = await writeFiles(loaded, { prepared: prepared.value, result }, request, environment);
  return fault === undefined ? result : tell(fault);
}

/** Keeps the result, and forgets the parts that it was made of. */
async function keepWhole(
  { parts, result: path }: ReturnType<typeof resultFilesOf>,
  result: ExperimentResult,
  fingerprint: string,
  terminal: Terminal,
): Promise<void> {
  if (result.complete) forgetParts(parts);
  const kept = await keepResult(path, result, fingerprint);
  if (!kept.ok) terminal.err(`placewright: ${kept.failure.message} The result is printed, not saved.\n`);
}

/** Writes what was asked for beside what is printed. */
async function writeFiles(
  loaded: LoadedProgram,
  { prepared, result }: { readonly prepared: PreparedExperiment; readonly result: ExperimentResult },
  { csv, jobs, output: figure, force, ...rest }: ExperimentRequest,
  { terminal, cancellation }: Environment,
): Promise<Failure | undefined> {
  const files = { force: force === true, sources: sourcesOf(loaded), cancellation };
  if (csv !== undefined)
    await writeOutput({ ...files, target: csv, text: experimentToCsv(result), isTable: true }, terminal);
  const [metric] = prepared.plan.metrics;
  if (figure !== undefined && metric !== undefined) {
    const confidence = confidenceOf(prepared.plan);
    const drawn = drawCurves({
      result: experimentToJson(result),
      metric: metric.name,
      confidence,
      form: formOf(rest),
    });
    await writeOutput({ ...files, ...(await fileOfFigure(figure, drawn)), target: figure }, terminal);
  }
  if (jobs === undefined || cancellation.isCancelled()) return undefined;
  const lines = jobLines(prepared, result, cancellation);
  if (!lines.ok) return lines.failure;
  await writeOutput({ ...files, target: jobs, text: lines.value, isTable: true }, terminal);
  return undefined;
}

interface Kept {
  readonly journal: JournalFile | undefined;
  readonly known: readonly FinishedReplication[];
}

/** The journal that a run is kept in: a new one, or the one that it goes on with. */
function openRunJournal(
  { uri }: LoadedProgram,
  prepared: PreparedExperiment,
  { file, resume, slurm, ...rest }: ExperimentRequest,
  terminal: Terminal,
): Result<Kept> {
  if (file === '-') return { ok: true, value: { journal: undefined, known: [] } };
  const { journal: path, parts, result } = resultFilesOf(uri, prepared.plan.name, formOf(rest));
  const refusal = refusalOfKeptFile(result, isKeptResult);
  if (refusal !== undefined) return { ok: false, failure: refusal };
  if (resume) {
    const resumed = JournalFile.resume(path, prepared, doneBySlurm(parts, prepared));
    if (resumed.ok) {
      const { length } = resumed.value.known;
      terminal.err(
        `placewright: ${length} ${length === 1 ? 'replication' : 'replications'} of '${prepared.plan.name}' were finished before.\n`,
      );
    }
    return resumed;
  }
  forgetParts(parts);
  const begun = JournalFile.begin(path, prepared);
  if (begun.ok || begun.failure.code !== 'not-written' || slurm) return begun;
  terminal.err(`placewright: ${begun.failure.message} The run is not saved and cannot be resumed.\n`);
  return { ok: true, value: { journal: undefined, known: [] } };
}

/** Milliseconds between two texts of the progress. */
const tellEvery = 200;

function runLocally(
  inputs: ExperimentInputs,
  prepared: PreparedExperiment,
  { journal, known, ...where }: Kept & Pick<RunSettings, 'pool'> & { readonly threads?: number | undefined },
  { terminal, cancellation, isWatched }: Environment,
): ExperimentResult {
  const line = progressLine(terminal, isWatched);
  let [toldAt, done] = [0, 0];
  const progress = (now: ExperimentProgress): void => {
    done = now.done;
    if (!isWatched || performance.now() - toldAt < tellEvery) return;
    toldAt = performance.now();
    line.report(now.done / Math.max(1, now.expected), `${prepared.plan.name}: ${experimentProgress(now)}`);
  };
  try {
    return runOnThreads(inputs, prepared, {
      ...{ ...where, threads: where.threads ?? availableParallelism(), known, cancellation, progress },
      ...(journal && { journal }),
    });
  } catch (error) {
    if (error instanceof JournalError) {
      throw new UsageError(
        `${error.message} ${done} replications of '${prepared.plan.name}' are saved. Continue with \`--resume\`.`,
      );
    }
    if (!(error instanceof SlurmError)) throw error;
    const kept = done === 0 ? '' : ' Finished work is saved. Continue with `--resume`.';
    throw new UsageError(`--slurm: ${error.message}${kept}`);
  } finally {
    line.clear();
  }
}

/** What replications said, each sentence once with how many rows it is of; and why rows failed. */
function tellOfRows(result: ExperimentResult, terminal: Terminal): void {
  const json = experimentToJson(result);
  for (const line of rowNotices(json))
    terminal.err(`placewright: ${json.name}${line.startsWith('error:') ? ':' : ','} ${line}\n`);
}

function tellOfInterrupt(
  { plan: { name }, points, complete }: ExperimentResult,
  words: readonly string[] | undefined,
  terminal: Terminal,
): void {
  if (complete) return;
  const done = points.reduce((sum, { replications }) => sum + replications.length, 0);
  const advice = words && ` Resume: placewright ${[...words, '--resume'].map(shellWord).join(' ')}`;
  terminal.err(`placewright: interrupted; ${done} replications of '${name}' are done.${advice ?? ''}\n`);
}
