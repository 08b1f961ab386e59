import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ExperimentJson, RowJson } from '../../server/experiments/results.ts';
import { papersFolder } from '../../tools/paperFigures.ts';
import { commandLine } from './commandLine.ts';

/** The command line, and experiments of Soryani et al. 2013 in its scratch directory. To be called by each file of tests. */
export function soryaniExperiments() {
  const cli = commandLine();
  /** `short` stands for what the file says of its short runs. */
  const run = async (
    file: string,
    name: string,
    words: readonly string[] = ['--short'],
    short?: string,
  ): Promise<ExperimentJson> => {
    const copy = join(cli.scratch(), `${file}.place`);
    const text = readFileSync(join(papersFolder, 'soryani', `${file}.place`), 'utf8');
    writeFileSync(copy, short === undefined ? text : text.replace(/^ *short +replications.*/gm, `  short ${short}`));
    const { code, out, err } = await cli.run(['experiment', copy, name, '--json', ...words]);
    if (code !== 0) throw new Error(err);
    return (JSON.parse(out) as { experiments: ExperimentJson[] }).experiments[0]!;
  };
  return { cli, run };
}

export const meanOf = (row: RowJson | undefined, metric: string): number => row?.metrics[metric]?.mean ?? Number.NaN;

/** A metric by mapper. */
export const byMapper = ({ rows }: ExperimentJson, metric: string) =>
  Object.fromEntries(rows.map((row) => [row.mapper ?? '', meanOf(row, metric)])) as Record<
    'blocked' | 'cyclic' | 'drb' | 'contention-free',
    number
  >;

/** Of messages from one task to all, or from all to one. */
export function expectCyclicWorst(result: ExperimentJson): void {
  const waits = byMapper(result, 'totalWaiting');
  expect(Math.abs(waits['contention-free'] / waits.blocked - 1)).toBeLessThan(0.05);
  expect(Math.abs(waits.drb / waits.blocked - 1)).toBeLessThan(0.1);
  expect(waits.cyclic).toBeGreaterThan(4 * waits.blocked);
}

/** The mean at some values of what is varied. */
export const at = ({ rows }: ExperimentJson, metric: string, values: Readonly<Record<string, number>>): number =>
  meanOf(
    rows.find(({ point }) => Object.entries(values).every(([path, value]) => point[path] === value)),
    metric,
  );
