import type { IToken } from 'chevrotain';
import { InsertTextFormat, TextEdit, type CompletionItem } from 'vscode-languageserver-types';
import { declarationSpecification, fitsBeside, ownProperties, sourcesOfNames } from '../schema.ts';
import { parallelismMeanings, parallelismWords } from '../placementSchema.ts';
import { quotedAdditions, type PropertyForm, type PropertySpecification } from '../propertyForms.ts';
import {
  Comma,
  Cross,
  DotDot,
  Cable,
  LeftBracket,
  NumberToken,
  Percent,
  RightParenthesis,
  Slash,
  StringToken,
  Word,
} from '../tokens.ts';
import { additionMeanings, formPartMeanings, metricEntries } from '../experimentWords.ts';
import type { CatalogueEntry } from '../../model/catalogue.ts';
import { tableFormats } from '../../interchange/catalogue.ts';
import { stencils } from '../../traffic/catalogue.ts';
import type { DeclarationKind, DeclarationNode, PhrasePart, PropertyNode } from '../tree.ts';
import { formatsFor } from './catalogues.ts';
import {
  contextAt,
  type Context,
  expectsPlacement,
  expectsWord,
  isInList,
  type OpenProperty,
  type TablePart,
} from './completion/context.ts';
import { declarationItems } from './completion/declarationItems.ts';
import { hostItems, hostListItems, pathItems, type FolderListing } from './completion/paths.ts';
import { stencilOfDeclaration } from './hover/catalogueEntry.ts';
import {
  askAgain,
  propertyItem,
  wordItem,
  declaredItem,
  entryItem,
  optionItems,
  unitItems,
} from './completion/items.ts';
import { formParts, type FormPart, type ExperimentSubject } from '../../model/experiment.ts';
import { metricsOfSubject, type ExperimentMetric } from '../../model/metrics.ts';
import { networkFigures, variedSettings } from '../../model/simulation.ts';
import { variedMachineNumbers } from '../../network/contract.ts';
import { variedPaths } from '../../model/stream.ts';
import { type PositionInput, treeOf, touches } from './input.ts';

/** Characters after which an editor should ask by itself: values follow a blank, options a parenthesis, files a quote. */
export const completionTriggers: readonly string[] = [' ', '(', ',', '/', '"'];

/** How the editor came to ask, as the protocol's CompletionParams say it. */
interface CompletionRequest {
  readonly context?: { readonly triggerCharacter?: string } | undefined;
  /** What lies in the folder that {@link folderAt} names. */
  readonly listing?: FolderListing | undefined;
  /** The editor has the commands of VS Code. */
  readonly hasCommands?: boolean;
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
  const gap = /\d/.test(text.charAt(context.start - 1)) && context.kind !== 'string' ? ' ' : '';
  return contextItems(input, context, request).map(({ insertText, command, ...item }, index) => ({
    ...item,
    // The order of this list, which no editor would guess from the labels.
    sortText: String(index).padStart(5, '0'),
    // An edit with a range, since editors differ in what they take for a word: `first-try` is one here.
    textEdit: TextEdit.replace(range, withGap(gap, insertText ?? item.label)),
    ...(request.hasCommands === true && command !== undefined ? { command } : {}),
  }));
}

/** `bytes 64|` becomes `bytes 64 KiB`, and `rate 100|` becomes `rate 100/s`. */
const withGap = (gap: string, text: string): string => (/^\w/.test(text) ? gap + text : text);

/** Right behind the brace that ends a declaration, where the last Tab of a skeleton leads, no other begins. */
const topItems = (input: PositionInput, start: number): CompletionItem[] =>
  input.document.getText().charAt(start - 1) === '}' ? [] : declarationItems(input);

function contextItems(
  input: PositionInput,
  context: Context,
  { context: how, listing }: CompletionRequest,
): CompletionItem[] {
  const asked = how?.triggerCharacter === undefined;
  // A quote or a slash that is no part of a path asks for nothing, but for the `s` of `100/s`.
  if (how?.triggerCharacter === '"' && context.kind !== 'string') return [];
  switch (context.kind) {
    case 'nothing':
      return [];
    case 'top':
      return asked ? topItems(input, context.start) : [];
    case 'table':
      return tableItems[context.next](asked ? input : undefined);
    case 'string':
      return stringItems(input, context, listing);
    case 'body':
      return itemsInBody(input, context, asked);
    case 'quoted':
      return quotedItems(input, context);
  }
}

