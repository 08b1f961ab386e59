/**
 * `placewright export` and `placewright draw`: one placement of a file, in the format of another tool or as a picture.
 * Both evaluate that placement alone.
 */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { drawDifference } from '../../drawing/difference.ts';
import { pictureOf } from '../../drawing/drawScene.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Figure } from '../../drawing/figures/figure.ts';
import type { Scene } from '../../drawing/scene.ts';
import { exportFormats } from '../../interchange/catalogue.ts';
import type { ExportedText, ExportFormatEntry, ExportOptions } from '../../interchange/contract.ts';
import { namesOfPattern, readHosts } from '../../interchange/exports/hosts.ts';
import { findEntry } from '../../model/catalogue.ts';
import { commandWith } from '../../model/commandLine.ts';
import type { PlacementReport } from '../../model/report.ts';
import { succeed, type Result } from '../../model/result.ts';
import { declaredNames } from '../../language/sources.ts';
import { readTextFile } from '../platform.ts';
import { studyAsAsked, warnOfTime, type StudyOptions } from './askedStudy.ts';
import { exitCodeFor } from './diagnostics.ts';
import { writeOutput } from './output.ts';
import {
  figureOptions,
  pictureOptions,
  placementFigureNames,
  simulationFigureNames,
  trafficOptions,
  type FigureOptions,
  type PictureOptions,
  type TrafficOptions,
} from './figureOptions.ts';
import { fileOfFigure, fileOfPage, refuseEnding } from './pictureFiles.ts';
import { pageAsAsked, sceneAsAsked } from './pictureOptions.ts';
import { displayName, loadProgram, requireDeclared, sourcesOf, type LoadedProgram } from './program.ts';
import {
  type ExitCode,
  exitCodes,
  listNames,
  printFailure,
  type Surroundings,
  type Terminal,
  UsageError,
} from './terminal.ts';

/** One placement, and where it is written. */
interface WriteRequest extends StudyOptions {
  readonly placement: string;
  readonly output: string;
  /** Replaces what would be lost. */
  readonly force?: true;
}

export interface ExportRequest extends WriteRequest {
  readonly format: string;
  /** A file of host names. */
  readonly hosts?: string;
  /** A pattern or hostlist of them. */
  readonly names?: string;
  /** Shows what would be written, and writes nothing. */
  readonly dryRun?: boolean;
}

/** Writes one placement in another tool's format; what that tool cannot honour, and how the file is used, goes to stderr. */
export async function exportPlacement(request: ExportRequest, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, cancellation } = surroundings;
  const format = findEntry(exportFormats, request.format);
  if (format === undefined) {
    const known = listNames(exportFormats.map(({ name }) => name));
    throw new UsageError(`There is no export format '${request.format}'; there are: ${known}.`);
  }
  const said = await saidHosts(request);
  const { placed, exitCode } = await reportOfPlacement(request, surroundings);
  if (placed === undefined) return exitCode;
  const [file = ''] = placed.sources;
  const named = request.names === undefined ? said : namesFor(request.names, placed.report);
  const written = format.write(placed.report, { ...named, file: displayName(file) });
  if (!written.ok) {
    printFailure(written.failure, terminal);
    return exitCodes.fileHasErrors;
  }
  printExport(format, written.value, request, terminal);
  const { output, force = false, dryRun = false } = request;
  const sources = [...placed.sources, ...(request.hosts === undefined ? [] : [pathToFileURL(request.hosts).href])];
  const kind = { isTable: format.lines === 'table', isBare: format.lines === 'bare' };
  const target = dryRun ? '-' : output;
  await writeOutput({ target, text: written.value.text, force, sources, cancellation, ...kind }, terminal);
  return exitCode;
}

/** What goes to standard error with an export: what the other tool cannot honour, and how the file is used. */
function printExport(
  { fileName, lines }: ExportFormatEntry,
  { warnings, commands = [] }: ExportedText,
  { output, dryRun = false }: ExportRequest,
  terminal: Terminal,
): void {
  const isFile = output !== '-';
  const doubts = [...warnings];
  if (isFile && fileName !== undefined && basename(output) !== fileName)
    doubts.push(`The file is found by its name alone: it is to be called ${fileName}.`);
  for (const warning of doubts) terminal.err(`placewright: warning: ${warning}\n`);
  if (dryRun) terminal.err(`placewright: nothing is written; ${isFile ? output : 'standard output'} would be:\n`);
  if (!isFile && !dryRun && lines !== 'bare') return;
  for (const command of commands) {
    terminal.err(`placewright: ${command.of}: ${commandWith(command, isFile ? output : undefined)}\n`);
  }
}

