/**
 * Files that gzip or xz have packed, told by their first bytes whatever they are called: job logs, tables and traces come so.
 * gzip is the platform's own; xz is unpacked by WebAssembly everywhere.
 */
import xzDecompress from 'xz-decompress';
import { fail, succeed, type Failure, type Result } from '../model/result.ts';
import { damagedPacked, packedTooLarge, platform } from './platform.ts';

const packings = [
  { name: 'gzip', signature: [0x1f, 0x8b] },
  { name: 'xz', signature: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] },
] as const;

type Packing = (typeof packings)[number]['name'];

/** What has packed a file that begins so. */
export const packingOf = (head: Uint8Array): Packing | undefined =>
  packings.find(({ signature }) => signature.every((byte, index) => head[index] === byte))?.name;

/**
 * A file as it was before it was packed; itself where it was not. Fails with a sentence that begins in small letters, for behind the
 * name of the file, where it is damaged or holds more than `most` bytes. O(bytes).
 */
export async function unpacked(bytes: Uint8Array, most: number): Promise<Result<Uint8Array>> {
  const packing = packingOf(bytes);
  if (packing === undefined) return succeed(bytes);
  const whole =
    packing === 'gzip'
      ? await platform().gunzip(bytes, most)
      : await wholeOf(() => new xzDecompress.XzReadableStream(new Blob([bytes]).stream()), most);
  return whole.ok ? whole : { ok: false, failure: saidOf(whole.failure, packing) };
}

const saidOf = ({ code, message }: Failure, packing: Packing): Failure => ({
  code,
  message: `is packed by ${packing}, and ${message}`,
});

/** All that a stream yields. Its errors are of what is packed in it, and of checksums that its reader does not know. */
export async function wholeOf(open: () => ReadableStream<Uint8Array>, most: number): Promise<Result<Uint8Array>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = open().getReader();
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) break;
      length += value.length;
      if (length > most) {
        await reader.cancel();
        return fail('file-unreadable', packedTooLarge(most));
      }
      // A reader may fill the same memory again.
      parts.push(value.slice());
    }
  } catch {
    return fail('file-unreadable', damagedPacked);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return succeed(whole);
}
