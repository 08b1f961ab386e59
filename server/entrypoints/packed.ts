/**
 * Files that gzip or xz have packed, told by their first bytes whatever they are called: job logs, tables and traces come so.
 * gzip is the platform's own; xz is unpacked by WebAssembly everywhere.
 */
import xzDecompress from 'xz-decompress';
import { oneLine } from '../interchange/reading.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { cancelled, fail, succeed, type Failure, type Result } from '../model/result.ts';
import {
  damagedPacked,
  heldFileLimit,
  packedTooLarge,
  platform,
  scratchLimit,
  withoutDiskLimit,
  type ScratchFile,
} from './platform.ts';

const packings = [
  { name: 'gzip', signature: [0x1f, 0x8b] },
  { name: 'xz', signature: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] },
] as const;

export type Packing = (typeof packings)[number]['name'];

/** What has packed a file that begins so. */
export const detectPacking = (head: Uint8Array): Packing | undefined =>
  packings.find(({ signature }) => signature.every((byte, index) => head[index] === byte))?.name;

/**
 * A file as it was before it was packed; itself where it was not. Fails with a sentence that begins in small letters, for behind the
 * name of the file, where it is damaged or holds more than `most` bytes. O(bytes).
 */
export async function unpacked(bytes: Uint8Array, most: number): Promise<Result<Uint8Array>> {
  const packing = detectPacking(bytes);
  if (packing === undefined) return succeed(bytes);
  const whole =
    packing === 'gzip'
      ? await platform().gunzip(bytes, most)
      : await readStream(() => new xzDecompress.XzReadableStream(new Blob([bytes]).stream()), most);
  return whole.ok ? whole : { ok: false, failure: saidOf(whole.failure, packing) };
}

/** The same of a file that must be read as a whole. Fails with the code of its reader and a sentence that begins with its name. */
export async function unpackedFile(
  bytes: Uint8Array,
  most: number,
  fileName: string,
  code: string,
): Promise<Result<Uint8Array>> {
  const whole = await unpacked(bytes, most);
  return whole.ok ? whole : fail(code, `${fileName} ${whole.failure.message}`);
}

const saidOf = ({ code, message }: Failure, packing: Packing): Failure => ({
  code,
  message: `is packed by ${packing}, and ${message}`,
});

interface Unpacking {
  readonly cancellation: Cancellation;
  /** Told how many bytes are unpacked. */
  readonly progress: (bytes: number) => void;
  /** Bytes that are held of all files together; what is more lies in a scratch file, where there is a disk. */
  readonly held?: number;
}

/** Unpacks the files of a table or a trace piece by piece, so that memory does not grow with what they hold. */
export class Unpacker {
  readonly #unpacking: Unpacking;
  #mayHold: number;
  #scratch: ScratchFile | undefined;
  /** Bytes in the scratch file. */
  #written = 0;

  constructor(unpacking: Unpacking) {
    this.#unpacking = unpacking;
    this.#mayHold = unpacking.held ?? heldFileLimit;
  }

  /** What was unpacked cannot be gone through any more. */
  close(): void {
    this.#scratch?.close();
    this.#scratch = undefined;
  }

  /**
   * What a file holds, to be gone through as often as is wanted. Fails as {@link unpacked} does, where a disk fails or is full, and with
   * `cancelled`. O(bytes).
   */
  async unpack(packing: Packing, pieces: () => Iterable<Uint8Array>): Promise<Result<() => Iterable<Uint8Array>>> {
    const { cancellation, progress } = this.#unpacking;
    const { scratchFile } = platform();
    const most = scratchFile === undefined ? withoutDiskLimit : scratchLimit;
    const start = this.#written;
    const parts: Uint8Array[] = [];
    let [length, isHeld] = [0, true];
    /** Of the disks that are read and written: all else that goes wrong is in the packed file. */
    let fault: string | undefined;
    const onDisk = <Value>(act: () => Value): Value => {
      try {
        return act();
      } catch (error) {
        fault = oneLine(error instanceof Error ? error.message : String(error));
        throw error;
      }
    };
    const refused = (message: string): Result<never> => ({
      ok: false,
      failure: saidOf({ code: 'file-unreadable', message }, packing),
    });
    const reader = unpackedStream(packing, pieces, onDisk).getReader();
    try {
      for (;;) {
        const { value } = await reader.read();
        if (value === undefined) break;
        length += value.length;
        progress(length);
        if (cancellation.isCancelled() || length > most) {
          await reader.cancel().catch(() => undefined);
          return cancellation.isCancelled() ? cancelled() : refused(packedTooLarge(most));
        }
        // A reader may fill the same memory again.
        if (isHeld) parts.push(value.slice());
        if (isHeld && (scratchFile === undefined || length <= this.#mayHold)) continue;
        const pending = isHeld ? parts.splice(0) : [value];
        isHeld = false;
        onDisk(() => {
          for (const part of pending) this.#write(part);
        });
      }
    } catch {
      return refused(fault === undefined ? damagedPacked : `it cannot be unpacked: ${fault}.`);
    }
    if (!isHeld) return succeed(() => this.#scratch?.chunks(start, start + length) ?? []);
    this.#mayHold -= length;
    return succeed(() => parts);
  }

  #write(part: Uint8Array): void {
    this.#scratch ??= platform().scratchFile?.();
    this.#scratch?.write(part);
    this.#written += part.length;
  }
}

/** The stream of what is packed in pieces. */
function unpackedStream(
  packing: Packing,
  pieces: () => Iterable<Uint8Array>,
  onDisk: <Value>(act: () => Value) => Value,
): ReadableStream<Uint8Array> {
  const iterator = pieces()[Symbol.iterator]();
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = onDisk(() => iterator.next());
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      iterator.return?.();
    },
  });
  return packing === 'gzip' ? platform().gunzipped(source) : new xzDecompress.XzReadableStream(source);
}

/** All that a stream yields. Its errors are of what is packed in it, and of checksums that its reader does not know. */
export async function readStream(open: () => ReadableStream<Uint8Array>, most: number): Promise<Result<Uint8Array>> {
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
