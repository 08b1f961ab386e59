/**
 * Quantities in words: the one way in which figures are written, in hovers, lenses, pictures and on the terminal.
 * Written out here, because a locale must not change a picture.
 */

export const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;
const decimalUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/**
 * `1.25`, `1,024`, `3.2e+21`: whole numbers as they are up to 2^53, below which they are exact, others with four
 * significant digits or at most `places` decimals, no trailing zeros, thousands apart.
 */
export function formatNumber(value: number, places?: number): string {
  const isLarge = Math.abs(value) >= 1000;
  const rounded = places === undefined && !isLarge ? Number(value.toPrecision(4)) : rounding(value, places ?? 0);
  if (rounded === Infinity) return '∞';
  if (!Number.isFinite(rounded)) return String(rounded);
  if (Math.abs(rounded) > 2 ** 53) return String(Number(value.toPrecision(4)));
  const [whole = '', fraction] = String(Math.abs(rounded)).split('.');
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${rounded < 0 ? '−' : ''}${apart}${fraction === undefined ? '' : `.${fraction}`}`;
}

const rounding = (value: number, places: number): number =>
  Number.isInteger(value) ? value : Number(value.toFixed(places));

/** `640 B`, `64 KiB`, `1.25 MiB`: powers of 1024. */
export const formatBytes = (bytes: number): string => scaledText(bytes, 1024, binaryUnits);

/** `1 GB/s`: powers of 1000, as links are sold and users write them. */
export const formatRate = (bytesPerSecond: number): string => `${scaledText(bytesPerSecond, 1000, decimalUnits)}/s`;

/** The smallest unit in which the amount is written with at most four digits. */
function scaledText(value: number, step: number, units: readonly string[]): string {
  let amount = value;
  let unit = 0;
  while (Math.abs(amount) >= step - 0.5 && unit < units.length - 1) {
    amount /= step;
    unit++;
  }
  return `${formatNumber(amount)} ${units[unit] ?? ''}`;
}

/** `64 KiB (65,536 B)`: also exact, where the short form is not the number of bytes itself. */
export const formatExactBytes = (bytes: number): string =>
  bytes < 1023.5 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatNumber(bytes, 0)} B)`;

/** `62 %`, `under 1 %`, `0 %`; of 0 … 1. Only nothing is `0 %`: the heaviest of a thousand flows is more than that. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? 'under 1 %' : `${formatNumber(100 * share, 0)} %`;

const timeUnits = [
  ['s', 1],
  ['ms', 1e-3],
  ['µs', 1e-6],
  ['ns', 1e-9],
] as const;

/** `250 ns`, `1.5 ms`, `3 s`: the largest unit that leaves at least 1; `without end`. */
export function formatSeconds(seconds: number): string {
  if (seconds === 0) return '0 s';
  if (seconds === Infinity) return 'without end';
  const [unit, size] = timeUnits.find(([, size]) => Math.abs(seconds) >= size) ?? timeUnits[3];
  return `${formatNumber(seconds / size)} ${unit}`;
}

/** `8 s`, `3 min`, `4.5 h`: whole numbers below hours, for estimates. */
export function roughTime(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 5400 ? `${formatNumber(Math.round(seconds / 60), 0)} min` : `${formatNumber(seconds / 3600, 1)} h`;
}

/** What a number counts, and so how it is written. */
export type Unit = 'hops' | 'hops²' | 'bytes' | 'seconds' | 'share' | 'count';

const writers: Readonly<Record<Unit, (value: number) => string>> = {
  hops: (value) => formatNumber(value),
  'hops²': (value) => formatNumber(value),
  count: (value) => formatNumber(value),
  bytes: formatBytes,
  seconds: formatSeconds,
  share: formatShare,
};

/** As results write it behind a number that is not scaled. */
export const unitSymbols: Readonly<Record<Unit, string>> = {
  hops: 'hops',
  'hops²': 'hops²',
  count: '',
  bytes: 'bytes',
  seconds: 's',
  share: '',
};

/** `1.25`, `3 MiB`, `1.5 ms`, `62 %`. */
export const formatQuantity = (unit: Unit, value: number): string => writers[unit](value);

/** `1 pair`, `2 pairs`: the noun agrees with the number as it is written. */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  agree(formatNumber(count), singular, plural);

/** `1 hop`, `1.25 hops`. */
/** `a`, `a and b`, `a, b and c`. */
export const inWords = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;

export const hopsOf = (hops: number): string => countOf(hops, 'hop');

const agree = (written: string, singular: string, plural: string): string =>
  `${written} ${written === '1' ? singular : plural}`;

/** Roots that are named. */
const namedRoots = 4;

/** `root 6`, `roots spine-0, spine-1`, `16 roots 48, 49, 50, 51 …`, of the names of roots. */
export function rootsText(roots: readonly string[]): string {
  if (roots.length <= namedRoots) return `${roots.length === 1 ? 'root' : 'roots'} ${roots.join(', ')}`;
  return `${formatNumber(roots.length)} roots ${roots.slice(0, namedRoots).join(', ')} …`;
}

/** What tells packets which virtual lane they take. */
export type LaneRule = 'none' | 'dateline' | 'halves' | 'groups' | 'escape' | 'routes';

/** How many virtual lanes keep packets from waiting in a circle: `2: another one behind the dateline of each ring`. */
export function lanesText({ lanes, rule }: { readonly lanes?: number; readonly rule: LaneRule }): string {
  return rule === 'none'
    ? '1, deadlock-free'
    : `${lanes ?? 'more than 1, too many routes to count them'}: ${ruleWords[rule]}`;
}

const ruleWords: Readonly<Record<Exclude<LaneRule, 'none'>, string>> = {
  dateline: 'another one behind the dateline of each ring',
  halves: 'others behind the detour',
  groups: 'another one in each group that packets come to',
  escape: 'one more to escape to, up and down',
  routes: 'routes shared out among them',
};
