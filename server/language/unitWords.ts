/** Units as the language writes them, with their factor: bytes, seconds, or per second. */
export const sizeUnits: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  KiB: 1024,
  MB: 1e6,
  MiB: 1024 ** 2,
  GB: 1e9,
  GiB: 1024 ** 3,
};

export const timeUnits: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6, // the micro sign
  μs: 1e-6, // the Greek letter
  ms: 1e-3,
  s: 1,
};

export const rateUnits: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(sizeUnits).map(([unit, factor]) => [`${unit}/s`, factor]),
);

export const frequencyUnits: Readonly<Record<string, number>> = { '/s': 1 };

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
