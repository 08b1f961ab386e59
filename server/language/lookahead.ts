import { EOF, type IToken, type TokenType } from 'chevrotain';
import { allocators } from '../allocation/catalogue.ts';
import { findEntry, type CatalogueEntry } from '../model/catalogue.ts';
import { topologies } from '../network/catalogue.ts';
import { declarationSpecification, declarations, propertyOf, propertyWords } from './schema.ts';
import { dimensionLimit } from './propertyForms.ts';
import { nearest } from './suggestions.ts';
import {
  Arrow,
  Comma,
  Cross,
  tokenEnd,
  isWord,
  LeftBrace,
  LeftBracket,
  LeftParenthesis,
  NumberToken,
  Percent,
  RightBrace,
  RightBracket,
  RightParenthesis,
  Slash,
  StringToken,
  Word as WordToken,
} from './tokens.ts';
import type { DeclarationKind, NumberValue, Span, Word } from './tree.ts';
import { looksLikeUnit } from './units.ts';

/**
 * What the grammar asks about tokens: plain functions that consume and report nothing. Words are keywords only by where
 * they stand, so a choice of the grammar that the next token does not decide is one of these questions. Each looks at a
 * bounded number of tokens, but for {@link matchBrackets}, which is called once for a text.
 */

/** The tokens round the place of reading: 1 is the next one, 0 the last one read. */
export type TokenAt = (distance: number) => IToken;

/** The kind of the declaration that is being read; undefined outside of one. */
type Within = DeclarationKind | undefined;

export const spanOfToken = (token: IToken): Span => ({ start: token.startOffset, end: tokenEnd(token) });
/** Names are compared in one form of Unicode, however an editor composes their letters. */
export const wordOfToken = (token: IToken): Word => ({ text: token.image.normalize(), ...spanOfToken(token) });

export const numberOfToken = (token: IToken): NumberValue => ({
  kind: 'number',
  value: Number(token.image),
  text: token.image,
  ...spanOfToken(token),
});

/** A choice as written, whatever blanks stand in it: one name for the entry of a list, made of its tokens. */
export const entryText = (images: readonly string[]): string => images.join(' ');

export const nextIs = (at: TokenAt, type: TokenType, distance = 1): boolean => at(distance).tokenType === type;

/** A token stands there, and not the end of the text. */
export const isToken = (at: TokenAt, distance: number): boolean => at(distance).tokenType !== EOF;

/** Whether the token at this distance stands on the line on which the one before it ends. */
export function onSameLine(at: TokenAt, distance = 1): boolean {
  const line = at(distance).startLine;
  const before = at(distance - 1);
  return line !== undefined && line === (before.endLine ?? before.startLine);
}

/** The kind of declaration that a word begins with where a name follows in the same word: `machinex`. */
export const joinedDeclaration = (word: string): DeclarationKind | undefined =>
  declarations.find(({ kind }) => word.startsWith(kind) && isWord(word.slice(kind.length)))?.kind;

/** The kind of declaration whose keyword comes next, misspelt or not, or joined with the name: `machinex {`. */
export function declarationAhead(at: TokenAt): DeclarationKind | undefined {
  if (!nextIs(at, WordToken)) return undefined;
  const keyword = at(1).image;
  const exact = declarationSpecification(keyword);
  if (exact !== undefined) return exact.kind;
  if (nextIs(at, LeftBrace, 2)) return joinedDeclaration(keyword);
  const looksLikeOne = nextIs(at, WordToken, 2) && (nextIs(at, LeftBrace, 3) || at(3).image === 'from');
  const keywords = declarations.map(({ kind }) => kind);
  return looksLikeOne ? declarationSpecification(nearest(keyword, keywords) ?? '')?.kind : undefined;
}

/** A declaration begins inside another: the `}` between them is missing. */
export function declarationInside(at: TokenAt): boolean {
  const next = at(1);
  if (next.tokenType !== WordToken || onSameLine(at)) return false;
  if (next.image === 'import') return nextIs(at, StringToken, 2);
  if (declarationSpecification(next.image) === undefined || !nextIs(at, WordToken, 2)) return false;
  return nextIs(at, LeftBrace, 3) || (next.image === 'table' && at(3).image === 'from');
}

/** `tabel x {` on a line of its own: a declaration, whatever its keyword. */
export const unknownDeclarationAhead = (at: TokenAt): boolean =>
  !onSameLine(at) && nextIs(at, WordToken) && nextIs(at, WordToken, 2) && nextIs(at, LeftBrace, 3);

/** A word that starts a property in this declaration. */
export const propertyAhead = (at: TokenAt, within: Within, distance = 1): boolean =>
  within !== undefined && nextIs(at, WordToken, distance) && propertyOf(within, at(distance).image) !== undefined;

/** A word that was meant to start a property in this declaration. */
export const nearPropertyAhead = (at: TokenAt, within: Within): boolean =>
  within !== undefined && nextIs(at, WordToken) && nearest(at(1).image, propertyWords(within)) !== undefined;

/** `0 -> 1` in a table. */
export const entryAhead = (at: TokenAt, within: Within): boolean =>
  within === 'table' && nextIs(at, NumberToken) && nextIs(at, Arrow, 2);

