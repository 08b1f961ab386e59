/** `placewright simulate`: the messages of placements through the networks that they name, as text or JSON. */
import type { Figure } from '../../drawing/figures/figure.ts';
import { errorWords, type SimulationFigure } from '../../drawing/figures/simulation.ts';
import { csvText, type CsvCell } from '../../model/csv.ts';
import { countOf, formatNumber, formatSeconds, formatShare } from '../../model/quantities.ts';
import { cancelledCode } from '../../model/result.ts';
import type { PlacementReport } from '../../model/report.ts';
import { isOfServers, type Carried, type SimulationDescription } from '../../model/simulation.ts';
import { progressText, secondsLeftAfter, taskText } from '../../model/words.ts';
import { channelName } from '../../network/names.ts';
import { kindsOfSimulation, type SimulationKind } from '../../drawing/figures/catalogue.ts';
import { approximationOf } from '../../simulation/engines.ts';
import type { ServerWaits, SimulationResult } from '../../simulation/simulationResult.ts';
import {
  simulatePlacement,
  type Prediction,
  type SimulatedPlacement,
  type SimulationContext,
} from '../../performance/simulate.ts';
import { serverWords } from '../../study/explain/words.ts';
import { simulatedServers, type SimulatedServer } from '../../performance/serverUse.ts';
import { busiestChannels, nodeThroughput } from '../../performance/channelUse.ts';
import { simulationColumns, simulationRecord, simulationToJson } from '../../output/simulationJson.ts';
import { reachedWords, whyNotComplete } from '../../performance/simulationWords.ts';
import type { Program, StudyFiles } from '../../study/program.ts';
import { defaultStudySettings } from '../../study/report.ts';
import { isBeyondSaturation, secondsOfWork, workOfPlacement } from '../../performance/simulationTime.ts';
import { drawSimulation, simulationFigure } from '../simulationFigures.ts';
import { studyAsAsked, warnOfTime, type StudyOptions } from './askedStudy.ts';
import { exitCodeFor, diagnosticText } from './diagnostics.ts';
import type { FigurePageOptions } from './figureOptions.ts';
import { fileOfFigure, refuseEnding } from './pictureFiles.ts';
import { besideOutput, requirePlaces, writeOutput } from './output.ts';
import { readProgramFiles, loadProgram, requireDeclared, sourcesOf, type LoadedProgram, fileName } from './program.ts';
import {
  align,
  progressLine,
  type Terminal,
  tellOfTime,
  type ExitCode,
  exitCodes,
  listNames,
  type Environment,
  UsageError,
} from './terminal.ts';

export interface SimulateRequest extends FigurePageOptions {
  readonly file: string;
  /** All that say how they are simulated where it is left out. */
  readonly placement?: string;
  readonly json?: true;
  /** Where a table of the placements is written. */
  readonly csv?: string;
  /** A result of `run --json` whose mappings are taken. */
  readonly from?: string;
  /** Where a figure is drawn, and which one. */
  readonly output?: string;
  readonly figure?: SimulationKind;
  /** A cycle of the interval that is drawn. */
  readonly time?: number;
  readonly force?: true;
  /** Nothing else is printed. */
  readonly isFigureAlone?: true;
  /** The file, where it has been read already. */
  readonly loaded?: LoadedProgram;
}

