/** A simulation in words, on the terminal, in figures and in the editor: its times, its deadlock, its waiting tasks, its end. */
import type { Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { countOf, formatNumber, formatSeconds } from '../model/quantities.ts';
import type { PlacementReport } from '../model/report.ts';
import { taskText, type TasksOfJobs } from '../model/words.ts';
import { channelName } from '../network/names.ts';
import { realAt } from '../numeric/elements.ts';
import { secondsPerCycle as serverCycle } from '../simulation/engines/servers/serverStates.ts';
import { deadlockHelp } from '../simulation/engines.ts';
import { lastCycle } from '../simulation/runningPrograms.ts';
import type { CirclingPacket, SimulationResult } from '../simulation/simulationResult.ts';
import type { SimulatedPlacement } from './simulate.ts';

/**
 * What a network counts in: cycles, packets and flits; flows messages; and servers nanoseconds, messages and bytes, which are their cycles, packets and
 * flits. Bytes of a nanosecond are GB/s.
 */
export const resultUnits = ({ waits, carried }: SimulationResult) =>
  waits === undefined
    ? ({ time: 'cycles', packet: carried, traffic: 'flits/cycle', traffics: 'flits per cycle' } as const)
    : ({ time: 'ns', packet: carried, traffic: 'GB/s', traffics: 'GB/s' } as const);

/** `12,345`, of cycles; between servers `1.2 ms`. */
export const bareTime = ({ waits, secondsPerCycle = 0 }: SimulationResult, cycles: number): string =>
  waits === undefined ? formatNumber(cycles) : formatSeconds(cycles * secondsPerCycle);

/** `12,345 cycles`; between servers `1.2 ms`. */
export const simulatedTime = (result: SimulationResult, cycles: number): string =>
  `${bareTime(result, cycles)}${result.waits === undefined ? ' cycles' : ''}`;

/** `cycles 300 to 400`; between servers `1.2 ms to 1.6 ms`. */
export const spanWords = (result: SimulationResult, from: number, to: number): string =>
  `${result.waits === undefined ? 'cycles ' : ''}${bareTime(result, from)} to ${bareTime(result, to)}`;

/** `12,345 cycles`, with seconds where a cycle has a length; between servers, which have no cycles, seconds alone. */
export function cycleWords({ secondsPerCycle, waits }: SimulationResult, cycles: number): string {
  if (waits !== undefined) return formatSeconds(cycles * (secondsPerCycle ?? 0));
  const count = formatNumber(Number(cycles.toPrecision(6)));
  return secondsPerCycle === undefined
    ? `${count} cycles`
    : `${count} cycles (${formatSeconds(cycles * secondsPerCycle)})`;
}

/** How far a simulation is: `1,200,000 cycles`; between servers, whose cycles are nanoseconds, `1.2 ms`. */
export const reachedWords = ({ switching }: NetworkModel, cycle: number): string =>
  switching === 'queueing' ? formatSeconds(cycle * serverCycle) : `${formatNumber(cycle, 0)} cycles`;

/** The first packets of a circle: `packet 0 from task 0 to task 2 waits for 1 → 2, and 3 more, each for a channel that the next one holds`. */
export function circleWords(
  { machine, jobs }: { readonly machine: Machine; readonly jobs: TasksOfJobs },
  waits: readonly CirclingPacket[],
  most: number,
): string {
  const told = waits.slice(0, most).map(({ packet, task, partner, wants }) => {
    const whose = task < 0 ? 'of the background' : `from ${taskText(jobs, task)} to ${taskText(jobs, partner)}`;
    return `packet ${packet} ${whose} waits for ${channelName(machine, wants)}`;
  });
  const more = waits.length > told.length ? `, and ${formatNumber(waits.length - told.length)} more` : '';
  return `${told.join(', ')}${more}`;
}

/** Packets of a circle that are told of. */
const mostWaits = 8;

/** Tasks that are told of; of a sentence without advice fewer. */
const mostTasks = 5;
const fewTasks = 2;

/** Why a simulation did not come to its end, and what to do; undefined where it did. */
export function whyNotComplete(
  { machine, jobs }: Pick<PlacementReport, 'machine' | 'jobs'>,
  { end, result, network }: Pick<SimulatedPlacement, 'end' | 'result' | 'network'>,
): string | undefined {
  const { deadlock, cycles } = result;
  const waiting = waitingWords(jobs, result, mostTasks);
  switch (end) {
    case 'complete':
      return undefined;
    case 'deadlock':
      return `Deadlock at cycle ${deadlock?.since ?? cycles}: cyclic dependency: ${circleWords({ machine, jobs }, deadlock?.waits ?? [], mostWaits)}. ${waiting === '' ? '' : `Unfinished tasks: ${waiting}. `}To fix it, ${deadlockHelp(network, machine)}.`;
    case 'stuck':
      return `Simulation stalled at cycle ${cycles}: ${waiting}. Fix the trace or the tasks.`;
    case 'budget':
      if (cycles > lastCycle)
        return `Cycle limit reached after ${lastCycle.toLocaleString('en-US')} cycles. Shorten computation, or write \`computing ignored\` for a trace.`;
      return `Budget exhausted after ${cycles.toLocaleString('en-US')} cycles. Raise \`budget\`, or simulate a smaller run.`;
  }
}

/** How a simulation ended, in a sentence without advice. */
export function simulationEnd(jobs: TasksOfJobs, result: SimulationResult, isOverBudget: boolean): string {
  if (result.makespan !== undefined) return `Makespan ${cycleWords(result, result.makespan)}.`;
  const { deadlock, waiting } = result;
  const at = `after ${cycleWords(result, result.cycles)}`;
  if (deadlock !== undefined) {
    return `Deadlock at cycle ${formatNumber(deadlock.since)}: cyclic dependency of ${deadlock.waits.length} packets.`;
  }
  if (isOverBudget) return `Budget exhausted ${at}.`;
  return waiting.length === 0 ? `Unfinished ${at}.` : `Unfinished ${at}: ${waitingWords(jobs, result, fewTasks)}.`;
}

/**
 * The first tasks that have not ended, and for which message each waits: `task 0 waits for 8 bytes with tag 7 from task 2, which has ended
 * (operation 2 of task 0)`. Tasks are named with their jobs where there are several.
 */
export function waitingWords(
  jobs: TasksOfJobs,
  { waiting, finish }: Pick<SimulationResult, 'waiting' | 'finish'>,
  most: number,
): string {
  const nameOf = (task: number): string => taskText(jobs, task);
  const alive = new Set(waiting.map(({ task }) => task));
  const told = waiting.slice(0, most).map(({ task, for: what, partner, tag, bytes, operation }) => {
    const message = `${countOf(bytes, 'byte')} with tag ${tag}`;
    const where = `(operation ${operation} of ${nameOf(task)})`;
    if (what === 'send') return `${nameOf(task)} still sends ${message} to ${nameOf(partner)} ${where}`;
    const sender = alive.has(partner)
      ? ', which also waits'
      : realAt(finish, partner) >= 0
        ? ', which has finished'
        : '';
    return `${nameOf(task)} waits for ${message} from ${nameOf(partner)}${sender} ${where}`;
  });
  const more = waiting.length > told.length ? `; and ${formatNumber(waiting.length - told.length)} more` : '';
  return told.join('; ') + more;
}
