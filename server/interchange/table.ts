import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import { type Result, fail } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import { ending } from './reading.ts';
import { tableFormats } from './tableFormats.ts';
import { faultOfBytes, withoutByteOrderMark } from './plainText.ts';

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
