import Papa from 'papaparse';
import { type Failure, type Result, fail, succeed } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import { parseDecimal } from './amounts.ts';
import type { RowReader, TableFormatEntry } from './contract.ts';
import { findSeparator, tidy } from './csvCells.ts';
import { denseRows } from './csvDense.ts';
import { listRows } from './csvList.ts';

/** The line, from 1, on which the text before `end` stops; the newline at its very end is not counted. */
function lineAt(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end - 1; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** A dense matrix, or a list of pairs under a header; rows stream, so nothing is held twice. O(bytes). */
function readCsv(bytes: Uint8Array, fileName: string): Result<TableEntries> {
  const text = new TextDecoder().decode(bytes);
  const separator = findSeparator(text);
  let reader: RowReader | undefined;
  let fault: Failure | undefined;
  Papa.parse<string[]>(text, {
    delimiter: separator,
    comments: '#',
    skipEmptyLines: 'greedy',
    step: ({ data, errors, meta }, parser) => {
      const cells = tidy(data, separator);
      let message = errors[0]?.message;
      if (message === undefined) {
        reader ??= isHeader(cells) ? listRows() : denseRows();
        message = reader.row(cells);
      }
      if (message === undefined) return;
      fault = { code: 'bad-table', message: `${fileName}:${lineAt(text, meta.cursor)}: ${message}` };
      parser.abort();
    },
  });
  if (fault !== undefined) return { ok: false, failure: fault };
  const result = reader?.finish();
  if (result === undefined) return fail('bad-table', `${fileName}: The file is empty; a table has a row per task.`);
  return result.ok ? succeed(result.value) : fail('bad-table', `${fileName}: ${result.failure}`);
}

/** No cell is a number and one is a word: a damaged number in a matrix shall be reported as one. */
const isHeader = (cells: readonly string[]): boolean =>
  cells.every((cell) => parseDecimal(cell) === undefined) &&
  cells.some((cell) => /^[a-z_ ]+$/i.test(cell) && !/^(?:nan|inf|infinity)$/i.test(cell));

export const csv: TableFormatEntry = {
  name: 'csv',
  summary: 'a square matrix without header, or a list under `from,to,amount`; commas, semicolons, tabs or blanks',
  source: 'RFC 4180, through Papa Parse',
  details:
    'Row is the sender, column the receiver, both counted from 0. Of a list, other columns are ignored and repeated pairs add up. Lines that begin with `#` are comments.',
  options: [],
  // The fallback of the catalogue: anything that is text and nothing else.
  recognizes: () => true,
  read: readCsv,
};