/** Places and simulates; prints what came of each placement. 1 where one did not come to its end. */
export async function simulate(request: SimulateRequest, given: Environment): Promise<ExitCode> {
  const { json, csv, output } = request;
  const terminal = besideOutput(given.terminal, { json, files: { '--csv': csv, '-o': output } });
  const environment = { ...given, terminal };
  const { cancellation } = environment;
  refuseEnding(output);
  await requirePlaces(csv, output);
  const loaded = request.loaded ?? (await loadProgram(request.file, terminal));
  if ('failure' in loaded) return loaded.exitCode;
  const name = simulatedPlacementName(loaded, request);
  refuseFigure(loaded, name, request);
  const asked = await studyAsAsked(studyOptions(request, loaded, name), environment);
  if ('failure' in asked) return asked.exitCode;
  if (asked.from === undefined && json !== true) warnOfTime(asked.outlines, terminal);
  const { simulations } = loaded.checked.experiments;
  const wanted = asked.reports.filter((report) => simulations.has(report.name));
  if (simulations.size === 0 && exitCodeFor(asked.found) === exitCodes.good) {
    terminal.err(
      `placewright: no placement of ${fileName(request.file)} has \`simulate\`. Add \`simulate NETWORK\`.\n`,
    );
  }
  const files = await readProgramFiles(loaded);
  const told = new Set(asked.found.map(({ diagnostic }) => diagnosticText(diagnostic)));
  const outcomes: Outcome[] = [];
  for (const report of wanted) {
    if (!cancellation.isCancelled()) outcomes.push(simulateOne(loaded, files, { report, told }, request, environment));
  }
  if (cancellation.isCancelled()) terminal.err('placewright: interrupted; what was not simulated is left out.\n');
  await writeOutcomes(outcomes, request, { loaded, from: asked.from }, environment);
  const isMissing = name !== undefined && wanted.length === 0;
  return isMissing || outcomes.some(({ isWrong }) => isWrong) ? exitCodes.fileHasErrors : exitCodeFor(asked.found);
}

/** The JSON and the table of all of them, and the figure that was asked for. */
async function writeOutcomes(
  outcomes: readonly Outcome[],
  { json, csv, output: target, force, ...page }: SimulateRequest,
  { loaded, from }: { readonly loaded: LoadedProgram; readonly from: string | undefined },
  { terminal, cancellation }: Environment,
): Promise<void> {
  if (json) {
    const lines = outcomes.flatMap((outcome) => outcome.json ?? []).map((line) => `\n${line}`);
    const head = cancellation.isCancelled() ? '"interrupted":true,' : '';
    terminal.data(`{${head}"simulations":[${lines.join(',')}]}\n`);
  }
  const sources = [...sourcesOf(loaded), ...(from === undefined ? [] : [from])];
  const files = { force: force === true, sources, cancellation };
  if (csv !== undefined) {
    const text = csvText([
      simulationColumns,
      ...outcomes.flatMap(({ record }) => (record === undefined ? [] : [record])),
    ]);
    await writeOutput({ ...files, target: csv, text, isTable: true }, terminal);
  }
  const [drawn] = outcomes.flatMap(({ figure }) => figure ?? []);
  if (drawn === undefined || target === undefined) return;
  await writeOutput({ ...files, ...(await fileOfFigure(target, drawn, page)), target }, terminal);
}

const studyOptions = (
  { file, from }: SimulateRequest,
  loaded: LoadedProgram,
  name: string | undefined,
): StudyOptions => ({
  ...{ file, loaded, hotLinkFactor: defaultStudySettings.hotLinkFactor },
  ...(name !== undefined && { placement: name }),
  ...(from !== undefined && { from }),
});

/** What came of one placement; it is wrong where it failed or did not come to its end. */
interface Outcome {
  readonly isWrong: boolean;
  readonly json?: string;
  /** Of the table. */
  readonly record?: readonly CsvCell[];
  /** Where one was asked for. */
  readonly figure?: Figure;
}

