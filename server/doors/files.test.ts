import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadPolicy, readTextFile } from './files.ts';

let folder: string;
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'placewright-files-'));
  await mkdir(join(folder, 'inside'));
  await mkdir(join(folder, 'inside-too'));
  await writeFile(join(folder, 'inside', 'good.place'), 'machine m { topology torus 2 }');
  await writeFile(join(folder, 'inside-too', 'other.place'), '// other');
  await symlink('../inside-too/other.place', join(folder, 'inside', 'link.place'));
  await writeFile(join(folder, 'noise.place'), Uint8Array.of(0xc3, 0x28, 0xff));
  await writeFile(join(folder, 'huge.place'), '');
  await truncate(join(folder, 'huge.place'), 200 * 2 ** 20);
  await writeFile(join(folder, 'pair.csv'), '0,1\n2,0\n');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterAll(() => rm(folder, { recursive: true }));

async function complaintOf(uri: string, policy: ReadPolicy = {}): Promise<string> {
  const result = await readTextFile(uri, policy);
  return result.ok ? 'was read' : `${result.failure.code}: ${result.failure.message}`;
}

describe('readTextFile', () => {
  it('reads a file', async () => {
    expect(await readTextFile(uriOf('inside/good.place'), {})).toEqual({
      ok: true,
      value: 'machine m { topology torus 2 }',
    });
  });

  it('prefers the text of an editor, also of a file that is not saved', async () => {
    const openTexts = new Map([
      [uriOf('inside/good.place'), 'edited'],
      ['untitled:1', 'new'],
    ]);
    expect(await readTextFile(uriOf('inside/good.place'), { openTexts })).toEqual({ ok: true, value: 'edited' });
    expect(await readTextFile('untitled:1', { openTexts })).toEqual({ ok: true, value: 'new' });
  });

  it.each([
    ['a missing file', 'none.place', /^file-not-found: There is no file .*none\.place/],
    ['a file below a file', 'pair.csv/x.place', /^file-not-found: /],
    ['a folder', 'inside', /^not-a-file: .*folder/],
    ['a pipe, without waiting for it', 'pipe', /^not-a-file: .*pipe/],
    ['binary', 'noise.place', /^not-text: noise\.place: .*UTF-8/],
    ['200 MiB, unread', 'huge.place', /^file-too-large: .*200\.0 MiB; at most 4 MiB/],
  ])('refuses %s', async (_, name, expected) => {
    expect(await complaintOf(uriOf(name))).toMatch(expected);
  });

  it('refuses what is not on this machine', async () => {
    expect(await complaintOf('https://example.org/a.place')).toMatch(/^file-unreadable: .*only such files/);
    expect(await complaintOf('untitled:Untitled-1')).toMatch(/^file-unreadable: /);
  });

  it('says when permissions forbid it', async () => {
    const path = join(folder, 'secret.place');
    await writeFile(path, '//');
    await chmod(path, 0);
    // Root may read everything; then the file is simply read.
    const expected = process.getuid?.() === 0 ? /^was read$/ : /^file-unreadable: .*permissions/;
    expect(await complaintOf(uriOf('secret.place'))).toMatch(expected);
  });
});

describe('the fence of allowed roots', () => {
  const policy = (): ReadPolicy => ({ allowedRoots: [uriOf('inside')] });

  it('lets in what lies inside', async () => {
    expect(await complaintOf(uriOf('inside/good.place'), policy())).toBe('was read');
  });

  it.each([
    ['a neighbour', 'pair.csv'],
    ['a folder whose name begins alike', 'inside-too/other.place'],
    ['a way round', 'inside/../pair.csv'],
    ['a symbolic link that leads out', 'inside/link.place'],
  ])('keeps out %s', async (_, name) => {
    expect(await complaintOf(uriOf(name), policy())).toMatch(/^outside-workspace: .*open the folder/);
  });
});
