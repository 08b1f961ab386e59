/**
 * Command lines of the documentation, as they are written, in a fresh copy of the repository: npm's, and one of each of our commands.
 * The copy has only what the lines install. All lines of ours run in commands.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { oneSession } from '../cli/oneSession.ts';
import { isPlacewright, oneLineOfEach, writtenBy } from './commands.ts';
import { zipEntries } from './zipEntries.ts';

const scratch = mkdtempSync(join(tmpdir(), 'placewright-documents-'));
const clone = join(scratch, 'placewright');

/** As in a fresh shell: without what npm sets for the scripts of this repository, but with the certificates of the network. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(package|lifecycle|config_)|VITEST|NODE_(?!EXTRA_CA_CERTS)|INIT_CWD)/i.test(name),
    ),
  ),
  PATH: [
    join(scratch, 'global/bin'),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((directory) => !directory.includes('node_modules')),
  ].join(delimiter),
  // Packages that are installed for all users go into a folder of the test's own.
  npm_config_prefix: join(scratch, 'global'),
};

/** `npx` keeps links to what it starts in its cache: that of the test, which has nothing that could be used instead. */
const emptyCache = { npm_config_cache: join(scratch, 'cache'), npm_config_offline: 'true' };

/** Milliseconds that the longest line, the installation, may take behind a slow network. */
const longestLine = 600_000;

function shell(line: string, directory = clone) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: directory,
    env: { ...environment, ...(isPlacewright(line) ? emptyCache : {}) },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    // A line that waits for somebody fails, and keeps nothing back.
    timeout: longestLine,
  });
  return { code: status, out: stdout, err: stderr };
}

beforeAll(() => {
  mkdirSync(clone);
  const tracked = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  for (const file of tracked.stdout.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(root, file), join(clone, file));
  }
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

describe('a command in the documentation, in a fresh copy', () => {
  it('begins with a script, which installs what is missing', () => {
    expect(oneLineOfEach[0]).toEqual({ file: 'README.md', line: 'npm run build' });
  });

  it.each(oneLineOfEach)('$file: $line', ({ line }) => {
    const { code, out, err } = shell(line);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    if (!isPlacewright(line)) return;
    expect(err).not.toMatch(/error:/);
    const written = writtenBy(line);
    if (written !== undefined) expect(existsSync(join(clone, written))).toBe(!line.includes(' --dry-run'));
    else if (!line.includes(' check ')) expect(out).not.toBe('');
  });
});

describe('what was packed', () => {
  it('runs from where it was installed, far from the repository', () => {
    const samples = join(scratch, 'global/lib/node_modules/placewright/samples');
    const { code, out, err } = shell(`placewright run ${samples}/cg/nas-cg.place`, scratch);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Placement tuned');
    expect(shell('placewright --version', scratch).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('has the language server beside it, for other editors', async () => {
    const { code, out, err } = await oneSession(['placewright', 'lsp', '--stdio'], environment);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('"hoverProvider":true');
  });

  it('contains the licences of all packages that are bundled, in either form', () => {
    const built = readFileSync(join(clone, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(built).toContain('chevrotain');
    const installed = join(scratch, 'global/lib/node_modules/placewright');
    expect(readFileSync(join(installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')).toBe(built);
    const extension = zipEntries(readFileSync(join(clone, 'build/placewright.vsix')));
    expect(extension.get('extension/dist/THIRD-PARTY-NOTICES.txt')?.toString()).toBe(built);
    expect([...extension.keys()]).toContain('extension/LICENSE.txt');
    expect(existsSync(join(installed, 'LICENSE'))).toBe(true);
  });
});
