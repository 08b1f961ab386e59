import type { Sources } from './sources.ts';
import type { DeclarationKind, DeclarationNode } from './tree.ts';

/** A declaration with the file it stands in. */
export interface Declared {
  readonly uri: string;
  readonly name: string;
  readonly node: DeclarationNode;
}

/**
 * The declarations of a file and of all it imports, by kind and name. Imported files come
 * first: of a name declared twice the imported declaration holds, and the other is reported.
 */
export interface SymbolTable {
  lookup(kind: DeclarationKind, name: string): Declared | undefined;
  /** Those that hold, in order of declaration. */
  all(kind: DeclarationKind): readonly Declared[];
  /** Their names. */
  names(kind: DeclarationKind): readonly string[];
  /** Declarations whose name was taken, each with the one that holds. */
  readonly repeated: readonly { readonly declared: Declared; readonly first: Declared }[];
}

/** O(declarations). */
export function symbolsOf(sources: Sources): SymbolTable {
  const byKind = new Map<DeclarationKind, Map<string, Declared>>();
  const repeated: { declared: Declared; first: Declared }[] = [];
  for (const uri of importedFirst(sources)) {
    for (const node of sources.files.get(uri)?.tree.declarations ?? []) {
      if (node.name === undefined) continue;
      const declared = { uri, name: node.name.text, node };
      const names = byKind.get(node.kind) ?? new Map<string, Declared>();
      byKind.set(node.kind, names);
      const first = names.get(declared.name);
      if (first === undefined) names.set(declared.name, declared);
      else repeated.push({ declared, first });
    }
  }
  const declaredByKind = new Map([...byKind].map(([kind, names]) => [kind, [...names.values()]]));
  const namesByKind = new Map([...byKind].map(([kind, names]) => [kind, [...names.keys()]]));
  return {
    lookup: (kind, name) => byKind.get(kind)?.get(name),
    all: (kind) => declaredByKind.get(kind) ?? [],
    names: (kind) => namesByKind.get(kind) ?? [],
    repeated,
  };
}

/** Every file after those it imports; cycles are cut where they close. */
function importedFirst(sources: Sources): readonly string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  const visit = (uri: string): void => {
    if (seen.has(uri)) return;
    seen.add(uri);
    for (const { uri: imported } of sources.files.get(uri)?.imports ?? []) visit(imported);
    order.push(uri);
  };
  visit(sources.root);
  return order;
}

/** `heat-2`, or the next one that nothing of the kind is called. O(names taken). */
export function freeName(symbols: SymbolTable, kind: DeclarationKind, name: string): string {
  let number = 2;
  while (symbols.lookup(kind, `${name}-${number}`) !== undefined) number++;
  return `${name}-${number}`;
}
