import type { IToken } from 'chevrotain';
import {
  CompletionItemKind,
  InsertTextFormat,
  InsertTextMode,
  type Command,
  type CompletionItem,
} from 'vscode-languageserver-types';
import type { CatalogueEntry, OptionSpecification } from '../../../model/catalogue.ts';
import { formatNumber } from '../../../model/quantities.ts';
import { axisName } from '../../../model/shape.ts';
import type { PropertySpecification, PropertyForm } from '../../propertyForms.ts';
import type { Declared } from '../../symbols.ts';
import { Comma, LeftParenthesis, NumberToken, StringToken } from '../../tokens.ts';
import { frequencyUnits, rateUnits, shownUnits, sizeUnits, timeUnits } from '../../units.ts';
import { entryFor } from '../catalogues.ts';
import { entryMarkdown, optionMarkdown } from '../hover/catalogueEntry.ts';
import { codeBlock, documentationMarkdown, markdownContent, paragraphs } from '../hover/markdown.ts';
import type { ServiceInput } from '../input.ts';
import type { OpenProperty } from './context.ts';

// One file makes all items, so that every list looks the same: summary as detail, the rest as documentation.

/**
 * Has an editor ask again at once, since what must come next can be chosen too; quiet where there is nothing to choose.
 * A command of VS Code: others get their items without it.
 */
export const askAgain: Command = {
  title: 'Suggest',
  command: 'editor.action.triggerSuggest',
  arguments: [{ auto: true }],
};

export function propertyItem(property: PropertySpecification): CompletionItem {
  return {
    label: property.word,
    kind: CompletionItemKind.Property,
    detail: property.summary,
    documentation: markdownContent(paragraphs(codeBlock(property.example), `Takes ${property.takes}.`)),
    insertText: property.content.form === 'flag' ? property.word : `${property.word} `,
    ...(isChosen(property) ? { command: askAgain } : {}),
  };
}

/** Whether what follows the word is chosen from a list. */
const isChosen = ({ content }: PropertySpecification): boolean =>
  (content.form === 'choice' && content.source !== 'traces') ||
  ['choices', 'word', 'names', 'phrase'].includes(content.form);

/** `whole`: nothing follows yet, so that what the word needs is written with it. */
export function entryItem(property: string, entry: CatalogueEntry, whole: boolean): CompletionItem {
  return {
    label: entry.name,
    kind: CompletionItemKind.Function,
    detail: entry.summary,
    documentation: markdownContent(entryMarkdown(property, entry)),
    ...(whole && entry.skeleton !== undefined ? snippet(entry.skeleton) : {}),
  };
}

/** Further lines are indented as the one they begin on. */
const snippet = (insertText: string) => ({
  insertText,
  insertTextFormat: InsertTextFormat.Snippet,
  insertTextMode: InsertTextMode.adjustIndentation,
});

function optionItem(entry: CatalogueEntry, option: OptionSpecification): CompletionItem {
  return {
    label: option.name,
    kind: CompletionItemKind.Field,
    detail: option.summary,
    documentation: markdownContent(optionMarkdown(entry, option)),
    insertText: `${option.name} `,
    ...(['choice', 'axes', 'budget'].includes(option.kind) ? { command: askAgain } : {}),
  };
}

export function declaredItem(input: ServiceInput, { name, node }: Declared): CompletionItem {
  const { kind } = node;
  const documentation = documentationMarkdown(input, node);
  return {
    label: name,
    kind: CompletionItemKind.Class,
    detail: kind,
    ...(documentation === undefined ? {} : { documentation: markdownContent(documentation) }),
  };
}

/** A unit, a choice of an option, an axis. */
export const wordItem = (label: string, detail: string): CompletionItem => ({
  label,
  kind: CompletionItemKind.Value,
  detail,
});

/** Units that may follow a number of a property, the most used first; that one is chosen already. */
export function unitItems(content: PropertyForm): CompletionItem[] {
  const form = content.form === 'link-figure' ? content.unit : content.form;
  if (form === 'size') return itemsOfUnits(sizeUnits, ['KiB', 'MiB', 'kB', 'MB', 'B', 'GiB', 'GB'], 'bytes');
  if (form === 'time') return timeUnitItems(['ns', 'us']);
  if (form === 'rate') return itemsOfUnits(rateUnits, ['GB/s', 'MB/s', 'GiB/s', 'MiB/s'], 'bytes per second');
  return form === 'frequency' ? itemsOfUnits(frequencyUnits, [], 'per second') : [];
}

const timeUnitItems = (first: readonly string[]): CompletionItem[] => itemsOfUnits(timeUnits, first, 'seconds');

function itemsOfUnits(
  units: Readonly<Record<string, number>>,
  first: readonly string[],
  measure: string,
): CompletionItem[] {
  const names = [...first, ...shownUnits(units).filter((unit) => !first.includes(unit))];
  return names.map((unit, index) => ({
    ...wordItem(unit, `${formatNumber(units[unit] ?? 1)} ${measure}`),
    ...(index === 0 ? { preselect: true } : {}),
  }));
}

/** Axes that are offered; more can be written. */
const offeredAxes = [0, 1, 2, 3].map(axisName);

/** Names and values of options, inside the parentheses of a catalogue word. */
export function optionItems({ property, taken }: OpenProperty): CompletionItem[] {
  const opening = taken.findLastIndex(({ tokenType }) => tokenType === LeftParenthesis);
  // Of a list the word before the parenthesis; of one choice its name, which an argument may follow.
  const name = taken[property.content.form === 'choices' ? opening - 1 : 0];
  // A file without a name before it is of the property itself.
  const entry = entryFor(property.word, name?.tokenType === StringToken ? property.word : (name?.image ?? ''));
  if (property.content.form === 'link-figure') return groupItems(property, taken.slice(opening + 1));
  if (entry === undefined) return [];
  const written = commaParts(taken.slice(opening + 1));
  const current = written.at(-1) ?? [];
  if (current.length === 0) return nextItems(entry, written);
  const option = entry.options.find(({ name }) => name === current[0]?.image);
  return option === undefined ? [] : valueItems(option, current);
}

/** Groups of links that may have figures of their own: `(hosts 16 GB/s, local 5.25 GB/s)`. */
function groupItems({ content, summary }: PropertySpecification, tokens: readonly IToken[]): CompletionItem[] {
  const current = commaParts(tokens).at(-1) ?? [];
  if (current.length === 0) {
    return ['hosts', 'local', 'global', 'tier', ...offeredAxes].map((group) => wordItem(group, summary));
  }
  return current.at(-1)?.tokenType === NumberToken ? unitItems(content) : [];
}

/** The tokens between commas. */
function commaParts(tokens: readonly IToken[]): IToken[][] {
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
  if ((option.kind === 'time' || option.kind === 'budget') && isNumber) return timeUnitItems(['s', 'ms']);
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
