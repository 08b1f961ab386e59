import type { IToken, TokenType } from 'chevrotain';
import {
  Comma,
  DotDot,
  endOf,
  LeftBrace,
  LeftBracket,
  LeftParenthesis,
  Percent,
  RightBracket,
  RightParenthesis,
  Slash,
} from '../tokens.ts';
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
  if (gap !== undefined) return gap;
  if (layout.offsetWords.has(before.startOffset)) return ' ';
  return tightAfter.has(before.tokenType) || tightBefore.has(after.tokenType) ? '' : ' ';
}
