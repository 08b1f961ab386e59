import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../programs.ts';
import { keptSimulation } from './keptSimulations.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'placewright-kept-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What is read of a file of this content. */
function readOf(content: string | Uint8Array) {
  const path = join(folder, 'quick.simulation');
  writeFileSync(path, content);
  return keptSimulation(path);
}

/** A whole file: its body is packed as it should be, and the header has its hash. */
function whole(body: Uint8Array, more: object = {}): Buffer {
  const sha256 = createHash('sha256').update(body).digest('hex');
  const header = { kind: 'placewright simulation', version, fingerprint: 'of it', sha256, ...more };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

const file = whole(gzipSync('something else'));

describe('what is kept of a simulation', () => {
  it.each([
    ['cut off', file.subarray(0, -7)],
    ['without its header', file.subarray(file.indexOf('\n'))],
    ['an empty header', '{}\n'],
    ['empty', ''],
    ['no object', 'null\n'],
    ['whole, with a body that is none', whole(Buffer.from('not packed'))],
    ['whole, with something else packed', file],
  ])('is damaged where the file is %s', (_, content) => {
    expect(readOf(content)).toBe('damaged');
  });

  it('is nothing where the file is missing, or another version wrote it', () => {
    expect(keptSimulation(join(folder, 'missing', 'quick.simulation'))).toBeUndefined();
    expect(readOf(whole(gzipSync('of it'), { version: '0.0.0' }))).toBeUndefined();
  });
});