const asItem = wordItem('as', 'the format of the file, where its content does not tell');

const fromItem: CompletionItem = {
  ...wordItem('from', 'read the table from a file: a matrix, a list, a graph, a profile or a trace'),
  insertText: 'from "$1"',
  insertTextFormat: InsertTextFormat.Snippet,
  command: askAgain,
};

/** Behind the name of a table, behind its file, and behind `as`; `input` where declarations may follow. */
const tableItems: Readonly<Record<TablePart, (input: PositionInput | undefined) => CompletionItem[]>> = {
  from: () => [fromItem],
  as: (input) => [asItem, ...(input === undefined ? [] : declarationItems(input))],
  format: () => tableFormats.map(({ name, summary }) => wordItem(name, summary)),
};

/** Within `allocate nodes ["`: hosts of the machine, where they have names; within `names "`: names for them; else paths. */
function stringItems(
  input: PositionInput,
  context: Extract<Context, { kind: 'string' }>,
  listing: FolderListing = { entries: [] },
): CompletionItem[] {
  const { word, inList } = context.of;
  const quoteFollows = input.document.getText().charAt(input.offset) === '"';
  if (word === 'names') return namesOfNodes(input, quoteFollows ? 'closed' : 'open');
  if (!inList) return pathItems(input, context, listing);
  return word === 'allocate' ? hostItems(input, quoteFollows) : [];
}

/** Names for the nodes of the machine round the cursor, where a study has counted those. */
function namesOfNodes(input: PositionInput, quotes?: 'open' | 'closed'): CompletionItem[] {
  const name = declarationBeforeCursor(input)?.name?.text;
  const nodes = input.summary?.machines.find((machine) => machine.name === name)?.nodes;
  return nodes === undefined ? [] : hostListItems(nodes, quotes);
}

/** What the experiment round the cursor says: properties with their content. */
const experimentAt = (input: PositionInput): readonly PropertyNode[] =>
  declarationBeforeCursor(input)?.properties ?? [];

/** The entries of a list of the experiment round the cursor, as they are written; of a single name none. */
function choicesBehind(input: PositionInput, word: string): readonly string[] {
  const content = experimentAt(input).find((property) => property.word.text === word)?.content;
  if (content?.kind === 'names') return content.names.length > 1 ? content.names.map(({ text }) => text) : [];
  if (content?.kind !== 'choices') return [];
  return content.choices.map(({ start, end }) => input.document.getText().slice(start, end));
}

/** Metrics that are reported, rows by their names, what is varied and over which values, and what may be added to a number. */
function quotedItems(input: PositionInput, { next, path }: Extract<Context, { kind: 'quoted' }>): CompletionItem[] {
  const properties = experimentAt(input);
  const varied = properties.flatMap(({ word, content }) =>
    word.text === 'vary' && content.kind === 'phrase' ? [variedIn(content.parts)] : [],
  );
  switch (next) {
    case 'metric':
    case 'end': {
      const reported = choicesBehind(input, 'report');
      const names = reported.length === 0 ? [usualMetric(properties)] : reported;
      return metricEntries
        .filter(({ name }) => names.includes(name))
        .map(({ name, summary }) => wordItem(name, summary));
    }
    case 'row': {
      const rows = rowWords.flatMap(([word, noun]) => choicesBehind(input, word).map((name) => wordItem(name, noun)));
      return varied.length === 0 ? rows : [...rows, wordItem('at', 'the value of what is varied')];
    }
    case 'path':
      return varied.map((each) => wordItem(each.path, 'is varied'));
    case 'value':
      return (varied.find((each) => each.path === path)?.values ?? []).map((value) => wordItem(value, `of ${path}`));
    case 'addition':
      return quotedAdditions.map((word) => wordItem(word, additionMeanings[word]));
    case 'number':
      return [];
  }
}

