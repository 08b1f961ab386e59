import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readGiven, readTable } from '../../server/interchange/readers.ts';
import type { GivenFile } from '../../server/model/given.ts';
import { filesIn, unpackBytes } from './shared.ts';

/**
 * What comes of every file of traffic and of mappings that users sent, each alone: what was read of it, or the reason why it is
 * refused. The list beside this file is looked through by hand: a wrong reason in it is a fault, as a wrong number is.
 */
const contentOf = (path: string): Uint8Array => {
  if (path.endsWith('.xz')) return unpackBytes(path);
  return path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
};

const nameOf = (path: string): string => basename(path).replace(/\.[xg]z$/, '');

function tableIn(path: string): string {
  const result = readTable(contentOf(path), nameOf(path));
  if (!result.ok) return `refused: ${result.failure.message}`;
  const { size, amount, warnings = [] } = result.value;
  const total = amount.reduce((sum, each) => sum + each, 0);
  return [`${size} tasks, ${amount.length} pairs, ${total}`, ...warnings.map((text) => `warning: ${text}`)].join('; ');
}

function mappingIn(path: string): string {
  const result = readGiven(contentOf(path), nameOf(path));
  return result.ok ? wordsOf(result.value) : `refused: ${result.failure.message}`;
}

const wordsOf = (given: GivenFile): string =>
  Object.entries(given)
    .map(([key, value]) => `${key} ${sizeOf(value)}`)
    .join(', ');

const sizeOf = (value: unknown): string => {
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return `of ${(value as unknown as ArrayLike<unknown>).length}`;
  return JSON.stringify(value);
};

it.each([
  ['comm', tableIn],
  ['mapping', mappingIn],
] as const)('every file of data/%s is read, or refused with the right reason', async (folder, read) => {
  const lines = filesIn(join('data', folder)).map(({ path, inside }) => `${inside}: ${read(path)}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`everyFile.${folder}.txt`);
});