function simulateOne(
  { checked, cache }: LoadedProgram,
  files: StudyFiles,
  { report, told }: { readonly report: PlacementReport; readonly told: ReadonlySet<string> },
  request: SimulateRequest,
  { terminal, cancellation, isWatched }: Environment,
): Outcome {
  const simulation = checked.experiments.simulations.get(report.name);
  if (simulation === undefined) return { isWrong: true };
  const line = progressLine(terminal, isWatched);
  const context = { cancellation, now: () => performance.now(), cache };
  tellExpected(checked.program, files, report, simulation, context, terminal);
  const began = performance.now();
  const simulated = simulatePlacement(checked.program, files, report, simulation, {
    ...context,
    progress: (cycle, share) => {
      line.report(
        share,
        `${report.name}: ${progressText([reachedWords(simulation.network, cycle)], secondsLeftAfter(share, (performance.now() - began) / 1000))}`,
      );
    },
  });
  line.clear();
  if (!simulated.ok) {
    if (simulated.failure.code === cancelledCode) return { isWrong: false };
    const { code, message } = simulated.failure;
    terminal.err(`placewright: ${report.name}: error: ${message} [${code}]\n`);
    return { isWrong: true };
  }
  const notices = simulated.value.notices.filter((notice) => !told.has(notice));
  for (const notice of notices) terminal.err(`placewright: ${report.name}: warning: ${notice}\n`);
  const why = whyNotComplete(report, simulated.value);
  if (why !== undefined) terminal.err(`placewright: ${report.name}: error: ${why} [${simulated.value.end}]\n`);
  const asJson = request.json === true;
  if (!asJson && request.isFigureAlone !== true)
    terminal.out(`${describeSimulation(report, simulation, simulated.value).join('\n')}\n`);
  const drawn = simulationFigure(report, simulation, simulated.value);
  const json = asJson ? JSON.stringify(simulationToJson(report, networkName(simulation), simulated.value)) : undefined;
  const figure = request.output === undefined ? undefined : simulationDrawing(request, drawn);
  const record =
    request.csv === undefined ? undefined : simulationRecord(report, networkName(simulation), simulated.value);
  return {
    isWrong: why !== undefined,
    ...(json !== undefined && { json }),
    ...(record && { record }),
    ...(figure && { figure }),
  };
}

/** Says before it begins about how long it takes, or that no estimate can be given. Nothing of one that would fail. */
function tellExpected(
  program: Program,
  files: StudyFiles,
  report: PlacementReport,
  simulation: SimulationDescription,
  context: Pick<SimulationContext, 'cancellation' | 'now' | 'cache'>,
  terminal: Terminal,
): void {
  const { network, budget } = simulation;
  const work = workOfPlacement(program, files, report, simulation, context);
  if (!work.ok) return;
  if (budget === undefined && isBeyondSaturation(simulation)) {
    terminal.err(
      `placewright: ${report.name}: no time estimate, because the background is saturated. Write \`budget 60 s\` to limit the time.\n`,
    );
    return;
  }
  const seconds = secondsOfWork(network, report.machine, work.value, 'all');
  const what = budget?.unit === 'cycles' ? `${report.name}, without its budget of cycles,` : report.name;
  tellOfTime(what, budget?.unit === 'seconds' ? Math.min(budget.amount, seconds) : seconds, terminal);
}

function simulationDrawing({ figure: kind = 'playback', time }: SimulateRequest, simulated: SimulationFigure): Figure {
  if (kind !== 'playback') return drawSimulation({ kind }, simulated);
  const { interval } = simulated.result.links;
  return drawSimulation({ kind, ...(time !== undefined && { interval: Math.floor(time / interval) }) }, simulated);
}

/** The placement that is asked for, or the only one that can be; wrong usage where it says nothing of a simulation. */
function simulatedPlacementName(
  { checked, sources, ...rest }: LoadedProgram,
  { placement, output }: SimulateRequest,
): string | undefined {
  const { simulations } = checked.experiments;
  const [only, second] = simulations.keys();
  if (placement === undefined && second !== undefined && output !== undefined) {
    throw new UsageError(`-o needs one placement. Name one of ${[...simulations.keys()].join(', ')}.`);
  }
  if (placement === undefined) return second === undefined ? only : undefined;
  requireDeclared({ checked, sources, ...rest }, 'placement', placement);
  const isSound = checked.program.placements.some(({ name }) => name === placement);
  if (!simulations.has(placement) && isSound) {
    throw new UsageError(`Placement '${placement}' has no \`simulate\`. Add \`simulate NETWORK\`.`);
  }
  return placement;
}

/** What cannot be drawn is told before anything is simulated. Links are no servers, and the other way round. */
function refuseFigure({ checked }: LoadedProgram, name = '', { figure: given, time, output }: SimulateRequest): void {
  const figure = given ?? 'playback';
  const unused = given !== undefined ? '--figure' : '--time';
  if (output === undefined && (given ?? time) !== undefined) {
    throw new UsageError(`${unused} needs -o FILE. Example: \`-o ${figure}.svg\`.`);
  }
  if (time !== undefined && figure !== 'playback') throw new UsageError('--time needs --figure playback.');
  if (time !== undefined && !(time >= 0)) throw new UsageError('--time must be a cycle from 0.');
  const simulation = checked.experiments.simulations.get(name);
  if (simulation === undefined) return;
  const hasServers = isOfServers(simulation.network);
  const kinds = kindsOfSimulation(hasServers);
  if (kinds.includes(figure)) return;
  const why = hasServers
    ? 'its `switching queueing` has servers, see `--figure servers`'
    : 'its packets use links; `--figure servers` needs `switching queueing`';
  throw new UsageError(`No chart ${figure} for placement '${name}': ${why}. Expected one of ${listNames(kinds)}.`);
}

