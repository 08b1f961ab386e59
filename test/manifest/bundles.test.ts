/** What the build makes: with the licences that authors ask for, and without Node where a browser runs it. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBundles } from '../../tools/build.ts';
import { bundledPackages, noticesFile } from '../../tools/notices.ts';
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
  /** Modules that a bundle asks its surroundings for, itself or by a chunk of it. */
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
    ['webClient.cjs', ['vscode']],
    ['panel.js', []],
  ])('asks for nothing of Node: %s', (out, wanted) => {
    expect(askedFor(out)).toEqual(wanted);
  });

  it('is told from what runs on Node', () => {
    expect(askedFor('worker.js')).toContain('node:worker_threads');
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

  it('have what the author of data that was copied asks to be said', () => {
    expect(notices).toContain('originally created by Dr. A. V. Hershey');
  });

  it('have the words of the licence where a package comes without them', () => {
    const bare = bundledPackages(metafiles).find(({ name }) => name === '@microsoft/fast-element');
    const section = notices.split(/^-{80}$/m).find((part) => part.includes('@microsoft/fast-element'));
    expect(bare?.license).toBe('MIT');
    expect(section).toMatch(/Permission is hereby granted, free of charge/);
  });
});
