/**
 * Small Markdown pieces that hovers and completion documentation are built of. What files say goes through `plain`,
 * `code` or `documentationMarkdown`, and all of it at last through `withoutImages`: a picture would make the editor ask
 * an address that somebody else wrote.
 */
import { MarkupKind } from 'vscode-languageserver-types';
import { largestOf } from '../../../model/lists.ts';
import type { DeclarationNode } from '../../tree.ts';
import type { ServiceInput } from '../input.ts';

/** Paragraphs with blank lines between; absent and empty ones are left out. */
export const paragraphs = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n');

/** A `place` code block, highlighted as in the editor. */
export const codeBlock = (code: string): string => `\`\`\`place\n${code}\n\`\`\``;

/** A Markdown table; undefined without rows. Bars in cells are escaped. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string | undefined {
  if (rows.length === 0) return undefined;
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Facts as a table of two columns; facts without a value are left out. */
export function facts(
  heading: string,
  rows: readonly (readonly [label: string, value: string | undefined])[],
): string | undefined {
  const known = rows.filter((row): row is readonly [string, string] => row[1] !== undefined);
  return table([heading, ''], known);
}

const escapeCell = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Text that is no Markdown, such as a name out of a file, in a sentence or a cell of a table. */
export const plain = (text: string): string =>
  text
    .replace(/[\\`*_[\]>&!~]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replace(/^(\s*)([-+#]|\d+(?=[.)]))/, '$1\\$2')
    .replace(/:(?=\/\/)/g, '\\:')
    .replaceAll('|', '&#124;')
    .replace(/\s+/g, ' ');

/** The same in the letters of code. A bar would end a cell of a table whatever stands before it. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '¦');
  const longest = Math.max(0, largestOf(Array.from(line.matchAll(/`+/g), ([run]) => run.length)));
  const fence = '`'.repeat(longest + 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** The `///` text of a declaration: Markdown, but plain text where the user does not trust the folder. */
export function documentationMarkdown(
  { trusted }: Pick<ServiceInput, 'trusted'>,
  { documentation }: Pick<DeclarationNode, 'documentation'>,
): string | undefined {
  if (documentation === undefined || trusted !== false) return documentation;
  return documentation.split('\n').map(plain).join('  \n');
}

/** Markdown in which pictures are their text: neither `![…](…)` nor `<img …>` is one. */
export const withoutImages = (markdown: string): string =>
  markdown.replace(/!(?=\[)/g, '&#33;').replace(/<(?=\s*img)/gi, '&lt;');

/** As an editor takes it. */
export const markdownContent = (value: string) => ({ kind: MarkupKind.Markdown, value: withoutImages(value) });
