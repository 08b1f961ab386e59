/** The package of npm: what is in it, and whether npm would publish it. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmFiles, npmProblems, readNpmManifest } from '../../tools/npmPackage.ts';
import { root } from '../../tools/run.ts';

const manifest = await readNpmManifest();
const scratch = mkdtempSync(join(tmpdir(), 'placewright-npm-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** What is wrong with a package that has this manifest and its program. */
async function problemsOf(text: object, isExecutable = true): Promise<readonly string[]> {
  const folder = mkdtempSync(join(scratch, 'package-'));
  const program = join(folder, 'bin/placewright.cjs');
  mkdirSync(dirname(program));
  writeFileSync(program, isExecutable ? '#!/usr/bin/env node\n' : '// Node starts it.\n');
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(text));
  return npmProblems(folder);
}

describe('the manifest of the package', () => {
  it.each<{ what: string; change: object; isExecutable?: boolean; found: readonly RegExp[] }>([
    { what: 'nothing as it is', change: {}, found: [] },
    { what: 'the entry of the extension', change: { main: './dist/client.cjs' }, found: [/pkg\.main .*not exist/] },
    { what: 'a program that is missing', change: { bin: { placewright: 'bin/other.cjs' } }, found: [/other\.cjs/] },
    { what: 'a program without its first line', change: {}, isExecutable: false, found: [/shebang|#!/] },
    { what: 'an address that is none', change: { repository: 'placewright on the web' }, found: [/repository/] },
  ])('is judged: $what', async ({ change, isExecutable, found }) => {
    const problems = (await problemsOf({ ...manifest, ...change }, isExecutable)).filter(
      (text) => !/sideEffects/.test(text),
    );
    expect(problems.length, problems.join('\n')).toBeGreaterThanOrEqual(found.length);
    if (found.length === 0) expect(problems).toEqual([]);
    for (const pattern of found) expect(problems.join('\n')).toMatch(pattern);
  });

  it('has words for its keys, no address, and nothing that keeps it from being published', () => {
    expect(manifest.description).toMatch(/^Place the ranks of an MPI program/);
    expect(JSON.stringify(manifest)).not.toMatch(/https?:|"private"|%/);
  });
});

describe('the files of the package', () => {
  let files: readonly string[] = [];
  beforeAll(async () => {
    files = await npmFiles();
  });

  it('are the program, its documentation and its samples, and no sources', () => {
    for (const file of ['bin/placewright.cjs', 'README.md', 'LICENSE', 'docs/index.md', 'samples/quickstart.place'])
      expect(files).toContain(file);
    const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
    folders.delete('dist');
    expect([...folders].sort()).toEqual(['bin', 'docs', 'samples']);
  });

  it('have all pictures that their pages show', () => {
    const pages = files.filter((file) => /^(README\.md|docs\/.*\.md)$/.test(file));
    const shown = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/(?:!\[[^\]]*\]\(|src="|srcset=")([^)"]+)[)"]/g)].map(
        ([, path = '']) => posix.join(posix.dirname(page), path),
      ),
    );
    expect(shown.length).toBeGreaterThan(10);
    expect([...new Set(shown)].filter((path) => !files.includes(path))).toEqual([]);
  });
});
