/**
 * CSV as RFC 4180 has it, written in one way for the command line, the editor's files and its pages. Readers of it are in
 * `server/interchange`.
 */

/** What stands in a cell; nothing where there is none. */
export type CsvCell = string | number | null | undefined;

/** Both characters are the standard's; whoever cuts a file into lines with the tools of a shell wants one. */
type LineEnd = '\n' | '\r\n';

/** Records under each other, the head among them. O(letters). */
export const csvText = (records: readonly (readonly CsvCell[])[], lineEnd: LineEnd = '\n'): string =>
  records.map((cells) => csvRecord(cells, lineEnd)).join('');

/** One record: cells with commas, quotes or line ends are quoted, and quotes in them doubled. */
export const csvRecord = (cells: readonly CsvCell[], lineEnd: LineEnd = '\n'): string =>
  `${cells.map(writtenCell).join(',')}${lineEnd}`;

function writtenCell(cell: CsvCell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A cell of a table that people open as it is: names are the user's or those of another tool, and a spreadsheet takes text that begins
 * like a formula for one and runs it. Numbers without a value are left out.
 */
export function spreadsheetCell(cell: CsvCell): CsvCell {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : undefined;
  return typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}
