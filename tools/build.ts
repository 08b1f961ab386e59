/**
 * Bundles what runs into `dist/`: everything for Node as CommonJS (an ESM bundle of
 * vscode-languageserver does not start, and the package is "type": "module", hence `.cjs`),
 * the panel as ESM for the browser. `--watch` keeps building.
 */
import { globSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, context, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { noticesFile, noticesOf } from './notices.ts';
import { root } from './run.ts';

interface Bundle {
  readonly entry: string;
  readonly out: string;
  readonly options: BuildOptions;
}

const common: BuildOptions = {
  bundle: true,
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
};

const forNode: BuildOptions = { ...common, platform: 'node', format: 'cjs', target: 'node20' };
// The oldest editor we support, VS Code 1.91, has Chromium 124.
const forPanel: BuildOptions = { ...common, platform: 'browser', format: 'esm', target: 'chrome124' };

/** The shell starts the bundle by its name: `npx placewright`. */
const executable: Plugin = {
  name: 'executable',
  setup: (bundling) => {
    const { outfile } = bundling.initialOptions;
    bundling.onEnd(async ({ errors }) => {
      if (errors.length === 0 && outfile !== undefined) await chmod(outfile, 0o755);
    });
  },
};

/** Everything in `dist/` but the licences of what they contain. */
export const bundles: readonly Bundle[] = [
  { entry: 'client/extension.ts', out: 'client.cjs', options: { ...forNode, external: ['vscode'] } },
  { entry: 'server/entrypoints/lsp.ts', out: 'server.cjs', options: forNode },
  { entry: 'server/entrypoints/worker.ts', out: 'worker.cjs', options: forNode },
  { entry: 'server/entrypoints/helper.ts', out: 'helper.cjs', options: forNode },
  { entry: 'server/entrypoints/cli.ts', out: 'cli.cjs', options: { ...forNode, plugins: [executable] } },
  { entry: 'webview/panel.ts', out: 'panel.js', options: forPanel },
  { entry: 'webview/experiment.ts', out: 'experiment.js', options: forPanel },
  { entry: 'webview/simulation.ts', out: 'simulation.js', options: forPanel },
  { entry: 'webview/panel.css', out: 'panel.css', options: forPanel },
];

function optionsOf(bundle: Bundle, directory: string): BuildOptions {
  return { ...bundle.options, entryPoints: [resolve(root, bundle.entry)], outfile: resolve(directory, bundle.out) };
}

/** Builds every bundle into `directory`, with the licences; throws with esbuild's message where one does not build. */
export async function buildBundles(directory = resolve(root, 'dist')): Promise<readonly Metafile[]> {
  await rm(directory, { recursive: true, force: true });
  const metafiles = await Promise.all(
    bundles.map(async (bundle) => (await build({ ...optionsOf(bundle, directory), metafile: true })).metafile),
  );
  await writeFile(resolve(directory, noticesFile), noticesOf(metafiles));
  return metafiles;
}

/** The bundles of one name or more, for tests that start one of them: `server.cjs`, `worker.cjs`. */
export async function buildSome(names: readonly string[], directory: string): Promise<void> {
  const chosen = bundles.filter((bundle) => names.includes(bundle.out));
  await Promise.all(chosen.map((bundle) => build(optionsOf(bundle, directory))));
}

/** The mocha suites that run inside the editor's extension host, into `build/host/`. */
export async function buildHostSuites(): Promise<void> {
  const outdir = resolve(root, 'build/host');
  await rm(outdir, { recursive: true, force: true });
  const entryPoints = globSync('test/host/*.suite.ts', { cwd: root }).map((file) => resolve(root, file));
  const outExtension = { '.js': '.cjs' };
  await build({ ...forNode, entryPoints, outdir, outExtension, external: ['vscode'], minify: false });
}

async function watchBundles(): Promise<void> {
  for (const bundle of bundles) {
    const watched = await context({ ...optionsOf(bundle, resolve(root, 'dist')), logLevel: 'info' });
    await watched.watch();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await (process.argv.includes('--watch') ? watchBundles() : buildBundles());
}
