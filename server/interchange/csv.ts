import { taskLimit } from '../model/job.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { faultOfAmount, parseDecimal, EntryList, tooManyEntries } from './entries.ts';
import { ByteScanner } from './byteScanner.ts';
import type { TableFormatEntry } from './contract.ts';

const hash = '#'.charCodeAt(0);

export const csv: TableFormatEntry = {
  name: 'csv',
  summary: 'a square matrix without header, or a list under `from,to,amount`; commas, semicolons, tabs or blanks',
  source: 'RFC 4180',
  details:
    'Row is the sender, column the receiver, both counted from 0. Of a list, other columns are ignored with a warning and repeated pairs add up. Lines that begin with `#` are comments.',
  options: [],
  // The fallback of the catalogue: anything that is text and nothing else.
  recognizes: () => true,
  read: readCsv,
};

/** A dense matrix, or a list of pairs under a header; no string is made of a plain number. O(bytes). */
function readCsv(bytes: Uint8Array, fileName: string, cancellation: Cancellation): Result<TableEntries> {
  const lines = withLineFeeds(bytes);
  const first = firstContentLine(lines);
  const separator = findSeparator(first);
  const head = cellsOf(first, separator);
  const scanner = new ByteScanner(lines, cancellation);
  const reading: Reading = { scanner, separator: separator.charCodeAt(0), bytes: bytes.length };
  const table = isHeader(head) ? readList(reading, head) : readDense(reading);
  if (table.ok) return table;
  const { message, line } = table.failure;
  return fail('bad-table', `${fileName}:${line === undefined ? '' : `${line}:`} ${message}`);
}

interface Reading {
  readonly scanner: ByteScanner;
  readonly separator: number;
  /** Length of the file. */
  readonly bytes: number;
}

/** What is wrong, without the file; `line` where it is about one. */
interface Fault {
  readonly message: string;
  readonly line?: number;
}

const refuse = (message: string, line?: number): { readonly ok: false; readonly failure: Fault } => ({
  ok: false,
  failure: { message, ...(line === undefined ? {} : { line }) },
});

/** Old spreadsheets end lines with a carriage return alone. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(10) || !bytes.includes(13)) return bytes;
  return bytes.map((byte) => (byte === 13 ? 10 : byte));
}

/** No cell is a number and one is a word: a damaged number in a matrix shall be reported as one. */
const isHeader = (cells: readonly string[]): boolean =>
  cells.every((cell) => parseDecimal(cell) === undefined) &&
  cells.some((cell) => /^[a-z_ ]+$/i.test(cell) && !/^(?:nan|inf|infinity)$/i.test(cell));

/** First rows up to this long are read whatever the size of the file, so that messages have their numbers. */
const shortRow = 4096;

/** A dense square matrix: row i, column j is what task i sends to task j. */
function readDense({ scanner, separator, bytes }: Reading): Result<TableEntries, Fault> {
  const entries = new EntryList();
  // A row of n values has 2 n bytes at least, and there are to be n rows.
  const widest = Math.max(shortRow, Math.ceil(Math.sqrt(bytes)));
  let columns = 0;
  let rows = 0;
  for (; scanner.nextContentLine(hash); rows++) {
    let column = 0;
    for (; scanner.nextCell(separator); column++) {
      if (rows === 0 && column === widest) return refuse(tooWide(column), scanner.line);
      let amount = scanner.cellNumber();
      if (amount < 0) {
        const cell = scanner.cellText();
        const fault = cell === '' ? 'is empty: write 0 where nothing is sent' : faultOfAmount(cell);
        if (fault !== undefined) return refuse(`Row ${rows + 1}, column ${column + 1}: ${fault}.`, scanner.line);
        amount = Number(cell);
      }
      if (!entries.add(rows, column, amount)) return refuse(tooManyEntries, scanner.line);
    }
    if (rows === 0) columns = column;
    if (column !== columns) {
      const message = `Row ${rows + 1} has ${column} values where the first row has ${columns}.`;
      return refuse(message, scanner.line);
    }
  }
  if (rows === 0) return refuse('The file is empty; a table has a row per task.');
  if (rows === columns) return succeed(entries.finish(rows));
  return refuse(`A table of traffic is square, a row and a column per task; this one is ${rows} x ${columns}.`);
}

