import type { Cancellation } from '../model/cancellation.ts';
import { fail, type Result } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { TableFormatEntry, TraceFile } from './contract.ts';
import { faultOfBytes, withoutByteOrderMark } from './reading.ts';

/** What formats of one file share: its bytes as a whole, and words of a text one after the other, with their lines. */

/** Larger files are read only of formats that go through them piece by piece. */
const largestWhole = 128 * 2 ** 20;

/** Reads a format that wants the one file as a whole, without a byte order mark. */
export const wholeFile =
  (
    read: (bytes: Uint8Array, fileName: string, cancellation: Cancellation) => Result<TableEntries>,
    isBinary = false,
  ): TableFormatEntry['read'] =>
  (files, cancellation) => {
    const [file] = files;
    if (file === undefined || files.length > 1) {
      return fail('bad-table', `${file?.name ?? 'The table'}: Expected one file for a table of this format.`);
    }
    const whole = fileBytes(file, largestWhole + 1);
    if (whole.length > largestWhole) {
      const most = largestWhole / 2 ** 20;
      return fail(
        'bad-table',
        `${file.name}: The file is larger than ${most} MiB, the maximum for a matrix, list or graph.`,
      );
    }
    if (isBinary) return read(whole, file.name, cancellation);
    const bytes = withoutByteOrderMark(whole);
    const fault = faultOfBytes(bytes);
    return fault === undefined ? read(bytes, file.name, cancellation) : fail('bad-table', `${file.name}: ${fault}`);
  };

/** The bytes of a file in one piece; of one that comes in one piece that itself. */
export function fileBytes(file: TraceFile, most = Number.POSITIVE_INFINITY): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const chunk of file.chunks()) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  const [first = new Uint8Array()] = parts;
  if (parts.length <= 1) return first.subarray(0, most);
  const whole = new Uint8Array(Math.min(length, most));
  let at = 0;
  for (const part of parts) {
    whole.set(part.subarray(0, whole.length - at), at);
    at += part.length;
  }
  return whole;
}
