import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomically } from './atomicFile.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'placewright-atomic-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const module = pathToFileURL(join(import.meta.dirname, 'atomicFile.ts')).href;
/** A program that writes so many bytes to a file. */
const program = (path: string, bytes: number): string =>
  `import(${JSON.stringify(module)}).then(({ writeAtomically }) => writeAtomically(${JSON.stringify(path)}, new Uint8Array(${bytes}))).then(() => console.log('written'), (error) => console.log(error.code));`;

const leftovers = (): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

describe('a file that is written as a whole', () => {
  it('has the new content, the old permissions, and nothing beside it', async () => {
    await writeAtomically(at('a'), 'first');
    chmodSync(at('a'), 0o640);
    await writeAtomically(at('a'), new TextEncoder().encode('second'));
    expect([readFileSync(at('a'), 'utf8'), statSync(at('a')).mode & 0o777]).toEqual(['second', 0o640]);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('takes the place of a link, and leaves alone what that leads to', async () => {
    writeFileSync(at('other'), 'theirs');
    symlinkSync(at('other'), at('link'));
    await writeAtomically(at('link'), 'ours');
    expect([readFileSync(at('other'), 'utf8'), readFileSync(at('link'), 'utf8')]).toEqual(['theirs', 'ours']);
  });

  it('is one of those that are written to it at the same time', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(10_000));
    await Promise.all(texts.map((text) => writeAtomically(at('a'), text)));
    expect(texts).toContain(readFileSync(at('a'), 'utf8'));
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('stays as it was where there is no room for the new one', () => {
    writeFileSync(at('a'), 'old');
    const script = `trap '' XFSZ; ulimit -f 64; exec "$0" -e "$1"`;
    const { stdout } = spawnSync('bash', ['-c', script, process.execPath, program(at('a'), 2 ** 20)], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('EFBIG\n');
    expect([readFileSync(at('a'), 'utf8'), readdirSync(folder)]).toEqual(['old', ['a']]);
  });

  it('is no folder', async () => {
    await expect(writeAtomically(join(folder, 'none', 'a'), '')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(writeAtomically(folder, '')).rejects.toThrow();
    expect(existsSync(folder)).toBe(true);
  });
});

describe('what a killed process leaves', () => {
  it('is removed by the next one that writes in the folder', async () => {
    writeFileSync(at('a'), 'old');
    const child = spawn(process.execPath, ['-e', program(at('a'), 2 ** 28)], { stdio: 'ignore' });
    const ended = new Promise((resolve) => void child.once('exit', resolve));
    while (leftovers().length === 0) await wait(1);
    // Of a process that is alive.
    await writeAtomically(at('b'), 'new');
    expect(leftovers()).toHaveLength(1);
    child.kill('SIGKILL');
    await ended;
    expect([readFileSync(at('a'), 'utf8'), leftovers().length]).toEqual(['old', 1]);
    await writeAtomically(at('b'), 'new');
    expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  });

  it('is told from files of others', async () => {
    const { pid: dead } = spawnSync(process.execPath, ['-e', '']);
    const child = spawn(process.execPath, ['-e', program(at('a'), 2 ** 28)], { stdio: 'ignore' });
    const ended = new Promise((resolve) => void child.once('exit', resolve));
    while (leftovers().length === 0) await wait(1);
    const [name = ''] = leftovers();
    child.kill('SIGKILL');
    await ended;
    const ofDead = name.replace(/-\d+-/, `-${dead}-`);
    const others = [
      // Of another machine, of a process that is alive, of somebody who names files alike.
      ofDead.replace(/^\.placewright-[0-9a-f]{12}/, '.placewright-000000000000'),
      name.replace(/-\d+-/, `-${process.ppid}-`),
      `${ofDead}.txt`,
      ofDead.slice(1),
      `a.${dead}`,
    ];
    for (const one of [...others, ofDead]) writeFileSync(at(one), 'x');
    const link = name.replace(/-\d+-[0-9a-f]/, `-${dead}-f`).replace(/.\.tmp$/, 'e.tmp');
    symlinkSync(at(others[2]!), at(link));
    await writeAtomically(at('b'), 'new');
    expect(readdirSync(folder).sort()).toEqual([...others, link, 'b'].sort());
  });
});