const networkName = ({ network }: SimulationDescription): string => network.name ?? network.switching;

/** Links and servers that are named; the rest are in the JSON. */
const shownLinks = 5;

function describeSimulation(
  report: PlacementReport,
  simulation: SimulationDescription,
  simulated: SimulatedPlacement,
): readonly string[] {
  const { result } = simulated;
  const { machine, jobs } = report;
  const { makespan, latency, carried, secondsPerCycle, cycles } = result;
  const isQueueing = isOfServers(simulation.network);
  // Servers have no cycles: there a cycle is a nanosecond, a packet is a message, and a flit a byte.
  const inSeconds = (count: number): string => formatSeconds(count * (secondsPerCycle ?? 0));
  const plain = isQueueing ? inSeconds : cyclesText;
  const timed = (count: number): string =>
    isQueueing
      ? inSeconds(count)
      : `${countOf(count, 'cycle')}${secondsPerCycle === undefined ? '' : ` (${inSeconds(count)})`}`;
  const links = isQueueing ? [] : busiestChannels(result).slice(0, shownLinks);
  const servers = simulatedServers(report, result).slice(0, shownLinks);
  const expected = (channel: number): string => {
    const busy = simulated.predictedBusy?.[channel];
    return busy === undefined ? '' : ` (predicted ${formatShare(busy / Math.max(1, cycles))})`;
  };
  const isOverloaded = isQueueing && report.metrics.queueing?.waiting === Infinity;
  const rows: (readonly [string, string])[] = [
    [
      'Network',
      `${networkName(simulation)} (${simulation.network.switching}${approximationOf(simulation.network) === undefined ? '' : ', an approximation'}) on ${machine.name}`,
    ],
    ...jobs.map(({ job, mapper }, position): readonly [string, string] => {
      const { finish, packets = 0, latency: own = 0 } = result.jobs[position] ?? {};
      const end = jobs.length === 1 || finish === undefined ? '' : `, makespan ${timed(finish)}`;
      // Where others send as well, the latency below is not that of the job.
      const mean =
        packets === 0 || packets === latency.count
          ? ''
          : `, its ${carried}s take ${plain(own)}${isQueueing ? '' : ' cycles'} on average`;
      return ['Job', `${job.name} (${countOf(job.taskCount, 'task')}, ${mapper})${end}${mean}`];
    }),
    makespan === undefined ? ['Ended', `${simulated.end}, after ${timed(cycles)}`] : ['Makespan', timed(makespan)],
    ...finishRows(report, result.finish, isQueueing ? inSeconds : (count) => countOf(count, 'cycle')),
    ...latencyRows(simulated, plain),
    [
      'Throughput',
      throughputWords(nodeThroughput(result, machine.nodeCount), isQueueing ? secondsPerCycle : undefined),
    ],
    ...(links.length === 0
      ? []
      : [
          [
            'Links by utilisation',
            links
              .map(
                ({ channel, utilisation }) =>
                  `${channelName(machine, channel)} ${formatShare(utilisation)}${expected(channel)}`,
              )
              .join(', '),
          ] as const,
        ]),
    ...servers.map((server, position): readonly [string, string] => [
      position === 0 ? 'Servers by utilisation' : '',
      busyWords(server),
    ]),
    ...(result.waits?.server.map((server, kind): readonly [string, string] => [
      `Waits, ${kindWord[server]}`,
      `${inSeconds(result.waits?.waited[kind] ?? 0)} in ${countOf(result.waits?.visits[kind] ?? 0, 'visit')}, highest utilisation ${formatShare((result.waits?.busiest[kind] ?? 0) / Math.max(1, cycles))}`,
    ]) ?? []),
    ...simulated.predictions.map((prediction): readonly [string, string] => [
      'Predicted',
      predictionLine(prediction, carried),
    ]),
    ...(isOverloaded
      ? [['Predicted', 'the queueing model is overloaded: wait times grow with the length of the run'] as const]
      : []),
  ];
  return [`Simulation of ${report.name}`, ...align(rows, ['left', 'left']).map((line) => `  ${line}`)];
}

