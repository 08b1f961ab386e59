import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerFile } from './webFiles.ts';

let folder = '';
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'placewright-web-'));
  for (const inner of ['machines', '.hidden', 'node_modules']) {
    await mkdir(join(folder, inner));
    await writeFile(join(folder, inner, 'one.place'), '');
  }
  await writeFile(join(folder, 'main.place'), '');
  await writeFile(join(folder, 'traffic.csv'), '0,1');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it('reads a file once, and again where it has changed', async () => {
  const read = await answerFile({ kind: 'read', uri: uriOf('traffic.csv'), limit: 3 });
  if (typeof read !== 'object' || !('kind' in read) || read.kind !== 'content') throw new Error(JSON.stringify(read));
  expect(new TextDecoder().decode(read.bytes)).toBe('0,1');
  const again = { kind: 'read', uri: uriOf('traffic.csv'), limit: 3, unlessStamp: read.stamp } as const;
  expect(await answerFile(again)).toEqual({ kind: 'content', stamp: read.stamp, bytes: undefined });
  expect(await answerFile({ ...again, unlessStamp: 'older' })).toMatchObject({ bytes: read.bytes });
});

it.each([
  [{ kind: 'read', limit: 2 }, 'traffic.csv', { kind: 'too-large', size: 3 }],
  [{ kind: 'read', limit: 2 }, 'machines', { kind: 'folder' }],
  [{ kind: 'read', limit: 2 }, 'none.csv', { kind: 'missing' }],
  [{ kind: 'read', limit: 2 }, 'traffic.csv/below', { kind: 'unreadable' }],
  [{ kind: 'size' }, 'traffic.csv', 3],
  [{ kind: 'size' }, 'machines', undefined],
  [{ kind: 'size' }, 'none.csv', undefined],
  [{ kind: 'folder', most: 9 }, 'machines', [{ name: 'one.place', isFolder: false }]],
  [{ kind: 'folder', most: 0 }, 'machines', []],
  [{ kind: 'folder', most: 9 }, 'none', []],
] as const)('answers %j of %s', async (question, name, wanted) => {
  const answer = await answerFile({ ...question, uri: uriOf(name) });
  if (typeof wanted === 'object' && !Array.isArray(wanted)) expect(answer).toMatchObject(wanted);
  else expect(answer).toEqual(wanted);
});

it('finds the files of the folders, but for hidden ones and packages', async () => {
  expect(await answerFile({ kind: 'place-files', folders: [pathToFileURL(folder).href] })).toEqual({
    uris: [uriOf('machines/one.place'), uriOf('main.place')],
    isComplete: true,
  });
});
