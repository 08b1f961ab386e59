/** Pixels as a PNG (W3C, third edition): eight bits for each of red, green and blue, compressed by zlib. */
import { deflateSync } from 'node:zlib';
import type { Raster } from '../../drawing/paper/rasterise.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Who has written it: programs that change a picture put their own name there. */
const software = Buffer.from('Software\0Placewright', 'latin1');
const softwareAt = signature.length + 12 + 13;

/** Whether a file is a PNG that Placewright has written. */
export const isOurPng = (bytes: Buffer): boolean =>
  bytes.subarray(0, signature.length).equals(signature) &&
  bytes
    .subarray(softwareAt)
    .subarray(8, 8 + software.length)
    .equals(software);

/** The bytes of the file. O(pixels). */
export function encodePng({ width, height, pixels }: Raster): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Bits of a channel, and the kind: red, green and blue. Nothing is interlaced.
  head.set([8, 2, 0, 0, 0], 8);
  // In front of each row stands how it is filtered: not at all.
  const rows = Buffer.alloc(height * (3 * width + 1));
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(3 * width * row, 3 * width * (row + 1)), row * (3 * width + 1) + 1);
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('tEXt', software),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(checksum(content));
  return Buffer.concat([length, content, sum]);
}

/** Of each byte, what it adds to the checksum. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as zlib has it; Node's own is not in all versions that we run on. */
function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
