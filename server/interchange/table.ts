import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import { type Result, fail } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { TableFormatEntry } from './contract.ts';
import { csv } from './csv.ts';
import { matrixMarket } from './matrixMarket.ts';
import { ending, faultOfBytes, withoutByteOrderMark } from './reading.ts';

/** Formats that tables are read from; the first that recognises a file reads it, so the most particular stand first. */
export const tableFormats: readonly TableFormatEntry[] = [matrixMarket, csv];

/**
 * Reads a table of traffic, in any format of the catalogue, found by its content. Amounts are
 * finite, ≥ 0 and at most 2^53; zeros are dropped, the diagonal is kept.
 * Fails with `bad-table` and one sentence that begins with the file's name and line. O(bytes).
 */
export function readTable(
  content: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
): Result<TableEntries> {
  const bytes = withoutByteOrderMark(content);
  const fault = faultOfBytes(bytes);
  if (fault !== undefined) return fail('bad-table', `${fileName}: ${fault}`);
  const format = tableFormats.find((entry) => entry.recognizes(bytes));
  if (format === undefined) return fail('bad-table', `${fileName}: The file is in no format that is read here.`);
  return ending(cancellation, () => format.read(bytes, fileName, cancellation));
}
