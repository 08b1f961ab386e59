/** Figures of simulated placements, the same for the panel and the command line. */
import type { SimulationKind } from '../drawing/figures/catalogue.ts';
import type { Figure } from '../drawing/figures/figure.ts';
import { drawLinkUse } from '../drawing/figures/linkUse.ts';
import { drawPlayback, type PlaybackRequest } from '../drawing/figures/playback.ts';
import { drawServers } from '../drawing/figures/serverUse.ts';
import { endOfFigure, errorWords, type SimulationFigure } from '../drawing/figures/simulation.ts';
import { drawFinish, drawLatency, drawOverTime } from '../drawing/figures/simulationPlots.ts';
import type { SimulatedFact } from '../language/service/input.ts';
import { formatNumber, formatSeconds } from '../model/quantities.ts';
import type { PlacementReport } from '../model/report.ts';
import type { SimulationDescription } from '../model/simulation.ts';
import type { SimulationChoice } from '../protocol/figures.ts';
import { approximationOf, deadlockHelp } from '../simulation/engines.ts';
import type { Prediction, SimulatedPlacement } from '../performance/simulate.ts';
import { bareTime, cycleWords, simulatedTime, resultUnits } from '../performance/simulationWords.ts';

/** What a figure is of: the placement, what came of its simulation, and what was said of it in the text. */
export function simulationFigure(
  report: PlacementReport,
  { network, replay, background }: SimulationDescription,
  { end, result, predictedCycles, predictedBusy, predictions, notices }: SimulatedPlacement,
): SimulationFigure {
  const rate = background?.options['rate'];
  const isApproximate = approximationOf(network) !== undefined;
  const about = [
    `on ${report.machine.name}, network ${network.name ?? network.switching}${isApproximate ? ' (flows: an approximation)' : ''}`,
    replay.kind === 'open'
      ? `messages at their times${replay.speed === 1 ? '' : `, ${formatNumber(replay.speed)} times the send rate`}`
      : '',
    typeof rate === 'number' ? `background ${formatNumber(rate)} packets per node and cycle` : '',
  ];
  const alone = predictions.find(({ key, unit }) => key === 'latency' && unit === 'cycles')?.predicted;
  return {
    ...{ report, result, about: about.filter((part) => part !== '').join(', '), notices },
    ...(end === 'budget' && { isOverBudget: true }),
    ...(end === 'deadlock' && { help: deadlockHelp(network, report.machine) }),
    ...(isApproximate && { isApproximate }),
    ...(predictedCycles !== undefined && { predictedCycles }),
    ...(predictedBusy && { predictedBusy }),
    ...(alone !== undefined && { zeroLoadLatency: alone }),
  };
}

/** How each figure of the catalogue is drawn. */
const drawings: Readonly<Record<SimulationKind, (figure: PlaybackRequest) => Figure>> = {
  playback: drawPlayback,
  finish: drawFinish,
  latency: drawLatency,
  time: drawOverTime,
  links: drawLinkUse,
  servers: drawServers,
};

/** One figure; `interval` is of the playback. */
export const drawSimulation = ({ kind, ...choice }: SimulationChoice, figure: SimulationFigure): Figure =>
  drawings[kind]({ ...figure, ...('interval' in choice && { interval: choice.interval }) });

/** `makespan 3,466,000 cycles (3.4 ms), 95 % of packets within 210`: what came of it, for a line above the placement. */
export function simulationWords(figure: SimulationFigure): string {
  const { makespan, latency, carried } = figure.result;
  if (makespan === undefined) return endOfFigure(figure).replace(/\.$/, '');
  const time = cycleWords(figure.result, makespan);
  const words = figure.isApproximate ? `makespan about ${time}` : `makespan ${time}`;
  if (latency.count === 0) return words;
  const within = bareTime(figure.result, latency.p95);
  return `${words}, ${carried === 'packet' ? `95 % of packets within ${within}` : `95 % of messages within ${within}`}`;
}

/** Its figures for a hover, with what is known of them without a simulation: of those that are there. */
export function simulationFacts(
  figure: SimulationFigure,
  { result, predictions }: SimulatedPlacement,
): readonly SimulatedFact[] {
  const { latency, makespan } = result;
  const facts: SimulatedFact[] = [];
  const against = (predicted: string, error: string) => ({ predicted, ...(error !== '' && { error }) });
  if (makespan !== undefined) {
    const { predictedCycles: predicted } = figure;
    const known =
      predicted === undefined ? {} : against(`${formatNumber(predicted, 0)} cycles`, errorWords(predicted, makespan));
    facts.push({ label: 'Makespan', simulated: cycleWords(result, makespan), ...known });
  }
  if (latency.count > 0) {
    const mean = Number(latency.mean.toPrecision(4));
    const expected = predictions.find(({ key }) => key === 'latency');
    const words = ({ unit, predicted }: Prediction): string =>
      unit === 'seconds' ? formatSeconds(predicted) : `${formatNumber(Number(predicted.toPrecision(4)))} alone`;
    const known =
      expected === undefined ? {} : against(words(expected), errorWords(expected.predicted, expected.simulated));
    facts.push({
      label: `Latency of ${resultUnits(result).packet}s, mean`,
      simulated: simulatedTime(result, mean),
      ...known,
    });
    const percentiles = [
      bareTime(result, latency.p50),
      bareTime(result, latency.p95),
      simulatedTime(result, latency.p99),
    ];
    facts.push({ label: '50, 95, 99 % of them within', simulated: percentiles.join(', ') });
  }
  for (const { key, predicted, simulated } of predictions) {
    if (key !== 'waiting') continue;
    const known = against(formatSeconds(predicted), errorWords(predicted, simulated));
    facts.push({ label: 'Waiting of a message', simulated: formatSeconds(simulated), ...known });
  }
  return facts;
}
