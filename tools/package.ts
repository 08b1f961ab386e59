/** Packs `build/placewright.vsix` of what is in `dist/`, and holds it to its size. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run } from './run.ts';

export const packagePath = resolve(root, 'build/placewright.vsix');

/** Most bytes that the package may have: people install it over slow networks. */
const packageLimit = 1.5 * 1000 * 1000;

/** `quiet`: says nothing where all is well. */
export async function packExtension({ quiet = false } = {}): Promise<void> {
  await mkdir(dirname(packagePath), { recursive: true });
  // Everything is bundled: no package of node_modules is needed.
  const words = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await packExtension();
