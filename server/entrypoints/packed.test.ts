import { describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { unpacked } from './packed.ts';

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
      failure: { message: expect.stringContaining(`is packed by ${packing}, and it holds more than`) as string },
    });
  });
});
