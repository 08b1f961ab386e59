import type { IToken } from 'chevrotain';
import type { DeclarationNode } from './tree.ts';

/**
 * Gives each declaration the `///` lines directly above it, as Markdown: the run of lines must
 * be unbroken and end on the line above the keyword. O(declarations + comments).
 */
export function attachDocumentation(
  declarations: readonly DeclarationNode[],
  comments: readonly IToken[],
  text: string,
): readonly DeclarationNode[] {
  if (comments.length === 0) return declarations;
  const byEnd = new Map(comments.map((comment) => [comment.startOffset + comment.image.length, comment]));
  return declarations.map((declaration) => {
    const documentation = linesAbove(declaration.start, byEnd, text);
    return documentation === undefined ? declaration : { ...declaration, documentation };
  });
}

function linesAbove(offset: number, byEnd: ReadonlyMap<number, IToken>, text: string): string | undefined {
  const lines: string[] = [];
  let end = endOfLineAbove(offset, text);
  for (;;) {
    const comment = end === undefined ? undefined : byEnd.get(end);
    if (comment === undefined || !standsAlone(comment.startOffset, text)) break;
    lines.unshift(comment.image.slice(3).replace(/^ /, '').trimEnd());
    end = endOfLineAbove(comment.startOffset, text);
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Only blanks stand before the offset on its line. */
const standsAlone = (offset: number, text: string): boolean =>
  /^[ \t\uFEFF]*$/.test(text.slice(lineStart(offset, text), offset));

function lineStart(offset: number, text: string): number {
  let start = offset;
  while (start > 0 && text.charAt(start - 1) !== '\n' && text.charAt(start - 1) !== '\r') start--;
  return start;
}

/** Where the line above ends, before its line break. */
function endOfLineAbove(offset: number, text: string): number | undefined {
  if (!standsAlone(offset, text)) return undefined;
  const start = lineStart(offset, text);
  if (start === 0) return undefined;
  return text.startsWith('\r\n', start - 2) ? start - 2 : start - 1;
}
