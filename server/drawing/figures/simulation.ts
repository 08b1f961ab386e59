/**
 * Figures of one simulated placement: what they are of, what they call its channels, and what link loads alone would have
 * predicted, which every figure shows beside what happened.
 */
import { asNodeId, asRouterId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { formatNumber, formatShare } from '../../model/quantities.ts';
import type { PlacementReport } from '../../model/report.ts';
import { nodeName, routerName } from '../../network/names.ts';
import { byteAt, intAt } from '../../numeric/elements.ts';
import type { SimulationResult } from '../../simulation/simulationResult.ts';
import { waitingWords } from '../../study/simulationJson.ts';

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

/** What users call a channel: `3 → 7`, `node 4 → 4` of what leaves a node. */
export function channelName(machine: Machine, channel: number): string {
  const [from, to] = channelEnds(machine, channel);
  return `${from} → ${to}`;
}

/** The two ends of a channel in words. */
export function channelEnds(machine: Machine, channel: number): readonly [string, string] {
  const { routerLinkCount, from, to } = machine.topology.links;
  if (channel < routerLinkCount) {
    const [start, end] = [from, to].map((ends) => routerName(machine, asRouterId(intAt(ends, channel))));
    return [start ?? '', end ?? ''];
  }
  const node = Math.floor((channel - routerLinkCount) / 2);
  const name = machine.topology.names ? nodeName(machine, asNodeId(node)) : `node ${nodeName(machine, asNodeId(node))}`;
  const router = routerName(machine, asRouterId(intAt(machine.topology.routerOfNode, node)));
  return (channel - routerLinkCount) % 2 === 0 ? [name, router] : [router, name];
}

/** Share of an interval that a channel was busy, 0 … 1. */
export const utilisationAt = ({ links }: SimulationResult, interval: number, channel: number): number =>
  byteAt(links.utilisation, interval * links.channels + channel) / 255;

/** Packets that waited for a channel, on average over an interval. */
export const queueAt = ({ links }: SimulationResult, interval: number, channel: number): number =>
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

/**
 * What a network counts in: cycles, packets and flits; flows messages; and servers nanoseconds, messages and bytes, which are their cycles, packets and
 * flits. Bytes of a nanosecond are GB/s.
 */
export const unitsOf = ({ waits, carried }: SimulationResult) =>
  waits === undefined
    ? ({ time: 'cycles', packet: carried, traffic: 'flits/cycle', traffics: 'flits a cycle' } as const)
    : ({ time: 'ns', packet: carried, traffic: 'GB/s', traffics: 'GB/s' } as const);

/** `12,345`, of cycles; between servers `1.2 ms`. */
export const bareTime = ({ waits, secondsPerCycle = 0 }: SimulationResult, cycles: number): string =>
  waits === undefined ? formatNumber(cycles) : secondWords(cycles * secondsPerCycle);

/** `12,345 cycles`; between servers `1.2 ms`. */
export const timeWords = (result: SimulationResult, cycles: number): string =>
  `${bareTime(result, cycles)}${result.waits === undefined ? ' cycles' : ''}`;

/** `cycles 300 to 400`; between servers `1.2 ms to 1.6 ms`. */
export const spanWords = (result: SimulationResult, from: number, to: number): string =>
  `${result.waits === undefined ? 'cycles ' : ''}${bareTime(result, from)} to ${bareTime(result, to)}`;

/** `12,345 cycles`, with seconds where a cycle has a length; between servers, which have no cycles, seconds alone. */
export function cycleWords({ secondsPerCycle, waits }: SimulationResult, cycles: number): string {
  if (waits !== undefined) return secondWords(cycles * (secondsPerCycle ?? 0));
  const count = formatNumber(Number(cycles.toPrecision(6)));
  return secondsPerCycle === undefined
    ? `${count} cycles`
    : `${count} cycles (${secondWords(cycles * secondsPerCycle)})`;
}

const secondUnits = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns'],
] as const;

function secondWords(seconds: number): string {
  const [size, name] = secondUnits.find(([least]) => seconds >= least) ?? [1e-9, 'ns'];
  return `${formatNumber(Number((seconds / size).toPrecision(4)))} ${name}`;
}

/** Tasks that a figure tells of. */
const mostTasks = 2;

/** How the simulation ended, in a sentence. */
export function endWords({ report, result, isOverBudget }: SimulationFigure): string {
  if (result.makespan !== undefined) return `Makespan ${cycleWords(result, result.makespan)}.`;
  const { deadlock, waiting } = result;
  const at = `after ${cycleWords(result, result.cycles)}`;
  if (deadlock !== undefined) {
    return `Deadlock in cycle ${formatNumber(deadlock.since)}: ${deadlock.waits.length} packets wait for one another in a circle.`;
  }
  if (isOverBudget) return `The budget is spent ${at}, and the jobs are not done.`;
  return waiting.length === 0 ? `Not over ${at}.` : `Not over ${at}: ${waitingWords(report.jobs, result, mostTasks)}.`;
}