/** `plain` words a number of cycles. */
function latencyRows(
  { result, network, isSaturated }: SimulatedPlacement,
  plain: (cycles: number) => string,
): readonly (readonly [string, string])[] {
  const { latency, carried } = result;
  if (latency.count === 0) return [];
  if (isSaturated) {
    return [
      ['Latency', 'saturated: the bottleneck link is overloaded, and the latency grows with the number of messages'],
    ];
  }
  const unit = isOfServers(network) ? '' : ' cycles';
  return [
    [
      'Latency',
      `${plain(latency.mean)} on average, half within ${plain(latency.p50)}, 95 % within ${plain(latency.p95)}, 99 % within ${plain(latency.p99)}, at most ${plain(latency.maximum)}${unit}, of ${countOf(latency.count, carried)}${ofBackground(result)}`,
    ],
  ];
}

/** `memory of socket 1 of node 3 works 40 % of the time (predicted 42 %), where a message waits 3 µs`. */
function busyWords(server: SimulatedServer): string {
  const { utilisation, predicted, waited, visits } = server;
  const known = predicted === undefined ? '' : ` (predicted ${formatShare(predicted)})`;
  return `${serverWords(server)} utilisation ${formatShare(utilisation)}${known}, mean wait ${formatSeconds(waited.seconds / visits)}`;
}

const kindWord: Readonly<Record<ServerWaits['server'][number], string>> = {
  queuePair: 'queue pairs',
  processing: 'hardware queues',
  port: 'ports',
  switch: 'switch',
  memory: 'memories',
  cache: 'caches',
};

/** `0.4 flits of a node and cycle`; between servers `97 MB/s into a node`. */
const throughputWords = (perCycle: number, secondsPerCycle: number | undefined): string =>
  secondsPerCycle === undefined
    ? `${formatNumber(perCycle)} flits per node and cycle`
    : `${formatNumber(perCycle / secondsPerCycle / 1e6)} MB/s per node`;

const cyclesText = (value: number): string => formatNumber(value, value < 100 ? 1 : 0);

/** `, 1,200 of them of the background`: of what has arrived. */
function ofBackground({ latency: { count }, jobs }: SimulationResult): string {
  const rest = jobs.reduce((left, { packets }) => left - packets, count);
  return rest === 0 ? '' : `, ${formatNumber(rest)} of them background`;
}

/** When the first and the last task ended, of those that had anything to do. */
function finishRows(
  { jobs }: PlacementReport,
  finish: Float64Array,
  words: (cycle: number) => string,
): (readonly [string, string])[] {
  let [first, last] = [-1, -1];
  for (const [task, cycle] of finish.entries()) {
    if (Number.isNaN(cycle) || cycle === 0) continue;
    if (first < 0 || cycle < (finish[first] ?? Infinity)) first = task;
    if (last < 0 || cycle > (finish[last] ?? -Infinity)) last = task;
  }
  if (first < 0 || finish.length === 1) return [];
  const at = (task: number): string => `${taskText(jobs, task)} after ${words(finish[task] ?? 0)}`;
  if (first === last) return [['Finish', at(first)]];
  return [['Finish', `${at(first)}, first; ${at(last)}, last`]];
}

function predictionLine({ key, unit, predicted, simulated }: Prediction, carried: Carried): string {
  const figure = (value: number): string =>
    unit === 'seconds' ? formatSeconds(value) : `${formatNumber(value, 0)} cycles`;
  const what = {
    congestion: 'static estimate of the makespan',
    waiting: 'wait time per message (queueing model, exponential service)',
    latency: unit === 'seconds' ? 'latency per message (queueing model)' : `zero-load latency of a ${carried}`,
  }[key];
  return `${what}: ${figure(predicted)}, simulated ${figure(simulated)} (${errorWords(predicted, simulated)})`;
}
