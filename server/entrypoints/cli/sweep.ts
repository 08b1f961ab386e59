/**
 * `placewright sweep`: a placement with every combination of some of its choices. It is an experiment that stands behind the text of the
 * file and nowhere else; all that runs, keeps and resumes experiments does so with it.
 */
import { readAndCheck } from '../../language/check.ts';
import { documentOf } from '../../language/service/input.ts';
import { declaredNames } from '../../language/sources.ts';
import { sweepDeclaration, type SweepAxis, type SweepLine } from '../../language/sweptPlacement.ts';
import type { Declared } from '../../language/symbols.ts';
import { writtenRows, type WrittenList } from '../../language/writtenMappers.ts';
import { bestCell, cellsToCsv } from '../../experiments/results.ts';
import type { ExperimentResult } from '../../experiments/run.ts';
import { mostOf } from '../../experiments/plan.ts';
import { crossedJobs, type ExperimentDescription } from '../../model/experiment.ts';
import { formatNumber } from '../../model/quantities.ts';
import { type Result, succeed } from '../../model/result.ts';
import { writtenVaried } from '../../model/simulation.ts';
import { readTextFile } from '../platform.ts';
import { diagnosticsOf, exitCodeFor, diagnosticText, declarationPlace, printDiagnostics } from './diagnostics.ts';
import { printResults, runOne, type ExperimentRequest } from './experiment.ts';
import { besideOutput, requirePlaces, writeOutput } from './output.ts';
import { refuseEnding } from './pictureFiles.ts';
import { displayName, loadProgram, requireDeclared, sourcesOf, type LoadedProgram, fileName } from './program.ts';
import { type ExitCode, exitCodes, listNames, type Environment, type Terminal, UsageError } from './terminal.ts';

export interface SweepRequest extends Omit<ExperimentRequest, 'short' | 'middle' | 'jobs'> {
  /** The only one of the file where it is left out. */
  readonly placement?: string;
  /** As written: `map=rcb,grasp`. */
  readonly over: readonly string[];
  /** As written: `hopBytes, averageHops`. */
  readonly report?: string;
  /** Says what would be run. */
  readonly print?: true;
  /** Where to write a line for each combination and seed. */
  readonly cells?: string;
}

/** Evaluates the grid, and says which cell of it is best. */
export async function sweep(request: SweepRequest, environment: Environment): Promise<ExitCode> {
  const { file, slurm, resume, json, csv, cells, output } = request;
  const files = { '--csv': csv, '--cells': cells, '-o': output };
  const terminal = besideOutput(environment.terminal, { json, files });
  const { cancellation } = environment;
  if (slurm && file === '-') throw new UsageError('--slurm needs a file, not standard input.');
  if (resume && file === '-') throw new UsageError('--resume needs a file, not standard input.');
  const axes = request.over.map(parseSweepAxis);
  refuseEnding(output);
  await requirePlaces(csv, output, cells);
  const loaded = await loadProgram(file, terminal);
  if ('failure' in loaded) return loaded.exitCode;
  const found = diagnosticsOf(loaded, undefined);
  if (request.part === undefined) printDiagnostics(found, terminal);
  if (exitCodeFor(found) !== exitCodes.good) return exitCodeFor(found);
  const placement = placementOf(loaded, request);
  const name = request.name ?? `${placement.name}-sweep`;
  requireFree(loaded, name);
  const lines = sweepLines(loaded, placement, { ...request, name }, axes);
  const swept = await loadedWith(loaded, lines, name, request.part === undefined ? terminal : undefined);
  if (request.print) {
    terminal.data(lines.map(({ text }) => `${text}\n`).join(''));
    return exitCodes.good;
  }
  // As it was given: an element of an array, and a user who goes on, ask for the same.
  const words = (path: string): readonly string[] => [
    ...['sweep', path, placement.name, ...request.over.flatMap((axis) => ['--over', axis])],
    ...(request.report === undefined ? [] : ['--report', request.report]),
    ...(request.name === undefined ? [] : ['--name', request.name]),
  ];
  const place = declarationPlace(loaded, 'placement', placement.name);
  const run = { loaded: swept, name, place, words, told: new Set<string>() };
  const result = await runOne(run, request, { ...environment, terminal });
  if (typeof result === 'number') return result;
  const code = printResults([result], request, terminal) ?? exitCodes.good;
  if (!request.json) tellOfBest(result, swept, terminal);
  if (cells !== undefined) {
    const sources = sourcesOf(loaded);
    const table = { text: cellsToCsv(result), isTable: true as const, target: cells };
    await writeOutput({ ...table, force: request.force === true, sources, cancellation }, terminal);
  }
  return code;
}

