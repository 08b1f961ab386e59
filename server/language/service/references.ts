import type { Location } from 'vscode-languageserver-types';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { rangeOf } from './ranges.ts';
import { declarationAt, placesOf, textOf, type Workspace } from './workspace.ts';

/** Every place of the workspace that names what stands at the offset of a file. */
export function references(
  workspace: Workspace,
  uri: string,
  offset: number,
  { includeDeclaration }: { readonly includeDeclaration: boolean },
): Location[] {
  const declaration = declarationAt(workspace, uri, offset);
  if (declaration === undefined) return [];
  return [...placesOf(workspace, declaration)].flatMap(([file, spans]) => {
    const document = TextDocument.create(file, 'place', 0, textOf(workspace, file) ?? '');
    const isUse = ({ start }: { start: number }) => file !== declaration.uri || start !== declaration.node.name?.start;
    return spans
      .filter((span) => includeDeclaration || isUse(span))
      .map((span) => ({ uri: file, range: rangeOf(document, span) }));
  });
}