const rowWords = [
  ['job', 'a job of the experiment'],
  ['machine', 'a machine of the experiment'],
  ['routing', 'a routing of the experiment'],
  ['schedule', 'a scheduler of the experiment'],
  ['allocate', 'an allocator of the experiment'],
  ['map', 'a mapper of the experiment'],
  ['traffic', 'a pattern of the experiment'],
] as const;

/** What is reported where nothing says it. */
function usualMetric(properties: readonly PropertyNode[]): ExperimentMetric | undefined {
  const kind = subjectKind(properties);
  return kind && metricsOfSubject[kind][0];
}

function subjectKind(properties: readonly PropertyNode[]): ExperimentSubject['kind'] | undefined {
  const has = (...words: readonly string[]): boolean => properties.some(({ word }) => words.includes(word.text));
  if (has('stream')) return 'stream';
  return has('job', 'jobs') ? 'job' : has('traffic') ? 'traffic' : undefined;
}

/** The path of `vary`, and the values that stand in it as numbers: of steps the first ones. */
function variedIn(parts: readonly PhrasePart[]): { readonly path: string; readonly values: readonly string[] } {
  const first = parts.findIndex((part) => part.kind === 'number' || part.text === '[');
  const path = parts
    .slice(0, first < 0 ? undefined : first)
    .map(({ text }) => text)
    .join('');
  const numbers = parts.flatMap((part) => (part.kind === 'number' ? [part.value] : []));
  const [from = 0, to = 0, step = 0] = numbers;
  if (first < 0 || parts[first]?.kind !== 'number' || step === 0) return { path, values: numbers.map(String) };
  const count = Math.min(mostOfferedValues, Math.floor((to - from) / step + 1e-9) + 1);
  const values = Array.from({ length: Math.max(0, count) }, (_, index) =>
    Number((from + index * step).toPrecision(12)),
  );
  return { path, values: values.map(String) };
}

const mostOfferedValues = 30;

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
const ownItems = (): CompletionItem[] => ownProperties.map(propertyItem);

/** Properties that the declaration does not have yet, nor anything that excludes them; those it needs first. */
function propertyItems(input: PositionInput, kind: DeclarationKind): CompletionItem[] {
  const given = givenProperties(input);
  const chosen = (word: string): string | undefined => {
    const content = experimentAt(input).find((property) => property.word.text === word)?.content;
    return content?.kind === 'choice' ? content.choice.name.text : undefined;
  };
  const [subject, switching] = [subjectKind(experimentAt(input)), chosen('switching')];
  const properties = (declarationSpecification(kind)?.properties ?? []).filter(
    (row) =>
      (row.repeatable === true || !given.has(row.word)) &&
      fitsBeside(kind, row, given) &&
      (subject === undefined || row.refusedOf?.[subject] === undefined) &&
      (row.goesWith === undefined || switching === undefined || row.goesWith.some((one) => one === switching)) &&
      (row.word !== 'link' || kind !== 'machine' || ['switches', undefined].includes(chosen('topology'))),
  );
  const isNeeded = ({ required }: PropertySpecification): boolean => required === true;
  return [...properties.filter(isNeeded), ...properties.filter((property) => !isNeeded(property))].map(propertyItem);
}

/** Words of the properties round the offset, but for the one that is being typed. */
function givenProperties(input: PositionInput): ReadonlySet<string> {
  const others = declarationBeforeCursor(input)?.properties.filter(({ word }) => !touches(word, input.offset)) ?? [];
  return new Set(others.map(({ word }) => word.text));
}

/** The declaration that begins last before the cursor: the end of one without its brace says nothing. */
const declarationBeforeCursor = (input: PositionInput): DeclarationNode | undefined =>
  treeOf(input).declarations.findLast(({ start }) => start <= input.offset);

/** Items for what follows the word of a property; `complete` where the next property may follow as well. */
interface AfterProperty {
  readonly items: CompletionItem[];
  readonly complete: boolean;
}

