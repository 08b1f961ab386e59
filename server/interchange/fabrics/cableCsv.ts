import Papa from 'papaparse';
import type { Fabric } from '../../model/fabric.ts';
import { linkLimit } from '../../model/machine.ts';
import type { Result } from '../../model/result.ts';
import { quote } from '../amounts.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { findSeparator, firstContentLine, tidy } from '../csvCells.ts';
import { adjacencyFabric } from './adjacency.ts';
import { complain, linesOf } from './lines.ts';

const name = 'csv';

/** Headings of a list of cables; compared without case. */
const headings = {
  from: ['from', 'source', 'src', 'a'],
  to: ['to', 'target', 'destination', 'dst', 'b'],
  cables: ['cables', 'count', 'links', 'amount', 'weight'],
};

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

interface Entry {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly line: number;
}

/** A dense matrix, or a list of cables under a header. O(text). */
function readCsv(text: string, fileName: string): Result<Fabric> {
  const rows = rowsOf(text);
  const header = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  return header.some((cell) => headings.from.includes(cell))
    ? readList(header, rows, fileName)
    : readMatrix(rows, fileName);
}

function rowsOf(text: string): Row[] {
  const separator = findSeparator(text);
  const rows: Row[] = [];
  for (const { line, content } of linesOf(text)) {
    if (content.trim() === '' || content.trim().startsWith('#')) continue;
    const { data } = Papa.parse<string[]>(content, { delimiter: separator });
    rows.push({ line, cells: tidy(data[0] ?? [], separator) });
  }
  return rows;
}

function readMatrix(rows: readonly Row[], fileName: string): Result<Fabric> {
  const entries: Entry[] = [];
  const size = rows[0]?.cells.length ?? 0;
  for (const [from, { line, cells }] of rows.entries()) {
    if (cells.length !== size) {
      return complain(fileName, line, `The row has ${cells.length} values where the first has ${size}.`);
    }
    for (const [to, cell] of cells.entries()) {
      const amount = cablesOf(cell);
      if (typeof amount === 'string') return complain(fileName, line, `Column ${to + 1}: ${amount}`);
      if (amount > 0) entries.push({ from, to, amount, line });
    }
  }
  if (rows.length !== size) {
    const last = rows.at(-1)?.line ?? 1;
    return complain(
      fileName,
      last,
      `An adjacency matrix is square, with a row and a column per switch; this one is ${rows.length} x ${size}.`,
    );
  }
  const names = Array.from({ length: size }, (_, index) => String(index));
  return fabricOf(names, entries, false, fileName);
}

function readList(header: readonly string[], [head, ...rows]: readonly Row[], fileName: string): Result<Fabric> {
  const columnOf = (words: readonly string[]): number => header.findIndex((cell) => words.includes(cell));
  const columns = { from: columnOf(headings.from), to: columnOf(headings.to), cables: columnOf(headings.cables) };
  const headLine = head?.line ?? 1;
  if (columns.to < 0) {
    return complain(
      fileName,
      headLine,
      'A list of cables needs the columns `from` and `to`; `cables` may stand beside.',
    );
  }
  const ids = new Map<string, number>();
  const entries: Entry[] = [];
  for (const row of rows) {
    const cable = readCable(row, columns);
    if (typeof cable === 'string') return complain(fileName, row.line, cable);
    const { from, to, amount } = cable;
    for (const end of [from, to]) if (!ids.has(end)) ids.set(end, ids.size);
    if (amount > 0) entries.push({ from: ids.get(from)!, to: ids.get(to)!, amount, line: row.line });
  }
  if (ids.size === 0) return complain(fileName, headLine, 'The list has a header and no cables below it.');
  return inOrder(Array.from(ids.keys()), entries, fileName);
}

type Columns = Readonly<Record<keyof typeof headings, number>>;

/** The two ends by their names, and how many cables; or what is wrong with the row. */
function readCable({ cells }: Row, columns: Columns): string | { from: string; to: string; amount: number } {
  const [from = '', to = ''] = [cells[columns.from], cells[columns.to]];
  if (from === '' || to === '') return 'The line does not name two switches. Was the file cut off here?';
  const amount = columns.cables < 0 ? 1 : cablesOf(cells[columns.cables] ?? '');
  return typeof amount === 'string' ? amount : { from, to, amount };
}

/** Switches that are all numbers come in their order, others as the file first names them. */
function inOrder(names: readonly string[], entries: readonly Entry[], fileName: string): Result<Fabric> {
  if (!names.every((word) => /^\d{1,15}$/.test(word))) return fabricOf(names, entries, true, fileName);
  const sorted = names.toSorted((one, other) => Number(one) - Number(other));
  const place = new Map(sorted.map((word, at) => [word, at]));
  const moved = names.map((word) => place.get(word)!);
  const renumbered = entries.map((entry) => ({ ...entry, from: moved[entry.from]!, to: moved[entry.to]! }));
  return fabricOf(sorted, renumbered, true, fileName);
}

function fabricOf(
  names: readonly string[],
  entries: readonly Entry[],
  isList: boolean,
  fileName: string,
): Result<Fabric> {
  return adjacencyFabric(
    {
      format: name,
      names,
      from: entries.map(({ from }) => from),
      to: entries.map(({ to }) => to),
      amount: entries.map(({ amount }) => amount),
      isList,
      lineOf: (entry) => entries[entry]!.line,
    },
    fileName,
  );
}

/** A number of cables, or what is wrong with it. */
function cablesOf(cell: string): number | string {
  if (!/^\d+(?:\.0*)?$/.test(cell)) {
    return `${quote(cell)} is no number of cables: those are whole and not negative.`;
  }
  const cables = Number(cell);
  return cables <= linkLimit ? cables : `${quote(cell)} cables are more than the ${linkLimit} that are possible.`;
}

/** Numbers alone, or a header that names the two ends of a cable. */
function recognizes(text: string): boolean {
  const line = firstContentLine(text);
  const cells = tidy(line.split(findSeparator(text)), ' ').map((cell) => cell.toLowerCase());
  if (cells.length < 2) return false;
  const isHeader =
    cells.some((cell) => headings.from.includes(cell)) && cells.some((cell) => headings.to.includes(cell));
  return isHeader || cells.every((cell) => /^-?[\d.]+$/.test(cell));
}

export const cableCsv: MachineFormatEntry = {
  name,
  summary: 'adjacency matrix or list of cables as CSV',
  source: 'RFC 4180, through Papa Parse',
  details:
    'A square matrix of numbers of parallel cables, symmetric or one triangle alone; or a list under the header `from,to`, with `cables` where there are several: in a list a cable stands once, or once each way. There are no hosts: add `hosts N`.',
  options: [],
  recognizes,
  read: readCsv,
};
