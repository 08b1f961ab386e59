/** Quantities in words. Written out here, because a locale must not change a picture. */

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/** `640 B`, `64 KiB`, `1.25 MiB`: binary units, at most four digits. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1023.5 && unit < byteUnits.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${formatNumber(amount)} ${byteUnits[unit]!}`;
}

/** At most four significant digits, no trailing zeros, thousands apart: `1.25`, `10 648`, `3.2e+21`. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return groupThousands(value);
  const rounded = Number(value.toPrecision(4));
  if (Math.abs(rounded) >= 1e15) return rounded.toString();
  return Math.abs(rounded) >= 1000 ? groupThousands(Math.round(rounded)) : rounded.toString();
}

/** A narrow no-break space between groups of three digits; four digits stay together. */
function groupThousands(value: number): string {
  const digits = Math.abs(value).toString();
  const grouped = digits.length <= 4 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return value < 0 ? `−${grouped}` : grouped;
}

const timeUnits = [
  ['s', 1],
  ['ms', 1e-3],
  ['µs', 1e-6],
  ['ns', 1e-9],
] as const;

/** `1.5 ms`; the largest unit that leaves at least 1. */
export function formatSeconds(seconds: number): string {
  if (seconds === 0) return '0 s';
  const [unit, scale] = timeUnits.find(([, scale]) => seconds >= scale) ?? timeUnits[3];
  return `${formatNumber(seconds / scale)} ${unit}`;
}

/** `1 task`, `2 tasks`. */
export const plural = (count: number, word: string): string =>
  `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`;