/** A word can be a name or a value: it stands on its line, or starts neither a property nor a declaration. */
export const nameAhead = (at: TokenAt, within: Within): boolean =>
  nextIs(at, WordToken) && (onSameLine(at) || (!propertyAhead(at, within) && !declarationInside(at)));

/** A comma and a further name, which starts a property only where it stands on the comma's line. */
export const nextNameAhead = (at: TokenAt, within: Within, separator = Comma): boolean =>
  nextIs(at, separator) && nextIs(at, WordToken, 2) && (onSameLine(at, 2) || !propertyAhead(at, within, 2));

/** After a number: its unit. Where a quantity is expected (`takesUnit`), any word but a property is taken for one. */
export function unitAhead(at: TokenAt, within: Within, takesUnit: boolean): boolean {
  const next = at(1);
  if (next.tokenType === Percent) return true;
  if (!onSameLine(at)) return false;
  if (next.tokenType === Slash) return true;
  if (next.tokenType !== WordToken) return false;
  if (next.startOffset === tokenEnd(at(0))) return true;
  // `tasks 4 bytes 64`: the word is a property, though it looks like a unit.
  if (propertyAhead(at, within)) return false;
  return looksLikeUnit(next.image) || (takesUnit && !nearPropertyAhead(at, within));
}

/** Choices whose argument is a name: `same-as`. */
const takesName = new Set(allocators.filter(({ argument }) => argument?.kind === 'placement').map(({ name }) => name));

/** A name that a choice takes as its argument, as `same-as` does. */
export function argumentNameAhead(at: TokenAt, within: Within, choice: string): boolean {
  if (!takesName.has(choice) || !nextIs(at, WordToken) || !onSameLine(at)) return false;
  // `same-as map`: the placement is called `map`, unless a value of that property follows.
  const isValue = [WordToken, NumberToken, StringToken].some((type) => nextIs(at, type, 2));
  return !propertyAhead(at, within) || !onSameLine(at, 2) || propertyAhead(at, within, 2) || !isValue;
}

/** `(4, 4)`, `(4 x 4)`, `(4)`: numbers alone. O(numbers), at most of a shape. */
export function shapeInParentheses(at: TokenAt): boolean {
  if (!nextIs(at, LeftParenthesis) || !nextIs(at, NumberToken, 2)) return false;
  let distance = 3;
  for (; distance < 3 + 2 * dimensionLimit; distance++) {
    if (nextIs(at, Comma, distance) || nextIs(at, Cross, distance)) distance++;
    if (!nextIs(at, NumberToken, distance)) break;
  }
  return nextIs(at, RightParenthesis, distance);
}

/** False for topologies whose numbers are all options: `dragonfly(4, 9)` does not mean a shape. */
export const mayTakeShape = (name: string): boolean => {
  const entry = findEntry<CatalogueEntry>(topologies, name);
  return entry === undefined || entry.argument !== undefined;
};

/** After a comma in options that `closer` closes: another value of the same option, not the next option. */
export function optionGoesOn(at: TokenAt, closer: IToken | undefined): boolean {
  if (!nextIs(at, Comma)) return false;
  if (!nextIs(at, WordToken, 2)) return !nextIs(at, Comma, 2) && at(2) !== closer && isToken(at, 2);
  return nextIs(at, Comma, 3) || at(3) === closer || !isToken(at, 3);
}

/** What closes what in a text. */
export interface Brackets {
  readonly closers: ReadonlyMap<IToken, IToken>;
  /** From each `{` without a `}` to the next such one. */
  readonly nextUnclosed: ReadonlyMap<IToken, IToken>;
}

/**
 * Which token closes which: from each opening token that is closed to its closing one. A brace
 * on either side ends what is open within it, so a forgotten `)` never reaches the next
 * declaration; and so does a `)` or `]` that closes something, so that a stray `[` takes no `)` away. O(tokens).
 */
export function matchBrackets(tokens: readonly IToken[]): Brackets {
  const closers = new Map<IToken, IToken>();
  const braces: IToken[] = [];
  /** Parentheses and brackets that are open since the last brace. */
  let open: IToken[] = [];
  const isOpen = new Map([LeftParenthesis, LeftBracket].map((type) => [type, 0]));
  const close = (token: IToken, opener: TokenType): void => {
    if (isOpen.get(opener) === 0) return;
    for (let last = open.pop()!; ; last = open.pop()!) {
      isOpen.set(last.tokenType, isOpen.get(last.tokenType)! - 1);
      if (last.tokenType !== opener) continue;
      closers.set(last, token);
      return;
    }
  };
  const forget = (): void => {
    open = [];
    for (const type of isOpen.keys()) isOpen.set(type, 0);
  };
  for (const token of tokens) {
    switch (token.tokenType) {
      case LeftBrace:
        forget();
        braces.push(token);
        break;
      case RightBrace: {
        forget();
        const opener = braces.pop();
        if (opener !== undefined) closers.set(opener, token);
        break;
      }
      case LeftParenthesis:
      case LeftBracket:
        open.push(token);
        isOpen.set(token.tokenType, isOpen.get(token.tokenType)! + 1);
        break;
      case RightParenthesis:
        close(token, LeftParenthesis);
        break;
      case RightBracket:
        close(token, LeftBracket);
        break;
    }
  }
  const nextUnclosed = new Map(braces.slice(1).map((brace, before) => [braces[before]!, brace]));
  return { closers, nextUnclosed };
}
