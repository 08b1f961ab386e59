/** What `npm run lint` looks at: every file, every rule of `eslint.config.js`, and every room that changed. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRooms } from '../../tools/lintRooms.ts';
import { root } from '../../tools/run.ts';
import { violations } from './violations.ts';

interface ConfigEntry {
  readonly ignores?: readonly string[];
  readonly rules?: Readonly<Record<string, unknown>>;
}

const { default: entries } = (await import(join(root, 'eslint.config.js'))) as { default: readonly ConfigEntry[] };

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'placewright-lint-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

it('every TypeScript file is in one room', () => {
  const ignored = new Set(entries.flatMap(({ ignores, rules }) => (rules === undefined ? (ignores ?? []) : [])));
  const files = globSync('**/*.ts', { cwd: root, exclude: (path) => ignored.has(path) || basename(path) === '.git' });
  const parsed = (path: string) => {
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
    const config = ts.getParsedCommandLineOfConfigFile(path, undefined, host);
    if (config === undefined) throw new Error(`${path} cannot be read`);
    return config;
  };
  const rooms = (parsed(join(root, 'tsconfig.json')).projectReferences ?? []).map(({ path }) =>
    parsed(path.endsWith('.json') ? path : join(path, 'tsconfig.json')),
  );
  const inRooms = rooms.flatMap(({ fileNames }) => fileNames).map((file) => relative(root, file));
  expect(inRooms.sort()).toEqual(files.sort());
});

describe('the rules', () => {
  const isOn = (setting: unknown): boolean => {
    const severity: unknown = Array.isArray(setting) ? setting[0] : setting;
    return severity !== 'off' && severity !== 0;
  };
  const plain = (name: string): string => name.replace('@typescript-eslint/', '');
  const settings = new Map(entries.flatMap(({ rules = {} }) => Object.entries(rules)));
  const rules = [...settings].filter(([, setting]) => isOn(setting)).map(([name]) => plain(name));
  /** Only ESLint has these. */
  const onlyInEslint = ['no-unsafe-class-instance-assignment'];

  it('the quick linter finds a violation of each', () => {
    for (const file of ['eslint.config.js', 'oxlint.config.ts', 'tsconfig.base.json']) {
      copyFileSync(join(root, file), join(folder, file));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const room = 'server/numeric';
    write(`${room}/tsconfig.json`, readFileSync(join(root, room, 'tsconfig.json'), 'utf8'));
    for (const [rule, text] of Object.entries(violations)) write(`${room}/${rule}.ts`, `${text}\n`);
    const linter = join(root, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [linter, '--format', 'json'], { cwd: folder, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    const found = diagnostics.filter(({ code, filename }) => code.endsWith(`(${basename(filename, '.ts')})`));
    const names = new Set(found.map(({ filename }) => basename(filename, '.ts')));
    expect([...names, ...onlyInEslint].sort()).toEqual(rules.sort());
  });
});

describe('the rooms that are linted again', () => {
  const rooms = ['model', 'network', 'numeric'];

  beforeEach(() => {
    const options = { composite: true, emitDeclarationOnly: true, lib: ['es5'], types: [], module: 'esnext' };
    write('tsconfig.json', JSON.stringify({ files: [], references: rooms.map((path) => ({ path })) }));
    for (const room of rooms) {
      const references = room === 'network' ? [{ path: '../model' }] : [];
      const compilerOptions = {
        ...options,
        rootDir: '..',
        outDir: '../build',
        tsBuildInfoFile: `../build/${room}.json`,
      };
      write(`${room}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.ts'], references }));
    }
    write('model/node.ts', 'export function nodes() {\n  return 1;\n}\n');
    write('network/link.ts', "import { nodes } from '../model/node';\nexport const links = nodes();\n");
    write('numeric/sum.ts', 'export const sum = 0;\n');
    write('eslint.config.js', 'export default [];\n');
  });

  async function keys(): Promise<ReadonlyMap<string, string>> {
    spawnSync(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-b'], { cwd: folder });
    return new Map((await readRooms(folder)).map(({ name, key }) => [name, key]));
  }

  it('have a list of their files', async () => {
    await keys();
    expect((await readRooms(folder)).map(({ name, files }) => ({ name, files }))).toEqual([
      { name: 'model', files: ['model/node.ts'] },
      { name: 'network', files: ['network/link.ts'] },
      { name: 'numeric', files: ['numeric/sum.ts'] },
    ]);
  });

  it.each<{ what: string; path: string; text: string; expected: readonly string[] }>([
    { what: 'nothing', path: 'notes.txt', text: '', expected: [] },
    { what: 'a body', path: 'model/node.ts', text: 'export function nodes() {\n  return 2;\n}\n', expected: ['model'] },
    {
      what: 'a type that another room uses',
      path: 'model/node.ts',
      text: "export function nodes() {\n  return 'one';\n}\n",
      expected: ['model', 'network'],
    },
    { what: 'a file that is new', path: 'numeric/more.ts', text: 'export const more = 1;\n', expected: ['numeric'] },
    { what: 'a type error', path: 'numeric/sum.ts', text: 'export const sum = less;\n', expected: ['numeric'] },
    { what: 'the rules', path: 'eslint.config.js', text: 'export default [{}];\n', expected: rooms },
  ])('after a change of $what', async ({ path, text, expected }) => {
    const before = await keys();
    write(path, text);
    // A file that is written in the same tick of the clock as what was made of it before does not count as changed.
    const later = new Date(Date.now() + 5000);
    utimesSync(join(folder, path), later, later);
    const after = await keys();
    expect(rooms.filter((room) => before.get(room) !== after.get(room))).toEqual(expected);
  });
});
