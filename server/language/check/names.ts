import { replace } from '../codes.ts';
import type { Sources } from '../sources.ts';
import type { Declared, SymbolTable } from '../symbols.ts';
import type { DeclarationKind } from '../tree.ts';
import { fileNameOf } from '../uris.ts';
import type { Scope } from './scope.ts';

/** Reports names that are declared twice, in one file or across imports, with the line of the first. */
export function checkNames(symbols: SymbolTable, sources: Sources, scopeFor: (uri: string) => Scope): void {
  const lineOf = lineCounter(sources);
  for (const { declared, first } of symbols.repeated) {
    const { node, uri, name } = declared;
    const file = first.uri === uri ? '' : ` of ${fileNameOf(first.uri)}`;
    const message = `There is a ${node.kind} \`${name}\` already, on line ${lineOf(first)}${file}: give this one another name.`;
    const free = freeName(symbols, node.kind, name);
    const otherFixes =
      node.name === undefined ? [] : [{ ...replace(node.name, free), title: `Rename this one to \`${free}\`` }];
    scopeFor(uri).report(node.name ?? node.keyword, 'duplicate-declaration', message, { otherFixes });
  }
}

/** `heat-2`, or the next one that nothing of the kind is called. O(names taken). */
export function freeName(symbols: SymbolTable, kind: DeclarationKind, name: string): string {
  let number = 2;
  while (symbols.lookup(kind, `${name}-${number}`) !== undefined) number++;
  return `${name}-${number}`;
}

/** Lines counted from 1; each file is cut into lines once, and only where a line is asked for. */
function lineCounter(sources: Sources): (declared: Declared) => number {
  const startsByUri = new Map<string, readonly number[]>();
  return ({ uri, node }) => {
    const starts = startsByUri.get(uri) ?? lineStarts(sources.files.get(uri)?.text ?? '');
    startsByUri.set(uri, starts);
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= node.start) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}
