import { SymbolKind, type DocumentSymbol } from 'vscode-languageserver-types';
import type { DeclarationKind, DeclarationNode } from '../tree.ts';
import { treeOf, type ServiceInput } from './input.ts';
import { countOf } from '../../model/quantities.ts';
import { rangeOf } from './ranges.ts';

export const symbolKinds: Record<DeclarationKind, SymbolKind> = {
  machine: SymbolKind.Module,
  job: SymbolKind.Class,
  stencil: SymbolKind.Interface,
  table: SymbolKind.Array,
  placement: SymbolKind.Event,
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
