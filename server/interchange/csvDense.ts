import { succeed } from '../model/result.ts';
import { faultOfAmount } from './amounts.ts';
import type { RowReader } from './contract.ts';
import { EntryList } from './entryList.ts';

/** Digits that always fit a double exactly: such a cell needs no further look. */
const plainNumber = /^\d{1,15}$/;

/** A dense square matrix: row i, column j is what task i sends to task j. */
export function denseRows(): RowReader {
  const entries = new EntryList();
  let columns = 0;
  let rows = 0;
  return {
    row: (cells) => {
      if (rows === 0) columns = cells.length;
      if (cells.length !== columns) {
        return `Row ${rows + 1} has ${cells.length} values where the first row has ${columns}.`;
      }
      for (const [column, cell] of cells.entries()) {
        if (!plainNumber.test(cell)) {
          const fault = cell === '' ? 'is empty: write 0 where nothing is sent' : faultOfAmount(cell);
          if (fault !== undefined) return `Row ${rows + 1}, column ${column + 1}: ${fault}.`;
        }
        entries.add(rows, column, Number(cell));
      }
      rows++;
      return undefined;
    },
    finish: () =>
      rows === columns
        ? succeed(entries.finish(rows))
        : {
            ok: false,
            failure: `A table of traffic is square, a row and a column per task; this one is ${rows} x ${columns}.`,
          },
  };
}
