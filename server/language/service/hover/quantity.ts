import { frequencyUnits, rateUnits, sizeUnits, timeUnits } from '../../unitWords.ts';
import { formatNumber, formatSeconds } from '../numbers.ts';

/** What a quantity is in plain bytes or seconds: `64 KiB` is 65,536 bytes. */
export function quantityMarkdown(number: number, unit: string): string | undefined {
  const written = `\`${formatNumber(number)} ${unit}\``;
  const amount = (factor: number) => formatNumber(number * factor);
  if (unit in sizeUnits) return `${written} = **${amount(sizeUnits[unit] ?? 1)}** bytes`;
  if (unit in rateUnits) return `${written} = **${amount(rateUnits[unit] ?? 1)}** bytes per second`;
  if (unit in timeUnits) return `${written} = **${formatSeconds(number * (timeUnits[unit] ?? 1))}**`;
  if (unit === '%') return `${written} = **${formatNumber(number / 100, 6)}**`;
  return unit in frequencyUnits ? `${written} = **${amount(1)}** per second` : undefined;
}
