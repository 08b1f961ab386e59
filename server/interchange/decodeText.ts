import { type Result, succeed } from '../model/result.ts';
import { faultOfBytes, withoutByteOrderMark } from './plainText.ts';

/** The text of a file, without a byte order mark, or why it is none. O(bytes). */
export function decodeText(bytes: Uint8Array): Result<string, string> {
  const fault = faultOfBytes(bytes);
  if (fault !== undefined) return { ok: false, failure: fault };
  const text = new TextDecoder().decode(withoutByteOrderMark(bytes));
  if (text.trim() === '') return { ok: false, failure: 'The file is empty.' };
  return succeed(text);
}
