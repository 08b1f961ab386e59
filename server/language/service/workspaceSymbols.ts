import { TextDocument } from 'vscode-languageserver-textdocument';
import type { WorkspaceSymbol } from 'vscode-languageserver-types';
import { symbolKinds } from './documentSymbols.ts';
import { rangeOf } from './ranges.ts';
import { filesOf, type Workspace } from './workspace.ts';

/** Declarations listed at most; editors narrow them down with each letter. */
const mostSymbols = 1000;

/** Every declaration of the workspace whose name has the letters of the query in their order, as editors match them. */
export function workspaceSymbols(workspace: Workspace, query: string): WorkspaceSymbol[] {
  const symbols: WorkspaceSymbol[] = [];
  for (const { uri, text, tree } of filesOf(workspace)) {
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
