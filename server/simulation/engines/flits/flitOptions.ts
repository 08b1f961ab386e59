/** What worms flit by flit (`flits.ts`) are made with, and whether they can be. */
import type { Machine } from '../../../model/machine.ts';
import {
  mostChannels,
  type NetworkArbiter,
  type NetworkEjection,
  type NetworkRouting,
  type NetworkSelection,
} from '../../../model/networkModel.ts';
import { formatNumber } from '../../../model/quantities.ts';
import { fail } from '../../../model/result.ts';
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

/** Why there are no such worms on the machine: `bad-network` where an option is out of its range. O(links). */
export function flitRefusal(machine: Machine, options: FlitOptions): ReturnType<typeof fail> | undefined {
  const { channels, buffer, router, link } = options;
  const wrong = (what: string, value: number, range: string): ReturnType<typeof fail> =>
    fail('bad-network', `Wormhole switching needs ${range}, found ${value}. Change \`${what}\` of the network.`);
  if (!isWholeBetween(channels, 1, mostChannels)) return wrong('channels', channels, `1 to ${mostChannels} channels`);
  const links = machine.topology.links.routerLinkCount + 2 * machine.nodeCount;
  const longest = Math.floor(mostPlaces / (links * channels));
  if (!isWholeBetween(buffer, 1, longest))
    return wrong('buffer', buffer, `buffers of 1 to ${formatNumber(longest)} flits on this machine`);
  if (!isWholeBetween(router, 0, longestDelay)) return wrong('router', router, 'routers of 0 to 1,048,576 cycles');
  if (!isWholeBetween(link, 1, longestDelay)) return wrong('link', link, 'links of 1 to 1,048,576 cycles');
  const slowest = flitTimes(machine)?.reduce((most, time) => Math.max(most, time)) ?? 1;
  if (slowest > longestDelay)
    return fail(
      'bad-network',
      `A flit may take at most 1,048,576 cycles on the slowest link, not ${formatNumber(slowest)}. Change the bandwidths of machine \`${machine.name}\`.`,
    );
  return undefined;
}

const isWholeBetween = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;
