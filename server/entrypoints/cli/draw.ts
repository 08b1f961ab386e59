/** `placewright draw`: the picture of a placement, of a machine or of an experiment, or a figure of one of them. */
import { drawDifference } from '../../drawing/difference.ts';
import { pictureOf } from '../../drawing/drawScene.ts';
import { simulationKinds } from '../../drawing/figures/catalogue.ts';
import type { Figure } from '../../drawing/figures/figure.ts';
import type { Scene } from '../../drawing/scene.ts';
import { declaredNames } from '../../language/sources.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { PlacementReport } from '../../model/report.ts';
import { succeed, type Result } from '../../model/result.ts';
import { reportOfPlacement, type PlacedOne, type StudyOptions, type WriteRequest } from './askedStudy.ts';
import {
  figureOptions,
  figurePageOptions,
  pictureOptions,
  placementFigureNames,
  trafficOptions,
  type FigureOptions,
  type FigurePageOptions,
  type PictureOptions,
  type TrafficOptions,
} from './figureOptions.ts';
import { requirePlaces, writeOutput } from './output.ts';
import { fileOfFigure, fileOfPage, refuseEnding } from './pictureFiles.ts';
import { pageAsAsked, pageSizeAsAsked, sceneAsAsked } from './pictureOptions.ts';
import { loadProgram, requireDeclared, type LoadedProgram } from './program.ts';
import { type ExitCode, exitCodes, listNames, printFailure, type Environment, UsageError } from './terminal.ts';

/** `draw` of a placement, a machine or an experiment. */
interface DrawRequest extends StudyOptions, FigureOptions, Omit<TrafficOptions, 'scale'>, PictureOptions {
  /** Of either, or of a machine. */
  readonly name: string;
  /** It is of a machine, whatever else has the same. */
  readonly machine?: true;
  readonly output: string;
  readonly force?: true;
}

/** Writes the picture of a placement or a figure of an experiment as SVG or PDF, the numbers of a figure as CSV: as the panel does. */
export async function draw(request: DrawRequest, environment: Environment): Promise<ExitCode> {
  const { file, name, output } = request;
  refuseEnding(output);
  await requirePlaces(output);
  refuseTrafficOptions(request);
  if (request.figure !== undefined) refusePictureOptions(request);
  pageSizeAsAsked(request);
  const loaded = await loadProgram(file, environment.terminal);
  if ('failure' in loaded) return loaded.exitCode;
  const experiments = declaredNames(loaded.sources, 'experiment');
  const placements = declaredNames(loaded.sources, 'placement');
  const machines = declaredNames(loaded.sources, 'machine');
  if (request.machine === true || (machines.includes(name) && ![...experiments, ...placements].includes(name))) {
    return drawMachineOf(request, loaded, environment);
  }
  if (experiments.includes(name)) return drawExperimentOf(request, loaded, environment);
  if (!placements.includes(name)) {
    const known = listNames([...placements, ...machines, ...experiments]);
    throw new UsageError(`No placement, machine or experiment '${name}'. Expected one of ${known}.`);
  }
  if (request.difference !== undefined && request.figure !== undefined) {
    throw new UsageError('--difference conflicts with --figure. Remove one.');
  }
  const figure = simulationKinds.find((one) => one === request.figure);
  if (figure !== undefined) {
    const { from, force, time } = request;
    const page = Object.fromEntries(figurePageOptions.map((option) => [option, request[option]]));
    const { simulate } = await import('./simulate.ts');
    const asked = { file, loaded, placement: name, output, figure, isFigureAlone: true } as const;
    return simulate(
      { ...asked, ...(from && { from }), ...(force && { force }), ...(time !== undefined && { time }), ...page },
      environment,
    );
  }
  const own = placementFigureNames.find((one) => one === request.figure);
  if (own !== undefined) return drawFigureOf({ ...request, placement: name, loaded }, own, environment);
  return drawPlacement({ ...request, placement: name, loaded }, environment);
}