function itemsAfterProperty(input: PositionInput, open: OpenProperty): AfterProperty {
  if (open.inParentheses) return { items: optionItems(open), complete: false };
  // Within the brackets of a phrase there are numbers, which nobody can guess.
  if (open.property.content.form === 'phrase' && isInList(open)) return { items: [], complete: false };
  if (expectsWord(open)) return { items: nameItems(input, open), complete: endsPhrase(open) };
  return itemsAfterValue(open);
}

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
  if (word === 'names') return taken.length === 0 ? namesOfNodes(input) : [];
  if (word === 'short' || word === 'middle') return formItems(input, taken);
  if (word === 'parallelism') {
    const written = new Set(taken.map(({ image }) => image));
    return parallelismWords
      .filter((each) => !written.has(each))
      .map((each) => wordItem(each, parallelismMeanings[each]));
  }
  return content.words.map((each) => wordItem(each, summary));
}

/** Parts of a smaller run of such a subject that are not written yet, where one may begin. */
function formItems(input: PositionInput, taken: readonly IToken[]): CompletionItem[] {
  const last = taken.at(-1);
  if (last !== undefined && last.tokenType !== Comma) return [];
  const kind = subjectKind(experimentAt(input));
  const parts: readonly FormPart[] =
    kind === undefined ? [...new Set(Object.values(formParts).flat())] : formParts[kind];
  return parts
    .filter((part) => !taken.some(({ image }) => image === part))
    .map((part) => wordItem(part, formPartMeanings[part]));
}

function variedItems(input: PositionInput): CompletionItem[] {
  const properties = experimentAt(input);
  const namesOf = (...words: readonly string[]): readonly string[] => {
    const content = properties.find(({ word }) => words.includes(word.text))?.content;
    if (content?.kind === 'choice') return [content.choice.name.text];
    return content?.kind === 'names' ? content.names.map(({ text }) => text) : [];
  };
  const { experiments, program, symbols } = input.checked;
  const stream = experiments.streams.get(namesOf('stream')[0] ?? '');
  if (stream !== undefined) return itemsOfPaths(variedPaths(stream));
  const jobs = namesOf('job', 'jobs').flatMap((name) => program.jobs.get(name) ?? []);
  const replay = { open: { kind: 'open', speed: 1 }, saturation: { kind: 'saturation', delivered: 0.95 } } as const;
  const kind = namesOf('replay').find((name) => name === 'open' || name === 'saturation');
  const settings = variedSettings({ jobs, ...(kind && { replay: replay[kind] }) });
  const machine = program.machines.get(namesOf('machine')[0] ?? '');
  const written = symbols.lookup('network', namesOf('network')[0] ?? '')?.node.properties ?? [];
  const figures = written.filter((property) => networkFigures.some(({ word }) => word === property.word.text));
  return [
    ...(subjectKind(properties) === 'traffic' ? [wordItem('rate', 'flits of a node and cycle')] : []),
    ...itemsOfPaths(settings),
    ...(namesOf('background').length === 0 ? [] : [wordItem('background.rate', 'packets of a node and cycle')]),
    ...figures.map(({ word }) => wordItem(`network.${word.text}`, 'of the network')),
    ...(machine === undefined ? [] : itemsOfPaths(variedMachineNumbers(machine))),
  ];
}

const itemsOfPaths = (paths: ReadonlyMap<string, unknown>): CompletionItem[] =>
  [...paths].map(([path, value]) => wordItem(path, typeof value === 'number' ? `now ${value}` : 'is varied'));

/** Behind `from "FILE" as`. */
const formatItems = ({ property, taken: [name] }: OpenProperty): CompletionItem[] =>
  formatsAfter(property.word, name).map((format) => wordItem(format.name, format.summary));

