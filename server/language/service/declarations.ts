import type { DeclarationKind, DeclarationNode } from '../tree.ts';
import type { ServiceInput } from './input.ts';

/** A declared thing and the file it stands in. */
export interface Declared {
  readonly uri: string;
  readonly name: string;
  readonly declaration: DeclarationNode;
}

/** Everything of a kind that the file or its imports declare, each name once, sorted by file and place. */
export function declaredNames({ sources }: ServiceInput, kind: DeclarationKind): readonly Declared[] {
  const found = new Map<string, Declared>();
  for (const { uri, tree } of sources.files.values()) {
    for (const declaration of tree.declarations) {
      const name = declaration.name?.text;
      if (declaration.kind !== kind || name === undefined || found.has(name)) continue;
      found.set(name, { uri, name, declaration });
    }
  }
  return [...found.values()];
}