/** `map=rcb, grasp`. */
function parseSweepAxis(text: string): SweepAxis {
  const at = text.indexOf('=');
  if (at < 1) {
    throw new UsageError(`--over ${text}: expected PARAMETER=VALUES. Example: map=rcb,grasp or seed=1..100.`);
  }
  return { path: text.slice(0, at).trim(), values: text.slice(at + 1) };
}

/** The placement that is asked for, which stands in the file itself: what it names is relative to that. */
function placementOf(loaded: LoadedProgram, { file, placement: asked }: SweepRequest): Declared {
  const known = declaredNames(loaded.sources, 'placement');
  const [only, second] = known;
  if (only === undefined) throw new UsageError(`${fileName(file)} declares no placement. Nothing to sweep.`);
  if (asked === undefined && second !== undefined) {
    throw new UsageError(`${fileName(file)} has several placements. Name one of ${listNames(known)}.`);
  }
  const name = asked ?? only;
  requireDeclared(loaded, 'placement', name);
  const declared = loaded.checked.symbols.lookup('placement', name);
  if (declared?.uri === loaded.uri) return declared;
  const where = declared === undefined ? 'another file' : displayName(declared.uri);
  throw new UsageError(`Placement '${name}' is in ${where}. Run the sweep with that file.`);
}

const nameForm = /^[A-Za-z_]\w*(-\w+)*$/;

function requireFree(loaded: LoadedProgram, name: string): void {
  if (!nameForm.test(name)) throw new UsageError(`--name ${name}: use letters, digits, _ and single -.`);
  if (!declaredNames(loaded.sources, 'experiment').includes(name)) return;
  throw new UsageError(`Experiment '${name}' already exists. Use \`placewright experiment\`, or another --name.`);
}

function sweepLines(
  loaded: LoadedProgram,
  { uri, node }: Declared,
  { name, report }: SweepRequest & { readonly name: string },
  axes: readonly SweepAxis[],
): readonly SweepLine[] {
  const lines = sweepDeclaration(loaded.sources.files.get(uri)?.text ?? '', node, { name, axes, report });
  if (!lines.ok) throw new UsageError(lines.failure.message);
  return lines.value;
}

/** More are none that anybody waits for. */
const mostCells = 1_000_000;

/**
 * The program with the experiment behind its text. Wrong usage where the checker finds an error in it, which is told by the option that it
 * comes from; warnings are printed where there is a terminal.
 */
async function loadedWith(
  loaded: LoadedProgram,
  lines: readonly SweepLine[],
  name: string,
  terminal: Terminal | undefined,
): Promise<LoadedProgram> {
  const { uri } = loaded;
  const before = `${loaded.sources.files.get(uri)?.text ?? ''}\n`;
  const text = before + lines.map((line) => `${line.text}\n`).join('');
  const read = (asked: string): Promise<Result<string>> => {
    const known = asked === uri ? text : loaded.sources.files.get(asked)?.text;
    return known === undefined ? readTextFile(asked, loaded.policy) : Promise.resolve(succeed(known));
  };
  const checked = await readAndCheck(uri, read, loaded.sources);
  const swept = { ...loaded, ...checked };
  const firstLine = before.split(/\r\n|\r|\n/).length - 1;
  const found = diagnosticsBehind(swept, firstLine).map(({ line, isError, message }) => ({
    isError,
    text: `${lines[line - firstLine]?.of ?? '--over'}: ${message}`,
  }));
  const errors = found.filter(({ isError }) => isError);
  if (errors.length > 0) throw new UsageError(errors.map((one) => one.text).join('\nplacewright: '));
  for (const one of found) terminal?.err(`placewright: ${one.text}\n`);
  const description = checked.checked.experiments.experiments.find((one) => one.name === name);
  const node = checked.checked.symbols.lookup('experiment', name)?.node;
  // A value that holds a property more than its own would be one of another grid than was asked for.
  if (description === undefined || node?.properties.length !== lines.length - 2) {
    throw new UsageError('--over: each expects the values of one parameter. Example: map=rcb,grasp.');
  }
  requireFewCells(description);
  return swept;
}

