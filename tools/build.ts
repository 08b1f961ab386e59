/**
 * Bundles what runs into `dist/`. What the language server's threads run are ESM modules that share their chunks, so
 * that the engine is packed once and each thread loads what it needs; so are the pages of the panels. The
 * client and the command line are one CommonJS file each, as the editor and a shell start them (the package is
 * "type": "module", hence `.cjs`). `--watch` keeps building.
 */
import { globSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, context, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { noticesFile, noticesOf } from './notices.ts';
import { root } from './run.ts';

/** A file of `dist/` that something starts by its name. */
interface Bundle {
  readonly entry: string;
  readonly out: string;
  readonly group: Group;
}

/** Bundles that are made together. */
interface Group {
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

const forNode: BuildOptions = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  outExtension: { '.js': '.cjs' },
};

/** Modules of CommonJS in a bundle of ESM ask for modules of Node by `require`, which is not there: they are imported. */
const builtinModules: Plugin = {
  name: 'builtin-modules',
  setup: (bundling) => {
    const namespace = 'builtin-module';
    bundling.onResolve({ filter: /^[a-z]/ }, ({ kind, path }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace } : undefined,
    );
    bundling.onLoad({ filter: /./, namespace }, ({ path }) => ({
      // xz-decompress asks for the streams of old Node only where there are none, and is run in browsers as well.
      contents:
        path === 'stream/web'
          ? 'export default {};'
          : `export * from ${JSON.stringify(path)}; export { default } from ${JSON.stringify(path)};`,
    }));
  },
};

/** The shell starts `cli.cjs` by its name: `npx placewright`. */
const executable: Plugin = {
  name: 'executable',
  setup: (bundling) => {
    const { outdir } = bundling.initialOptions;
    bundling.onEnd(async ({ errors }) => {
      if (errors.length === 0 && outdir !== undefined) await chmod(resolve(outdir, 'cli.cjs'), 0o755);
    });
  },
};

/** For editors on a computer and in a browser. The latter takes it for ESM, which it does not load, unless its name ends in `.cjs`. */
const client: Group = {
  options: { ...forNode, target: ['node20', 'chrome122'], external: ['vscode'], conditions: ['browser'] },
};
const shellProgram: Group = { options: { ...forNode, plugins: [executable] } };
const threads: Group = {
  options: {
    ...common,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    splitting: true,
    chunkNames: 'shared-[hash]',
    plugins: [builtinModules],
    // Modules of CommonJS know their own file by this name, which ESM has not: one makes names of temporary files of it.
    define: { __filename: '"placewright"' },
    // What runs in a browser shares its chunks with what runs on Node; `vscode-languageserver/browser` is there for `browser` alone.
    conditions: ['browser', 'module'],
    // Its build for Node alone asks for modules of Node.
    alias: { yaml: resolve(root, 'node_modules/yaml/browser/index.js') },
  },
};
/** In a folder of its own with its chunks: the package of the extension has no command line. */
const commandLine: Group = { options: { ...threads.options, chunkNames: 'commands/shared-[hash]' } };
const pages: Group = {
  // The oldest editor we support, VS Code 1.91, is made of Electron 29, which has Chromium 122.
  options: {
    ...common,
    platform: 'browser',
    format: 'esm',
    target: 'chrome122',
    splitting: true,
    chunkNames: 'page-[hash]',
  },
};

/** What is started in `dist/`; beside it lie the chunks that these share, and the licences of what they contain. */
export const bundles: readonly Bundle[] = [
  { entry: 'client/activate.ts', out: 'client.cjs', group: client },
  { entry: 'server/entrypoints/lsp.ts', out: 'server.js', group: threads },
  { entry: 'server/entrypoints/worker.ts', out: 'worker.js', group: threads },
  { entry: 'server/entrypoints/helper.ts', out: 'helper.js', group: threads },
  { entry: 'server/entrypoints/webServer.ts', out: 'webServer.js', group: threads },
  { entry: 'server/entrypoints/webWorker.ts', out: 'webWorker.js', group: threads },
  { entry: 'server/entrypoints/cli.ts', out: 'cli.cjs', group: shellProgram },
  { entry: 'server/entrypoints/commandLine.ts', out: 'commands/commandLine.js', group: commandLine },
  { entry: 'webview/panel.ts', out: 'panel.js', group: pages },
  { entry: 'webview/experiment.ts', out: 'experiment.js', group: pages },
  { entry: 'webview/simulation.ts', out: 'simulation.js', group: pages },
  { entry: 'webview/tryMappers.ts', out: 'tryMappers.js', group: pages },
  { entry: 'webview/cableLosses.ts', out: 'cableLosses.js', group: pages },
  { entry: 'webview/compare.ts', out: 'compare.js', group: pages },
  { entry: 'webview/traffic.ts', out: 'traffic.js', group: pages },
  { entry: 'webview/pages.css', out: 'pages.css', group: pages },
];

/** How the bundles are made into `directory`, group by group. */
function optionsOf(chosen: readonly Bundle[], outdir: string): readonly BuildOptions[] {
  const groups = [...new Set(chosen.map(({ group }) => group))];
  return groups.map((group) => {
    const members = chosen.filter((bundle) => bundle.group === group);
    const entryPoints = members.map(({ entry, out }) => ({
      in: resolve(root, entry),
      out: out.slice(0, out.lastIndexOf('.')),
    }));
    return { ...group.options, entryPoints, outdir };
  });
}

/** Builds every bundle into `directory`, with the licences; throws with esbuild's message where one does not build. */
export async function buildBundles(directory = resolve(root, 'dist')): Promise<readonly Metafile[]> {
  await rm(directory, { recursive: true, force: true });
  const metafiles = await Promise.all(
    optionsOf(bundles, directory).map(async (options) => (await build({ ...options, metafile: true })).metafile),
  );
  await Promise.all([
    writeFile(resolve(directory, noticesFile), noticesOf(metafiles)),
    copyReference(resolve(directory, 'reference')),
  ]);
  return metafiles;
}

/** The pages that the extension opens. It does not have pages of other folders, so that links to them are their words alone, nor the pictures. */
async function copyReference(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const pages = globSync('docs/reference/*.md', { cwd: root });
  await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(resolve(root, page), 'utf8');
      const words = text
        .replace(/^<picture>[\s\S]*?<\/picture>\n+/gm, '')
        .replace(/(?<!!)\[([^\]]*)\]\(\.\.\/[^)]*\)/g, '$1');
      await writeFile(resolve(directory, basename(page)), words);
    }),
  );
}

/** The bundles of one name or more, for tests that start one of them: `server.js`, `worker.js`. */
export async function buildSome(names: readonly string[], directory: string): Promise<void> {
  const chosen = bundles.filter(({ out }) => names.includes(out));
  await mkdir(directory, { recursive: true });
  // Outside of the package nothing else says that they are modules.
  if (relative(root, directory).startsWith('..'))
    await writeFile(resolve(directory, 'package.json'), '{ "type": "module" }\n');
  await Promise.all(optionsOf(chosen, directory).map((options) => build(options)));
}

/** The mocha suites that run inside the editor's extension host, into `build/host/`. */
export async function buildHostSuites(): Promise<void> {
  const outdir = resolve(root, 'build/host');
  await rm(outdir, { recursive: true, force: true });
  const entryPoints = globSync('test/host/*.suite.ts', { cwd: root }).map((file) => resolve(root, file));
  await build({ ...forNode, entryPoints, outdir, external: ['vscode'], minify: false });
}

async function watchBundles(): Promise<void> {
  for (const options of optionsOf(bundles, resolve(root, 'dist'))) {
    const watched = await context({ ...options, logLevel: 'info' });
    await watched.watch();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await (process.argv.includes('--watch') ? watchBundles() : buildBundles());
}