/** Words of the catalogue, and declared names where the property takes those too. */
function choiceItems(input: PositionInput, { word, content }: PropertySpecification): CompletionItem[] {
  const whole = nothingFollows(input);
  const subject = word === 'report' ? subjectKind(experimentAt(input)) : undefined;
  const measured: readonly string[] | undefined = subject && metricsOfSubject[subject];
  const source = content.form === 'choice' || content.form === 'choices' ? content.source : undefined;
  const entries = (source === undefined ? [] : sourcesOfNames[source].entries)
    .filter(({ name }) => measured?.includes(name) !== false && !(word === 'replay' && isOfExperiments(input, name)))
    .map((entry) => entryItem(word, word === 'compare' ? withRows(input, entry) : entry, whole));
  if (word === 'stencil') return stencilItems(input, entries);
  const kind = word === 'simulate' ? 'network' : word;
  if (kind !== 'table' && kind !== 'network') return entries;
  return [...declaredItems(input, kind), ...entries];
}

/** A placement is replayed as it is; where a network saturates is looked for over many replays. */
const isOfExperiments = (input: PositionInput, replay: string): boolean =>
  replay === 'saturation' && declarationBeforeCursor(input)?.kind === 'placement';

/** A comparison with the rows of the experiment in the place of a name. */
function withRows(input: PositionInput, entry: CatalogueEntry): CatalogueEntry {
  const rows = ['schedule', 'allocate', 'map'].flatMap((word) => choicesBehind(input, word));
  const names = rows.filter((row) => /^[\w-]+$/.test(row));
  if (entry.skeleton === undefined || names.length === 0) return entry;
  return { ...entry, skeleton: entry.skeleton.replace(/\$\{1:\w+\}/, `\${1|${names.join(',')}|}`) };
}

/** Stencils that fit the grid of the job; all of them where it says none yet. */
function stencilItems(input: PositionInput, builtIn: readonly CompletionItem[]): CompletionItem[] {
  const grid = declarationBeforeCursor(input)?.properties.find(({ word }) => word.text === 'grid')?.content;
  const value = grid?.kind === 'value' ? grid.value : undefined;
  const sides = value?.kind === 'shape' ? value.sides.length : value?.kind === 'number' ? 1 : undefined;
  const fits = (dimensions: number | undefined): boolean => sides === undefined || dimensions === sides;
  const declared = input.checked.symbols
    .all('stencil')
    .filter(({ node }) => fits(stencilOfDeclaration(node).dimensions));
  const dimensionsOf = new Map(stencils.map(({ name, stencil }) => [name, stencil.dimensions]));
  return [
    ...declared.map((one) => declaredItem(input, one)),
    ...builtIn.filter(({ label }) => fits(dimensionsOf.get(label))),
  ];
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
    return { items: [...words, ...unitItems(content), ...cableItems(property, taken)], complete: true };
  }
  if (last.tokenType === Slash) return { items: [wordItem('s', 'per second')], complete: false };
  if (last.tokenType === StringToken) return { items: asItems(property, taken), complete: true };
  return { items: followers(form, last), complete: !(form === 'offset' && last.tokenType === Word) };
}

/** Behind the ends of a cable what it may have of its own, and behind the number of that its units. */
function cableItems({ content }: PropertySpecification, taken: readonly IToken[]): CompletionItem[] {
  if (content.form !== 'link' || !taken.some(({ tokenType }) => tokenType === Cable)) return [];
  const figure = taken.at(-2)?.image;
  if (figure === 'bandwidth') return unitItems({ form: 'rate' });
  if (figure === 'latency') return unitItems({ form: 'time' });
  return ['bandwidth', 'latency'].map((word) => wordItem(word, 'of this cable alone'));
}

/** Behind a file: a format may be named where the content does not tell. */
function asItems({ word }: PropertySpecification, taken: readonly IToken[]): CompletionItem[] {
  const hasFormats = taken.length <= 2 && formatsAfter(word, taken[0]).length > 0;
  return hasFormats ? [asItem] : [];
}

/** A file without a name before it is of the property itself. */
const formatsAfter = (property: string, name: IToken | undefined) =>
  formatsFor(property, name?.tokenType === StringToken ? property : (name?.image ?? ''));

/** `offset (1, 0) weight 0.5`. */
const followers = (form: PropertyForm['form'], last: IToken): CompletionItem[] =>
  form === 'offset' && last.tokenType === RightParenthesis ? [wordItem('weight', 'multiplies the bytes')] : [];
