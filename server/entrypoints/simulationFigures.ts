/** Figures of simulated placements, the same for the panel and the command line. */
import type { Figure } from '../drawing/figures/figure.ts';
import { drawLinkUse } from '../drawing/figures/linkUse.ts';
import { drawPlayback } from '../drawing/figures/playback.ts';
import { drawServers } from '../drawing/figures/serverUse.ts';
import {
  bareTime,
  cycleWords,
  endWords,
  errorWords,
  timeWords,
  unitsOf,
  type SimulationFigure,
} from '../drawing/figures/simulation.ts';
import { drawFinish, drawLatency, drawOverTime } from '../drawing/figures/simulationPlots.ts';
import type { SimulatedFact } from '../language/service/input.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { formatNumber, formatSeconds } from '../model/quantities.ts';
import type { PlacementReport } from '../model/report.ts';
import type { SimulationDescription } from '../model/simulation.ts';
import type { SimulationChoice } from '../protocol/figures.ts';
import type { SimulatedPlacement } from '../study/simulate.ts';

/** What a figure is of: the placement, what came of its simulation, and what was said of it in the text. */
export function simulationFigure(
  report: PlacementReport,
  { network, replay, background }: SimulationDescription,
  { result, predictedCycles }: SimulatedPlacement,
): SimulationFigure {
  const rate = background?.options['rate'];
  const about = [
    `on ${report.machine.name}, network ${network.name ?? network.switching}`,
    replay.kind === 'open' ? `messages at their times${replay.speed === 1 ? '' : `, ${formatNumber(replay.speed)} times as fast`}` : '', // prettier-ignore
    typeof rate === 'number' ? `background ${formatNumber(rate)} packets a node and cycle` : '',
  ];
  const zeroLoadLatency = zeroLoadOf(report, network);
  return {
    ...{ report, result, about: about.filter((part) => part !== '').join(', ') },
    ...(predictedCycles !== undefined && { predictedCycles }),
    ...(network.switching !== 'queueing' && { flitBytes: network.flit ?? usual.flit }),
    ...(zeroLoadLatency !== undefined && { zeroLoadLatency }),
  };
}

/** Where a network does not say. */
const usual = { flit: 4, packet: 8, link: 1 };

/**
 * The mean latency of a packet that never waits, in cycles, by the mean hops of a byte: h(r + l) + r + L − 1 where packets are
 * cut through, h(r + l + L − 1) + r + L − 1 where they are stored at every router. Undefined of other networks.
 */
function zeroLoadOf(
  { metrics }: PlacementReport,
  { switching, packet = usual.packet, router, link }: NetworkModel,
): number | undefined {
  // prettier-ignore
  const isPacket = switching === 'cut-through' || switching === 'store-and-forward';
  if (!isPacket || metrics.interNodeBytes === 0 || router?.unit === 'seconds' || link?.unit === 'seconds')
    return undefined;
  const hops = metrics.hopBytes / metrics.interNodeBytes;
  const [r, l] = [router?.amount ?? 0, link?.amount ?? usual.link];
  const stored = switching === 'store-and-forward' ? packet - 1 : 0;
  return hops * (r + l + stored) + r + packet - 1;
}

/** One figure; `interval` is of the playback. */
export function drawSimulation({ kind, ...choice }: SimulationChoice, figure: SimulationFigure): Figure {
  switch (kind) {
    case 'finish':
      return drawFinish(figure);
    case 'latency':
      return drawLatency(figure);
    case 'time':
      return drawOverTime(figure);
    case 'links':
      return drawLinkUse(figure);
    case 'servers':
      return drawServers(figure);
    case 'playback':
      return drawPlayback({ ...figure, ...('interval' in choice && { interval: choice.interval }) });
  }
}

/** `makespan 3,466,000 cycles (3.4 ms), 95 % of packets within 210`: what came of it, for a line above the placement. */
export function simulationWords(figure: SimulationFigure): string {
  const { makespan, latency } = figure.result;
  if (makespan === undefined) return endWords(figure).replace(/\.$/, '');
  const percentile =
    latency.count === 0
      ? ''
      : `, 95 % of ${unitsOf(figure.result).packet}s within ${bareTime(figure.result, latency.p95)}`;
  return `makespan ${cycleWords(figure.result, makespan)}${percentile}`;
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
    const { zeroLoadLatency: alone } = figure;
    const mean = Number(latency.mean.toPrecision(4));
    const known =
      alone === undefined
        ? {}
        : against(`${formatNumber(Number(alone.toPrecision(4)))} alone`, errorWords(alone, latency.mean));
    facts.push({ label: `Latency of ${unitsOf(result).packet}s, mean`, simulated: timeWords(result, mean), ...known });
    const percentiles = [bareTime(result, latency.p50), bareTime(result, latency.p95), timeWords(result, latency.p99)];
    facts.push({ label: '50, 95, 99 % of them within', simulated: percentiles.join(', ') });
  }
  for (const { key, predicted, simulated } of predictions) {
    if (key !== 'waiting') continue;
    const known = against(formatSeconds(predicted), errorWords(predicted, simulated));
    facts.push({ label: 'Waiting of a message', simulated: formatSeconds(simulated), ...known });
  }
  return facts;
}
