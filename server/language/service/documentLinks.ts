import type { DocumentLink } from 'vscode-languageserver-types';
import { resolvePath } from '../uris.ts';
import { treeOf, type ServiceInput } from './input.ts';
import { marksOf } from './marks.ts';
import { rangeOf } from './ranges.ts';

/** Files that strings name, relative to the folder of this one: imports, tables, mappings. */
export function documentLinks(input: ServiceInput): DocumentLink[] {
  return marksOf(treeOf(input)).flatMap((mark) => {
    if (mark.kind !== 'string') return [];
    const { start, text } = mark.value;
    const target = resolvePath(input.uri, text);
    if (target === undefined) return [];
    const withoutQuotes = { start: start + 1, end: start + 1 + text.length };
    return [{ range: rangeOf(input.document, withoutQuotes), target }];
  });
}
