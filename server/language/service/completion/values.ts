import type { IToken } from 'chevrotain';
import type { CompletionItem } from 'vscode-languageserver-types';
import type { PropertyForm, PropertySpecification } from '../../properties.ts';
import {
  Comma,
  Cross,
  DotDot,
  Cable,
  LeftBracket,
  NumberToken,
  RightParenthesis,
  Slash,
  StringToken,
  Word,
} from '../../tokens.ts';
import type { DeclarationKind } from '../../tree.ts';
import { catalogueFor, entryFor } from '../catalogues.ts';
import type { PositionInput } from '../input.ts';
import { expectsPlacement, expectsWord, type OpenProperty } from './context.ts';
import { declaredItem, entryItem, wordItem } from './items.ts';
import { optionItems } from './options.ts';
import { unitItems } from './units.ts';

/** Items for what follows the word of a property; `complete` where the next property may follow as well. */
export interface AfterProperty {
  readonly items: CompletionItem[];
  readonly complete: boolean;
}

export function itemsAfterProperty(input: PositionInput, open: OpenProperty): AfterProperty {
  if (open.inParentheses) return { items: optionItems(open), complete: false };
  if (expectsWord(open)) return { items: nameItems(input, open), complete: false };
  return itemsAfterValue(open);
}

function nameItems(input: PositionInput, open: OpenProperty): CompletionItem[] {
  const { property } = open;
  const { content } = property;
  if (expectsPlacement(open)) return declaredItems(input, 'placement');
  if (content.form === 'word') return content.choices.map((choice) => wordItem(choice, property.summary));
  if (content.form === 'names') return declaredItems(input, content.of);
  return open.taken.length === 0 ? choiceItems(input, property) : formatItems(open);
}

/** Behind `from "FILE" as`. */
const formatItems = ({ property, taken: [name] }: OpenProperty): CompletionItem[] =>
  formatsAfter(property.word, name?.image ?? '').map((format) => wordItem(format.name, format.summary));

/** Words of the catalogue, and declared names where the property takes those too. */
function choiceItems(input: PositionInput, { word }: PropertySpecification): CompletionItem[] {
  const whole = nothingFollows(input);
  const entries = catalogueFor(word).map((entry) => entryItem(word, entry, whole));
  if (word !== 'stencil' && word !== 'table') return entries;
  return [...declaredItems(input, word), ...entries];
}

/** Whether the line ends at the cursor, but for a brace or a comment. */
function nothingFollows({ document, offset }: PositionInput): boolean {
  const { line } = document.positionAt(offset);
  const end = document.offsetAt({ line: line + 1, character: 0 });
  return /^\s*(?:[})]|\/\/|$)/.test(document.getText().slice(offset, end));
}

const declaredItems = (input: PositionInput, kind: DeclarationKind): CompletionItem[] =>
  input.checked.symbols.all(kind).map((declared) => declaredItem(input, declared));

/** After these a property goes on, and what comes next is a number that nobody can guess. */
const unfinished = new Set([Comma, Cross, DotDot, Cable, LeftBracket]);

function itemsAfterValue({ property, taken }: OpenProperty): AfterProperty {
  const last = taken.at(-1);
  const { form } = property.content;
  if (last === undefined) return { items: [], complete: form === 'flag' };
  if (unfinished.has(last.tokenType)) return { items: [], complete: false };
  if (last.tokenType === NumberToken) return { items: unitItems(form), complete: true };
  if (last.tokenType === Slash) return { items: [wordItem('s', 'per second')], complete: false };
  if (last.tokenType === StringToken) return { items: asItems(property, taken), complete: true };
  return { items: followers(form, last), complete: !(form === 'offset' && last.tokenType === Word) };
}

/** Behind the file of a fabric: a format may be named where the content does not tell. */
function asItems({ word }: PropertySpecification, [name]: readonly IToken[]): CompletionItem[] {
  const hasFormats = formatsAfter(word, name?.image ?? '').length > 0;
  return hasFormats ? [wordItem('as', 'the format of the file, where its content does not tell')] : [];
}

const formatsAfter = (property: string, name: string) => entryFor(property, name)?.argument?.formats ?? [];

/** `offset (1, 0) weight 0.5`. */
const followers = (form: PropertyForm['form'], last: IToken): CompletionItem[] =>
  form === 'offset' && last.tokenType === RightParenthesis ? [wordItem('weight', 'multiplies the bytes')] : [];
