/** The outline of a file, and the search for declarations in all of them. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { SymbolKind, type DocumentSymbol, type WorkspaceSymbol } from 'vscode-languageserver-types';
import { countOf } from '../../model/quantities.ts';
import type { DeclarationKind, DeclarationNode } from '../tree.ts';
import { treeOf, type ServiceInput, rangeOf } from './input.ts';
import { workspaceFiles, type Workspace } from './workspace.ts';

export const symbolKinds: Record<DeclarationKind, SymbolKind> = {
  machine: SymbolKind.Module,
  job: SymbolKind.Class,
  stencil: SymbolKind.Interface,
  table: SymbolKind.Array,
  placement: SymbolKind.Event,
  stream: SymbolKind.Variable,
  network: SymbolKind.Interface,
  experiment: SymbolKind.Function,
};

/** The outline of a file: one entry per declaration, named or not yet. */
export function documentSymbols(input: ServiceInput): DocumentSymbol[] {
  return treeOf(input).declarations.map((declaration) => symbolOf(input, declaration));
}

function symbolOf({ document }: ServiceInput, declaration: DeclarationNode): DocumentSymbol {
  return {
    name: declaration.name?.text ?? `${declaration.keyword.text} without a name`,
    detail: detailOf(declaration),
    kind: symbolKinds[declaration.kind],
    range: rangeOf(document, declaration),
    selectionRange: rangeOf(document, declaration.name ?? declaration.keyword),
  };
}

function detailOf(declaration: DeclarationNode): string {
  if (declaration.from !== undefined) return `${declaration.kind} from ${declaration.from.text}`;
  if (declaration.kind !== 'table') return declaration.kind;
  return `table of ${countOf(declaration.entries.length, 'entry', 'entries')}`;
}

/** Declarations listed at most; editors narrow them down with each letter. */
const mostSymbols = 1000;

/** Every declaration of the workspace whose name has the letters of the query in their order, as editors match them. */
export function workspaceSymbols(workspace: Workspace, query: string): WorkspaceSymbol[] {
  const symbols: WorkspaceSymbol[] = [];
  for (const { uri, text, tree } of workspaceFiles(workspace)) {
    const document = TextDocument.create(uri, 'place', 0, text);
    for (const { kind, name } of tree.declarations) {
      if (name === undefined || !hasInOrder(name.text.toLowerCase(), query.toLowerCase())) continue;
      const location = { uri, range: rangeOf(document, name) };
      symbols.push({ name: name.text, kind: symbolKinds[kind], containerName: kind, location });
      if (symbols.length === mostSymbols) return symbols;
    }
  }
  return symbols;
}

function hasInOrder(text: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
