/** How hovers, lenses and diagnostics write figures: short, with a unit, the same everywhere. */

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const decimalUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** At most `places` decimals, none that are zero, thousands apart: 1234.50 is `1,234.5`. */
export function formatNumber(value: number, places = 3): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: places });
}

/** `64 KiB`, `2.4 MiB`, `1.33 GiB`: powers of 1024, at most two decimals. */
export const formatBytes = (bytes: number): string => scale(bytes, 1024, binaryUnits);

/** `1 GB/s`: powers of 1000, as links are sold and users write them. */
export const formatRate = (bytesPerSecond: number): string => `${scale(bytesPerSecond, 1000, decimalUnits)}/s`;

function scale(value: number, step: number, units: readonly string[]): string {
  let scaled = value;
  let unit = 0;
  while (Math.abs(scaled) >= step && unit < units.length - 1) {
    scaled /= step;
    unit++;
  }
  return `${formatNumber(scaled, 2)} ${units[unit] ?? ''}`;
}

/** `64 KiB (65,536 B)`: also exact, where the short form is not the number of bytes itself. */
export function formatExactBytes(bytes: number): string {
  return bytes < 1024 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatNumber(bytes, 0)} B)`;
}

/** `62 %`, `0.4 %`, `under 0.1 %`; of 0 … 1. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return 'under 0.1 %';
  return `${formatNumber(100 * share, share < 0.01 ? 1 : 0)} %`;
}

/** Seconds as `250 ns`, `1.5 ms`, `3 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds === 0) return '0 s';
  const steps: readonly (readonly [number, string])[] = [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'µs'],
  ];
  // Rounding of a quotient must not turn 250 ns into 0 µs: the largest unit that keeps it at least 1.
  const [size, unit] = steps.find(([step]) => Math.abs(seconds) >= step) ?? [1e-9, 'ns'];
  return `${formatNumber(seconds / size, 2)} ${unit}`;
}

/** `1 pair`, `2 pairs`: the noun agrees with the number as it is written. */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  agree(formatNumber(count, 0), singular, plural);

/** `1 hop`, `1.25 hops`. */
export const hopsOf = (hops: number): string => agree(formatNumber(hops), 'hop', 'hops');

const agree = (written: string, singular: string, plural: string): string =>
  `${written} ${written === '1' ? singular : plural}`;
