/** The units of the language, and what users write for them: how a wrong one is recognised and which is meant. */

/** Nothing is inherited: a unit called `constructor` is none. */
const unitTable = (factors: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.assign(Object.create(null) as Record<string, number>, factors);

/** Units as the language writes them, with their factor: bytes, seconds, or per second. */
export const sizeUnits = unitTable({
  B: 1,
  kB: 1e3,
  KiB: 1024,
  MB: 1e6,
  MiB: 1024 ** 2,
  GB: 1e9,
  GiB: 1024 ** 3,
});

export const timeUnits = unitTable({
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6, // the micro sign
  μs: 1e-6, // the Greek letter
  ms: 1e-3,
  s: 1,
});

export const rateUnits = unitTable(
  Object.fromEntries(Object.entries(sizeUnits).map(([unit, factor]) => [`${unit}/s`, factor])),
);

export const frequencyUnits = unitTable({ '/s': 1 });

/** The names of units that are offered and listed: of those that look the same, the micro sign and the Greek letter, the first. */
export const shownUnits = (units: Readonly<Record<string, number>>): readonly string[] =>
  Object.keys(units).filter(
    (unit, index, all) => index === all.findIndex((other) => other.normalize('NFKC') === unit.normalize('NFKC')),
  );

/** Words that users write for sizes and rates: `K`, `Kb`, `mb`, `Gbit`, `GBps`. */
const sizeLike = /^([kmgtp]?)(i?)(b|byte|bytes|bit|bits)?(?:ps|\/s|\/sec)?$/i;
/** Words that users write for times and frequencies. */
const timeLike =
  /^(?:nsecs?|usecs?|msecs?|secs?|seconds?|milliseconds?|microseconds?|nanoseconds?|min|minutes?|h|hz|[kmg]hz)$/i;

/** True where a word after a number can only be a unit, rightly written or not. */
export function looksLikeUnit(word: string): boolean {
  return word in sizeUnits || word in timeUnits || (word !== '' && sizeLike.test(word)) || timeLike.test(word);
}

/**
 * The size units that a wrong one may stand for, the likelier first: `K` is KiB, as most tools
 * print it, `KB` and `kb` are kB, `Kib` is KiB. Empty where no size is meant.
 */
export function sizeUnitsMeant(word: string): readonly string[] {
  const match = sizeLike.exec(word);
  if (match === null || word === '' || word.toLowerCase() === 'i') return [];
  const prefix = (match[1] ?? '').toUpperCase();
  const binary = match[2] ?? '';
  if (prefix === '') return binary === '' ? ['B'] : [];
  if (prefix === 'T' || prefix === 'P') return ['GiB', 'GB'];
  const decimalUnit = prefix === 'K' ? 'kB' : `${prefix}B`;
  const binaryUnit = `${prefix}iB`;
  return binary !== '' || match[3] === undefined ? [binaryUnit, decimalUnit] : [decimalUnit, binaryUnit];
}

/** The time unit that a wrong one stands for, or undefined. */
export function timeUnitMeant(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (lower.startsWith('n')) return 'ns';
  if (lower.startsWith('u') || lower.startsWith('micro') || lower.startsWith('µ') || lower.startsWith('μ')) return 'us';
  if (lower.startsWith('milli') || lower === 'ms' || lower.startsWith('msec')) return 'ms';
  return lower === 's' || lower.startsWith('sec') ? 's' : undefined;
}

const bitsLike = /^([kmgt]?)(i?)(?:bits?|b)(?:ps|\/s|\/sec)$/i;

/**
 * An amount of bits per second as bytes per second, in the largest unit that leaves at least 1:
 * 100 `Gbit/s` or `Gbps` are `12.5 GB/s`. Undefined where no bits are meant: `GBps`, `gb/s`.
 */
export function bytesOfBits(number: number, unit: string): string | undefined {
  const match = bitsLike.exec(unit);
  const saysBits = /bit/i.test(unit) || /^(?:[KMGT]i?|k)b/.test(unit);
  if (match === null || !saysBits || !(number > 0)) return undefined;
  const exponent = ['', 'k', 'm', 'g', 't'].indexOf((match[1] ?? '').toLowerCase());
  const isBinary = match[2] !== '';
  const bytes = (number * (isBinary ? 1024 : 1000) ** exponent) / 8;
  const units = isBinary ? ['GiB', 'MiB', 'KiB', 'B'] : ['GB', 'MB', 'kB', 'B'];
  const best = units.find((candidate) => bytes >= sizeUnits[candidate]!) ?? 'B';
  return `${Number((bytes / sizeUnits[best]!).toPrecision(12))} ${best}/s`;
}
