import { frequencyUnits, rateUnits, sizeUnits, timeUnits } from '../../unitWords.ts';
import { formatNumber, formatSeconds } from '../../../model/quantities.ts';
import { code } from './markdown.ts';

/** What a quantity is in plain bytes or seconds: `64 KiB` is 65,536 bytes. */
export function quantityMarkdown(number: number, unit: string): string | undefined {
  const written = code(`${formatNumber(number)} ${unit}`);
  const amount = (factor: number) => formatNumber(number * factor);
  if (Object.hasOwn(sizeUnits, unit)) return `${written} = **${amount(sizeUnits[unit] ?? 1)}** bytes`;
  if (Object.hasOwn(rateUnits, unit)) return `${written} = **${amount(rateUnits[unit] ?? 1)}** bytes per second`;
  if (Object.hasOwn(timeUnits, unit)) return `${written} = **${formatSeconds(number * (timeUnits[unit] ?? 1))}**`;
  if (unit === '%') return `${written} = **${formatNumber(number / 100, 6)}**`;
  return Object.hasOwn(frequencyUnits, unit) ? `${written} = **${amount(1)}** per second` : undefined;
}