async function drawExperimentOf(
  request: DrawRequest,
  loaded: LoadedProgram,
  environment: Environment,
): Promise<ExitCode> {
  if (request.difference !== undefined) throw new UsageError('--difference applies to placements only.');
  if (request.from !== undefined) throw new UsageError('--from applies to placements only.');
  refusePictureOptions(request);
  const { drawExperiment } = await import('./drawExperiment.ts');
  return drawExperiment(loaded, { ...request, experiment: request.name }, environment);
}

async function drawMachineOf(request: DrawRequest, loaded: LoadedProgram, environment: Environment): Promise<ExitCode> {
  const { name, output, force = false } = request;
  requireDeclared(loaded, 'machine', name);
  refuseNumbers(output);
  const option = (
    [...figureOptions, 'figure', 'from', 'difference', 'select', 'measure', 'scale', 'maximum'] as const
  ).find((one) => request[one] !== undefined);
  if (option !== undefined) throw new UsageError(`--${option} does not apply to machines, and '${name}' is a machine.`);
  const { drawMachine } = await import('./machine.ts');
  return drawMachine(loaded, { ...request, machine: name, output, force }, environment);
}

async function drawPlacement(
  request: WriteRequest & FigureOptions & PictureOptions,
  environment: Environment,
): Promise<ExitCode> {
  const { output, placement, force = false } = request;
  refuseNumbers(output);
  const option = figureOptions.find((one) => request[one] !== undefined);
  if (option !== undefined) throw new UsageError(`--${option} applies to experiments only; '${placement}' is not one.`);
  const { placed, exitCode } = await reportOfPlacement(request, environment);
  if (placed === undefined) return exitCode;
  const { terminal, cancellation } = environment;
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

/** Figures have numbers that a table holds, pictures have not. */
function refuseNumbers(output: string): void {
  if (!/\.csv$/i.test(output)) return;
  throw new UsageError(`Diagrams have no CSV: ${output}. Name it .svg or .pdf, or draw a --figure.`);
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
  if (option !== undefined && request.figure !== 'traffic') throw new UsageError(`--${option} needs --figure traffic.`);
}

/** Figures have a page and colours to choose, and the traffic its scale as well; a table of numbers has colours alone. */
function refusePictureOptions(request: DrawRequest): void {
  const allowed = new Set<string>([...figurePageOptions, ...(request.figure === 'traffic' ? ['scale'] : [])]);
  const option = pictureOptions.find((one) => request[one] !== undefined && !allowed.has(one));
  if (option !== undefined) throw new UsageError(`--${option} applies to diagrams of placements, not to charts.`);
  const size = (['page', 'width', 'height'] as const).find((one) => request[one] !== undefined);
  if (size !== undefined && /\.csv$/i.test(request.output))
    throw new UsageError(`--${size} applies to SVG and PDF; ${request.output} is a table.`);
}

type PlacementFigure = (typeof placementFigureNames)[number];

async function drawFigureOf(
  request: WriteRequest & TrafficOptions & FigurePageOptions,
  name: PlacementFigure,
  environment: Environment,
): Promise<ExitCode> {
  const { output, placement, force = false } = request;
  const { placed, exitCode } = await reportOfPlacement(request, environment);
  if (placed === undefined) return exitCode;
  const { terminal, cancellation } = environment;
  const figure = await placementFigure(placed.report, name, request, cancellation);
  if (figure === undefined) {
    terminal.err(`placewright: no mapper of placement '${placement}' searches. Nothing is drawn.\n`);
    return exitCodes.fileHasErrors;
  }
  const content = await fileOfFigure(output, figure, request);
  await writeOutput({ ...content, target: output, force, sources: placed.sources, cancellation }, terminal);
  return exitCode;
}

/** The heat map of its traffic; or how the first of its mappers that searched went, undefined where none did. */
async function placementFigure(
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
