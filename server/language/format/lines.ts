import type { IToken } from 'chevrotain';
import { endOf, tokenize } from '../tokens.ts';

/** A line of tokens and comments; a comment of several lines joins what it touches into one. */
export interface Line {
  readonly pieces: readonly IToken[];
  /** An empty line stands above it. */
  readonly blankAbove: boolean;
}

export const isComment = (piece: IToken): boolean => piece.image.startsWith('//') || piece.image.startsWith('/*');

/** Cuts a text into lines, without its white space. O(length). */
export function linesOf(text: string): readonly Line[] {
  const { tokens, documentation, comments } = tokenize(text);
  const pieces = [...tokens, ...documentation, ...comments].sort((a, b) => a.startOffset - b.startOffset);
  const lines: { pieces: IToken[]; blankAbove: boolean }[] = [];
  let end = 0;
  for (const piece of pieces) {
    const breaks = text.slice(end, piece.startOffset).match(/\r\n|\r|\n/g)?.length ?? 0;
    const last = lines.at(-1);
    if (breaks === 0 && last !== undefined) last.pieces.push(piece);
    else lines.push({ pieces: [piece], blankAbove: breaks > 1 && last !== undefined });
    end = endOf(piece);
  }
  return lines;
}
