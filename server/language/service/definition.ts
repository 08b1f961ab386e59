import type { Location } from 'vscode-languageserver-types';
import { treeOf, type PositionInput } from './input.ts';
import { markAt } from './marks.ts';
import { namedBy } from './workspace.ts';
import { locationOf } from './ranges.ts';

/** Where the name at the offset is declared, in this file or an imported one. */
export function definition(input: PositionInput): Location | undefined {
  const mark = markAt(treeOf(input), input.offset);
  const named = mark === undefined ? undefined : namedBy(mark);
  const declared = named && input.checked.symbols.lookup(named.kind, named.name);
  return declared && locationOf(input, declared.uri, declared.node.name ?? declared.node);
}
