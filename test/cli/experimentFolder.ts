/** What tests of `placewright experiment` share: a folder for each, the sample, pieces of text, and readers of what is written. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { root } from '../../tools/run.ts';
import type { Binary } from './binary.ts';
import { commandLine, type Outcome } from './commandLine.ts';

export const sample = readFileSync(join(root, 'samples/jobs-over-time.place'), 'utf8');

/** The command line, and folders of their own for it, so that the results beside the files are of one test. To be called by each file of tests. */
export function experimentFolders() {
  const cli = commandLine();
  const folder = (files: Readonly<Record<string, string | Uint8Array>> = { 'a.place': sample }): string => {
    const directory = mkdtempSync(join(cli.scratch(), 'experiment-'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
    return directory;
  };
  return { cli, folder };
}

export const experimentsOf = (out: string): ExperimentJson[] =>
  (JSON.parse(out) as { experiments: ExperimentJson[] }).experiments;
export const journalLines = (directory: string, name = 'allocators'): string[] =>
  readFileSync(join(directory, `a.place.results/${name}.journal`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1);

/** Ends the process in which a journal gets its fifth line, as nothing that it does could. */
const killing = `const fs = require('node:fs');
const write = fs.writeSync;
let lines = 0;
fs.writeSync = (file, text, ...more) => {
  const written = write(file, text, ...more);
  if (/"seed":/.test(text) && ++lines === 5) process.kill(process.pid, 'SIGKILL');
  return written;
};
`;

/** Runs a command that is killed meanwhile: no code. */
export function killed({ run }: Binary, words: readonly string[], directory: string): Outcome {
  writeFileSync(join(directory, 'killing.cjs'), killing);
  return run(words, directory, ['--require', './killing.cjs']);
}

export const machine = 'machine mesh { topology mesh 6 x 6 }\n';
export const stream =
  'stream s { arrivals exponential(mean 40) width uniform(1, 4) height uniform(1, 4) service constant(50) jobs 50 completed }\n';
export const network =
  'stream s { arrivals exponential(mean 400) width uniform(1, 4) height uniform(1, 4) traffic random jobs 50 completed }\n';
export const experiment = (properties: string): string => `experiment e { stream s machine mesh ${properties} }\n`;
