import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { type LinkSpeed, linkLimit } from '../../model/machine.ts';
import { formatNumber } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { lineCells, findSeparator, firstContentLine } from '../csv.ts';
import { adjacencyFabric } from './adjacency.ts';
import { fabricLimits, faultOfCount, badFabric } from './builder.ts';
import { textLines } from '../reading.ts';
import { bytesPerSecond, linkSpeedOf, secondsOf } from './linkSpeeds.ts';

const name = 'csv';

/** Headings of a list of cables; compared without case. */
const headings = {
  from: ['from', 'source', 'src', 'a'],
  to: ['to', 'target', 'destination', 'dst', 'b'],
  cables: ['cables', 'count', 'links', 'amount'],
  bandwidth: ['bandwidth', 'speed', 'rate', 'capacity'],
  latency: ['latency', 'delay'],
  hosts: ['hosts', 'nodes'],
};

/** Whether the first line names columns. `a,b` alone may as well be a cable between two switches of these names. */
function isHeadOfCables(cells: readonly string[]): boolean {
  const head = cells.map((cell) => cell.toLowerCase());
  const has = (words: readonly string[]): boolean => head.some((cell) => words.includes(cell));
  const { from, to, ...others } = headings;
  if (!has(from) || !has(to)) return false;
  return Object.values(others).some(has) || !head.every((cell) => cell === 'a' || cell === 'b');
}

const withoutHead =
  'A list of links needs a header with column names. Write `from,to` above the first link. Optional columns: `cables`, `bandwidth`, `latency` and `hosts`.';

/** Longer lines hold more cells than there may be switches. */
const longestLine = 2 ** 20;

/** Cells of a file that stand for cables, with their lines. */
interface Cables {
  readonly from: number[];
  readonly to: number[];
  readonly amount: number[];
  readonly line: number[];
  /** Figures of the cables of an entry; empty where the file has none. */
  readonly speed: LinkSpeed[];
  /** Hosts of the switches that a line of their own counts, by their ids. */
  readonly hosts: Map<number, number>;
}

/** A cable may stand twice, once each way. */
const mostEntries = 2 * fabricLimits.cables;

/** A dense matrix, or a list of cables under a header. O(text). */
function readCsv(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const separator = findSeparator(firstContentLine(text));
  const cables: Cables = { from: [], to: [], amount: [], line: [], speed: [], hosts: new Map() };
  let reader: RowReader | undefined;
  let last = 1;
  for (const { line, content } of textLines(text, cancellation)) {
    if (content.length > longestLine) return badFabric(fileName, line, 'The line is longer than 1 MiB.');
    const trimmed = content.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const cells = lineCells(trimmed, separator);
    const fault = reader === undefined ? undefined : reader.row(cells, line);
    if (reader === undefined) {
      const begun = beginAt(cells, line, cables);
      if (typeof begun === 'string') return badFabric(fileName, line, begun);
      reader = begun;
    }
    if (fault !== undefined) return badFabric(fileName, line, fault);
    if (cables.line.length > mostEntries) return badFabric(fileName, line, tooManyRows);
    last = line;
  }
  const names = reader?.finish() ?? 'The file is empty.';
  return typeof names === 'string' ? badFabric(fileName, last, names) : buildCsvFabric(names, cables, fileName);
}

/** How the rows are read, by the first of them. */
function beginAt(cells: readonly string[], line: number, cables: Cables): RowReader | string {
  if (isHeadOfCables(cells)) {
    return listReader(
      cells.map((cell) => cell.toLowerCase()),
      line,
      cables,
    );
  }
  const isNumber = (cell: string | undefined): boolean => /^-?[\d.]/.test(cell ?? '');
  return isNumber(cells[0]) || isNumber(cells[1]) ? matrixReader(cells, line, cables) : withoutHead;
}

const tooManyRows = `The file has more than ${formatNumber(mostEntries)} entries, the maximum.`;

/** Names of the switches by their ids, and how entries are to be understood. */
interface Found {
  readonly names: readonly string[];
  readonly isList: boolean;
  readonly warning?: string;
  readonly warningLine?: number;
}

/** Takes rows one by one; answers are sentences without their place. */
interface RowReader {
  readonly row: (cells: readonly string[], line: number) => string | undefined;
  readonly finish: () => Found | string;
}

/** Columns of a list of cables at most. */
const widestList = Object.keys(headings).length;

