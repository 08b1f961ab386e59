/**
 * Figures of one simulated placement: what they are of, and what link loads alone would have predicted, which every figure
 * shows beside what happened.
 */
import { formatNumber, formatShare } from '../../model/quantities.ts';
import type { PlacementReport } from '../../model/report.ts';
import { byteAt } from '../../numeric/elements.ts';
import type { SimulationResult } from '../../simulation/simulationResult.ts';
import { simulationEnd } from '../../performance/simulationWords.ts';

/** One simulated placement. */
export interface SimulationFigure {
  /** The placement as it was simulated. */
  readonly report: PlacementReport;
  readonly result: SimulationResult;
  /** What stands below the title: the network, how it was replayed. */
  readonly about: string;
  /** What was told of the simulation as a whole, a sentence each. */
  readonly notices?: readonly string[];
  /** It ended where its budget was spent. */
  readonly isOverBudget?: true;
  /** What would end its deadlock: `give it …`. */
  readonly help?: string;
  /** Its figures are those of an approximation. */
  readonly isApproximate?: true;
  /** Cycles that it was predicted to take by link loads and by what tasks do by themselves; absent where that says nothing. */
  readonly predictedCycles?: number;
  /** Cycles that each channel is busy by what it carries alone, of those that are told of; absent of servers, of which that predicts no time, and of runs without an end. */
  readonly predictedBusy?: Float64Array;
  /** Cycles that a packet takes on average where none waits, by the hops of the placement; absent where that is not known. */
  readonly zeroLoadLatency?: number;
}

/** Share of an interval that a channel was busy, 0 … 1. */
export const utilisationAt = ({ links }: SimulationResult, interval: number, channel: number): number =>
  byteAt(links.utilisation, interval * links.channels + channel) / 255;

/** Packets that waited for a channel, on average over an interval. */
export const meanQueueAt = ({ links }: SimulationResult, interval: number, channel: number): number =>
  byteAt(links.queues, interval * links.channels + channel) / 8;

/** How far a prediction is off what was simulated, as a share of the latter: `−12 %`. */
export function errorWords(predicted: number, simulated: number): string {
  if (!(simulated > 0)) return '';
  const error = (predicted - simulated) / simulated;
  const size = formatNumber(Math.abs(100 * error), 1);
  return `${size === '0' ? '' : error < 0 ? '−' : '+'}${size} %`;
}

/** How long something worked, and was predicted to, as shares of the run. */
interface PredictedUse {
  readonly busy: number;
  readonly predicted: number | undefined;
}

/**
 * What was predicted of the first, and how far predictions are off on average, as a sentence behind another one: ` Link loads predict 60 % for it
 * (−20 %), ASIDE; on average …`. '' where nothing was.
 */
export function predictionWords(who: string, uses: readonly PredictedUse[], aside: string): string {
  const [first] = uses;
  if (first?.predicted === undefined) return '';
  let [known, off] = [0, 0];
  for (const { busy, predicted } of uses) {
    if (predicted === undefined) continue;
    known++;
    off += Math.abs(predicted - busy);
  }
  const error = errorWords(first.predicted, first.busy);
  const points = formatNumber(Number(((100 * off) / known).toPrecision(2)));
  return ` ${who} ${formatShare(first.predicted)} for it${error === '' ? '' : ` (${error})`}, ${aside}; on average that is off by ${points} percentage points.`;
}

/** How the simulation of a figure ended, in a sentence. */
export const endOfFigure = ({ report, result, isOverBudget }: SimulationFigure): string =>
  simulationEnd(report.jobs, result, isOverBudget === true);
