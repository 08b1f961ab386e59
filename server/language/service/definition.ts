import type { Location } from 'vscode-languageserver-types';
import { declaredNames } from './declarations.ts';
import { treeOf, type PositionInput } from './input.ts';
import { markAt } from './marks.ts';
import { namedBy } from './references.ts';
import { locationOf } from './ranges.ts';

/** Where the name at the offset is declared, in this file or an imported one. */
export function definition(input: PositionInput): Location | undefined {
  const mark = markAt(treeOf(input), input.offset);
  const named = mark === undefined ? undefined : namedBy(mark);
  const declared = named && declaredNames(input, named.kind).find(({ name }) => name === named.name);
  return declared && locationOf(input, declared.uri, declared.declaration.name ?? declared.declaration);
}