function matrixReader(first: readonly string[], firstLine: number, cables: Cables): RowReader | string {
  const size = first.length;
  let rows = 0;
  const row = (cells: readonly string[], line: number): string | undefined => {
    if (cells.length !== size) return `The row has ${cells.length} values, but the first row has ${size}.`;
    for (const [to, cell] of cells.entries()) {
      const amount = cell === '0' ? 0 : parseCableCount(cell);
      if (typeof amount === 'string') return `Column ${to + 1}: ${amount}`;
      if (amount > 0) addEntry(cables, rows, to, amount, line);
    }
    rows++;
    return undefined;
  };
  const fault = faultOfCount('switches', size) ?? row(first, firstLine);
  const finish = (): Found | string =>
    rows === size
      ? { names: Array.from({ length: size }, (_, index) => String(index)), isList: false }
      : `An adjacency matrix must be square; found ${rows} x ${size}.${rows > 1 && size <= widestList ? ` ${withoutHead}` : ''}`;
  return fault ?? { row, finish };
}

function addEntry({ from, to, amount, line }: Cables, one: number, other: number, cables: number, at: number): void {
  from.push(one);
  to.push(other);
  amount.push(cables);
  line.push(at);
}

function listReader(header: readonly string[], headLine: number, cables: Cables): RowReader | string {
  const columnOf = (words: readonly string[]): number => header.findIndex((cell) => words.includes(cell));
  const columns = {
    from: columnOf(headings.from),
    to: columnOf(headings.to),
    cables: columnOf(headings.cables),
    bandwidth: columnOf(headings.bandwidth),
    latency: columnOf(headings.latency),
    hosts: columnOf(headings.hosts),
  };
  const others = header.filter((_, at) => !Object.values(columns).includes(at));
  const ids = new Map<string, number>();
  const idOf = (name: string): number => {
    const id = ids.get(name) ?? ids.size;
    ids.set(name, id);
    return id;
  };
  let hosts = 0;
  const rowOfHosts = (name: string, cell: string): string | undefined => {
    if (name === '') return 'The line names no switch. The file may be truncated.';
    const count = parseHostCount(cell);
    if (typeof count === 'string') return count;
    const id = idOf(name);
    if (cables.hosts.has(id)) return `Hosts of ${quote(name)} are also counted on another line. Merge the two lines.`;
    cables.hosts.set(id, count);
    hosts += count;
    return faultOfCount('switches', ids.size) ?? faultOfCount('hosts', hosts);
  };
  const row = (cells: readonly string[], line: number): string | undefined => {
    const [end = '', counted = ''] = [cells[columns.to], cells[columns.hosts]];
    if (counted !== '' && end === '') return rowOfHosts(cells[columns.from] ?? '', counted);
    if (counted !== '')
      return 'A line defines either a link or a number of hosts. For a number of hosts, leave `to` empty.';
    const cable = readCable(cells, columns);
    if (typeof cable === 'string') return cable;
    const [from, to] = [idOf(cable.from), idOf(cable.to)];
    if (cable.amount > 0) {
      addEntry(cables, from, to, cable.amount, line);
      if (columns.bandwidth >= 0 || columns.latency >= 0) cables.speed.push(cable.speed);
    }
    return faultOfCount('switches', ids.size);
  };
  const finish = (): Found | string => {
    if (ids.size === 0) return 'The list has a header but no links. Add a line for each link.';
    const names = sortNumberedSwitches(Array.from(ids.keys()), cables);
    if (others.length === 0) return { names, isList: true };
    const listed = others.slice(0, 5).map(quote).join(', ');
    const weight = others.includes('weight') ? ' For a weight, use the name cables, bandwidth or latency.' : '';
    return { names, isList: true, warning: `Skipped columns: ${listed}.${weight}`, warningLine: headLine };
  };
  return { row, finish };
}

type Columns = Readonly<Record<keyof typeof headings, number>>;

/** The two ends by their names, and how many cables; or what is wrong with the row. */
function readCable(
  cells: readonly string[],
  columns: Columns,
): string | { readonly from: string; readonly to: string; readonly amount: number; readonly speed: LinkSpeed } {
  const [from = '', to = ''] = [cells[columns.from], cells[columns.to]];
  if (from === '' || to === '') return 'The line does not name two switches. The file may be truncated.';
  const amount = columns.cables < 0 ? 1 : parseCableCount(cells[columns.cables] ?? '');
  if (typeof amount === 'string') return amount;
  const speed = readSpeed(cells[columns.bandwidth] ?? '', cells[columns.latency] ?? '');
  return typeof speed === 'string' ? speed : { from, to, amount, speed };
}

/** Figures of a cable, where the cells have any; or what is wrong with them. */
function readSpeed(bandwidth: string, latency: string): LinkSpeed | string {
  if (isBare(bandwidth)) return `${quote(bandwidth)} has no unit. Write one, as in \`100 Gbit/s\` or \`12.5 GB/s\`.`;
  if (isBare(latency)) return `${quote(latency)} has no unit. Write one, as in \`100 ns\` or \`1.5 us\`.`;
  const rate = bandwidth === '' ? undefined : (linkSpeedOf(bandwidth).bandwidth ?? bytesPerSecond(bandwidth));
  const time = latency === '' ? undefined : secondsOf(latency);
  if (bandwidth !== '' && rate === undefined)
    return `Invalid bandwidth ${quote(bandwidth)}. Examples: 25 GB/s, 100 Gbit/s and 4xHDR.`;
  if (latency !== '' && time === undefined) return `Invalid latency ${quote(latency)}. Examples: 100 ns and 1.5 us.`;
  return { ...(rate !== undefined && { bandwidth: rate }), ...(time !== undefined && { latency: time }) };
}

