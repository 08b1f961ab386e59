import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceProgram } from './output.ts';
import { UsageError } from './terminal.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'placewright-replace-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const replace = (name: string) =>
  replaceProgram({ target: join(directory, name), before: 'old ä\r\n', text: 'new ö\r\n' });

describe('a program is replaced', () => {
  it.each([
    ['as it is', 'old ä\r\n', 'new ö\r\n'],
    ['with its byte order mark', '\ufeffold ä\r\n', '\ufeffnew ö\r\n'],
  ])('%s', async (what, before, after) => {
    const path = join(directory, what);
    writeFileSync(path, before);
    await replace(what);
    expect(readFileSync(path, 'utf8')).toBe(after);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    [
      'that was edited',
      (path) => {
        writeFileSync(path, 'old ä\n');
      },
      /has changed since it was read and was not overwritten/,
    ],
    [
      'that is no text any more',
      (path) => {
        writeFileSync(path, Buffer.from('old \xe4\r\n', 'latin1'));
      },
      /has changed since it was read/,
    ],
    ['that is gone', () => undefined, /not a regular file/],
    [
      'that is a folder',
      (path) => {
        mkdirSync(path);
      },
      /not a regular file/,
    ],
    [
      'that is a link to nothing',
      (path) => {
        symlinkSync('nowhere', path);
      },
      /not a regular file/,
    ],
    [
      'that is a link to itself',
      (path) => {
        symlinkSync('that is a link to itself', path);
      },
      /is circular/,
    ],
    [
      'that is a device',
      (path) => {
        symlinkSync('/dev/zero', path);
      },
      /not a regular file/,
    ],
    [
      'that is standard output',
      (path) => {
        symlinkSync('/dev/stdout', path);
      },
      /not a regular file/,
    ],
    ['that is a pipe', (path) => void spawnSync('mkfifo', [path]), /not a regular file/],
  ])('but not one %s', async (what, make, message) => {
    make(join(directory, what));
    const refused = replace(what);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });
});
