/**
 * Packs `build/placewright.tgz`, the command line as a package of npm: what `.npmignore` lets in, with a manifest of its
 * own. That of the repository is the extension's, whose entry is not in this package.
 */
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root, run } from './run.ts';

export const npmPackagePath = resolve(root, 'build/placewright.tgz');

const staged = resolve(root, 'build/npm');

/** The parts of `package.json` that npm and its users need. */
interface NpmManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly type: string;
  readonly engines: { readonly node: string };
  readonly bin: Readonly<Record<string, string>>;
}

/** The manifest of the package, from that of the extension and its English words. */
export function npmManifest(extension: NpmManifest, words: Readonly<Record<string, string>>): NpmManifest {
  const { name, version, description, keywords, license, type, engines, bin } = extension;
  const english = description.replace(/^%(.*)%$/, (key, word: string) => words[word] ?? key);
  return { name, version, description: english, keywords, license, type, engines: { node: engines.node }, bin };
}

export async function readNpmManifest(): Promise<NpmManifest> {
  const texts = ['package.json', 'package.nls.json'].map((path) => readFile(resolve(root, path), 'utf8'));
  const [extension = '', words = ''] = await Promise.all(texts);
  return npmManifest(JSON.parse(extension) as NpmManifest, JSON.parse(words) as Record<string, string>);
}

/** Paths that `.npmignore` lets in, as npm reads it; the bundles are among them only after a build. */
export async function npmFiles(): Promise<readonly string[]> {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'];
  const { printed } = await run('npm', words, { quiet: true });
  const packages = Object.values(
    JSON.parse(printed) as Record<string, { readonly files: readonly { path: string }[] }>,
  );
  return packages.flatMap(({ files }) => files.map(({ path }) => path));
}

/** What npm, Node or a bundler would not find or not understand in the package of a folder. */
export async function npmProblems(folder: string): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
  const missing = await Promise.all(
    Object.values((pkg as NpmManifest).bin).map((path) =>
      stat(resolve(folder, path)).then(
        () => [],
        () => [`bin ${path} does not exist.`],
      ),
    ),
  );
  return [
    ...messages.map((message) => stripVTControlCharacters(formatMessage(message, pkg) ?? message.code)),
    ...missing.flat(),
  ];
}

/** `quiet`: says nothing where all is well. */
export async function packCommandLine({ quiet = false } = {}): Promise<void> {
  await rm(staged, { recursive: true, force: true });
  for (const path of await npmFiles()) {
    await mkdir(dirname(resolve(staged, path)), { recursive: true });
    await cp(resolve(root, path), resolve(staged, path));
  }
  const manifest = await readNpmManifest();
  await writeFile(resolve(staged, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const problems = await npmProblems(staged);
  if (problems.length > 0) throw new Error(`The package of npm cannot be published:\n${problems.join('\n')}`);
  await run('npm', ['pack', staged, '--pack-destination', dirname(npmPackagePath), '--silent'], { quiet: true });
  await rename(resolve(dirname(npmPackagePath), `${manifest.name}-${manifest.version}.tgz`), npmPackagePath);
  if (!quiet) console.log(`${npmPackagePath}: ${((await stat(npmPackagePath)).size / 1000).toFixed(0)} kB`);
}
