import { readFileSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';

export interface Import {
  readonly source: string;
  readonly target: string;
}

export interface ImportMap {
  /** Every file of the repository, with its lines. */
  readonly files: ReadonlyMap<string, number>;
  /** Imports of one file by another, types included. */
  readonly imports: readonly Import[];
  /** Imports of packages and of Node's own modules. */
  readonly packages: readonly Import[];
  /** Files that import each other in a circle. */
  readonly cycles: readonly string[];
}

const folders = ['server', 'client', 'webview', 'tools', 'e2e', 'test', 'bench'];

/** Reads the imports of all TypeScript in the repository. */
export async function readImports(): Promise<ImportMap> {
  const result = await cruise(folders, {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^e2e/(node_modules|out)/'] },
    ruleSet: { forbidden: [{ name: 'cycle', severity: 'error', from: {}, to: { circular: true } }] },
    validate: true,
  });
  if (typeof result.output === 'string') throw new Error('expected the modules, not a text');
  const { modules, summary } = result.output;
  const sources = modules
    .map(({ source }) => source)
    .filter((path) => new RegExp(`^(${folders.join('|')})/`).test(path));
  const files = new Map(sources.map((path) => [path, readFileSync(path, 'utf8').split('\n').length - 1]));
  const all = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved, module, coreModule }) => ({
      source,
      target: files.has(resolved) ? resolved : coreModule ? `node:${module.replace(/^node:/, '')}` : module,
    })),
  );
  return {
    files,
    imports: all.filter(({ target }) => files.has(target)),
    packages: all.filter(({ source, target }) => files.has(source) && !files.has(target)),
    cycles: summary.violations.map(({ from, to }) => `${from} → ${to}`),
  };
}