const tooWide = (columns: number): string =>
  `The first row has more than ${columns} values, and the file is too short for as many rows: a table of traffic is square, a row and a column per task.`;

/** Headings that real tools write; compared without case. */
const fromHeadings = ['from', 'source', 'src', 'sender'];
const toHeadings = ['to', 'target', 'destination', 'dst', 'receiver'];
const amountHeadings = ['amount', 'bytes', 'messages', 'packets', 'weight'];

interface Columns {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

/** A list of pairs under a header; the size is 1 + the largest task. Repeated pairs add up later. */
function readList({ scanner, separator }: Reading, head: readonly string[]): Result<TableEntries, Fault> {
  const entries = new EntryList();
  if (!scanner.nextContentLine(hash)) return refuse('The list has a header and no pairs below it.');
  const columns = findColumns(head);
  if (typeof columns === 'string') return refuse(columns, scanner.line);
  let size = 0;
  while (scanner.nextContentLine(hash)) {
    const pair: Pair = { from: -1, to: -1, amount: -1 };
    const fault = readPair(scanner, separator, columns, pair);
    if (fault !== undefined) return refuse(fault, scanner.line);
    size = Math.max(size, pair.from + 1, pair.to + 1);
    if (!entries.add(pair.from, pair.to, pair.amount)) return refuse(tooManyEntries, scanner.line);
  }
  if (size === 0) return refuse('The list has a header and no pairs below it.');
  const others = head.filter((_, at) => at !== columns.from && at !== columns.to && at !== columns.amount);
  const table = entries.finish(size);
  if (others.length === 0) return succeed(table);
  const warning = `Of the list only ${quote(head[columns.from]!)}, ${quote(head[columns.to]!)} and ${quote(head[columns.amount]!)} are read; not read: ${others.slice(0, 5).map(quote).join(', ')}.`;
  return succeed({ ...table, warnings: [warning] });
}

interface Pair {
  from: number;
  to: number;
  amount: number;
}

/** Reads one row into `pair`; returns what is wrong with it. */
function readPair(scanner: ByteScanner, separator: number, columns: Columns, pair: Pair): string | undefined {
  for (let column = 0; scanner.nextCell(separator); column++) {
    if (column === columns.from) pair.from = scanner.cellNumber();
    else if (column === columns.to) pair.to = scanner.cellNumber();
    else if (column === columns.amount) {
      pair.amount = scanner.cellNumber();
      if (pair.amount >= 0) continue;
      const cell = scanner.cellText();
      const fault = cell === '' ? 'is missing' : faultOfAmount(cell);
      if (fault !== undefined) return `The amount ${fault}.`;
      pair.amount = Number(cell);
      continue;
    } else continue;
    const task = column === columns.from ? pair.from : pair.to;
    if (task < 0 || task >= taskLimit) return noTask(scanner.cellText());
  }
  if (pair.from < 0 || pair.to < 0) return noTask('');
  return pair.amount < 0 ? 'The amount is missing.' : undefined;
}

const noTask = (cell: string): string =>
  `${quote(cell)} is no task; tasks count from 0 and are fewer than ${taskLimit}.`;

function findColumns(cells: readonly string[]): Columns | string {
  const headings = cells.map((cell) => cell.toLowerCase());
  const amounts = headings.filter((heading) => amountHeadings.includes(heading));
  const from = headings.findIndex((heading) => fromHeadings.includes(heading));
  const to = headings.findIndex((heading) => toHeadings.includes(heading));
  if (from < 0 || to < 0 || amounts.length === 0) {
    return `The header is read as ${quote(cells.join(','))}; a list needs the columns from, to and amount, and a matrix has no header.`;
  }
  if (amounts.length > 1) return `The columns ${amounts.join(' and ')} could all be the amount: leave one.`;
  return { from, to, amount: headings.indexOf(amounts[0]!) };
}

/** Tabs and semicolons first: where one stands, a comma can only be a decimal comma. */
const separators = ['\t', ';', ','];

/** As much of a line as it takes to see what it is: a matrix in one row can have a hundred megabytes. */
const longestBeginning = 2 ** 16;

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
