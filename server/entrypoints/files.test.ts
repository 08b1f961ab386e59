import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liesWithin, readBytes } from './files.ts';
import { readTextFile, type ReadPolicy } from './platform.ts';

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
    ['a missing file', 'none.place', /^file-not-found: File .*none\.place not found/],
    ['a file below a file', 'pair.csv/x.place', /^file-not-found: /],
    ['a folder', 'inside', /^not-a-file: .*folder/],
    ['a pipe, without waiting for it', 'pipe', /^not-a-file: .*pipe/],
    ['binary', 'noise.place', /^not-text: noise\.place: .*UTF-8/],
    ['200 MiB, unread', 'huge.place', /^file-too-large: .*200\.0 MiB\. The maximum is 4 MiB/],
  ])('refuses %s', async (_, name, expected) => {
    expect(await complaintOf(uriOf(name))).toMatch(expected);
  });

  it('refuses what is not on this machine', async () => {
    expect(await complaintOf('https://example.org/a.place')).toMatch(/^file-unreadable: .*Only local files/);
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

describe('the limit', () => {
  it('holds for what is read, however the file grows', async () => {
    const path = join(folder, 'growing.txt');
    const limit = 2 ** 20;
    for (let round = 0; round < 20; round++) {
      await writeFile(path, new Uint8Array(limit - 10));
      const reading = readBytes(uriOf('growing.txt'), {}, { limit });
      appendFileSync(path, new Uint8Array(2 * limit));
      const content = await reading;
      if (content.ok) expect(content.value.bytes!.length).toBeLessThanOrEqual(limit);
      else expect(content.failure.code).toBe('file-too-large');
    }
  });

  it.each([
    ['exactly so much', 8, true],
    ['one byte more', 7, false],
  ])('lets through %s', async (_, limit, isRead) => {
    expect((await readBytes(uriOf('pair.csv'), {}, { limit })).ok).toBe(isRead);
  });

  // They claim to be regular files of no size, and have no end, or wait for the next message of the system.
  it.each(['/proc/self/pagemap', '/proc/kmsg', '/proc/self/maps', '/sys/kernel/uevent_seqnum'])(
    'is not needed for %s, which is not read at all',
    async (path) => {
      const expected = process.platform === 'linux' ? /^not-a-file: .*system file|^file-not-found/ : /^file-not-found/;
      expect(await complaintOf(pathToFileURL(path).href)).toMatch(expected);
    },
  );

  it('is not reached where it is cancelled', async () => {
    const request = { limit: 2 ** 28, cancellation: { isCancelled: () => true } };
    expect(await readBytes(uriOf('huge.place'), {}, request)).toMatchObject({ failure: { code: 'cancelled' } });
  });

  it('is not asked where the file is the same as before', async () => {
    const first = await readBytes(uriOf('pair.csv'), {}, { limit: 100 });
    const unlessStamp = first.ok ? first.value.stamp : undefined;
    expect(await readBytes(uriOf('pair.csv'), {}, { limit: 100, unlessStamp })).toMatchObject({
      value: { stamp: unlessStamp, bytes: undefined },
    });
  });
});

describe('outside of the fence', () => {
  const policy = (): ReadPolicy => ({ allowedRoots: [uriOf('inside')] });

  it('nobody learns what exists', async () => {
    await symlink('../none.place', join(folder, 'inside', 'dangling.place'));
    const complaints = ['pair.csv', 'none.csv', 'inside/link.place', 'inside/dangling.place'].map(async (name) =>
      (await complaintOf(uriOf(name), policy())).replace(/\/.*? is outside/, 'It is outside'),
    );
    const [first, ...others] = await Promise.all(complaints);
    expect(first).toMatch(
      /^outside-workspace: It is outside .*untrusted workspace \(Restricted Mode\). Trust it, open the folder/,
    );
    expect(new Set(others)).toEqual(new Set([first]));
  });

  it('links within it are followed, and circles have an end', async () => {
    await mkdir(join(folder, 'inside', 'deep'));
    await symlink('../good.place', join(folder, 'inside', 'deep', 'up.place'));
    await symlink('deep', join(folder, 'inside', 'way'));
    await symlink(join(folder, 'inside', 'way', 'up.place'), join(folder, 'inside', 'whole.place'));
    await symlink('round.place', join(folder, 'inside', 'round.place'));
    expect(await complaintOf(uriOf('inside/whole.place'), policy())).toBe('was read');
    expect(await complaintOf(uriOf('inside/round.place'), policy())).toMatch(/^outside-workspace/);
    expect(await complaintOf(uriOf('inside/none.place'), policy())).toMatch(/^file-not-found/);
  });

  it('nothing is read through a link that turns while it is looked at', async () => {
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await writeFile(join(folder, 'inside', 'plain.txt'), 'plain');
    const turning = join(folder, 'inside', 'turning.txt');
    let isOver = false;
    const turn = async (): Promise<void> => {
      for (let round = 0; !isOver; round++) {
        await symlink(round % 2 === 0 ? '../secret.txt' : 'plain.txt', `${turning}.new`);
        await rename(`${turning}.new`, turning);
      }
    };
    const turned = turn();
    const read: string[] = [];
    for (let round = 0; round < 500; round++) {
      const text = await readTextFile(uriOf('inside/turning.txt'), policy());
      if (text.ok) read.push(text.value);
    }
    isOver = true;
    await turned;
    expect(read).not.toContain('secret');
  });

  it('is told from inside by the names alone', () => {
    const roots = [uriOf('inside')];
    expect(liesWithin(uriOf('inside/deep/x.place'), roots)).toBe(true);
    expect(liesWithin(uriOf('inside/../x.place'), roots)).toBe(false);
    expect(liesWithin('untitled:1', roots)).toBe(false);
  });
});
