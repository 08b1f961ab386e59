import { problemAt } from './codes.ts';
import { attachDocumentation } from './documentation.ts';
import { PlaceGrammar } from './grammar.ts';
import { spanOfToken } from './lookahead.ts';
import { tokenize } from './tokens.ts';
import type { Problem, SyntaxTree } from './tree.ts';

/** UTF-16 units that a `.place` file may have: 4 Mi. */
export const textLimit = 4 * 2 ** 20;

export interface Parsed {
  readonly tree: SyntaxTree;
  readonly problems: readonly Problem[];
}

const grammar = new PlaceGrammar();

/**
 * Reads the text of a `.place` file. Always gives a tree, however broken the text, and a
 * problem for every part that could not be read; never throws. Text longer than
 * {@link textLimit} or binary is refused with one problem. O(length).
 */
export function parseText(text: string): Parsed {
  const refusal = refuse(text);
  if (refusal !== undefined) {
    return { tree: { imports: [], declarations: [], length: text.length }, problems: [refusal] };
  }
  const { tokens, documentation, unclosedComment } = tokenize(text);
  const { file, problems } = grammar.read(tokens);
  const declarations = attachDocumentation(file.declarations, documentation, text);
  const tree = { imports: file.imports, declarations, length: text.length };
  const all = [...problems];
  if (unclosedComment !== undefined) {
    const { start } = spanOfToken(unclosedComment);
    all.push(problemAt({ start, end: start + 2 }, 'unclosed-comment', 'Close the comment with `*/`.'));
  }
  return { tree, problems: all.sort((a, b) => a.start - b.start) };
}

function refuse(text: string): Problem | undefined {
  const span = { start: 0, end: Math.min(text.length, 1) };
  if (text.length > textLimit) {
    const message = `The file has ${text.length} characters; at most ${textLimit} are read. Put large tables into files of their own: \`table NAME from "FILE"\`.`;
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
