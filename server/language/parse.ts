import type { IToken } from 'chevrotain';
import { countOf, formatNumber } from '../model/quantities.ts';
import { problemAt } from './codes.ts';
import { PlaceGrammar } from './grammar.ts';
import { spanOfToken } from './lookahead.ts';
import { tokenEnd, HashComment, tokenize } from './tokens.ts';
import type { Problem, SyntaxTree, DeclarationNode } from './tree.ts';

/** UTF-16 units that a `.place` file may have: 4 Mi. */
const textLimit = 4 * 2 ** 20;

export interface Parsed {
  readonly tree: SyntaxTree;
  readonly problems: readonly Problem[];
}

/** Made for the first text: whoever reads none need not wait for it. */
let grammar: PlaceGrammar | undefined;

/**
 * Reads the text of a `.place` file. Always gives a tree, however broken the text, and a
 * problem for every part that could not be read; never throws. Text longer than
 * {@link textLimit} or binary is refused with one problem. O(length).
 */
export function parseText(text: string): Parsed {
  const refusal = textProblem(text);
  if (refusal === undefined) return parsePiece(text).parsed;
  return { tree: { imports: [], declarations: [], length: text.length }, problems: [refusal] };
}

/** Reads a text that is not refused; `isOpen` where a group in brackets did not end before the text does. */
export function parsePiece(text: string): { readonly parsed: Parsed; readonly isOpen: boolean } {
  const { tokens, documentation, comments, unclosedComment } = tokenize(text);
  grammar ??= new PlaceGrammar();
  const { file, problems, isOpen } = grammar.read(tokens);
  const declarations = attachDocumentation(file.declarations, documentation, text);
  const tree = { imports: file.imports, declarations, length: text.length };
  const all = [...problems, ...hashComments(comments, text)];
  if (unclosedComment !== undefined) {
    const { start } = spanOfToken(unclosedComment);
    all.push(problemAt({ start, end: start + 2 }, 'unclosed-comment', 'Close the comment with `*/`.'));
  }
  return { parsed: { tree, problems: all.sort((a, b) => a.start - b.start) }, isOpen };
}

/** Comments that begin with `#`: a run of lines is one problem, and mended as one. O(length of them). */
function hashComments(comments: readonly IToken[], text: string): Problem[] {
  const runs: { readonly start: number; end: number; mended: string }[] = [];
  for (const comment of comments) {
    if (comment.tokenType !== HashComment) continue;
    const { startOffset: start, image } = comment;
    const end = tokenEnd(comment);
    // `///` would be documentation.
    const mended = image.replace(/^#+(?=(\/?))/, (_, slash: string) => (slash === '' ? '//' : '// '));
    const run = runs.at(-1);
    if (run !== undefined && run.end === endOfLineAbove(start, text) && beginsLine(run.start, text)) {
      run.mended += text.slice(run.end, start) + mended;
      run.end = end;
    } else runs.push({ start, end, mended });
  }
  return runs.map(({ start, end, mended }) => {
    const fix = { start, end, title: 'Begin it with `//`', text: mended };
    return problemAt({ start, end }, 'unexpected-text', 'A comment begins with `//`, not with `#`.', { fix });
  });
}

/** Why a text is not read at all. */
export function textProblem(text: string): Problem | undefined {
  const span = { start: 0, end: Math.min(text.length, 1) };
  if (text.length > textLimit) {
    const message = `The file has ${countOf(text.length, 'character')}; at most ${formatNumber(textLimit)} are read. Put large tables into files of their own: \`table NAME from "FILE"\`.`;
    return problemAt(span, 'file-too-large', message);
  }
  if (!isBinary(text)) return undefined;
  return problemAt(
    span,
    'binary-file',
    'This is not a text file in UTF-8: it holds characters that no `.place` file has.',
  );
}

/** A zero character, or more replacement characters than a text with a few bad bytes would have. */
function isBinary(text: string): boolean {
  if (text.includes('\0')) return true;
  let bad = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) bad++;
  return bad > 16 && bad * 50 > text.length;
}

/**
 * Gives each declaration the `///` lines directly above it, as Markdown: the run of lines must
 * be unbroken and end on the line above the keyword. O(declarations + length of comments).
 */
function attachDocumentation(
  declarations: readonly DeclarationNode[],
  comments: readonly IToken[],
  text: string,
): readonly DeclarationNode[] {
  if (comments.length === 0) return declarations;
  const byEnd = new Map(comments.map((comment) => [tokenEnd(comment), comment]));
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
