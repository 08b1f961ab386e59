import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { neverCancelled } from '../model/cancellation.ts';
import { nodePlatform } from './node.ts';
import { detectPacking, unpacked, Unpacker } from './packed.ts';
import { installPlatform, type ScratchFile } from './platform.ts';
import { readTableAt } from './tableFiles.ts';

const text = '0 3\n1 0\n';
const bytes = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));
/** The text as xz packs it, with each of its checksums. */
const xz = bytes('/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAHMCAzCjEgMAoAMW0AW3rdcV4AASAIuxnZux+2830BAAAAAARZWg==');
const xzWithCrc32 = bytes('/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQAHMCAzCjEgMAoA495FqAABHAhEYCrIkEKZDQEAAAAAAVla');
const xzWithSha256 = bytes(
  '/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQAHMCAzCjEgMAoA8+kIkdOncLk0mBjA8sfHyuxCCAiD7BHObaxT1wHC9VMAATgI4oHCORibS5oBAAAAAApZWg==',
);
const together = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const changed = (file: Uint8Array, at: number): Uint8Array =>
  file.map((byte, index) => (index === at ? byte ^ 255 : byte));

describe('a file that may be packed', () => {
  it.each([
    ['not', new TextEncoder().encode(text), text],
    ['by gzip', new Uint8Array(gzipSync(text)), text],
    ['by xz', xz, text],
    ['by xz with another checksum', xzWithCrc32, text],
    ['by xz in two pieces', together(xz, xzWithCrc32), text + text],
  ])('is read as it was: %s', async (_, packed, wanted) => {
    const whole = await unpacked(packed, 1000);
    expect(whole.ok ? new TextDecoder().decode(whole.value) : whole.failure.message).toBe(wanted);
  });

  it.each([
    ['gzip that is cut off', new Uint8Array(gzipSync(text)).subarray(0, 15), /^is packed by gzip, and it is damaged/],
    ['xz that is cut off', xz.subarray(0, 30), /^is packed by xz, and it is damaged/],
    ['xz with a wrong byte', changed(xz, 30), /^is packed by xz, and it is damaged/],
    ['xz with a checksum that is not known', xzWithSha256, /^is packed by xz, and .*unxz/],
  ])('is refused with what to do: %s', async (_, packed, message) => {
    const whole = await unpacked(packed, 1000);
    expect(whole).toMatchObject({ ok: false, failure: { message: expect.stringMatching(message) as string } });
  });

  it.each([
    ['gzip', new Uint8Array(gzipSync(text))],
    ['xz', xz],
  ])('that holds more than is read is said to: %s', async (packing, packed) => {
    const whole = await unpacked(packed, 7);
    expect(whole).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining(`is packed by ${packing}, and it exceeds`) as string },
    });
  });
});