/** The hosts of `--hosts`. */
async function saidHosts({ hosts: path, names }: ExportRequest): Promise<ExportOptions> {
  if (path === undefined) return {};
  if (names !== undefined) {
    throw new UsageError('--hosts and --names both say what hosts are called: leave one of them out.');
  }
  const text = await readTextFile(pathToFileURL(path).href, {});
  if (!text.ok) throw new UsageError(text.failure.message);
  const hosts = readHosts(new TextEncoder().encode(text.value), path);
  if (!hosts.ok) throw new UsageError(hosts.failure.message);
  return hosts.value;
}

function namesFor(pattern: string, { machine }: PlacementReport): ExportOptions {
  const hosts = namesOfPattern(pattern, machine);
  if (!hosts.ok) throw new UsageError(`--names: ${hosts.failure.message}`);
  return { hosts: hosts.value };
}

/** `draw` of a placement, a machine or an experiment. */
interface DrawRequest extends StudyOptions, FigureOptions, Omit<TrafficOptions, 'scale'>, PictureOptions {
  /** Of either, or of a machine. */
  readonly name: string;
  /** It is of a machine, whatever else has the same. */
  readonly machine?: true;
  readonly output: string;
  readonly force?: true;
}

/** Writes the picture of a placement or a figure of an experiment as SVG, PDF or PNG, the numbers of a figure as CSV: as the panel does. */
export async function draw(request: DrawRequest, surroundings: Surroundings): Promise<ExitCode> {
  const { file, name, output } = request;
  refuseEnding(output);
  refuseTrafficOptions(request);
  refusePictureOptions(request);
  const loaded = await loadProgram(file, surroundings.terminal);
  if ('failure' in loaded) return loaded.exitCode;
  const experiments = declaredNames(loaded.sources, 'experiment');
  const placements = declaredNames(loaded.sources, 'placement');
  const machines = declaredNames(loaded.sources, 'machine');
  if (request.machine === true || (machines.includes(name) && ![...experiments, ...placements].includes(name))) {
    return drawMachineOf(request, loaded, surroundings);
  }
  if (experiments.includes(name)) return drawExperimentOf(request, loaded, surroundings);
  if (!placements.includes(name)) {
    const known = listNames([...placements, ...machines, ...experiments]);
    throw new UsageError(`There is no placement, machine or experiment '${name}'; there are: ${known}.`);
  }
  if (request.difference !== undefined && request.figure !== undefined) {
    throw new UsageError('--difference is a picture of its own: leave --figure out.');
  }
  const figure = simulationFigureNames.find((one) => one === request.figure);
  if (figure !== undefined) {
    const { from, force, time } = request;
    const { simulate } = await import('./simulate.ts');
    const asked = { file, loaded, placement: name, output, figure, isFigureAlone: true } as const;
    return simulate({ ...asked, ...(from && { from }), ...(force && { force }), ...(time !== undefined && { time }), ...(request.theme && { theme: request.theme }) }, surroundings); // prettier-ignore
  }
  const own = placementFigureNames.find((one) => one === request.figure);
  if (own !== undefined) return drawFigureOf({ ...request, placement: name, loaded }, own, surroundings);
  return drawPlacement({ ...request, placement: name, loaded }, surroundings);
}

async function drawExperimentOf(
  request: DrawRequest,
  loaded: LoadedProgram,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (request.difference !== undefined) throw new UsageError('--difference is for placements.');
  if (request.from !== undefined) throw new UsageError('--from is for placements.');
  const { drawExperiment } = await import('./drawExperiment.ts');
  return drawExperiment(loaded, { ...request, experiment: request.name }, surroundings);
}

async function drawMachineOf(
  request: DrawRequest,
  loaded: LoadedProgram,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { name, output, force = false } = request;
  requireDeclared(loaded, 'machine', name);
  const option = (
    [...figureOptions, 'figure', 'from', 'difference', 'select', 'measure', 'scale', 'maximum'] as const
  ).find((one) => request[one] !== undefined);
  if (option !== undefined) throw new UsageError(`--${option} is not for machines, and '${name}' is one of the file.`);
  const { drawMachine } = await import('./machine.ts');
  return drawMachine(loaded, { ...request, machine: name, output, force }, surroundings);
}

async function drawPlacement(
  request: WriteRequest & FigureOptions & PictureOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { output, placement, force = false } = request;
  const option = figureOptions.find((one) => request[one] !== undefined);
  if (option !== undefined)
    throw new UsageError(`--${option} is for experiments, and '${placement}' is none of the file.`);
  const { placed, exitCode } = await reportOfPlacement(request, surroundings);
  if (placed === undefined) return exitCode;
  const { terminal, cancellation } = surroundings;
  const picture = pictureOfPlaced(placed, request);
  if (!picture.ok) {
    printFailure(picture.failure, terminal);
    return exitCodes.fileHasErrors;
  }
  const page = pageAsAsked(picture.value, request, placed.report);
  const content = await fileOfPage(output, page);
  await writeOutput({ ...content, target: output, force, sources: placed.sources, cancellation }, terminal);
  return exitCode;
}

