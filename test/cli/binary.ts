import { spawn, type ChildProcessWithoutNullStreams, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { root } from '../../tools/run.ts';
import { builtBundles } from '../builtOnce.ts';
import { type Outcome, scratchDirectory } from './commandLine.ts';

export interface Binary {
  /** Runs the bundle as users do, in the repository's top directory and without standard input unless told otherwise. */
  readonly run: (
    words: readonly string[],
    directory?: string,
    nodeOptions?: readonly string[],
    input?: string,
  ) => Outcome;
  /** Starts it, for tests that do something meanwhile. */
  readonly start: (
    words: readonly string[],
    directory: string,
    nodeOptions?: readonly string[],
  ) => ChildProcessWithoutNullStreams;
  /** Runs a line of bash in which `placewright` is the bundle. */
  readonly bash: (directory: string, line: string) => Outcome;
  readonly bundle: () => string;
  /** A directory of the test's own, removed behind it. */
  readonly scratch: () => string;
}

/** The built command line for the tests of a file, each time a process of its own. */
export function binary(): Binary {
  let bundle = '';
  beforeAll(async () => {
    bundle = join(await builtBundles(), 'cli.cjs');
  });
  const run = (program: string, words: readonly string[], cwd: string, input: string): Outcome => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', input, maxBuffer: 2 ** 28 });
    return { code: status, out: stdout, err: stderr };
  };
  return {
    bundle: () => bundle,
    scratch: scratchDirectory(),
    run: (words, directory = root, nodeOptions = [], input = '') =>
      run(process.execPath, [...nodeOptions, bundle, ...words], directory, input),
    start: (words, cwd, nodeOptions = []) => spawn(process.execPath, [...nodeOptions, bundle, ...words], { cwd }),
    bash: (directory, line) =>
      run('bash', ['-c', `placewright() { '${process.execPath}' '${bundle}' "$@"; }; ${line}`], directory, ''),
  };
}
