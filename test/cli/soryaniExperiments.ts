import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentJson, RowJson } from '../../server/experiments/results.ts';
import { papersFolder } from '../../tools/paperFigures.ts';
import { commandLine } from './commandLine.ts';

/** The command line, and experiments of Soryani et al. 2013 in its scratch directory. To be called by each file of tests. */
export function soryaniExperiments() {
  const cli = commandLine();
  const run = async (file: string, name: string, words: readonly string[] = ['--short']): Promise<ExperimentJson> => {
    const copy = join(cli.scratch(), `${file}.place`);
    copyFileSync(join(papersFolder, 'soryani', `${file}.place`), copy);
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

/** The mean at some values of what is varied. */
export const at = ({ rows }: ExperimentJson, metric: string, values: Readonly<Record<string, number>>): number =>
  meanOf(
    rows.find(({ point }) => Object.entries(values).every(([path, value]) => point[path] === value)),
    metric,
  );
