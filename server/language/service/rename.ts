import { TextEdit, type Range, type WorkspaceEdit } from 'vscode-languageserver-types';
import { fail, succeed, type Result } from '../../model/result.ts';
import { treeOf, type PositionInput } from './input.ts';
import { markAt } from './marks.ts';
import { rangeOf } from './ranges.ts';
import { namedBy, placesOf } from './references.ts';

const wholeWord = /^[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*$/;

/** The name at the offset and its range, where it is one that a file declares; else undefined. */
export function prepareRename(input: PositionInput): { range: Range; placeholder: string } | undefined {
  const mark = markAt(treeOf(input), input.offset);
  const named = mark === undefined ? undefined : namedBy(mark);
  if (mark === undefined || named === undefined) return undefined;
  return { range: rangeOf(input.document, mark.span), placeholder: named.name };
}

/** Edits of this file and its imports; files that import this one are not known here. */
export function rename(input: PositionInput, newName: string): Result<WorkspaceEdit> {
  const mark = markAt(treeOf(input), input.offset);
  const named = mark === undefined ? undefined : namedBy(mark);
  if (named === undefined) return fail('no-name', 'There is no declared name here: only those can be renamed.');
  if (!wholeWord.test(newName)) {
    return fail('no-word', `"${newName}" is no name: use letters, digits and _, with single hyphens between them.`);
  }
  const changes: Record<string, TextEdit[]> = {};
  for (const { uri, range } of placesOf(input, named, true)) {
    (changes[uri] ??= []).push(TextEdit.replace(range, newName));
  }
  return succeed({ changes });
}
