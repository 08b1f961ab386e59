import { FoldingRangeKind, type FoldingRange } from 'vscode-languageserver-types';
import type { DeclarationNode } from '../tree.ts';
import { treeOf, type ServiceInput } from './input.ts';

/** Bodies of declarations, block comments and runs of `//` lines; only what spans several lines. */
export function folding(input: ServiceInput): FoldingRange[] {
  const bodies = treeOf(input).declarations.flatMap((declaration) => foldBody(input, declaration));
  return [...bodies, ...foldComments(input)];
}

/** From the line of `{` to the line before `}`, so that the closing brace stays in sight. */
function foldBody({ document }: ServiceInput, { body }: DeclarationNode): FoldingRange[] {
  if (body === undefined) return [];
  const startLine = document.positionAt(body.start).line;
  const endLine = document.positionAt(body.end).line - 1;
  return endLine > startLine ? [{ startLine, endLine }] : [];
}

/** Strings come first in the pattern, so that `"http://x"` and `"/*"` are no comments. */
const stringOrComment =
  /"[^"\n]*"?|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|^[ \t]*\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)+|\/\/[^\n]*/gm;

function foldComments({ document }: ServiceInput): FoldingRange[] {
  const folds: FoldingRange[] = [];
  for (const { 0: text, index } of document.getText().matchAll(stringOrComment)) {
    if (text.startsWith('"')) continue;
    const startLine = document.positionAt(index).line;
    const endLine = document.positionAt(index + text.length).line;
    if (endLine > startLine) folds.push({ startLine, endLine, kind: FoldingRangeKind.Comment });
  }
  return folds;
}
