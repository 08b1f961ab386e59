import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Location, DocumentLink } from 'vscode-languageserver-types';
import { resolvePath } from '../uris.ts';
import { treeOf, type PositionInput, type ServiceInput, locationOf, rangeOf } from './input.ts';
import { markAt, marksOf } from './marks.ts';
import {
  namedBy,
  declarationAt,
  isSameFile,
  namedPlaces,
  shownPlaces,
  workspaceText,
  type Workspace,
} from './workspace.ts';

/** Where the name at the offset is declared, in this file or an imported one. */
export function definition(input: PositionInput): Location | undefined {
  const mark = markAt(treeOf(input), input.offset);
  const named = mark === undefined ? undefined : namedBy(mark);
  const declared = named && input.checked.symbols.lookup(named.kind, named.name);
  return declared && locationOf(input, declared.uri, declared.node.name ?? declared.node);
}

/** Every place of the workspace that names what stands at the offset of a file. */
export function references(
  workspace: Workspace,
  uri: string,
  offset: number,
  { includeDeclaration }: { readonly includeDeclaration: boolean },
): Location[] {
  const declaration = declarationAt(workspace, uri, offset);
  if (declaration === undefined) return [];
  return [...shownPlaces(workspace, namedPlaces(workspace, declaration))].flatMap(([file, spans]) => {
    const document = TextDocument.create(file, 'place', 0, workspaceText(workspace, file) ?? '');
    const isUse = ({ start }: { start: number }) =>
      !isSameFile(workspace, file, declaration.uri) || start !== declaration.node.name?.start;
    return spans
      .filter((span) => includeDeclaration || isUse(span))
      .map((span) => ({ uri: file, range: rangeOf(document, span) }));
  });
}

/** Files that strings name, relative to the folder of this one: imports, tables, mappings. */
export function documentLinks(input: ServiceInput): DocumentLink[] {
  return marksOf(treeOf(input)).flatMap((mark) => {
    if (mark.kind !== 'string') return [];
    const { start, text } = mark.value;
    const target = resolvePath(input.uri, text);
    if (target === undefined) return [];
    const withoutQuotes = { start: start + 1, end: start + 1 + text.length };
    return [{ range: rangeOf(input.document, withoutQuotes), target }];
  });
}
