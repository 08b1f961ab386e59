/** What a wormhole network with one virtual channel (`wormhole.ts`) is made with, whether it can be, and whom it tells what. */
import type { EngineRefusal } from '../../../model/engineRefusals.ts';
import type { Machine } from '../../../model/machine.ts';
import type { ObserveDelivery } from '../../messages.ts';
import { routesRefusal } from '../../routes.ts';

export interface WormholeOptions {
  /** Cycles in which a header is routed before it asks for a channel: t_s, 0 … 2^20. */
  readonly routing: number;
  /** Flits that the buffer at the end of a channel holds, 1 … 2^20. */
  readonly buffer: number;
}

/** As in the experiments of Alsardia 2017. */
export const thesisOptions: WormholeOptions = { routing: 3, buffer: 1 };

/** Told of what happens in channels; what is not asked for costs nothing. Packets are numbered as in `Deadlock`. */
export interface WormholeObserver {
  readonly delivered?: ObserveDelivery;
  /** A packet has owned a channel for so many cycles from its grant in `start` on. */
  readonly owned?: (channel: number, start: number, cycles: number, transmission: number) => void;
  /** A header got a channel that it had waited for since `start`. */
  readonly waited?: (channel: number, start: number, cycles: number, transmission: number) => void;
}

const longestDelay = 2 ** 20;

/** Why there is no such network on the machine: it has no fixed routes, or an option is no whole number in its range. */
export function wormholeRefusal(machine: Machine, { routing, buffer }: WormholeOptions): EngineRefusal | undefined {
  const most = longestDelay;
  if (!Number.isInteger(routing) || routing < 0 || routing > most)
    return { kind: 'header-delay', value: routing, most };
  if (!Number.isInteger(buffer) || buffer < 1 || buffer > most) return { kind: 'channel-buffer', value: buffer, most };
  return routesRefusal(machine);
}
