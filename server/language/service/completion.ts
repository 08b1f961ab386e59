import type { IToken } from 'chevrotain';
import { TextEdit, type CompletionItem } from 'vscode-languageserver-types';
import { declarations, propertyOf, declarationOf } from '../schema.ts';
import { type PropertyForm, type PropertySpecification } from '../propertyForms.ts';
import {
  Comma,
  Cross,
  DotDot,
  Cable,
  LeftBracket,
  RightBracket,
  NumberToken,
  Percent,
  RightParenthesis,
  Slash,
  StringToken,
  Word,
} from '../tokens.ts';
import { openTraffic, trafficPatterns } from '../experimentWords.ts';
import type { DeclarationKind } from '../tree.ts';
import { catalogueFor, entryFor } from './catalogues.ts';
import { contextAt, type Context, expectsPlacement, expectsWord, type OpenProperty } from './completion/context.ts';
import {
  importItem,
  keywordItem,
  propertyItem,
  wordItem,
  declaredItem,
  entryItem,
  optionItems,
  unitItems,
} from './completion/items.ts';
import { variedSettings } from '../../model/simulation.ts';
import { variedPaths } from '../../model/stream.ts';
import { type PositionInput, treeOf, touches } from './input.ts';

/** Characters after which an editor should ask by itself: values follow a blank, options a parenthesis. */
export const completionTriggers: readonly string[] = [' ', '(', ',', '/'];

/** How the editor came to ask, as the protocol's CompletionParams say it. */
interface CompletionRequest {
  readonly context?: { readonly triggerCharacter?: string } | undefined;
}

/**
 * What may be written at the offset, however broken the text around it is; best first. Where a
 * character triggered it, only what must stand here: a list that pops up at every blank would
 * take the Enter that ends a line.
 */
export function completion(input: PositionInput, request: CompletionRequest = {}): CompletionItem[] {
  const { document, offset } = input;
  const text = document.getText();
  const context = contextAt(text, offset);
  const range = { start: document.positionAt(context.start), end: document.positionAt(offset) };
  const gap = /\d/.test(text.charAt(context.start - 1)) ? ' ' : '';
  return itemsOf(input, context, request.context?.triggerCharacter === undefined).map(({ insertText, ...item }) => ({
    ...item,
    // An edit with a range, since editors differ in what they take for a word: `first-try` is one here.
    textEdit: TextEdit.replace(range, withGap(gap, insertText ?? item.label)),
  }));
}

/** `bytes 64|` becomes `bytes 64 KiB`, and `rate 100|` becomes `rate 100/s`. */
const withGap = (gap: string, text: string): string => (/^\w/.test(text) ? gap + text : text);

function itemsOf(input: PositionInput, context: Context, asked: boolean): CompletionItem[] {
  switch (context.kind) {
    case 'nothing':
      return [];
    case 'top':
      return asked ? [...declarations.map(keywordItem), importItem()] : [];
    case 'table-from':
      return [wordItem('from', 'read the table from a file: CSV or Matrix Market')];
    case 'body':
      return itemsInBody(input, context, asked);
  }
}

const bodyStart: AfterProperty = { items: [], complete: true };

/** What may follow the last property, and the next property where that one may be complete. */
function itemsInBody(
  input: PositionInput,
  { declaration, last }: Extract<Context, { kind: 'body' }>,
  asked: boolean,
): CompletionItem[] {
  if (last?.own === 'expected') return ownItems();
  const { items, complete } = last === undefined ? bodyStart : itemsAfterProperty(input, last);
  return complete && asked && last?.own === undefined ? [...items, ...propertyItems(input, declaration)] : items;
}

/** Behind `jobs a(`: what the job may choose for itself. */
const ownItems = (): CompletionItem[] =>
  ['allocate', 'map'].flatMap((word) => {
    const property = propertyOf('placement', word);
    return property === undefined ? [] : [propertyItem(property)];
  });

/** Properties that the declaration does not have yet; those it needs first. */
function propertyItems(input: PositionInput, kind: DeclarationKind): CompletionItem[] {
  const given = givenProperties(input);
  const properties = declarationOf(kind)?.properties ?? [];
  return properties
    .filter((property) => property.repeatable === true || !given.has(property.word))
    .map((property, index) => ({ ...propertyItem(property), sortText: sortText(property.required === true, index) }));
}

/** The order of the table of properties, which no editor would guess from the labels. */
const sortText = (required: boolean, index: number): string => `${required ? 0 : 1} ${String(index).padStart(2, '0')}`;

/** Words of the properties round the offset, but for the one that is being typed. */
function givenProperties(input: PositionInput): ReadonlySet<string> {
  const { offset } = input;
  // The one that begins last before the cursor: the end of one without its brace says nothing.
  const declaration = treeOf(input).declarations.findLast(({ start }) => start <= offset);
  const others = declaration?.properties.filter(({ word }) => !touches(word, offset)) ?? [];
  return new Set(others.map(({ word }) => word.text));
}

/** Items for what follows the word of a property; `complete` where the next property may follow as well. */
interface AfterProperty {
  readonly items: CompletionItem[];
  readonly complete: boolean;
}

