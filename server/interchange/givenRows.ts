/**
 * Mappings as rows of numbers or cells that name places rather than slots: map files of Blue Gene, rank orders of Cray, mapping
 * files of Scotch, task maps of Flux, and tables with a heading.
 */
import type { GivenCoordinates, GivenFile, GivenHosts, GivenNodes } from '../model/given.ts';
import { taskLimit } from '../model/job.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import { quote, type Result, succeed } from '../model/result.ts';
import { lineCells, findSeparator } from './csv.ts';
import { textLines, refuseRow, type RowFault, type TextLine, withoutComment } from './reading.ts';

type Answer = Result<GivenFile, RowFault>;

const tooMany = `The file has more than ${formatNumber(taskLimit)} ranks, the maximum.`;

interface Row {
  readonly line: number;
  readonly words: readonly string[];
}

/** Rows with content, split at blanks, tabs, commas and semicolons. */
function* contentRows(text: string): Generator<Row, undefined> {
  for (const { line, content } of textLines(text)) {
    const words = withoutComment(content)
      .split(/[\s,;]+/)
      .filter((word) => word !== '');
    if (words.length > 0) yield { line, words };
  }
  return undefined;
}

const wholeNumber = /^\d{1,9}$/;

/** Whether a text of numbers is a rank order: its comments, its name or its ranges show it. O(letters). */
export function isRankOrder(text: string, fileName: string): boolean {
  if (/^\s*#.*(?:grid_order|MPICH_RANK_|ranks per node)/m.test(text) || /^MPICH_RANK_ORDER/.test(fileName)) return true;
  const bare = text.replace(/#.*$/gm, '');
  return !rawTaskMap.test(bare.trim()) && /^[\d\s,;-]*$/.test(bare) && /\d-\d/.test(bare);
}

/** Whether a text of numbers is a raw task map of Flux. O(letters). */
export const isRawTaskMap = (text: string): boolean => rawTaskMap.test(text.replace(/#.*$/gm, '').trim());

/** Whether a text of numbers has one on its first line and two on the second, as no list of slots has. */
export function isScotchMapping(text: string): boolean {
  const rows = contentRows(text);
  return rows.next().value?.words.length === 1 && rows.next().value?.words.length === 2;
}

/** Whether a text of numbers is a map file: rows of equal length that repeat numbers, which slots never do. O(letters). */
export function isBlueGeneMap(text: string): boolean {
  const rows = [...contentRows(text)];
  const width = rows[0]?.words.length ?? 0;
  if (width < 3 || width > 8 || !rows.every(({ words }) => words.every((word) => wholeNumber.test(word)))) return false;
  // One line of another length among several is cut off, or two lines have become one.
  if (rows.filter(({ words }) => words.length !== width).length > (rows.length > 2 ? 1 : 0)) return false;
  const numbers = rows.flatMap(({ words }) => words.map(Number));
  return new Set(numbers).size < numbers.length;
}

/** Coordinates and the core of each rank: a map file. */
export function readBlueGeneMap(text: string): Result<GivenCoordinates, RowFault> {
  const rows = [...contentRows(text)];
  const [first] = rows;
  const width = first?.words.length ?? 0;
  if (width < 3 || width > 8) {
    return refuseRow(
      `Expected 2 to 7 coordinates and a core on each line, found ${countOf(width, 'number')}.`,
      first?.line ?? 1,
    );
  }
  for (const { line, words } of rows) {
    const odd = words.find((word) => !wholeNumber.test(word));
    if (odd !== undefined) return refuseRow(`Invalid coordinate ${quote(odd)}.`, line);
    if (words.length !== width) {
      const what = `The line has ${countOf(words.length, 'number')} but the first line has ${width}. Write the same number of coordinates and a core.`;
      // Of two lines either may be the one that was cut off.
      return refuseRow(rows.length > 2 ? `${what} The file may be truncated.` : what, line);
    }
  }
  return readCoordinateRows(rows, width - 1);
}

/** `RANK NODE` below their number: a mapping file of Scotch. */
export function readScotchMapping(text: string): Result<GivenNodes, RowFault> {
  const [first, ...rows] = contentRows(text);
  if (first?.words.length !== 1)
    return refuseRow(
      'Expected the number of `RANK NODE` lines at the beginning of a Scotch mapping file.',
      first?.line ?? 1,
    );
  const [count = ''] = first.words;
  if (Number(count) !== rows.length) {
    const message = `The first line declares ${quote(count)}, but ${countOf(rows.length, 'line')} \`RANK NODE\` follow. The file may be truncated.`;
    return refuseRow(message, first.line);
  }
  const numbers = new Int32Array(rows.length).fill(-1);
  for (const { line, words } of rows) {
    const [rank = '', node = ''] = words;
    if (words.length !== 2 || !wholeNumber.test(rank) || !wholeNumber.test(node))
      return refuseRow(`Invalid line ${quote(words.join(' '))}. Expected \`RANK NODE\`.`, line);
    if (Number(rank) >= rows.length)
      return refuseRow(`Rank ${rank} does not exist: the first line declares ${rows.length}.`, line);
    if (numbers[Number(rank)] !== -1) return refuseRow(`Rank ${rank} is listed twice.`, line);
    numbers[Number(rank)] = Number(node);
  }
  return succeed({ kind: 'nodes', counted: 'machine', numbers });
}

/** Coordinates and core of each rank. */
function readCoordinateRows(rows: readonly Row[], axes: number): Result<GivenCoordinates, RowFault> {
  const excess = rows[taskLimit];
  if (excess !== undefined) return refuseRow(tooMany, excess.line);
  const values = Int32Array.from(rows.flatMap(({ words }) => words.map(Number)));
  return succeed({ kind: 'coordinates', axes, values, lineOfRank: Int32Array.from(rows, ({ line }) => line) });
}

/** The rank at each position, `0-3,8,12`; positions are dealt to nodes one after the other. */
export function readRankOrder(text: string): Result<GivenNodes, RowFault> {
  const positions: number[] = [];
  const positionOf = new Map<number, number>();
  const lineOf: number[] = [];
  for (const { line, words } of contentRows(text)) {
    for (const word of words) {
      const range = rangeOfRanks(word);
      if (typeof range === 'string') return refuseRow(range, line);
      if (positions.length + range.last - range.first >= taskLimit) return refuseRow(tooMany, line);
      for (let rank = range.first; rank <= range.last; rank++) {
        if (positionOf.has(rank)) return refuseRow(`Rank ${rank} is listed twice.`, line);
        positionOf.set(rank, positions.length);
        positions.push(rank);
        lineOf.push(line);
      }
    }
  }
  const missing = positions.findIndex((_, rank) => !positionOf.has(rank));
  if (missing >= 0) {
    const later = positions.findIndex((rank) => rank > missing);
    return refuseRow(
      `Rank ${missing} is missing before rank ${positions[later]!}. A rank order lists every rank from 0.`,
      lineOf[later],
    );
  }
  const numbers = Int32Array.from(positions, (_, rank) => positionOf.get(rank)!);
  return succeed({ kind: 'nodes', counted: 'positions', numbers, ...positionsOfNode(text) });
}

/** As the comments of `grid_order -c N` and of our own exports say it. */
function positionsOfNode(text: string): { readonly perNode?: number } {
  const own = /^\s*#.*ranks per node: *(\d{1,6})\b/m.exec(text)?.[1];
  const perNode = own ?? /grid_order\b.*\s-c\s*(\d{1,6})\b/.exec(text)?.[1];
  return perNode === undefined || Number(perNode) === 0 ? {} : { perNode: Number(perNode) };
}

const rawTaskMap = /^[\d,-]+(?:;[\d,-]*)+$/;

/** `0,1,4-5;2-3`: the ranks of each node, with semicolons between; the raw form of Flux's task maps, RFC 34. */
export function readRawTaskMap(text: string): Result<GivenNodes, RowFault> {
  const nodeOf = new Map<number, number>();
  let [node, line] = [0, 1];
  for (const row of textLines(text)) {
    const bare = withoutComment(row.content).trim();
    if (bare === '') continue;
    line = row.line;
    for (const list of bare.split(';')) {
      const fault = putOnNode(list, node++, nodeOf);
      if (fault !== undefined) return refuseRow(fault, line);
    }
  }
  const numbers = new Int32Array(nodeOf.size);
  for (let rank = 0; rank < numbers.length; rank++) {
    const at = nodeOf.get(rank);
    if (at === undefined) return refuseRow(`Rank ${rank} is missing. A task map lists every rank from 0.`, line);
    numbers[rank] = at;
  }
  return numbers.length === 0
    ? refuseRow('The task map has no ranks.', line)
    : succeed({ kind: 'nodes', counted: 'job', numbers });
}

/** Puts the ranks of a list, `0,1,4-5`, on a node; answers why that cannot be. */
function putOnNode(list: string, node: number, nodeOf: Map<number, number>): string | undefined {
  for (const word of list.split(',').filter((part) => part !== '')) {
    const range = rangeOfRanks(word);
    if (typeof range === 'string') return range;
    if (nodeOf.size + range.last - range.first >= taskLimit) return tooMany;
    for (let rank = range.first; rank <= range.last; rank++) {
      if (nodeOf.has(rank)) return `Rank ${rank} is listed twice.`;
      nodeOf.set(rank, node);
    }
  }
  return undefined;
}

/** `3` or `0-3`; why it is none, as a sentence. */
function rangeOfRanks(word: string): string | { readonly first: number; readonly last: number } {
  const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(word) ?? [];
  if (first === '') return `Invalid rank or range of ranks ${quote(word)}. Examples: \`0\` and \`0-3\`.`;
  if (Number(last) < Number(first)) return `The range ${quote(word)} ends before it begins.`;
  return { first: Number(first), last: Number(last) };
}

type Block = readonly [node: number, nodes: number, ranks: number, repeats: number];

const isBlock = (value: unknown): value is Block =>
  Array.isArray(value) &&
  value.length === 4 &&
  value.every((one) => Number.isInteger(one) && (one as number) >= 0 && (one as number) < 2 ** 31);

/** `[[NODE, NODES, RANKS, REPEATS], …]` of Flux, RFC 34; `lineOf` tells where the map stands, and an item of it. */
export function readTaskMap(
  value: unknown,
  lineOf: (...path: readonly number[]) => number,
): Result<GivenNodes, RowFault> {
  const form = 'Expected `[[NODE, NODES, RANKS, REPEATS], …]` with whole numbers.';
  if (!Array.isArray(value) || value.length === 0) return refuseRow(form, lineOf());
  const numbers: number[] = [];
  for (const [index, block] of (value as readonly unknown[]).entries()) {
    if (!isBlock(block))
      return refuseRow(`Invalid block of ranks ${quote(JSON.stringify(block))}. ${form}`, lineOf(index));
    const [node, nodes, ranks, repeats] = block;
    if (numbers.length + nodes * ranks * repeats > taskLimit) return refuseRow(tooMany, lineOf(index));
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (let at = 0; at < nodes; at++) for (let rank = 0; rank < ranks; rank++) numbers.push(node + at);
    }
  }
  return numbers.length === 0
    ? refuseRow('The task map has no ranks.', lineOf())
    : succeed({ kind: 'nodes', counted: 'job', numbers: Int32Array.from(numbers) });
}

/** Columns that `export --format csv` writes: those that are read, and those that follow from them. */
const columns = new Set(['rank', 'job', 'task', 'node', 'host', 'slot', 'socket', 'core', 'gpu']);

/** Headings that tell a table of ranks from lists of hosts. */
const isHeading = (cells: readonly string[]): boolean =>
  cells.includes('rank') && ['slot', 'node', 'host'].some((word) => cells.includes(word));

/** Lines of a table, without comments. */
function* tableLines(text: string): Generator<TextLine, undefined> {
  for (const row of textLines(text)) if (row.content.trim() !== '' && !row.content.startsWith('#')) yield row;
  return undefined;
}

/** Whether the first line names columns of a table of ranks. */
export function hasRankHeading(text: string): boolean {
  const { content = '' } = tableLines(text).next().value ?? {};
  return isHeading(headingOf(content, findSeparator(content)));
}

const headingOf = (line: string, separator: string): readonly string[] =>
  lineCells(line, separator).map((cell) => cell.toLowerCase());

/**
 * A table with a heading, as `export --format csv` writes: the slot of each rank, else its host with the core where that is
 * given, else its node. O(letters).
 */
export function readRankTable(text: string): Answer {
  const [first, ...lines] = tableLines(text);
  const separator = findSeparator(first?.content ?? '');
  const head = headingOf(first?.content ?? '', separator);
  const lineOfHead = first?.line ?? 1;
  if (!isHeading(head))
    return refuseRow('Expected column names on the first line: `rank` and one of `slot`, `host` and `node`.', 1);
  const rows = lines.map(({ line, content }) => ({ line, cells: lineCells(content, separator) }));
  if (rows.length === 0)
    return refuseRow('The table has a header but no ranks. Write a line for each rank.', lineOfHead);
  const excess = rows[taskLimit];
  if (excess !== undefined) return refuseRow(tooMany, excess.line);
  const read = readRanks(head, rows);
  const others = head.filter((word) => !columns.has(word));
  if (!read.ok || others.length === 0) return read;
  const message = `Skipped columns: ${others.slice(0, 5).map(quote).join(', ')}.`;
  return succeed({ ...read.value, warnings: [{ line: lineOfHead, message }] });
}

function readRanks(
  head: readonly string[],
  rows: readonly { readonly line: number; readonly cells: readonly string[] }[],
): Answer {
  const columnOf = (word: string): number => head.indexOf(word);
  const place = ['slot', 'host', 'node'].find((word) => columnOf(word) >= 0) ?? 'node';
  const order = new Int32Array(rows.length).fill(-1);
  for (const [at, { line, cells }] of rows.entries()) {
    const rank = cells[columnOf('rank')] ?? '';
    if (cells.length !== head.length)
      return refuseRow(`The row has ${cells.length} cells but the header has ${head.length}.`, line);
    if (!wholeNumber.test(rank) || Number(rank) >= rows.length)
      return refuseRow(`Invalid rank ${quote(rank)}. Expected 0 to ${rows.length - 1}.`, line);
    if (order[Number(rank)] !== -1) return refuseRow(`Rank ${rank} is listed twice.`, line);
    order[Number(rank)] = at;
    const value = cells[columnOf(place)] ?? '';
    if (place === 'host' ? value === '' : !wholeNumber.test(value))
      return refuseRow(`Invalid ${place} ${quote(value)}.`, line);
  }
  const inOrder = Array.from(order, (at) => rows[at]!);
  if (place === 'host') return succeed(hostsOfRows(inOrder, columnOf));
  const numbers = Int32Array.from(inOrder, ({ cells }) => Number(cells[columnOf(place)]));
  return succeed(place === 'slot' ? { kind: 'slots', slots: numbers } : { kind: 'nodes', counted: 'machine', numbers });
}

function hostsOfRows(
  rows: readonly { readonly line: number; readonly cells: readonly string[] }[],
  columnOf: (word: string) => number,
): GivenHosts {
  const numberOf = new Map<string, number>();
  for (const { cells } of rows) {
    const host = cells[columnOf('host')] ?? '';
    if (!numberOf.has(host)) numberOf.set(host, numberOf.size);
  }
  const whole = (cell: string | undefined): number => (wholeNumber.test(cell ?? '') ? Number(cell) : -1);
  const cores = Int32Array.from(rows, ({ cells }) => whole(cells[columnOf('core')]));
  return {
    kind: 'hosts',
    hosts: [...numberOf.keys()],
    hostOfRank: Int32Array.from(rows, ({ cells }) => numberOf.get(cells[columnOf('host')] ?? '')!),
    socketOfRank: Int32Array.from(rows, ({ cells }) => whole(cells[columnOf('socket')])),
    coreOfRank: cores,
    firstCoreOfRank: cores,
    lastCoreOfRank: cores,
    lineOfRank: Int32Array.from(rows, ({ line }) => line),
    isRoom: false,
  };
}
