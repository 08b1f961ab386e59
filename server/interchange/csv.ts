/** Tables of numbers as text: square matrices, and lists of pairs. */
import { taskLimit } from '../model/job.ts';
import { inWords } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { faultOfAmount, parseDecimal, EntryList, tooManyEntries } from './entries.ts';
import { ByteScanner } from './byteScanner.ts';
import type { TableFormatEntry } from './contract.ts';
import { refuseRow, type RowFault } from './reading.ts';
import { wholeFile } from './wholeFile.ts';

const hash = '#'.charCodeAt(0);

export const csvMatrix: TableFormatEntry = {
  name: 'csv',
  summary: 'a square matrix with optional row and column names; commas, semicolons, tabs or blanks',
  source: 'RFC 4180',
  details:
    'Rows are senders and columns receivers, counted from 0 in file order. Names are ignored. Lines that begin ' +
    'with `#` are comments.',
  options: [],
  // The fallback of the catalogue: anything that is text and nothing else.
  recognizes: () => true,
  read: wholeFile((bytes, fileName, cancellation) => readCells(bytes, fileName, cancellation, readDense)),
};

export const edgeList: TableFormatEntry = {
  name: 'edge-list',
  summary: 'pairs under `from,to,bytes[,messages]`; without a header sender, receiver, bytes and messages',
  source: 'RFC 4180',
  details:
    'Tasks count from 0. Commas, semicolons, tabs or blanks separate values. Amounts are under `bytes`, `amount`, `weight`, `messages` or `packets`; bytes and messages can both be present. Other columns are skipped with a warning. Repeated pairs add up. Lines that begin with `#` are comments.',
  options: [],
  recognizes: looksLikeList,
  read: wholeFile((bytes, fileName, cancellation) => readCells(bytes, fileName, cancellation, readList)),
};

/** A square matrix whose separator is known. O(bytes). */
export function readSquare(
  bytes: Uint8Array,
  fileName: string,
  cancellation: Cancellation,
  separator: string,
): Result<TableEntries> {
  return readCells(bytes, fileName, cancellation, readDense, separator);
}

type ReadTable = (reading: Reading, head: readonly string[]) => Result<TableEntries, RowFault>;

/** No string is made of a plain number. O(bytes). */
function readCells(
  bytes: Uint8Array,
  fileName: string,
  cancellation: Cancellation,
  read: ReadTable,
  known?: string,
): Result<TableEntries> {
  const lines = withLineFeeds(bytes);
  const first = firstContentLine(lines);
  const separator = known ?? findSeparator(first);
  const head = lineCells(first, separator);
  const scanner = new ByteScanner(lines, cancellation);
  const table = read({ scanner, separator: separator.charCodeAt(0), bytes: bytes.length }, head);
  if (table.ok) return table;
  const { message, line } = table.failure;
  return fail('bad-table', `${fileName}:${line === undefined ? '' : `${line}:`} ${message}`);
}

/** Lines that tell a list without header from a matrix: one of three or four columns has fewer. */
const linesOfList = 5;

/** The heading of a list; or more lines of three or four numbers than a square matrix has, the first two of them tasks. */
function looksLikeList(bytes: Uint8Array): boolean {
  const lines = withLineFeeds(bytes);
  const first = firstContentLine(lines);
  const separator = findSeparator(first);
  const head = lineCells(first, separator);
  if (isHeader(head)) return isHeadOfList(head);
  if (head.length < 3 || head.length > 4) return false;
  const scanner = new ByteScanner(lines);
  let rows = 0;
  for (; rows < linesOfList && scanner.nextContentLine(hash); rows++) {
    const cells = lineCells(scanner.beginning(longestBeginning).trim(), separator);
    const isTask = (cell = ''): boolean => /^\d{1,7}$/.test(cell) && Number(cell) < taskLimit;
    if (cells.length !== head.length || !isTask(cells[0]) || !isTask(cells[1])) return false;
  }
  return rows > head.length;
}

const isHeadOfList = (cells: readonly string[]): boolean =>
  cells.some((cell) => [...fromHeadings, ...toHeadings].includes(cell.toLowerCase()));

interface Reading {
  readonly scanner: ByteScanner;
  readonly separator: number;
  /** Length of the file. */
  readonly bytes: number;
}

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
function readDense(reading: Reading, head: readonly string[]): Result<TableEntries, RowFault> {
  const { scanner } = reading;
  const matrix = new Matrix(reading, head);
  const lineOfHeader = scanner.line;
  while (scanner.nextContentLine(hash)) {
    const fault = matrix.readRow();
    if (fault !== undefined) return refuseRow(fault, scanner.line);
  }
  const fault = matrix.faultAtEnd();
  if (fault === undefined) return succeed(matrix.entries.finish(matrix.rows));
  return refuseRow(fault.message, Math.max(fault.isOfHeader ? lineOfHeader : scanner.line, 1));
}

