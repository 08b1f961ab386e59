import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPlaceFiles } from '../files.ts';

let folder: string;
const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'placewright-index-'));
  for (const path of ['a.place', 'b/c d.place', 'b/e.csv', '.git/f.place', 'node_modules/p/g.place', 'h.place/i.txt']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  symlinkSync(folder, join(folder, 'b/round'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the list of the files of a workspace', () => {
  it('holds those of all folders, not of hidden ones and packages, and does not follow links', async () => {
    const found = await listPlaceFiles([pathToFileURL(folder).href]);
    expect(found).toEqual({ uris: [uriOf('a.place'), uriOf('b/c d.place')], isComplete: true });
  });

  it.each(['untitled:folder', 'file://host/share', 'vscode-vfs://github/a', 'file:///no/such/folder'])(
    'is empty for %s',
    async (uri) => {
      expect(await listPlaceFiles([uri])).toEqual({ uris: [], isComplete: true });
    },
  );
});
