import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from '../../tools/run.ts';

/**
 * The folder of real users' files. Tests that need it fail without it, because a corpus that was
 * not read has proved nothing.
 */
export function sharedFolder(): string {
  const folder = process.env['PLACEWRIGHT_SHARED'] ?? resolve(root, '../shared');
  if (!existsSync(join(folder, 'data', 'comm'))) {
    throw new Error(`${folder} does not hold data/comm: set PLACEWRIGHT_SHARED to the folder of shared data.`);
  }
  return folder;
}

/** Files of data/comm whose name matches, by their path inside it, sorted. */
export const trafficFiles = (name: RegExp) => filesIn(join('data', 'comm'), name);

/** Files of a folder of the shared data whose name matches, by their path inside it, sorted. */
export function filesIn(inShared: string, name = /./): { readonly path: string; readonly inside: string }[] {
  const folder = join(sharedFolder(), inShared);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path, inside: relative(folder, path) }));
}

/** The text of an .xz file. */
export const unpack = (path: string): string => unpackBytes(path).toString('utf8');

/** The content of an .xz file, by Debian's own program. */
export function unpackBytes(path: string): Buffer {
  const { stdout, error, status } = spawnSync('xz', ['--decompress', '--stdout', path], { maxBuffer: 2 ** 28 });
  if (error) throw new Error('xz is needed to read the corpus: apt-get install --no-install-recommends xz-utils');
  if (status !== 0) throw new Error(`xz cannot unpack ${path}.`);
  return stdout;
}
