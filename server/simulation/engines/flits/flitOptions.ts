/** What worms flit by flit (`flits.ts`) are made with, and whether they can be. */
import type { EngineRefusal } from '../../../model/engineRefusals.ts';
import type { Machine } from '../../../model/machine.ts';
import {
  mostChannels,
  type NetworkArbiter,
  type NetworkEjection,
  type NetworkRouting,
  type NetworkSelection,
} from '../../../model/networkModel.ts';
import type { Packing } from '../../messages.ts';
import { flitTimes } from '../flitTimes.ts';

export interface FlitOptions {
  readonly packing: Packing;
  /** Virtual channels of a link, at most {@link mostChannels}. */
  readonly channels: number;
  /** Flits of a queue. */
  readonly buffer: number;
  /** Cycles to route a header, and to cross a link, at least 1. */
  readonly router: number;
  readonly link: number;
  readonly routing: NetworkRouting;
  readonly select: NetworkSelection;
  readonly arbiter: NetworkArbiter;
  readonly ejection: NetworkEjection;
  readonly secondsPerCycle: number | undefined;
}

/** Places of all queues together. */
const mostPlaces = 2 ** 28;
/** Cycles of a router, of a link, and of a flit on the slowest link. */
const longestDelay = 2 ** 20;

/** Why there are no such worms on the machine: an option is out of its range. O(links). */
export function flitRefusal(machine: Machine, options: FlitOptions): EngineRefusal | undefined {
  const links = machine.topology.links.routerLinkCount + 2 * machine.nodeCount;
  const ranges = [
    ['channels', 1, mostChannels],
    ['buffer', 1, Math.floor(mostPlaces / (links * options.channels))],
    ['router', 0, longestDelay],
    ['link', 1, longestDelay],
  ] as const;
  for (const [word, least, most] of ranges) {
    const value = options[word];
    if (!isWholeBetween(value, least, most)) return { kind: 'flit-option', word, value, least, most };
  }
  const slowest = flitTimes(machine)?.reduce((most, time) => Math.max(most, time)) ?? 1;
  return slowest > longestDelay ? { kind: 'slow-flit', cycles: slowest, machine: machine.name } : undefined;
}

const isWholeBetween = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;