describe('a packed file that is unpacked piece by piece', () => {
  afterEach(() => {
    installPlatform(nodePlatform);
  });

  /** A disk that counts what is written to it; `room` bytes are free. */
  function diskOf(room = Infinity): { readonly written: () => number; readonly open: () => number } {
    let [written, open] = [0, 0];
    const scratchFile = (): ScratchFile => {
      const file = nodePlatform.scratchFile!();
      open++;
      return {
        chunks: file.chunks,
        write: (part) => {
          if (written + part.length > room) throw new Error('ENOSPC: no space left on device, write');
          written += part.length;
          file.write(part);
        },
        close: () => {
          open--;
          file.close();
        },
      };
    };
    installPlatform({ ...nodePlatform, scratchFile });
    return { written: () => written, open: () => open };
  }

  const inPieces = (file: Uint8Array, size = 1000) =>
    function* pieces(): Generator<Uint8Array> {
      for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
    };
  const joined = (chunks: () => Iterable<Uint8Array>): string => Buffer.concat([...chunks()]).toString();
  const quiet = { cancellation: neverCancelled, progress: () => undefined };
  /** Numbers that pack badly enough to come in many pieces. */
  const long = Array.from({ length: 60_000 }, (_, at) => `${at} ${(at * 7919) % 104_729}`).join('\n');
  const packedLong = new Uint8Array(gzipSync(long));

  it('is held where it is small, and lies on the disk where it is not', async () => {
    const disk = diskOf();
    const unpacker = new Unpacker({ ...quiet, held: 2 * text.length });
    const read = async (file: Uint8Array) => {
      const chunks = await unpacker.unpack(detectPacking(file)!, inPieces(file));
      if (!chunks.ok) throw new Error(chunks.failure.message);
      return chunks.value;
    };
    const small = [await read(xz), await read(new Uint8Array(gzipSync(text)))];
    expect([disk.open(), disk.written()]).toEqual([0, 0]);
    // What is held is of all files together: the next one is as small, and there is no room for it.
    const large = [await read(xzWithCrc32), await read(packedLong), await read(together(packedLong, packedLong))];
    expect([disk.open(), disk.written()]).toEqual([1, text.length + 3 * long.length]);
    for (let time = 0; time < 2; time++) {
      expect(small.map(joined)).toEqual([text, text]);
      expect(large.map(joined)).toEqual([text, long, long + long]);
    }
    unpacker.close();
    expect(disk.open()).toBe(0);
  });

  it.each([
    ['the disk is full', packedLong, 1000, /^is packed by gzip, and it cannot be unpacked: ENOSPC: no space left/],
    ['it is cut off', packedLong.subarray(0, packedLong.length - 9), Infinity, /^is packed by gzip, and it is damaged/],
    ['it is cut off, by xz', xz.subarray(0, 40), Infinity, /^is packed by xz, and it is damaged/],
    ['a byte is wrong', changed(xz, 30), Infinity, /^is packed by xz, and it is damaged/],
  ] as const)('is refused where %s', async (_, file, room, message) => {
    diskOf(room);
    const found = await new Unpacker({ ...quiet, held: 0 }).unpack(detectPacking(file)!, inPieces(file));
    expect(found.ok ? 'was read' : found.failure.message).toMatch(message);
  });

  it('is refused where the packed file cannot be read on', async () => {
    const found = await new Unpacker(quiet).unpack('gzip', function* pieces() {
      yield packedLong.subarray(0, 100);
      throw new Error('EIO: i/o error, read');
    });
    expect(found.ok ? 'was read' : found.failure.message).toBe(
      'is packed by gzip, and it cannot be unpacked: EIO: i/o error, read.',
    );
  });

  it('stops where it is cancelled, and tells how far it is', async () => {
    const told: number[] = [];
    const cancellation = { isCancelled: () => told.length > 2 };
    const unpacker = new Unpacker({ cancellation, progress: (bytes) => told.push(bytes) });
    const found = await unpacker.unpack('gzip', inPieces(packedLong));
    expect(found.ok ? 'was read' : found.failure.code).toBe('cancelled');
    expect(told).toHaveLength(3);
    expect(told.at(-1)).toBeLessThan(long.length);
  });

  it('is read as a table from the disk, whatever it holds', async () => {
    const disk = diskOf();
    const folder = mkdtempSync(join(tmpdir(), 'packed-'));
    const file = join(folder, 'long.trace.gz');
    // More than is held of a file, 200 bytes a message, most of them blanks.
    const messages = 170_000;
    const line = (kind: string): string => `${`${kind} 0 1 5 3`.padEnd(99)}\n`;
    writeFileSync(file, gzipSync((line('s') + line('r')).repeat(messages), { level: 1 }));
    const told: string[] = [];
    const progress = (_: number, words: string) => told.push(words);
    const { content } = await readTableAt(pathToFileURL(file).href, undefined, {
      policy: {},
      cancellation: neverCancelled,
      progress,
    });
    rmSync(folder, { recursive: true });
    expect(content).toMatchObject({
      ok: true,
      value: { size: 2, amount: Float64Array.of(3 * messages), messages: Float64Array.of(messages) },
    });
    expect([disk.open(), disk.written()]).toEqual([0, 200 * messages]);
    expect(told[0]).toMatch(/^long\.trace\.gz: \d+ MiB unpacked$/);
  });
});
