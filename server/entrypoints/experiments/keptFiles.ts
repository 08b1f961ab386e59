/**
 * Where results lie beside a file, and whether Slurm is there: what the answering thread knows of experiments, so that it does not
 * load all that runs them.
 */
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FormName } from '../../model/experiment.ts';

/** Where the results of an experiment of a file are kept, or of a simulation: a folder beside it. */
export function resultFilesOf(uri: string, experiment: string, form?: FormName) {
  const path = fileURLToPath(uri);
  const name = `${experiment}${form === undefined ? '' : `.${form}`}`;
  const folder = join(dirname(path), `${basename(path)}.results`);
  const of = (ending: string): string => join(folder, `${name}.${ending}`);
  return { folder, journal: of('journal'), result: of('json'), parts: of('parts'), simulation: of('simulation') };
}

/** Whether Slurm's commands can be called here. */
export const hasSlurm = (): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, 'sbatch')));
