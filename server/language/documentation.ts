import type { IToken } from 'chevrotain';
import { endOf } from './tokens.ts';
import type { DeclarationNode } from './tree.ts';

/**
 * Gives each declaration the `///` lines directly above it, as Markdown: the run of lines must
 * be unbroken and end on the line above the keyword. O(declarations + length of comments).
 */
export function attachDocumentation(
  declarations: readonly DeclarationNode[],
  comments: readonly IToken[],
  text: string,
): readonly DeclarationNode[] {
  if (comments.length === 0) return declarations;
  const byEnd = new Map(comments.map((comment) => [endOf(comment), comment]));
  return declarations.map((declaration) => {
    const lines: string[] = [];
    let end = endOfLineAbove(declaration.start, text);
    for (;;) {
      const comment = end === undefined ? undefined : byEnd.get(end);
      const above = comment && endOfLineAbove(comment.startOffset, text);
      if (comment === undefined || (above === undefined && !beginsLine(comment.startOffset, text))) break;
      lines.push(comment.image.slice(3).replace(/^ /, '').trimEnd());
      end = above;
    }
    return lines.length === 0 ? declaration : { ...declaration, documentation: lines.reverse().join('\n') };
  });
}

/** What the lexer skips within a line; a break of Unicode, such as U+2028, is none for it. */
const blank = /[^\S\r\n]/;

/** Where the blanks before an offset begin. */
function blanksBefore(offset: number, text: string): number {
  let start = offset;
  while (start > 0 && blank.test(text.charAt(start - 1))) start--;
  return start;
}

const isBreak = (character: string): boolean => character === '\n' || character === '\r';

/** Only blanks stand before the offset on its line. */
function beginsLine(offset: number, text: string): boolean {
  const start = blanksBefore(offset, text);
  return start === 0 || isBreak(text.charAt(start - 1));
}

/** Where the line above ends, before its line break; undefined where something stands before the offset. */
function endOfLineAbove(offset: number, text: string): number | undefined {
  const start = blanksBefore(offset, text);
  if (start === 0 || !isBreak(text.charAt(start - 1))) return undefined;
  return text.startsWith('\r\n', start - 2) ? start - 2 : start - 1;
}
