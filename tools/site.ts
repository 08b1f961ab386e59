/** Builds the website of docs/ into `build/site`, with VitePress of `site/`, a package of its own. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Finished, root, run } from './run.ts';

const directory = resolve(root, 'site');
const marker = resolve(directory, 'node_modules/.set-up');

/** Installs what `site/package-lock.json` says, unless that is what is there: 100 MB. */
export async function setUpSite(): Promise<void> {
  const wanted = createHash('sha256')
    .update(await readFile(resolve(directory, 'package-lock.json')))
    .digest('hex');
  const present = await readFile(marker, 'utf8').catch(() => '');
  if (present === wanted) return;
  // What is in npm's cache is not asked for again: a second run needs no network.
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: directory });
  await writeFile(marker, wanted);
}

/** A dead link between pages fails the build. It runs in the top folder: from `site/` on, VitePress does not find its own packages for pages outside. */
export async function buildSite(quiet = false): Promise<Finished> {
  await setUpSite();
  return run('node', ['site/node_modules/vitepress/bin/vitepress.js', 'build', 'site'], { quiet });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildSite();
