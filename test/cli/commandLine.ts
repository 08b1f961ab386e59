import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildSome } from '../../tools/build.ts';
import { root } from '../../tools/run.ts';

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
  /** A directory of the test's own, removed behind it. */
  readonly scratch: () => string;
}

/** Builds the command line, and `more` bundles, into a directory of this test file and runs it as a process of its own. */
export function commandLine(more: readonly string[] = []): CommandLine {
  let directory = '';
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'placewright-cli-'));
    await buildSome(['cli.cjs', 'helper.js', ...more], join(directory, 'dist'));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    scratch: () => directory,
    run: (words, from = root, nodeOptions = [], input = '') => {
      const command = [...nodeOptions, join(directory, 'dist', 'cli.cjs'), ...words];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, {
        cwd: from,
        encoding: 'utf8',
        input,
        maxBuffer: 2 ** 28,
      });
      return { code: status, out: stdout, err: stderr };
    },
  };
}
