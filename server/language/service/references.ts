import type { Location } from 'vscode-languageserver-types';
import type { DeclarationKind } from '../tree.ts';
import { treeOf, type PositionInput, type ServiceInput } from './input.ts';
import { markAt, marksOf, type Mark } from './marks.ts';
import { locationOf } from './ranges.ts';

/** A declared thing by kind and name: kinds are spaces of names of their own. */
export interface Named {
  readonly kind: DeclarationKind;
  readonly name: string;
}

/** What a mark names, at its declaration or at a use of it; undefined for any other mark. */
export function namedBy(mark: Mark): Named | undefined {
  if (mark.kind === 'reference') return { kind: mark.target, name: mark.name.text };
  if (mark.kind !== 'declared' || mark.declaration.name === undefined) return undefined;
  return { kind: mark.declaration.kind, name: mark.declaration.name.text };
}

/** Every place that names what stands at the offset, in this file and its imports. */
export function references(input: PositionInput, options: { readonly includeDeclaration: boolean }): Location[] {
  const mark = markAt(treeOf(input), input.offset);
  const named = mark === undefined ? undefined : namedBy(mark);
  if (named === undefined) return [];
  return placesOf(input, named, options.includeDeclaration);
}

export function placesOf(input: ServiceInput, named: Named, includeDeclaration: boolean): Location[] {
  return [...input.sources.files.values()].flatMap(({ uri, tree }) =>
    marksOf(tree)
      .filter((mark) => isPlaceOf(named, mark, includeDeclaration))
      .flatMap(({ span }) => locationOf(input, uri, span) ?? []),
  );
}

function isPlaceOf(named: Named, mark: Mark, includeDeclaration: boolean): boolean {
  const other = namedBy(mark);
  if (other?.kind !== named.kind || other.name !== named.name) return false;
  return includeDeclaration || mark.kind === 'reference';
}
