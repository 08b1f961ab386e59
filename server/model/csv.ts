/**
 * CSV as RFC 4180 has it, written in one way for the command line, the editor's files and its pages. Readers of it are in
 * `server/interchange`.
 */

/** What stands in a cell; nothing where there is none. */
export type CsvCell = string | number | null | undefined;

/** Both characters are the standard's; whoever cuts a file into lines with the tools of a shell wants one. None where the lines are joined later. */
type LineEnd = '\n' | '\r\n' | '';

/** Records under each other, the head among them. O(letters). */
export const csvText = (records: readonly (readonly CsvCell[])[], lineEnd: LineEnd = '\n'): string =>
  records.map((cells) => csvRecord(cells, lineEnd)).join('');

/** One record: cells with commas, quotes or line ends are quoted, and quotes in them doubled. */
export const csvRecord = (cells: readonly CsvCell[], lineEnd: LineEnd = '\n'): string =>
  `${cells.map(writtenCell).join(',')}${lineEnd}`;

/** What a spreadsheet takes for a formula and runs: names are the user's or those of another tool. */
const formula = /^[=+\-@\t\r]/;
/** Text that is a negative number is one. */
const negativeNumber = /^-(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Text that begins like a formula gets an apostrophe before it. */
const withoutFormula = (text: string): string => (formula.test(text) && !negativeNumber.test(text) ? `'${text}` : text);

/** Numbers without a value are left out. */
function writtenCell(cell: CsvCell): string {
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : '';
  const text = withoutFormula(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
