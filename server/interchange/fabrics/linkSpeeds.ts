import { ownEntry } from '../reading.ts';
import type { LinkSpeed } from '../../model/machine.ts';

/** How files write what cables carry and how long it takes: names of InfiniBand, numbers with units. */

/** Gigabits per second that a lane carries, once the code of the line is taken off. */
const gigabitsOfLane: Readonly<Record<string, number>> = {
  SDR: 2,
  DDR: 4,
  QDR: 8,
  FDR10: 10,
  FDR: (14.0625 * 64) / 66,
  EDR: 25,
  HDR: 50,
  NDR: 100,
  XDR: 200,
};

/**
 * What a cable carries each way, in bytes per second, by how files write it: `4xEDR` of InfiniBand, `100g` of Omni-Path
 * and Ethernet. Nothing where the words say no speed. InfiniBand Architecture Specification 1.7, table of link speeds.
 */
export function linkSpeedOf(speed: string): LinkSpeed {
  const [, lanes = '', name = ''] = /^(\d{1,2})x ?([A-Z]+\d*)$/.exec(speed) ?? [];
  const [, gigabits] = /^(\d+(?:\.\d+)?)[gG]$/.exec(speed) ?? [];
  const rate = gigabits === undefined ? Number(lanes) * (ownEntry(gigabitsOfLane, name) ?? 0) : Number(gigabits);
  return rate > 0 && Number.isFinite(rate) ? { bandwidth: rate * 1.25e8 } : {};
}

const prefixes: Readonly<Record<string, number>> = {
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

const rate = /^(\d*\.?\d+(?:e[+-]?\d+)?|\d+\.)\s*([kKMGT]i?)?\s*(Bps|bps|B\/s|b\/s|bit\/s)?$/i;

/** `125MBps`, `1.25E9Bps`, `10 Gbit/s`; a number alone is bytes per second. Undefined where it is no rate above 0. */
export function bytesPerSecond(text: string): number | undefined {
  const [, number, prefix = '', unit = 'B'] = rate.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const scale = prefix === '' ? 1 : ownEntry(prefixes, prefix);
  if (scale === undefined) return undefined;
  const value = (Number(number) * scale) / (unit.startsWith('b') ? 8 : 1);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}

/** How many of a unit are a second, and how many seconds a unit is. */
const perSecond: Readonly<Record<string, number>> = { s: 1, ms: 1e3, us: 1e6, µs: 1e6, ns: 1e9, ps: 1e12 };
const inSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `50us`, `1.0E-4s`, `0`; a number alone is seconds. Undefined where it is no time. */
export function secondsOf(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d*\.?\d+(?:e[+-]?\d+)?|\d+\.)\s*([a-zµ]*)$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const [parts, whole] = unit === '' ? [1, undefined] : [ownEntry(perSecond, unit), ownEntry(inSeconds, unit)];
  const value = parts === undefined ? Number(number) * (whole ?? Number.NaN) : Number(number) / parts;
  return Number.isFinite(value) ? value : undefined;
}