function itemsAfterProperty(input: PositionInput, open: OpenProperty): AfterProperty {
  if (open.inParentheses) return { items: optionItems(open), complete: false };
  if (isInList(open)) return { items: [], complete: false };
  if (expectsWord(open)) return { items: nameItems(input, open), complete: endsPhrase(open) };
  return itemsAfterValue(open);
}

/** Within the brackets of a phrase there are numbers, which nobody can guess. */
const isInList = ({ property, taken }: OpenProperty): boolean =>
  property.content.form === 'phrase' &&
  taken.findLast(({ tokenType }) => tokenType === LeftBracket || tokenType === RightBracket)?.tokenType === LeftBracket;

/** Of a phrase, behind what may end it: `until 5 % at 95 %`, or go on, `(at most 100)`. */
const endsPhrase = ({ property, taken }: OpenProperty): boolean =>
  property.content.form === 'phrase' &&
  [NumberToken, Percent, RightParenthesis].some((type) => taken.at(-1)?.tokenType === type);

function nameItems(input: PositionInput, open: OpenProperty): CompletionItem[] {
  const { property } = open;
  const { content } = property;
  if (content.form === 'choice' && content.source === 'traces' && open.taken.length === 0) return [];
  if (expectsPlacement(open)) return declaredItems(input, 'placement');
  if (content.form === 'word') return content.choices.map((choice) => wordItem(choice, property.summary));
  if (content.form === 'phrase') return phraseItems(input, open);
  if (content.form === 'choices') return choiceItems(input, property);
  if (content.form === 'names') return declaredItems(input, content.of);
  return open.taken.length === 0 ? choiceItems(input, property) : formatItems(open);
}

/** The words of a phrase; behind `vary` the numbers of the stream or of the jobs that can be varied. */
function phraseItems(input: PositionInput, { property, taken }: OpenProperty): CompletionItem[] {
  const { content, word, summary } = property;
  if (content.form !== 'phrase') return [];
  if (word === 'vary' && taken.length === 0) return variedItems(input);
  return content.words.map((each) => wordItem(each, summary));
}

function variedItems(input: PositionInput): CompletionItem[] {
  const experiment = treeOf(input).declarations.findLast(({ start }) => start <= input.offset);
  const namesOf = (...words: readonly string[]): readonly string[] => {
    const content = experiment?.properties.find(({ word }) => words.includes(word.text))?.content;
    if (content?.kind === 'choice') return [content.choice.name.text];
    return content?.kind === 'names' ? content.names.map(({ text }) => text) : [];
  };
  const { experiments, program } = input.checked;
  const stream = experiments.streams.get(namesOf('stream')[0] ?? '');
  const jobs = namesOf('job', 'jobs').flatMap((name) => program.jobs.get(name) ?? []);
  const isOpen = namesOf('replay')[0] === 'open';
  const written = variedSettings({ jobs, ...(isOpen && { replay: { kind: 'open', speed: 1 } }) });
  return [...(stream === undefined ? written : variedPaths(stream))].map(([path, value]) =>
    wordItem(path, `now ${value}`),
  );
}

/** Behind `from "FILE" as`. */
const formatItems = ({ property, taken: [name] }: OpenProperty): CompletionItem[] =>
  formatsAfter(property.word, name).map((format) => wordItem(format.name, format.summary));

/** Words of the catalogue, and declared names where the property takes those too. */
function choiceItems(input: PositionInput, { word, content }: PropertySpecification): CompletionItem[] {
  const whole = nothingFollows(input);
  // That of a stream is of its jobs, that of an experiment has none.
  const traffic = content.form === 'choices' ? openTraffic : trafficPatterns;
  const entries = (word === 'traffic' ? traffic : catalogueFor(word)).map((entry) => entryItem(word, entry, whole));
  const kind = word === 'simulate' ? 'network' : word;
  if (kind !== 'stencil' && kind !== 'table' && kind !== 'network') return entries;
  return [...declaredItems(input, kind), ...entries];
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
  if (last.tokenType === NumberToken) {
    const { content } = property;
    const words = content.form === 'phrase' ? content.words.map((word) => wordItem(word, property.summary)) : [];
    return { items: [...words, ...unitItems(form)], complete: true };
  }
  if (last.tokenType === Slash) return { items: [wordItem('s', 'per second')], complete: false };
  if (last.tokenType === StringToken) return { items: asItems(property, taken), complete: true };
  return { items: followers(form, last), complete: !(form === 'offset' && last.tokenType === Word) };
}

/** Behind the file of a fabric: a format may be named where the content does not tell. */
function asItems({ word }: PropertySpecification, [name]: readonly IToken[]): CompletionItem[] {
  const hasFormats = formatsAfter(word, name).length > 0;
  return hasFormats ? [wordItem('as', 'the format of the file, where its content does not tell')] : [];
}

/** A file without a name before it is of the property itself. */
const formatsAfter = (property: string, name: IToken | undefined) =>
  entryFor(property, name?.tokenType === StringToken ? property : (name?.image ?? ''))?.argument?.formats ?? [];

/** `offset (1, 0) weight 0.5`. */
const followers = (form: PropertyForm['form'], last: IToken): CompletionItem[] =>
  form === 'offset' && last.tokenType === RightParenthesis ? [wordItem('weight', 'multiplies the bytes')] : [];
