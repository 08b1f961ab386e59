import type { IToken } from 'chevrotain';
import { declarationSpecification, propertyOf } from '../../schema.ts';
import { type PropertySpecification } from '../../propertyForms.ts';
import {
  Comma,
  tokenEnd,
  LeftBrace,
  LeftBracket,
  LeftParenthesis,
  NumberToken,
  RightBrace,
  RightBracket,
  RightParenthesis,
  StringToken,
  tokenize,
  UnclosedString,
  Word,
  Plus,
} from '../../tokens.ts';
import type { DeclarationKind } from '../../tree.ts';
import { entryFor } from '../catalogues.ts';

/**
 * Where a cursor stands, by the tokens before it alone: completion is asked for exactly when the
 * text is broken, so the tree is no help here.
 */
export type Context = { readonly start: number } & (
  | { readonly kind: 'nothing' }
  | { readonly kind: 'top' }
  /** Behind `table NAME`, behind `from "FILE"`, where another declaration may follow as well, and behind `as`. */
  | { readonly kind: 'table'; readonly next: TablePart }
  | { readonly kind: 'body'; readonly declaration: DeclarationKind; readonly last: OpenProperty | undefined }
  /** Within a string that is not closed yet: `written` is what stands behind its quote. */
  | { readonly kind: 'string'; readonly of: StringHolder; readonly written: string }
  /** Within `quoted { … }`: what may follow, and the tokens of the number that is being quoted. */
  | { readonly kind: 'quoted'; readonly next: QuotedPart; readonly path: string }
);

/** What comes next in the head of a table. */
export type TablePart = 'from' | 'as' | 'format';

/** What a string is of: `import`, `table`, or the word of a property; in brackets it names nodes, else a file. */
export interface StringHolder {
  readonly word: string;
  readonly inList: boolean;
}

/** Of `metric row / row at path value : number, addition`. `end`: the number is complete, and another one may begin. */
export type QuotedPart = 'metric' | 'row' | 'path' | 'value' | 'number' | 'addition' | 'end';

/** A property whose word has been read, with the tokens read after it. */
export interface OpenProperty {
  readonly word: IToken;
  readonly property: PropertySpecification;
  readonly taken: readonly IToken[];
  /** Whether a parenthesis is open behind the word. */
  readonly inParentheses: boolean;
  /** Within the parentheses of a job: whether `allocate` or `map` must come next, or has begun. */
  readonly own?: 'expected' | 'begun';
}

/** A property while its tokens are read. */
interface Reading extends OpenProperty {
  readonly taken: IToken[];
  inParentheses: boolean;
  inList: boolean;
}

const beginReading = (word: IToken, property: PropertySpecification): Reading => ({
  word,
  property,
  taken: [],
  inParentheses: false,
  inList: false,
});

function take(open: Reading, token: IToken): void {
  open.taken.push(token);
  if (token.tokenType === LeftParenthesis) open.inParentheses = true;
  if (token.tokenType === RightParenthesis) open.inParentheses = false;
  if (token.tokenType === LeftBracket) open.inList = true;
  if (token.tokenType === RightBracket) open.inList = false;
}

/** The context of an offset; `start` is where the word that is being typed begins. O(offset). */
export function contextAt(text: string, offset: number): Context {
  const { tokens, comments, documentation, unclosedComment } = tokenize(text.slice(0, offset));
  const touching = [...comments, ...documentation].some((comment) => tokenEnd(comment) === offset);
  if (touching || unclosedComment !== undefined) return { kind: 'nothing', start: offset };
  const last = tokens.at(-1);
  if (last?.tokenType === UnclosedString) return stringContext(tokens.slice(0, -1), last.image.slice(1), offset);
  const isTyping = last?.tokenType === Word && tokenEnd(last) === offset;
  const before = isTyping ? tokens.slice(0, -1) : tokens;
  return { start: isTyping ? last.startOffset : offset, ...syntacticPlace(before) };
}

function stringContext(before: readonly IToken[], written: string, offset: number): Context {
  const of = holderOf(before);
  if (of === undefined) return { kind: 'nothing', start: offset };
  // Of a path only its last part is replaced.
  const typed = of.inList ? written : written.slice(written.lastIndexOf('/') + 1);
  return { kind: 'string', start: offset - typed.length, of, written };
}

function holderOf(tokens: readonly IToken[]): StringHolder | undefined {
  const place = syntacticPlace(tokens);
  if (place.kind === 'body' && place.last !== undefined)
    return { word: place.last.word.image, inList: isInList(place.last) };
  const [third, , last] = tokens.slice(-3);
  if (tokens.at(-1)?.image === 'import') return { word: 'import', inList: false };
  return third?.image === 'table' && last?.image === 'from' ? { word: 'table', inList: false } : undefined;
}

/** Whether a bracket is open behind the word. */
export const isInList = ({ taken }: Pick<OpenProperty, 'taken'>): boolean =>
  taken.findLast(({ tokenType }) => tokenType === LeftBracket || tokenType === RightBracket)?.tokenType === LeftBracket;

type Place = Context extends infer Each ? (Each extends Context ? Omit<Each, 'start'> : never) : never;

function syntacticPlace(tokens: readonly IToken[]): Place {
  const brace = openBrace(tokens);
  if (brace < 0) return placeAtTop(tokens);
  if (tokens[brace - 1]?.image === 'quoted') return { kind: 'quoted', ...quotedPart(tokens.slice(brace + 1)) };
  const declaration = declarationBefore(tokens, brace);
  if (declaration === undefined) return { kind: 'nothing' };
  return { kind: 'body', declaration, last: lastProperty(declaration, tokens.slice(brace + 1)) };
}