/** A number without a unit, which may be bits or bytes, seconds or microseconds. `100G` of Ethernet is known. */
const isBare = (cell: string): boolean =>
  /^[\d.]+(?:e[+-]?\d+)?\s*(?:[kMGT]i?)?$/i.test(cell) &&
  Number.parseFloat(cell) !== 0 &&
  linkSpeedOf(cell).bandwidth === undefined;

/** Switches that are all numbers come in their order, others as the file first names them. */
function sortNumberedSwitches(names: readonly string[], { from, to, hosts }: Cables): readonly string[] {
  if (!names.every((word) => /^\d{1,15}$/.test(word))) return names;
  const sorted = names.toSorted((one, other) => Number(one) - Number(other));
  const place = new Map(sorted.map((word, at) => [word, at]));
  const moved = names.map((word) => place.get(word)!);
  for (const ends of [from, to]) for (let entry = 0; entry < ends.length; entry++) ends[entry] = moved[ends[entry]!]!;
  const counted = Array.from(hosts, ([id, count]) => [moved[id]!, count] as const);
  hosts.clear();
  for (const [id, count] of counted) hosts.set(id, count);
  return sorted;
}

function buildCsvFabric(
  { names, isList, warning, warningLine }: Found,
  cables: Cables,
  fileName: string,
): Result<Fabric> {
  const { from, to, amount, line, speed, hosts } = cables;
  const figures = speed.length > 0 ? { speedOf: (entry: number): LinkSpeed => speed[entry]! } : {};
  const fabric = adjacencyFabric(
    { format: name, names, from, to, amount, isList, lineOf: (entry) => line[entry]!, hosts, ...figures },
    fileName,
  );
  if (!fabric.ok || warning === undefined) return fabric;
  const told = { message: warning, ...(warningLine === undefined ? {} : { line: warningLine }) };
  return succeed({ ...fabric.value, warnings: [told, ...fabric.value.warnings] });
}

/** A number of hosts, or what is wrong with it. */
function parseHostCount(cell: string): number | string {
  return /^\d{1,9}$/.test(cell) ? Number(cell) : `Invalid number of hosts ${quote(cell)}. Expected a whole number ≥ 0.`;
}

/** A number of cables, or what is wrong with it. */
function parseCableCount(cell: string): number | string {
  if (!/^\d+(?:\.0*)?$/.test(cell)) {
    return `Invalid number of cables ${quote(cell)}. Expected a whole number ≥ 0.`;
  }
  const cables = Number(cell);
  return cables <= linkLimit ? cables : `${quote(cell)} parallel links exceed the maximum ${linkLimit}.`;
}

/** Numbers alone, a header that names the two ends of a cable, or lines that look like a list without one. */
function recognizes(text: string): boolean {
  const line = firstContentLine(text);
  const cells = lineCells(line, findSeparator(line));
  if (cells.length < 2) return false;
  return isHeadOfCables(cells) || cells.every((cell) => /^-?[\d.]+$/.test(cell)) || looksHeadless(text);
}

/** Whether the first lines have as many cells as a list of cables, all with two names. */
function looksHeadless(text: string): boolean {
  const lines = textLines(text.slice(0, 2 ** 12));
  let first: readonly string[] | undefined;
  let rows = 0;
  for (const { content } of lines) {
    const separator = findSeparator(content);
    if (content.trim() === '' || content.startsWith('#')) continue;
    const cells = lineCells(content.trim(), separator);
    first ??= cells;
    const [from = '', to = ''] = cells;
    const areNames = [from, to].every((name) => /^[\w.:/-]{1,64}$/.test(name));
    if (!',;\t'.includes(separator) || cells.length !== first.length || cells.length > widestList || !areNames)
      return false;
    if (++rows === 3) return true;
  }
  return rows > 1;
}

export const cableCsv: MachineFormatEntry = {
  name,
  summary: 'adjacency matrix or list of links as CSV',
  source: 'RFC 4180',
  details:
    'A square matrix with numbers of parallel links, symmetric or one triangle. Or a list with the header ' +
    '`from,to` and optional `cables` (parallel links), `bandwidth` (`25 GB/s`, `4xHDR`) and `latency` (`100 ' +
    'ns`), both with units. List a link once, or once per direction. A column `hosts` counts the hosts of a ' +
    'switch, on a line without `to` (`leaf-1,,4`); all other switches have none. Other columns are skipped with ' +
    'a warning. Without `hosts`, add `hosts N`.',
  options: [],
  recognizes,
  read: readCsv,
};
