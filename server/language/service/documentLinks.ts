import type { DocumentLink } from 'vscode-languageserver-types';
import { URI, Utils } from 'vscode-uri';
import { treeOf, type ServiceInput } from './input.ts';
import { marksOf } from './marks.ts';
import { rangeOf } from './ranges.ts';

/** Files that strings name, relative to the folder of this one: imports, tables, mappings. */
export function documentLinks(input: ServiceInput): DocumentLink[] {
  const folder = Utils.dirname(URI.parse(input.uri));
  return marksOf(treeOf(input)).flatMap((mark) => {
    if (mark.kind !== 'string' || mark.value.text === '') return [];
    const { start, text } = mark.value;
    const withoutQuotes = { start: start + 1, end: start + 1 + text.length };
    const target = Utils.resolvePath(folder, text).toString();
    return [{ range: rangeOf(input.document, withoutQuotes), target }];
  });
}