/** How far the last quoted number is written, and the path behind its last `at`. O(tokens). */
function quotedPart(tokens: readonly IToken[]): { readonly next: QuotedPart; readonly path: string } {
  let next: QuotedPart = 'metric';
  let path = '';
  let depth = 0;
  for (const token of tokens) {
    const { tokenType, image } = token;
    if (tokenType === LeftParenthesis || tokenType === LeftBracket) depth++;
    else if (tokenType === RightParenthesis || tokenType === RightBracket) depth--;
    else if (depth === 0) {
      if (next === 'path') path = image;
      else if (next === 'value' && tokenType !== NumberToken) path += image;
      next = partAfter(next, token);
    }
  }
  return { next, path };
}

function partAfter(part: QuotedPart, { tokenType, image }: IToken): QuotedPart {
  if (part === 'path') return 'value';
  if (part === 'value') return tokenType === NumberToken ? 'row' : 'value';
  if (tokenType === Comma) return 'addition';
  if (image === ':') return 'number';
  if (tokenType === NumberToken) return 'end';
  if (tokenType !== Word) return part;
  if (part === 'addition') return image === 'differs' ? 'end' : 'number';
  return part === 'row' && image === 'at' ? 'path' : 'row';
}

/** The last brace that is not closed, or -1. */
function openBrace(tokens: readonly IToken[]): number {
  let closed = 0;
  for (let index = tokens.length - 1; index >= 0; index--) {
    const type = tokens[index]?.tokenType;
    if (type === RightBrace) closed++;
    if (type === LeftBrace && closed-- === 0) return index;
  }
  return -1;
}

function placeAtTop(tokens: readonly IToken[]): Place {
  const end = tokens.findLastIndex(({ tokenType }) => tokenType === RightBrace || tokenType === StringToken);
  const [keyword, name] = tokens.slice(end + 1);
  const isTableFile = tokens[end - 3]?.image === 'table' && tokens[end - 1]?.image === 'from';
  if (keyword === undefined) return isTableFile ? { kind: 'table', next: 'as' } : { kind: 'top' };
  if (isTableFile && keyword.image === 'as' && name === undefined) return { kind: 'table', next: 'format' };
  if (keyword.image === 'table' && name !== undefined) return { kind: 'table', next: 'from' };
  return { kind: 'nothing' };
}

/** `machine NAME {`, `machine {`, `table NAME from "FILE" {` and `table NAME from "FILE" as FORMAT {`. */
function declarationBefore(tokens: readonly IToken[], brace: number): DeclarationKind | undefined {
  for (const distance of [2, 1, 4, 6]) {
    const kind = declarationSpecification(tokens[brace - distance]?.image ?? '')?.kind;
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** The property that the end of a body belongs to. O(tokens): a list may have a million items. */
function lastProperty(declaration: DeclarationKind, body: readonly IToken[]): OpenProperty | undefined {
  let open: Reading | undefined;
  /** The names of jobs in whose parentheses the cursor may stand. */
  let names: Reading | undefined;
  for (const token of body) {
    if (names !== undefined && open !== undefined) {
      if (token.tokenType === RightParenthesis && !open.inParentheses) {
        take(names, token);
        [open, names] = [names, undefined];
      } else open = ownAfter(open, token);
      continue;
    }
    if (token.tokenType === LeftParenthesis && open?.property.content.form === 'names') {
      [names, open] = [open, { ...beginReading(open.word, open.property), own: 'expected' }];
      continue;
    }
    const startsProperty = token.tokenType === Word && (open === undefined || !takesWord(open, token));
    const property = startsProperty ? propertyOf(declaration, token.image) : undefined;
    if (property !== undefined) open = beginReading(token, property);
    else if (open !== undefined) take(open, token);
  }
  return open;
}

/** What is read within the parentheses behind the name of a job, after one more token. */
function ownAfter(open: Reading, token: IToken): Reading {
  const property = open.own === 'expected' ? propertyOf('placement', token.image) : undefined;
  if (property?.ofJob === true) return { ...beginReading(token, property), own: 'begun' };
  if (token.tokenType === Comma && !open.inParentheses && !open.inList) {
    return { ...beginReading(open.word, open.property), own: 'expected' };
  }
  take(open, token);
  return open;
}

/**
 * Whether a word belongs to the property, so that a job called `grid` starts no property. On the
 * next line it does not, as for the parser: the name is still missing there.
 */
function takesWord(open: OpenProperty, next: IToken): boolean {
  if (open.inParentheses) return true;
  const { startLine } = open.taken.at(-1) ?? open.word;
  return expectsWord(open) && startLine === next.startLine;
}

/** Whether a name must come next: of a catalogue, of a declaration, of a format. */
export function expectsWord({ property, taken }: Pick<OpenProperty, 'property' | 'taken'>): boolean {
  const { content } = property;
  const isFirst = taken.length === 0;
  if (content.form === 'names') return isFirst || taken.at(-1)?.tokenType === Comma;
  if (content.form === 'word') return isFirst;
  if (content.form === 'choices') return isFirst || [Comma, Plus].some((type) => taken.at(-1)?.tokenType === type);
  if (content.form === 'phrase') return isFirst || taken.at(-1)?.tokenType !== Word;
  if (content.form !== 'choice') return false;
  return isFirst || taken.at(-1)?.image === 'as' || expectsPlacement({ property, taken });
}

/** Behind `allocate same-as`. */
export function expectsPlacement({ property, taken }: Pick<OpenProperty, 'property' | 'taken'>): boolean {
  const [name] = taken;
  if (name === undefined || taken.length !== 1) return false;
  return entryFor(property.word, name.image)?.argument?.kind === 'placement';
}
