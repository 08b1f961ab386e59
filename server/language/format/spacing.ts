import type { IToken, TokenType } from 'chevrotain';
import {
  Comma,
  DotDot,
  endOf,
  LeftBrace,
  LeftBracket,
  LeftParenthesis,
  NumberToken,
  Percent,
  RightBracket,
  RightParenthesis,
  Slash,
  Word,
} from '../tokens.ts';
import { declarations } from '../properties.ts';
import { looksLikeUnit } from '../unitWords.ts';
import type { Layout } from './layout.ts';
import { isComment } from './lines.ts';

const tightAfter = new Set<TokenType>([LeftParenthesis, LeftBracket, DotDot, Slash]);
const tightBefore = new Set<TokenType>([
  RightParenthesis,
  RightBracket,
  DotDot,
  Comma,
  Slash,
  Percent,
  LeftParenthesis,
]);

/** What stands between two pieces of one line. O(1). */
export function gapBetween(before: IToken, after: IToken, layout: Layout): string {
  if (isComment(before) || isComment(after)) return ' ';
  const start = after.startOffset;
  if (layout.properties.has(start) || layout.entries.has(start)) {
    // Properties of one line may stand in columns with those of the next: wider gaps stay.
    return before.tokenType === LeftBrace ? ' ' : ' '.repeat(Math.max(2, start - endOf(before)));
  }
  const gap = layout.componentGaps.get(start);
  if (gap !== undefined) return before.tokenType === NumberToken ? gap.bare : gap.separated;
  if (isGluedWord(before, after)) return '';
  if (layout.offsetWords.has(before.startOffset)) return ' ';
  return tightAfter.has(before.tokenType) || tightBefore.has(after.tokenType) ? '' : ' ';
}

/** `bytes` looks like a unit and is a property. */
const propertyNames = new Set(declarations.flatMap(({ properties }) => properties.map(({ word }) => word)));

/** A word that is the unit of the number before it only because it touches it: apart, `256 periodic` is a property. */
function isGluedWord(before: IToken, after: IToken): boolean {
  const touches = before.tokenType === NumberToken && after.tokenType === Word && endOf(before) === after.startOffset;
  return touches && (!looksLikeUnit(after.image) || propertyNames.has(after.image));
}
