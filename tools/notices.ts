/**
 * The licences of the packages that the bundles contain, as their authors ask for them:
 * `THIRD-PARTY-NOTICES.txt` beside the bundles, made anew at every build of all that esbuild put in.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './run.ts';

export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/** A package of which a bundle has a part. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its package.json says it: `MIT`, `Apache-2.0`. */
  readonly license: string;
  /** Who holds the rights, where package.json says it. */
  readonly author: string;
  readonly directory: string;
}

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

/** Packages that bundles took something of, by name and version, each once. */
export function bundledPackages(metafiles: readonly Metafile[]): BundledPackage[] {
  const directories = new Set<string>();
  for (const { inputs } of metafiles) {
    for (const input of Object.keys(inputs)) {
      // The innermost: packages may have packages of their own.
      const directory = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (directory !== undefined) directories.add(resolve(root, directory));
    }
  }
  const packages = new Map<string, BundledPackage>();
  for (const directory of directories) {
    const { name, version, license, author } = JSON.parse(
      readFileSync(join(directory, 'package.json'), 'utf8'),
    ) as PackageManifest;
    const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
    packages.set(`${name} ${version}`, { name, version, license: license ?? '', author: holder, directory });
  }
  return [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/**
 * Packages whose code stands inside a file of another package: its source map names them. Each once, with the package that they are in.
 */
export function packagesWithin(metafiles: readonly Metafile[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const input of new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs)))) {
    const outer = packageIn(input);
    const map = resolve(root, `${input}.map`);
    if (outer === undefined || !existsSync(map)) continue;
    const { sources = [] } = JSON.parse(readFileSync(map, 'utf8')) as { readonly sources?: readonly string[] };
    for (const source of sources) {
      const inner = packageIn(source);
      if (inner !== undefined && inner !== outer) found.set(inner, outer);
    }
  }
  return found;
}

const packageIn = (path: string): string | undefined => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

/** The texts that the package comes with; some leave theirs in their repository, and are all under the MIT licence. */
function textOf({ name, version, license, author, directory }: BundledPackage): string {
  const files = readdirSync(directory).filter((file) => /^(licen[cs]e|notices?|copying)(\.|$)/i.test(file));
  if (files.length > 0) return files.map((file) => readFileSync(join(directory, file), 'utf8').trim()).join('\n\n');
  if (license === 'MIT') return mitLicense(author);
  throw new Error(`${name} ${version} (${license}) is bundled and has no text of its licence to pass on.`);
}

/** A section per text, with the packages that it is for. Throws where a package has no licence that can be told. */
export function noticesOf(metafiles: readonly Metafile[]): string {
  const packagesOfText = new Map<string, string[]>();
  for (const bundled of bundledPackages(metafiles)) {
    const text = textOf(bundled).replaceAll('\r\n', '\n');
    const label = `${bundled.name} ${bundled.version} (${bundled.license})`;
    packagesOfText.set(text, [...(packagesOfText.get(text) ?? []), label]);
  }
  const sections = [...packagesOfText].map(([text, labels]) => `${labels.join('\n')}\n\n${text}\n`);
  for (const [inner, outer] of packagesWithin(metafiles)) {
    const holders = holdersWithin[inner];
    if (holders === undefined) throw new Error(`${outer} contains ${inner}, and nobody has said who holds its rights.`);
    sections.push(`${inner}, in ${outer} (MIT)\n\n${mitLicense(holders)}\n`);
  }
  for (const [file, notice] of Object.entries(copied)) {
    if (metafiles.some(({ inputs }) => file in inputs)) sections.push(notice);
  }
  const head = 'Placewright contains parts of the following packages. Their licences:\n';
  return [head, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Who holds the rights in packages within others, all under the MIT licence. They come without their texts. */
const holdersWithin: Readonly<Record<string, string>> = {
  'path-browserify': '2018 James Halliday\nCopyright Joyent, Inc. and other Node contributors',
};

/** Files with data or code of others that no source map names, by the path of the file, and what these ask to be said. */
const copied: Readonly<Record<string, string>> = {
  // WebAssembly, made of both.
  'node_modules/xz-decompress/dist/package/xz-decompress.js': `walloc, in xz-decompress (MIT)

${mitLicense('2020 Igalia, S.L.')}

XZ Embedded, in xz-decompress (in the public domain)

Authors: Lasse Collin and Igor Pavlov
`,
  'server/drawing/paper/arimo.ts': `The font Arimo (SIL Open Font License 1.1)

${readFileSync(resolve(root, 'server/drawing/paper/OFL.txt'), 'utf8')}`,
};

function mitLicense(holder: string): string {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.`;
}
