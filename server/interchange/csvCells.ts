import { ByteScanner } from './byteScanner.ts';

/** Tabs and semicolons first: where one stands, a comma can only be a decimal comma. */
const separators = ['\t', ';', ','];

/** As much of a line as it takes to see what it is: a matrix in one row can have a hundred megabytes. */
const longestBeginning = 2 ** 16;

const hash = '#'.charCodeAt(0);

/** The first line with content that is no comment, without blanks around it; of a long one the beginning. */
export function firstContentLine(content: string | Uint8Array): string {
  if (typeof content !== 'string') {
    const scanner = new ByteScanner(content);
    return scanner.nextContentLine(hash) ? scanner.beginning(longestBeginning).trim() : '';
  }
  const line = /^(?![ \t]*(?:#.*)?$).+$/m.exec(content)?.[0] ?? '';
  return line.slice(0, longestBeginning).trim();
}

/** The separator of a file, by its first line with content; blanks where there is none. */
export const findSeparator = (line: string): string => separators.find((separator) => line.includes(separator)) ?? ' ';

/**
 * The cells of a line, without blanks and quotes around them. A separator at the end of a row, as many tools write,
 * adds no cell. O(letters).
 */
export function cellsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) {
    const cells = line.split(separator).map((cell) => cell.trim());
    if (separator === ' ') return cells.filter((cell) => cell !== '');
    if (cells.length > 1 && cells.at(-1) === '') cells.pop();
    return cells;
  }
  const scanner = new ByteScanner(new TextEncoder().encode(line));
  const cells: string[] = [];
  if (scanner.nextLine()) while (scanner.nextCell(separator.charCodeAt(0))) cells.push(scanner.cellText());
  return cells;
}