/** The placement, or what changes to it from the one that it is compared with. */
function pictureOfPlaced({ report, before }: PlacedOne, options: PictureOptions): Result<Scene> {
  const picture = asAsked(pictureOf(report), options);
  if (before === undefined || !picture.ok) return picture;
  const old = asAsked(pictureOf(before), options);
  return old.ok ? drawDifference(old.value, picture.value) : old;
}

const asAsked = (picture: Result<Scene>, options: PictureOptions): Result<Scene> =>
  picture.ok ? succeed(sceneAsAsked(picture.value, options)) : picture;

function refuseTrafficOptions(request: DrawRequest): void {
  const option = trafficOptions.find((one) => request[one] !== undefined && one !== 'scale');
  if (option !== undefined && request.figure !== 'traffic')
    throw new UsageError(`--${option} is for --figure traffic.`);
}

/** Of figures the colours alone can be chosen, of the traffic the scale as well. */
function refusePictureOptions(request: DrawRequest): void {
  if (request.figure === undefined) return;
  const option = pictureOptions.find((one) => request[one] !== undefined && one !== 'theme' && !(one === 'scale' && request.figure === 'traffic')); // prettier-ignore
  if (option !== undefined) throw new UsageError(`--${option} is for pictures of placements, and not for --figure.`);
}

type PlacementFigure = (typeof placementFigureNames)[number];

async function drawFigureOf(
  request: WriteRequest & TrafficOptions & Pick<PictureOptions, 'theme'>,
  name: PlacementFigure,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { output, placement, force = false } = request;
  const { placed, exitCode } = await reportOfPlacement(request, surroundings);
  if (placed === undefined) return exitCode;
  const { terminal, cancellation } = surroundings;
  const figure = await figureOf(placed.report, name, request, cancellation);
  if (figure === undefined) {
    terminal.err(`placewright: no mapper of placement '${placement}' searches, so there is nothing to draw.\n`);
    return exitCodes.fileHasErrors;
  }
  const content = await fileOfFigure(output, figure, request.theme);
  await writeOutput({ ...content, target: output, force, sources: placed.sources, cancellation }, terminal);
  return exitCode;
}

/** The heat map of its traffic; or how the first of its mappers that searched went, undefined where none did. */
async function figureOf(
  report: PlacementReport,
  name: PlacementFigure,
  { by = 'task', order = 'job', scale = 'linear' }: TrafficOptions,
  cancellation: Cancellation,
): Promise<Figure | undefined> {
  if (name === 'traffic') {
    const { drawTraffic } = await import('../../drawing/figures/traffic.ts');
    const drawn = drawTraffic(report, { by, order, scale }, cancellation);
    return drawn.ok ? drawn.value.figure : undefined;
  }
  const searched = report.jobs.find(({ search }) => search !== undefined);
  if (searched?.search === undefined) return undefined;
  const { drawSearch } = await import('../../drawing/figures/search.ts');
  return drawSearch(`${report.name}, ${searched.mapper}`, searched.search);
}

interface PlacedOne {
  readonly report: PlacementReport;
  /** The one that it is compared with, where one is. */
  readonly before?: PlacementReport;
  /** URIs of all that it was made of. */
  readonly sources: readonly string[];
}

/** Evaluates one placement of a file; `placed` is absent where it has no report. */
async function reportOfPlacement(
  request: WriteRequest,
  surroundings: Surroundings,
): Promise<{ readonly placed?: PlacedOne; readonly exitCode: ExitCode }> {
  const { terminal } = surroundings;
  const asked = await studyAsAsked(request, surroundings);
  if ('failure' in asked) return { exitCode: asked.exitCode };
  const { loaded, reports, found, from } = asked;
  const { placement, difference } = request;
  const report = reports.find(({ name }) => name === placement);
  const before = reports.find(({ name }) => name === difference);
  if (report === undefined || (difference !== undefined && before === undefined)) {
    const missing = report === undefined ? placement : difference!;
    terminal.err(`placewright: placement '${missing}' could not be evaluated, so nothing is written.\n`);
    return { exitCode: exitCodes.fileHasErrors };
  }
  if (from === undefined) warnOfTime(reports, terminal);
  const sources = [...sourcesOf(loaded), ...(from === undefined ? [] : [from])];
  return { placed: { report, ...(before !== undefined && { before }), sources }, exitCode: exitCodeFor(found) };
}
