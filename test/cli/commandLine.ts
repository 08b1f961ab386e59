import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { root } from '../../tools/run.ts';
import { builtBundles } from '../builtOnce.ts';

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CommandLine {
  /** Runs the bundle as users do, in the repository's top directory and without standard input unless told otherwise. */
  readonly run: (
    words: readonly string[],
    directory?: string,
    nodeOptions?: readonly string[],
    input?: string,
  ) => Outcome;
  /** The file that `run` starts, for tests that start it themselves. */
  readonly bundle: () => string;
  /** A directory of the test's own, removed behind it. */
  readonly scratch: () => string;
}

/** The command line for the tests of a file, each time a process of its own. */
export function commandLine(): CommandLine {
  let directory = '';
  let bundle = '';
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'placewright-cli-'));
    bundle = join(await builtBundles(), 'cli.cjs');
  });
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    scratch: () => directory,
    bundle: () => bundle,
    run: (words, from = root, nodeOptions = [], input = '') => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeOptions, bundle, ...words], {
        cwd: from,
        encoding: 'utf8',
        input,
        maxBuffer: 2 ** 28,
      });
      return { code: status, out: stdout, err: stderr };
    },
  };
}