/**
 * Rows that are read one after the other. Names of columns are passed over, and so are those of rows, where the first cell of
 * the header is empty or the first row begins with a word.
 */
class Matrix {
  readonly entries = new EntryList();
  rows = 0;
  readonly #reading: Reading;
  /** Cells of the header; none where there is no header. */
  readonly #head: readonly string[];
  /** Known from the first row on. */
  #rowsAreNamed: boolean | undefined;
  #columns = 0;
  /** A row of n values has 2 n bytes at least, and there are to be n rows. */
  readonly #widest: number;

  constructor(reading: Reading, head: readonly string[]) {
    this.#reading = reading;
    const isNamed = isHeader(head) || (head.length > 2 && head[0] === '');
    this.#head = isNamed ? head : [];
    if (isNamed) reading.scanner.nextContentLine(hash);
    this.#rowsAreNamed = isNamed ? (head[0] === '' ? true : undefined) : false;
    this.#widest = Math.max(shortRow, Math.ceil(Math.sqrt(reading.bytes)));
  }

  /** Why the row at the scanner is refused, or undefined. */
  readRow(): string | undefined {
    const { scanner, separator } = this.#reading;
    let column = this.#rowsAreNamed === false ? 0 : -1;
    for (; scanner.nextCell(separator); column++) {
      if (column < 0) {
        this.#rowsAreNamed ??= parseDecimal(scanner.cellText()) === undefined;
        if (this.#rowsAreNamed) continue;
        column = 0;
      }
      const fault = this.#readCell(column);
      if (fault !== undefined) return fault;
    }
    if (this.rows === 0) this.#columns = column;
    this.rows++;
    if (column === this.#columns) return undefined;
    return `Row ${this.rows} has ${column} values, but the first row has ${this.#columns}.`;
  }

  #readCell(column: number): string | undefined {
    const { scanner } = this.#reading;
    if (this.rows === 0 && column === this.#widest) return tooWide(column);
    let amount = scanner.cellNumber();
    if (amount < 0) {
      const cell = scanner.cellText();
      const fault = cell === '' ? 'is empty; write 0 if nothing is sent' : faultOfAmount(cell);
      if (fault !== undefined) return `Row ${this.rows + 1}, column ${column + 1}: ${fault}.`;
      amount = Number(cell);
    }
    return this.entries.add(this.rows, column, amount) ? undefined : tooManyEntries;
  }

  /** Of the header, or of the end where rows are missing or too many. */
  faultAtEnd(): { readonly message: string; readonly isOfHeader: boolean } | undefined {
    const head = this.#head;
    const isNamed = head.length > 0;
    const named = head.length - (this.#rowsAreNamed === true ? 1 : 0);
    if (isNamed && (this.rows === 0 || named !== this.#columns)) return { message: noMatrix(head), isOfHeader: true };
    if (this.rows === 0) return { message: 'The file is empty. A table needs one row per task.', isOfHeader: true };
    if (this.rows === this.#columns) return undefined;
    const message = `A traffic table must be square; found ${this.rows} x ${this.#columns}. Write one row and one column per task.`;
    return { message, isOfHeader: false };
  }
}

const noMatrix = (head: readonly string[]): string =>
  `Unknown header ${quote(head.join(','))}. A list needs from, to and amount; a matrix needs a name per column or no header.`;

const tooWide = (columns: number): string =>
  `The first row has more than ${columns} values, too many for the file size. A traffic table must be square.`;

/** Headings that real tools write; compared without case. */
const fromHeadings = ['from', 'source', 'src', 'sender'];
const toHeadings = ['to', 'target', 'destination', 'dst', 'receiver'];
const amountHeadings = ['amount', 'bytes', 'messages', 'packets', 'weight'];

interface Columns {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  /** −1 where the list has none beside the amount. */
  readonly messages: number;
}

/** A list of pairs; the size is 1 + the largest task. Repeated pairs add up later. */
function readList({ scanner, separator }: Reading, head: readonly string[]): Result<TableEntries, RowFault> {
  const entries = new EntryList();
  const messages = new EntryList();
  const hasHeader = isHeader(head);
  if (hasHeader) scanner.nextContentLine(hash);
  const columns = hasHeader ? findColumns(head) : plainColumns(head);
  if (typeof columns === 'string') return refuseRow(columns, Math.max(scanner.line, 1));
  const isCounted = columns.messages >= 0;
  let size = 0;
  while (scanner.nextContentLine(hash)) {
    const pair: Pair = { from: -1, to: -1, amount: -1, messages: isCounted ? -1 : 0 };
    const fault = readPair(scanner, separator, columns, pair);
    if (fault !== undefined) return refuseRow(fault, scanner.line);
    size = Math.max(size, pair.from + 1, pair.to + 1);
    // A message without content counts where messages do.
    if (pair.amount + pair.messages === 0) continue;
    const isAdded = entries.put(pair.from, pair.to, pair.amount);
    if (isCounted) messages.put(pair.from, pair.to, pair.messages);
    if (!isAdded) return refuseRow(tooManyEntries, scanner.line);
  }
  if (size === 0) return refuseRow('The list has no pairs.');
  return succeed({
    ...entries.finish(size),
    ...(isCounted ? { messages: messages.finish(size).amount } : {}),
    ...(hasHeader ? unreadColumns(head, columns) : {}),
  });
}

/** A warning about columns that say nothing here, where there are some. */
function unreadColumns(head: readonly string[], columns: Columns): Pick<TableEntries, 'warnings'> {
  const read = Object.values(columns).filter((at: number) => at >= 0);
  const others = head.filter((_, at) => !read.includes(at));
  if (others.length === 0) return {};
  const words = read.map((at: number) => quote(head[at]!));
  const warning = `Only the columns ${inWords(words)} are read. Skipped: ${others.slice(0, 5).map(quote).join(', ')}.`;
  return { warnings: [warning] };
}

interface Pair {
  from: number;
  to: number;
  amount: number;
  messages: number;
}

/** Reads one row into `pair`; returns what is wrong with it. */
function readPair(scanner: ByteScanner, separator: number, columns: Columns, pair: Pair): string | undefined {
  for (let column = 0; scanner.nextCell(separator); column++) {
    let fault: string | undefined;
    if (column === columns.from) fault = readTaskCell(scanner, pair, 'from');
    else if (column === columns.to) fault = readTaskCell(scanner, pair, 'to');
    else if (column === columns.amount) fault = readCellAmount(scanner, pair, 'amount');
    else if (column === columns.messages) fault = readCellAmount(scanner, pair, 'messages');
    if (fault !== undefined) return fault;
  }
  if (pair.from < 0 || pair.to < 0) return noTask('');
  if (pair.messages < 0) return 'The number of messages is missing.';
  return pair.amount < 0 ? 'The amount is missing.' : undefined;
}

function readTaskCell(scanner: ByteScanner, pair: Pair, end: 'from' | 'to'): string | undefined {
  pair[end] = scanner.cellNumber();
  return pair[end] < 0 || pair[end] >= taskLimit ? noTask(scanner.cellText()) : undefined;
}

function readCellAmount(scanner: ByteScanner, pair: Pair, what: 'amount' | 'messages'): string | undefined {
  pair[what] = scanner.cellNumber();
  if (pair[what] >= 0) return undefined;
  const cell = scanner.cellText();
  const fault = cell === '' ? 'is missing' : faultOfAmount(cell);
  if (fault !== undefined) return what === 'amount' ? `The amount ${fault}.` : `The number of messages ${fault}.`;
  pair[what] = Number(cell);
  return undefined;
}

const noTask = (cell: string): string => `Invalid task ${quote(cell)}. Expected a number from 0, below ${taskLimit}.`;

function findColumns(cells: readonly string[]): Columns | string {
  const headings = cells.map((cell) => cell.toLowerCase());
  const amounts = headings.filter((heading) => amountHeadings.includes(heading));
  const from = headings.findIndex((heading) => fromHeadings.includes(heading));
  const to = headings.findIndex((heading) => toHeadings.includes(heading));
  if (from < 0 || to < 0 || amounts.length === 0) return noMatrix(cells);
  const messages = amounts.includes('bytes') ? headings.indexOf('messages') : -1;
  const others = amounts.filter((heading) => messages < 0 || heading !== 'messages');
  if (others.length > 1) return `The columns ${others.join(' and ')} could all be the amount. Keep one.`;
  return { from, to, amount: headings.indexOf(others[0]!), messages };
}

/** Of a list without header: sender, receiver, bytes and, where there is a fourth, messages. */
function plainColumns(cells: readonly string[]): Columns | string {
  if (cells.length === 3 || cells.length === 4)
    return { from: 0, to: 1, amount: 2, messages: cells.length === 4 ? 3 : -1 };
  return `Found ${cells.length} values on the first line. A list without a header has sender, receiver, bytes and optional messages.`;
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
export function lineCells(line: string, separator: string): string[] {
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
