import type { CompletionItem } from 'vscode-languageserver-types';
import type { PropertyForm } from '../../properties.ts';
import { frequencyUnits, rateUnits, sizeUnits, timeUnits } from '../../unitWords.ts';
import { wordItem } from './items.ts';

/** Units that may follow a number of a property. */
export function unitItems(form: PropertyForm['form']): CompletionItem[] {
  if (form === 'size') return itemsOfUnits(sizeUnits, 'bytes');
  if (form === 'time') return timeUnitItems();
  if (form === 'rate') return itemsOfUnits(rateUnits, 'bytes per second');
  return form === 'frequency' ? itemsOfUnits(frequencyUnits, 'per second') : [];
}

export const timeUnitItems = (): CompletionItem[] => itemsOfUnits(timeUnits, 'seconds');

const itemsOfUnits = (units: Readonly<Record<string, number>>, measure: string): CompletionItem[] =>
  Object.entries(units).map(([unit, factor]) => wordItem(unit, `${factor} ${measure}`));