interface FoundBehind {
  readonly line: number;
  readonly isError: boolean;
  readonly message: string;
}

function diagnosticsBehind({ uri, sources, checked }: LoadedProgram, firstLine: number): readonly FoundBehind[] {
  const document = documentOf(sources, uri);
  if (document === undefined) return [];
  return diagnosticsOf({ sources, checked }, undefined).flatMap(({ uri: of, diagnostic }) => {
    const { line } = diagnostic.range.start;
    if (of !== uri || line < firstLine) return [];
    return [
      { line, isError: exitCodeFor([{ uri, diagnostic }]) !== exitCodes.good, message: diagnosticText(diagnostic) },
    ];
  });
}

function requireFewCells(experiment: ExperimentDescription): void {
  const { subject, machines = [], routing = [], allocate, map, vary, replications } = experiment;
  const lists = [crossedJobs(subject), machines, routing, allocate, map, ...vary.map(({ values }) => values)];
  const counts = [...lists.map(({ length }) => Math.max(1, length)), mostOf(replications)];
  const count = counts.reduce((product, length) => product * length, 1);
  if (count <= mostCells) return;
  throw new UsageError(
    `--over: the grid has ${formatNumber(count)} cells (${counts.filter((length) => length > 1).join(' x ')}); the maximum is ${formatNumber(mostCells)}. Use fewer values or seeds.`,
  );
}

/**
 * The best of all cells by the first metric: what the placement has there, and what its job, machine and network have, a line for each, as
 * they can be written into the file.
 */
function tellOfBest(result: ExperimentResult, swept: LoadedProgram, terminal: Terminal): void {
  const { plan } = result;
  const best = bestCell(result);
  const [metric] = plan.metrics;
  const experiment = swept.checked.experiments.experiments.find(({ name }) => name === plan.name);
  const node = swept.checked.symbols.lookup('experiment', plan.name)?.node;
  if (best === undefined || metric === undefined || experiment === undefined || node === undefined) return;
  const text = swept.sources.files.get(swept.uri)?.text ?? '';
  const written = (list: WrittenList, name = ''): string => writtenRows(text, swept.uri, node, list).get(name) ?? name;
  const lines = linesOfCell(best, experiment, written);
  const told = [...lines].map(([owner, properties]) => `  ${owner}: ${properties.join('  ')}\n`);
  const unit = metric.unit === '' ? '' : ` ${metric.unit}`;
  terminal.out(`\nBest ${metric.name}: ${formatNumber(best.value)}${unit}\n${told.join('')}`);
}

/** The properties of a cell by what they stand in. */
function linesOfCell(
  { point, seed }: NonNullable<ReturnType<typeof bestCell>>,
  { subject, machine: first, vary }: ExperimentDescription,
  written: (list: WrittenList, name: string | undefined) => string,
): ReadonlyMap<string, readonly string[]> {
  const jobs = subject.kind === 'job' ? subject.names : [];
  const machine = point.machine ?? first;
  const together = jobs.length === 1 ? `job ${jobs.join()}` : `jobs ${jobs.join(', ')}`;
  const lines = new Map([
    [
      'placement',
      [
        ...[point.job === undefined ? together : `job ${point.job}`, `machine ${machine}`],
        ...[`allocate ${written('allocate', point.allocator)}`, `map ${written('map', point.mapper)}`, `seed ${seed}`],
      ],
    ],
  ]);
  const add = (owner: string, property: string): void => {
    lines.set(owner, [...(lines.get(owner) ?? []), property]);
  };
  if (point.routing !== undefined) add(`machine ${machine}`, `routing ${written('routing', point.routing)}`);
  vary.forEach(({ path }, axis) => {
    const [owner = '', figure = ''] = path.split('.');
    const whose = owner === 'machine' ? `machine ${machine}` : jobs.includes(owner) ? `job ${owner}` : owner;
    add(whose, `${figure} ${writtenVaried(path, point.values[axis] ?? Number.NaN)}`);
  });
  return lines;
}
