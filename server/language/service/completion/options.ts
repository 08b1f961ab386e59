import type { IToken } from 'chevrotain';
import type { CompletionItem } from 'vscode-languageserver-types';
import type { CatalogueEntry, OptionSpecification } from '../../../model/catalogue.ts';
import { axisName } from '../../../model/shape.ts';
import { Comma, LeftParenthesis, NumberToken } from '../../tokens.ts';
import { entryFor } from '../catalogues.ts';
import type { OpenProperty } from './context.ts';
import { optionItem, wordItem } from './items.ts';
import { timeUnitItems } from './units.ts';

/** Axes that are offered; more can be written. */
const offeredAxes = [0, 1, 2].map(axisName);

/** Names and values of options, inside the parentheses of a catalogue word. */
export function optionItems({ property, taken }: OpenProperty): CompletionItem[] {
  const entry = entryFor(property.word, taken[0]?.image ?? '');
  if (entry === undefined) return [];
  const opening = taken.findLastIndex(({ tokenType }) => tokenType === LeftParenthesis);
  const written = partsOf(taken.slice(opening + 1));
  const current = written.at(-1) ?? [];
  if (current.length === 0) return nextItems(entry, written);
  const option = entry.options.find(({ name }) => name === current[0]?.image);
  return option === undefined ? [] : valueItems(option, current);
}

/** The tokens between commas. */
function partsOf(tokens: readonly IToken[]): IToken[][] {
  const parts: IToken[][] = [[]];
  for (const token of tokens) {
    if (token.tokenType === Comma) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Options not written yet; behind `order z,` also the axes, whose list may go on. */
function nextItems(entry: CatalogueEntry, written: readonly IToken[][]): CompletionItem[] {
  const names = new Set(written.map(([name]) => name?.image));
  const options = entry.options.filter(({ name }) => !names.has(name));
  const lastNamed = written.map(([name]) => entry.options.find((option) => option.name === name?.image));
  const isAxes = lastNamed.findLast((option) => option !== undefined)?.kind === 'axes';
  return [...(isAxes ? axisItems() : []), ...options.map((option) => optionItem(entry, option))];
}

/** What may follow in an option that has been written as far as these tokens, its name the first. */
export function valueItems(option: OptionSpecification, [, ...values]: readonly IToken[]): CompletionItem[] {
  const isNumber = values.at(-1)?.tokenType === NumberToken;
  if ((option.kind === 'time' || option.kind === 'budget') && isNumber) return timeUnitItems();
  if (values.length > 0) return [];
  if (option.kind === 'budget') return budgetItems();
  if (option.kind === 'choice') return option.choices.map((choice) => wordItem(choice, option.summary));
  return option.kind === 'axes' ? axisItems() : [];
}

/** Of each kind one, since what they mean differs more than how much they are. */
const budgetItems = (): CompletionItem[] => [
  wordItem('1 s', 'a time: what is found depends on the machine'),
  wordItem('1000000', 'a number of steps: the same is found in every run'),
];

const axisItems = (): CompletionItem[] => offeredAxes.map((axis) => wordItem(axis, 'an axis'));
