/**
 * Every command line of the documentation, as it stands, in a fresh copy of the repository with nothing but what
 * those lines install. A suite of its own (`npm test` runs it), since it installs and packs.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { oneSession } from '../cli/oneSession.ts';
import { zipEntries } from './zipEntries.ts';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'samples/README.md',
  'samples/papers/README.md',
  'docs/guide.md',
  'docs/editors.md',
  'docs/language.md',
  'docs/json.md',
  'docs/architecture.md',
  'docs/decisions.md',
];

/** Lines that are not run here, and where they are. */
const runElsewhere: Readonly<Record<string, string>> = {
  'npm start': 'e2e/start.test.ts starts it until the page answers',
  'npm start -- --port 9000': 'the same, at a port of its own',
  'npm test': 'it is what runs this',
  'npm run test:unit': 'a stage of npm test',
  'npm run lint && npm run typecheck': 'two stages of npm test',
  'npm run test:corpus': 'needs files of users beside the repository',
  'npm run test:judges': 'needs Open MPI and other programs',
  'npm run bench': 'takes an hour',
  'npm run bench -- sensitivity': 'takes hours',
  'npm run papers': 'takes hours',
  'npm run papers -- --short': 'takes minutes; test/cli/papers.test.ts runs all figures still shorter',
  'npm run papers -- --short --anew': 'the same',
  'npm run papers -- pascual --middle': 'takes hours; test/cli/papers.test.ts runs a smaller form',
  'npm run papers -- pascual --slurm': 'takes days of a cluster; test/judges/slurm runs experiments so',
  'npm run papers -- table-3-lu --keep': 'takes an hour; test/docs/papers.test.ts has what is kept',
  'npm run papers -- figure-9 --short --anew': 'takes minutes; test/cli/soryani.test.ts runs four of its experiments',
  'npm run papers -- kth-sp2 --logs ~/workloads':
    'needs a log that may not be passed on; test/corpus/papers.test.ts runs it',
  'npm run watch': 'ends when it is stopped; npm run build is the same once',
  'npx vitest run -u': 'would write the outputs that tests compare',
  'UPDATE_DOCS=1 npx vitest run --project unit test/docs test/architecture':
    'would write the documentation that is read here',
  'UPDATE_DOCS=1 npx vitest run --config e2e/vitest.config.ts e2e/picture.test.ts':
    'the same; a stage of npm test compares',
};

/** Lines of shell examples without their comments; and in the text what is a whole command, no outline of one. */
function commandsOf(file: string): string[] {
  const text = readFileSync(resolve(root, file), 'utf8');
  const examples = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim());
  const inText = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => /^(npm|npx|UPDATE_DOCS=1) |^placewright (list|[a-z]+ \S+\.place)/.test(code))
    .filter((code) => !/…|\b[A-Z]{3,}\b(?!_)/.test(code.replace('UPDATE_DOCS', '')));
  return [...examples, ...inText].filter((line) => line !== '');
}

const lines = documents.flatMap((file) => commandsOf(file).map((line) => ({ file, line })));
const runHere = lines.filter(
  ({ line }, index) => !(line in runElsewhere) && lines.findIndex((other) => other.line === line) === index,
);
const isOurs = (line: string): boolean => /^(npx )?placewright /.test(line);

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
    env: { ...environment, ...(isOurs(line) ? emptyCache : {}) },
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

describe('every command in the documentation, in a fresh copy', () => {
  it('begins with the installation', () => {
    expect(runHere[0]).toEqual({ file: 'README.md', line: 'npm ci' });
    expect(runHere.filter(({ line }) => isOurs(line)).length).toBeGreaterThan(10);
  });

  it.each(runHere)('$file: $line', ({ line }) => {
    const { code, out, err } = shell(line);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    if (!isOurs(line)) return;
    expect(err).not.toMatch(/error:/);
    const written = / (?:-o|>) (\S+)/.exec(line)?.[1];
    if (written !== undefined) expect(existsSync(join(clone, written))).toBe(!line.includes(' --dry-run'));
    else if (!line.includes(' check ')) expect(out).not.toBe('');
  });

  it('leaves none out that is not run elsewhere', () => {
    const everywhere = lines.map(({ line }) => line);
    expect(Object.keys(runElsewhere).filter((line) => !everywhere.includes(line))).toEqual([]);
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
