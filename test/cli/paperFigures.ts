import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { figureFiles, paperOf } from '../../tools/paperFigures.ts';
import { commandLine } from './commandLine.ts';

/** The command line, and figures of papers in its scratch directory. To be called by each file of tests. */
export function paperFigures() {
  const cli = commandLine();

  /** All of a paper in the scratch directory, since its files import each other. */
  function folderOf(file: string): string {
    const folder = join(cli.scratch(), paperOf(file));
    cpSync(dirname(file), folder, { recursive: true });
    return folder;
  }

  /** Runs a figure in the scratch directory; texts are changed as told, so that it takes seconds. */
  async function run(
    name: string,
    changes: readonly (readonly [string | RegExp, string])[],
    words: readonly string[],
  ): Promise<ExperimentJson> {
    const [file = ''] = figureFiles([name]);
    let text = readFileSync(file, 'utf8');
    for (const [before, after] of changes) {
      expect(text).toMatch(before);
      text = text.replaceAll(typeof before === 'string' ? before : new RegExp(before, 'g'), after);
    }
    const copy = join(folderOf(file), `short-${basename(file)}`);
    writeFileSync(copy, text);
    const { out, err, code } = await cli.run(['experiment', copy, ...words, '--json', '--short']);
    if (code !== 0) throw new Error(err);
    return (JSON.parse(out) as { experiments: ExperimentJson[] }).experiments[0]!;
  }

  return { cli, folderOf, run };
}
