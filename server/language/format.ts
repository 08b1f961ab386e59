import { valueColumns, withComments, type WrittenLine } from './format/columns.ts';
import { indentationsOf } from './format/indentation.ts';
import { layoutOf, type Layout } from './format/layout.ts';
import { isComment, linesOf, type Line } from './format/lines.ts';
import { gapBetween } from './format/spacing.ts';
import { parseText } from './parse.ts';
import type { SyntaxTree } from './tree.ts';

/**
 * The text with even indentation and spacing. Comments, line breaks and the order of everything
 * stay; several empty lines become one. Values stand in a column where the author began one,
 * and so do comments at the ends of lines. A text with syntax errors is returned as it is, and
 * so is one that would mean something else. Idempotent. O(length).
 */
export function formatText(text: string): string {
  const { tree, problems } = parseText(text);
  if (problems.some(({ severity }) => severity === 'error')) return text;
  const formatted = layOut(text, tree);
  return formatted === text || isSameTree(tree, parseText(formatted).tree) ? formatted : text;
}

/** Keys of a tree that say where something stands, not what it is. */
const places = new Set(['start', 'end', 'length']);

/** Whether two trees, or parts of them, say the same in other places. O(size). */
export function isSameTree(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const keys = Object.keys(one).filter((key) => !places.has(key));
  return (
    keys.length === Object.keys(other).filter((key) => !places.has(key)).length &&
    keys.every((key) => isSameTree((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
  );
}

/** Lays a text out that has no syntax errors, without a look at what it then means. */
export function layOut(text: string, tree: SyntaxTree): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const layout = layoutOf(tree);
  const lines = linesOf(text);
  const indentations = indentationsOf(lines, layout);
  const columns = valueColumns(lines, layout);
  const written = withComments(
    lines.map((line, index) => writeLine(line, indentations[index] ?? '', columns.get(line) ?? 0, layout)),
  );
  const formatted = lines.map(
    (line, index) => `${line.blankAbove ? lineBreak : ''}${written[index] ?? ''}${lineBreak}`,
  );
  return formatted.join('');
}

function writeLine(line: Line, indentation: string, column: number, layout: Layout): WrittenLine {
  const last = line.pieces.at(-1);
  const comment = last !== undefined && isComment(last) ? last.image.trimEnd() : undefined;
  const pieces = comment === undefined ? line.pieces : line.pieces.slice(0, -1);
  let code = indentation;
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    if (before !== undefined) code += gapBetween(before, piece, layout);
    if (index === 1) code += ' '.repeat(column);
    code += piece.image;
  }
  return { line, code, comment };
}
