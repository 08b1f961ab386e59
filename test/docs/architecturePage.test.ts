import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** docs/architecture.md against the tree: every path is there, every word of the glossary is used. */
const file = 'docs/architecture.md';
const page = readFileSync(resolve(root, file), 'utf8');

/** The cells of the rows of the table under a heading, without its head. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = new RegExp(`^## ${heading}\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(page)?.[1] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const codeOf = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe(file, () => {
  it('names no file or folder that is not there', () => {
    const named = codeOf(page.replace(/^```[\s\S]*?^```$/gm, '')).filter((code) => /^[\w./-]+(?:\.ts|\/)$/.test(code));
    expect(named.length).toBeGreaterThan(60);
    const missing = named.filter(
      (path) => !existsSync(resolve(root, path)) && !existsSync(resolve(root, 'server', path)),
    );
    expect(missing.filter((path) => !existsSync(resolve(root, 'server/entrypoints', path)))).toEqual([]);
  });

  it('has a place for every room', () => {
    const rooms = rowsUnder('Rooms').flatMap(([room = '']) => codeOf(room));
    const folders = globSync('server/*/', { cwd: root }).map(
      (path) => `${path.replaceAll('\\', '/').replace(/\/$/, '')}/`,
    );
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.filter((folder) => !rooms.includes(folder))).toEqual([]);
    const places = rowsUnder('Where to find what').flatMap(([, where = '']) => codeOf(where));
    const without = rooms.filter((room) => room.startsWith('server/') && !places.some((path) => path.startsWith(room)));
    // The tools are what everything else is made of.
    expect(without).toEqual(['server/numeric/']);
  });

  it('explains words that the code uses', () => {
    const sources = globSync('server/**/*.ts', { cwd: root }).filter((path) => !/\.test\.ts$|testing/.test(path));
    const used = new Set(sources.flatMap((path) => readFileSync(resolve(root, path), 'utf8').match(/\w+/g) ?? []));
    const glossary = rowsUnder('Glossary').map(([word = '', , code = '']) => [word, ...codeOf(code)]);
    expect(glossary.length).toBeGreaterThanOrEqual(30);
    expect(glossary.filter(([, ...names]) => names.length === 0 || names.some((name) => !used.has(name)))).toEqual([]);
    const words = glossary.map(([word]) => word);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });
});
