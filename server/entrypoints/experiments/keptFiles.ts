/**
 * Where results lie beside a file, and whether Slurm is there: what the answering thread knows of experiments, so that it does not
 * load all that runs them.
 */
import { existsSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FormName } from '../../model/experiment.ts';
import { fail, type Failure } from '../../model/result.ts';

/** Where the results of an experiment of a file are kept, or of a simulation: a folder beside it. */
export function resultFilesOf(uri: string, experiment: string, form?: FormName) {
  const path = fileURLToPath(uri);
  const name = `${experiment}${form === undefined ? '' : `.${form}`}`;
  const folder = join(dirname(path), `${basename(path)}.results`);
  const of = (ending: string): string => join(folder, `${name}.${ending}`);
  return { folder, journal: of('journal'), result: of('json'), parts: of('parts'), simulation: of('simulation') };
}

/** How a file begins that may hold results of ours, bytes: enough to tell, whatever its size. */
const beginning = 4096;

/**
 * Why Placewright may not write a file that nobody named, in a folder beside a program: it never writes through a link, and replaces
 * nothing that it did not write. Undefined where it may. `isOurs` is told how the present file begins. Fails with `not-ours`.
 */
export function refusalOfKeptFile(path: string, isOurs: (beginning: string) => boolean): Failure | undefined {
  const refuse = (what: string): Failure =>
    fail('not-ours', `${what}: not overwritten. Move it, and run again.`).failure;
  const folder = dirname(path);
  const place = statOf(folder);
  if (place?.isSymbolicLink() === true) return refuse(`${folder} is a symbolic link; results need a regular file`);
  // Where the folder is a file, nothing can be written, which is another failure.
  if (place?.isDirectory() === false) return undefined;
  const found = statOf(path);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return refuse(`${path} is a symbolic link; results need a regular file`);
  if (!found.isFile()) return refuse(`Results need a regular file: ${path}`);
  if (found.size === 0 || isOurs(readFileSync(path).toString('utf8', 0, beginning))) return undefined;
  return refuse(`Placewright did not write ${path}`);
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Whether a text begins as the results of an experiment do. */
export const isKeptResult = (beginning: string): boolean => /^\{"fingerprint":"[^"]*","result":\{/.test(beginning);

/** Whether Slurm's commands can be called here. */
export const hasSlurm = (): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, 'sbatch')));
