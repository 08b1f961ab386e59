import type { IToken } from 'chevrotain';
import { LeftBrace, LeftBracket, LeftParenthesis, RightBrace, RightBracket, RightParenthesis } from '../tokens.ts';
import type { Layout } from './layout.ts';
import { isComment, type Line } from './lines.ts';

const unit = '  ';

/** The indentation of each line: one step in a declaration, one more where a property goes on. O(pieces). */
export function indentationsOf(lines: readonly Line[], layout: Layout): readonly string[] {
  let braces = 0;
  let brackets = 0;
  return lines.map(({ pieces }) => {
    const [first] = pieces;
    const steps = first === undefined ? 0 : braces + stepsOf(first, braces, brackets, layout);
    for (const piece of pieces) {
      braces = Math.max(0, braces + change(piece, LeftBrace, RightBrace));
      const group = change(piece, LeftBracket, RightBracket) + change(piece, LeftParenthesis, RightParenthesis);
      brackets = Math.max(0, brackets + group);
    }
    return unit.repeat(Math.max(0, steps));
  });
}

function change(piece: IToken, open: unknown, close: unknown): number {
  if (piece.tokenType === open) return 1;
  return piece.tokenType === close ? -1 : 0;
}

/** Steps of a line beyond those of the braces around it. */
function stepsOf(first: IToken, braces: number, brackets: number, layout: Layout): number {
  const type = first.tokenType;
  if (type === RightBrace) return -1;
  if (braces === 0 || type === RightBracket || type === RightParenthesis) return 0;
  if (brackets > 0) return 1;
  const begins = layout.properties.has(first.startOffset) || layout.entries.has(first.startOffset);
  return begins || isComment(first) ? 0 : 1;
}
