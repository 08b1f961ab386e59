/** What the build makes: with the licences that authors ask for, and without Node where a browser runs it. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBundles } from '../../tools/build.ts';
import { bundledPackages, noticesFile, packagesWithin } from '../../tools/notices.ts';
import { root } from '../../tools/run.ts';

let directory = '';
let notices = '';
let metafiles: Awaited<ReturnType<typeof buildBundles>> = [];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'placewright-notices-'));
  metafiles = await buildBundles(directory);
  notices = readFileSync(join(directory, noticesFile), 'utf8');
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('what runs in a browser', () => {
  /** Modules that a bundle asks its environment for, itself or by a chunk of it. */
  const askedFor = (out: string): readonly string[] => {
    const outputs = new Map(
      metafiles.flatMap((metafile) => Object.entries(metafile.outputs).map(([path, found]) => [basename(path), found])),
    );
    const reached = new Set([out]);
    const asked = new Set<string>();
    for (const file of reached) {
      for (const { path, external } of outputs.get(file)!.imports) {
        if (external === true) asked.add(path);
        else reached.add(basename(path));
      }
    }
    return [...asked];
  };

  it.each([
    ['webServer.js', []],
    ['webWorker.js', []],
    ['panel.js', []],
  ])('asks for nothing of Node: %s', (out, wanted) => {
    expect(askedFor(out)).toEqual(wanted);
  });

  it('asks for the editor alone in the client, which Node runs as well', async () => {
    const asked: string[] = [];
    const anything: unknown = new Proxy(function () {}, {
      get: (target, key) =>
        key === 'prototype' ? (target.prototype as unknown) : key === 'then' ? undefined : anything,
      apply: () => anything,
      construct: () => anything as object,
    });
    const module = { exports: {} as { activate: (context: unknown) => Promise<unknown> } };
    const require = (name: string): unknown => {
      asked.push(name);
      return anything;
    };
    const text = readFileSync(join(directory, 'client.cjs'), 'utf8');
    runInNewContext(text, { module, exports: module.exports, require, importScripts: () => undefined, console });
    // The editor that is here does nothing; what matters is what is loaded.
    await module.exports.activate(anything).catch(() => undefined);
    expect([...new Set(asked)]).toEqual(['vscode']);
  });

  it('is told from what runs on Node', () => {
    expect(askedFor('worker.js')).toContain('node:worker_threads');
  });
});

describe('what the oldest editor and the oldest Node run', () => {
  /** By the version that `engines.vscode` names: what the Electron has that it is made of. */
  const electrons: Readonly<Record<string, { readonly chromium: string; readonly node: string }>> = {
    // Electron 29.4.
    '^1.91.0': { chromium: 'chrome122', node: 'node20.9' },
  };
  const { engines } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
    readonly engines: { readonly vscode: string; readonly node: string };
  };
  const electron = electrons[engines.vscode];
  /**
   * Of ECMAScript 2024 and later, where Node 20 lacks them. `Object.groupBy`, which the library of the grammar asks for, is put into place by
   * `server/entrypoints/olderNode.ts`.
   */
  const newer =
    /\bPromise\.(?:withResolvers|try)\b|\bMap\.groupBy\b|\bArray\.fromAsync\b|\bIterator\.from\b|\bRegExp\.escape\b|\bMath\.(?:f16round|sumPrecise)\b|\bAtomics\.(?:waitAsync|pause)\b|\bFloat16Array\b|\bSuppressedError\b|\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|transferToFixedLength|toBase64|setFromBase64|toHex)\(/g;

  it('is known', () => {
    expect(engines.node).toBe('>=20');
    expect(electron).toBeDefined();
  });

  it('is what the bundles are written in, without a newer word of the language or of its library', async () => {
    const files = globSync('*.{js,cjs}', { cwd: directory });
    expect(files.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    for (const file of files) {
      const code = readFileSync(join(directory, file), 'utf8');
      const target = [electron!.node, electron!.chromium];
      const settings = { legalComments: 'none', sourcemap: false } as const;
      const [asItIs, lowered] = await Promise.all([
        transform(code, { ...settings, target: 'esnext' }),
        transform(code, { ...settings, target }),
      ]);
      // What had to be written in older words is another text.
      if (asItIs.code !== lowered.code) wrong.push(`${file}: its syntax`);
      wrong.push(...[...code.matchAll(newer)].map(([word]) => `${file}: ${word}`));
    }
    expect(wrong).toEqual([]);
  });
});

describe('the notices beside the bundles', () => {
  it('name every package of which the bundler took something', () => {
    const folders = new Set(
      metafiles
        .flatMap(({ inputs }) => Object.keys(inputs))
        .flatMap((input) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
    );
    expect(folders.size).toBeGreaterThan(30);
    for (const folder of folders) {
      const { name, version, license } = JSON.parse(readFileSync(resolve(root, folder, 'package.json'), 'utf8')) as {
        [key in 'name' | 'version' | 'license']: string;
      };
      expect(notices).toContain(`\n${name} ${version} (${license})\n`);
      for (const file of globSync('{LICENSE,LICENCE,license}*', { cwd: resolve(root, folder) })) {
        const text = readFileSync(resolve(root, folder, file), 'utf8').replaceAll('\r\n', '\n');
        expect(notices, folder).toContain(text.trim());
      }
    }
  });

  it('name packages whose code is inside that of others', () => {
    expect(packagesWithin(metafiles)).toEqual(new Map([['path-browserify', 'vscode-uri']]));
    const inside = ['path-browserify, in vscode-uri', 'walloc, in xz-decompress', 'XZ Embedded, in xz-decompress'];
    for (const label of inside) expect(notices).toContain(`\n${label} (`);
    for (const holder of ['2018 James Halliday', '2020 Igalia, S.L.'])
      expect(notices).toContain(`Copyright (c) ${holder}\n`);
  });

  it('have what the author of data that was copied asks to be said', () => {
    expect(notices).toContain('The font Arimo (SIL Open Font License 1.1)');
  });

  it('have the words of the licence where a package comes without them', () => {
    const bare = bundledPackages(metafiles).find(({ name }) => name === '@microsoft/fast-element');
    const section = notices.split(/^-{80}$/m).find((part) => part.includes('@microsoft/fast-element'));
    expect(bare?.license).toBe('MIT');
    expect(section).toMatch(/Permission is hereby granted, free of charge/);
  });
});
