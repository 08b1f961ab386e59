/** Packs what is in `dist/`: the extension, `build/placewright.vsix`, which is held to its size, and the package of npm. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packCommandLine } from './npmPackage.ts';
import { root, run } from './run.ts';

export const packagePath = resolve(root, 'build/placewright.vsix');

/** The readme of the package, beside it: `.vscodeignore` names it too. */
const readmePath = 'build/README.md';

/** Paths that `.vscodeignore` lets in, `*` for a part of a name. */
export const isPacked = (path: string, ignore: string): boolean =>
  ignore
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .some((line) => {
      const literal = line
        .slice(1)
        .trim()
        .replace(/[.+?^${}()|[\]\\]/g, '\\$&');
      return new RegExp(`^${literal.replaceAll('*', '[^/]*')}$`).test(path);
    });

/** A text of Markdown in which links to files that are not in the package are their words alone. */
export const withoutAbsentLinks = (markdown: string, ignore: string): string =>
  markdown.replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    const [path = ''] = target.split('#');
    return /^[a-z]+:/i.test(target) || path === '' || isPacked(path, ignore) ? link : words;
  });

/** Most bytes that the package may have: people install it over slow networks. */
const packageLimit = 1.5 * 1000 * 1000;

/** `quiet`: says nothing where all is well. */
export async function packExtension({ quiet = false } = {}): Promise<void> {
  await mkdir(dirname(packagePath), { recursive: true });
  const [readme, ignore] = await Promise.all(
    ['README.md', '.vscodeignore'].map((path) => readFile(resolve(root, path), 'utf8')),
  );
  await writeFile(resolve(root, readmePath), withoutAbsentLinks(readme ?? '', ignore ?? ''));
  // Everything is bundled: no package of node_modules is needed.
  const words = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    ...['--readme-path', readmePath],
    '--out',
    packagePath,
  ];
  await run('vsce', ['package', ...words], { quiet });
  const { size } = await stat(packagePath);
  if (size > packageLimit) {
    throw new Error(`The package has ${size} bytes; at most ${packageLimit} are allowed. See .vscodeignore.`);
  }
  if (!quiet) console.log(`${packagePath}: ${(size / 1000).toFixed(0)} kB`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await packExtension();
  await packCommandLine();
}
