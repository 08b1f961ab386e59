/**
 * The bundles that tests start, built once for all files of tests, by the first that asks. What Node compiles of them is kept beside
 * them: a process that is started later need not compile it again.
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { bundles, buildSome } from '../tools/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run of tests. */
    readonly shared: string;
  }
}

/** Where Node keeps what it compiles for the processes that tests start. */
export const compiledFolder = (): string => join(inject('shared'), 'compiled');

/** Before the first file; what it answers with is done after the last. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'placewright-built-'));
  provide('shared', folder);
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}

let building: Promise<string> | undefined;

/** The folder of all bundles, which is shared: nothing may be changed in it. */
export function builtBundles(): Promise<string> {
  building ??= build(join(inject('shared'), 'dist'));
  return building;
}

/** Processes of tests that ask at the same time build each for itself; all take what was ready first. */
async function build(wanted: string): Promise<string> {
  if (existsSync(wanted)) return wanted;
  const ours = mkdtempSync(`${wanted}-`);
  await buildSome(
    bundles.map(({ out }) => out),
    ours,
  );
  try {
    renameSync(ours, wanted);
  } catch (error) {
    if (!existsSync(wanted)) throw error;
  }
  return wanted;
}
