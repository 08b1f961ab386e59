import { slotLimit } from '../model/machine.ts';
import { succeed } from '../model/result.ts';
import { faultOfAmount, quote } from './amounts.ts';
import type { RowReader } from './contract.ts';
import { EntryList } from './entryList.ts';

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
export function listRows(): RowReader {
  const entries = new EntryList();
  let columns: Columns | undefined;
  let size = 0;
  return {
    row: (cells) => {
      if (columns === undefined) {
        const found = findColumns(cells);
        if (typeof found === 'string') return found;
        columns = found;
        return undefined;
      }
      const from = taskOf(cells[columns.from]);
      if (typeof from === 'string') return from;
      const to = taskOf(cells[columns.to]);
      if (typeof to === 'string') return to;
      const amount = cells[columns.amount] ?? '';
      const fault = amount === '' ? 'is missing' : faultOfAmount(amount);
      if (fault !== undefined) return `The amount ${fault}.`;
      size = Math.max(size, from + 1, to + 1);
      entries.add(from, to, Number(amount));
      return undefined;
    },
    finish: () =>
      size > 0 ? succeed(entries.finish(size)) : { ok: false, failure: 'The list has a header and no pairs below it.' },
  };
}

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

function taskOf(cell: string | undefined): number | string {
  if (cell !== undefined && /^\d{1,9}$/.test(cell) && Number(cell) < slotLimit) return Number(cell);
  return `${quote(cell ?? '')} is no task; tasks count from 0 and are fewer than ${slotLimit}.`;
}
