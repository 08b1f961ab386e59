/** Small Markdown pieces that hovers and completion documentation are built of. */

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
