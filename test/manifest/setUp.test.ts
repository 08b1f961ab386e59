/** A fresh clone: what its first commands do before anything is installed or built. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

const scratch = mkdtempSync(join(tmpdir(), 'placewright-clone-'));
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

const lock = (packages: Readonly<Record<string, object>>): string =>
  JSON.stringify({ packages: { '': {}, ...packages } });
const wanted = lock({
  'node_modules/node': { version: process.versions.node },
  'node_modules/elsewhere': { version: '1.0.0', optional: true },
});

describe('a script of a clone', () => {
  /** Stands for npm: it says what it is asked for, and installs one package. */
  const npm = `require('node:fs').writeFileSync(process.argv[1] + '.asked', process.argv.slice(2).join(' ')); process.exitCode = Number(process.env.NPM_EXIT ?? 0);`;

  /** A clone with a lock file, what npm wrote behind its last installation, and a script that says which Node runs it. */
  function clone(installed?: string): string {
    const folder = mkdtempSync(join(scratch, 'clone-'));
    mkdirSync(join(folder, 'tools'));
    mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
    cpSync(join(root, 'tools/script.js'), join(folder, 'tools/script.js'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'package-lock.json'), wanted);
    writeFileSync(
      join(folder, 'tools/said.ts'),
      `console.log('runs', process.argv.slice(2).join(' ') as string); process.exitCode = 7;`,
    );
    writeFileSync(join(folder, 'npm.cjs'), npm);
    // What npm ci would put there: the Node of the lock file.
    writeFileSync(join(folder, 'node_modules/node/package.json'), JSON.stringify({ version: process.versions.node }));
    symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'));
    if (installed !== undefined) writeFileSync(join(folder, 'node_modules/.package-lock.json'), installed);
    return folder;
  }

  function script(folder: string, env: NodeJS.ProcessEnv = {}) {
    const words = [join(folder, 'tools/script.js'), 'said', 'one', '--two'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      env: { ...process.env, npm_execpath: join(folder, 'npm.cjs'), ...env },
      encoding: 'utf8',
    });
    return { status, stderr, installs: stdout.includes('npm ci'), runs: stdout.includes('runs one --two\n') };
  }

  const other = (version: string): string => lock({ 'node_modules/node': { version } });
  const more = lock({
    'node_modules/node': { version: process.versions.node },
    'node_modules/left': { version: '1.0.0' },
  });
  it.each([
    ['installs what is missing', undefined, true],
    ['installs what has another version', other('0.0.1'), true],
    ['installs anew if a package is too many', more, true],
    ['installs nothing if all but optional packages are there', other(process.versions.node), false],
  ])('%s', (_what, installed, installs) => {
    expect(script(clone(installed))).toEqual({ status: 7, stderr: '', installs, runs: true });
  });

  it('ends where npm fails, and says so', () => {
    const { status, stderr, runs } = script(clone(), { NPM_EXIT: '4' });
    expect({ status, runs }).toEqual({ status: 4, runs: false });
    expect(stderr).toContain('npm ci failed');
  });

  it('runs on the Node of the lock file if another one is started', () => {
    const folder = clone(other('0.0.1'));
    writeFileSync(join(folder, 'package-lock.json'), other('0.0.1'));
    writeFileSync(join(folder, 'node_modules/node/package.json'), JSON.stringify({ version: '0.0.1' }));
    expect(script(folder)).toEqual({ status: 7, stderr: '', installs: false, runs: true });
  });
});

describe('placewright before the first build', () => {
  const folder = join(scratch, 'unbuilt');
  beforeAll(() => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    cpSync(join(root, 'bin/placewright.cjs'), join(folder, 'bin/placewright.cjs'));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  });

  /** As users start it; npx keeps what it starts in a cache, which is of this test alone. */
  const npx = () =>
    spawnSync('npx', ['placewright', '--version'], {
      cwd: folder,
      env: { ...process.env, npm_config_cache: join(scratch, 'cache'), npm_config_offline: 'true' },
      encoding: 'utf8',
    });

  it('says what to do, and runs after the build from the same cache', () => {
    const before = npx();
    expect({ code: before.status, err: before.stderr }).toEqual({
      code: 2,
      err: `placewright: The program is not built. Run \`npm run build\` in ${folder}.\n`,
    });
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/cli.cjs'), `console.log('built', process.argv.slice(2).join(' '))`);
    expect(npx()).toMatchObject({ status: 0, stdout: 'built --version\n', stderr: '' });
  });
});
