/**
 * `npm run papers [-- NAMES] [--short] [--logs FOLDER] [--out FOLDER] [--threads N]`: runs the figures of `samples/papers` through the command
 * line, writes their results and pictures to a folder (`build/papers`), and prints the numbers of the papers beside ours. NAMES are
 * parts of the names of files: `4-1`, `16`, `kth-sp2`. What was interrupted goes on where it stopped.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ExperimentJson } from '../server/experiments/results.ts';
import {
  comparisonReport,
  figureFiles,
  loggedFigures,
  loggedReport,
  reportOf,
  stemOf,
  stencilMappers,
  type MapperComparison,
} from './paperFigures.ts';
import { root } from './run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    logs: { type: 'string' },
    out: { type: 'string', default: join(root, 'build', 'papers') },
    threads: { type: 'string' },
  },
});
const program = join(root, 'dist', 'cli.cjs');

/** Standard output of the command line, whose other words are shown; undefined where it found errors. */
function placewright(words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return status === 0 ? stdout : undefined;
}

/** The file beside its log, in the folder of results; undefined where the log is nowhere. */
function withItsLog(file: string): string | undefined {
  const copy = join(values.out, `${stemOf(file)}.place`);
  const log = /^ *log +"([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (log !== undefined) {
    const folders = [dirname(file), ...(values.logs === undefined ? [] : [resolve(values.logs)])];
    const found = folders.map((folder) => join(folder, log)).find((path) => existsSync(path));
    if (found === undefined) {
      console.log(
        `${stemOf(file)}: left out, for ${log} is not in ${folders.join(' or ')}. samples/papers/README.md says where to find it.\n`,
      );
      return undefined;
    }
    copyFileSync(found, join(values.out, log));
  }
  copyFileSync(file, copy);
  return copy;
}

/** Runs one experiment and prints what came of it; whether it could be run. */
function runExperiment(file: string, name: string): boolean {
  const base = join(values.out, `${name}${values.short ? '.short' : ''}`);
  const wantsJobs = name.endsWith('-sides');
  const table = `${base}.jobs.csv`;
  const printed = placewright([
    ...['experiment', file, name, '--json', '--resume', '--csv', `${base}.csv`, '-o', `${base}.svg`, '--force'],
    ...(wantsJobs ? ['--jobs', table] : []),
    ...(values.short ? ['--short'] : []),
    ...(values.threads === undefined ? [] : ['--threads', values.threads]),
  ]);
  const [result] = printed === undefined ? [] : (JSON.parse(printed) as { experiments: ExperimentJson[] }).experiments;
  if (result === undefined) return false;
  writeFileSync(`${base}.json`, `${JSON.stringify(result)}\n`);
  // The first one has been drawn.
  for (const metric of Object.keys(result.rows[0]?.metrics ?? {}).slice(1)) {
    const picture = ['-o', `${base}.${metric}.svg`, '--force', ...(values.short ? ['--short'] : [])];
    placewright(['draw', file, name, '--metric', metric, ...picture]);
  }
  const sides = wantsJobs ? loggedReport(name.replace(/-sides$/, ''), loggedFigures(readFileSync(table, 'utf8'))) : [];
  const title = `${name}, ${result.replicationsDone} ${result.replicationsDone === 1 ? 'replication' : 'replications'}`;
  console.log(`${[title, ...[...reportOf(result), ...sides].map((line) => `  ${line}`)].join('\n')}\n`);
  return true;
}

/** Compares the mappers on one placement; whether that could be done. */
function runComparison(file: string, name: string): boolean {
  const printed = placewright(['compare', file, name, '--mappers', stencilMappers.join(), '--json']);
  if (printed === undefined) return false;
  writeFileSync(join(values.out, `${name}.json`), printed);
  const report = comparisonReport(JSON.parse(printed) as MapperComparison);
  console.log(`${[name, ...report.map((line) => `  ${line}`)].join('\n')}\n`);
  return true;
}

const files = figureFiles(positionals);
if (files.length === 0) throw new Error(`no figure is called ${positionals.join(', ')}: see samples/papers.`);
mkdirSync(values.out, { recursive: true });
for (const file of files) {
  const copy = withItsLog(file);
  if (copy === undefined) continue;
  for (const [, kind, name = ''] of readFileSync(copy, 'utf8').matchAll(/^(experiment|placement) (\S+)/gm)) {
    const isDone = kind === 'experiment' ? runExperiment(copy, name) : runComparison(copy, name);
    if (!isDone) process.exitCode = 1;
  }
}
console.log(`Results: ${values.out}`);
