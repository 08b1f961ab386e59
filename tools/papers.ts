/**
 * `npm run papers [-- NAMES] [--short | --middle] [--keep] [--anew] [--slurm] [--logs FOLDER] [--out FOLDER] [--threads N]`: runs the figures and tables
 * of `samples/papers` through the command line, writes their results and pictures to a folder (`build/papers`), and prints the
 * numbers of the papers beside ours. NAMES are papers, `pascual`, parts of the names of files, `4-1`, `16`, `kth-sp2`, or how experiments
 * begin, `figure-9`, `table-3-lu`. What was interrupted goes on where it stopped, unless `--anew` says otherwise. `--keep` puts the numbers of what is complete into `measured.json` beside the
 * files, of which the pages of the papers are made.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { choicesOverTime } from '../server/drawing/figures/overTime.ts';
import { choicesOfScatter } from '../server/drawing/figures/scatter.ts';
import type { ExperimentJson } from '../server/experiments/results.ts';
import { claimsOf, figureFiles, figuresIn, isAskedFor, paperOf, stemOf } from './paperFigures.ts';
import { figuresOf, formName, keep, type Figures } from './paperMeasured.ts';
import { reportOf, type Form } from './paperReport.ts';
import {
  comparisonReport,
  keptLogged,
  loggedFigures,
  loggedReport,
  stencilMappers,
  type MapperComparison,
} from './paperTables/bunde.ts';
import { paperTables } from './paperTables/catalogue.ts';
import { isInShortForm } from './paperTables/runningTimes.ts';
import { root } from './run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    middle: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    anew: { type: 'boolean', default: false },
    slurm: { type: 'boolean', default: false },
    logs: { type: 'string' },
    out: { type: 'string', default: join(root, 'build', 'papers') },
    threads: { type: 'string' },
  },
});
const form: Form = values.short ? 'short' : values.middle ? 'middle' : undefined;
const formWords = form === undefined ? [] : [`--${form}`];
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

/** The copy of a file in the folder of results, with what lies beside it, and its log; undefined where the log is nowhere. */
function withItsFiles(file: string): string | undefined {
  const folder = join(values.out, paperOf(file));
  cpSync(dirname(file), folder, { recursive: true });
  const log = /^ *log +"([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (log !== undefined && !existsSync(join(folder, log))) {
    const found = values.logs === undefined ? undefined : join(resolve(values.logs), log);
    if (found === undefined || !existsSync(found)) {
      const where = [dirname(file), ...(values.logs === undefined ? [] : [resolve(values.logs)])];
      console.log(
        `${stemOf(file)}: left out, for ${log} is not in ${where.join(' or ')}. samples/papers/README.md says where to find it.\n`,
      );
      return undefined;
    }
    copyFileSync(found, join(folder, log));
  }
  return join(folder, `${stemOf(file)}.place`);
}

/** Where what comes of an experiment is written, without an ending. */
const baseOf = (file: string, name: string): string =>
  join(dirname(file), `${name}${form === undefined ? '' : `.${form}`}`);

/**
 * Notes with which build of the program an experiment was begun, and tells where that was another one: replications that were done before are
 * not done again, whatever has changed in the program since.
 */
function tellOfOlderBuild(base: string, name: string): void {
  const path = `${base}.build.txt`;
  const build = createHash('sha256').update(readFileSync(program)).digest('hex');
  const before = existsSync(path) && !values.anew ? readFileSync(path, 'utf8').trim() : undefined;
  if (before === undefined) writeFileSync(path, `${build}\n`);
  else if (before !== build)
    console.log(`${name}: begun with another build of the program, whose replications stay; --anew does them again.`);
}

/** Runs one experiment and prints what came of it; whether it could be run. */
function runExperiment(file: string, name: string): boolean {
  const base = baseOf(file, name);
  tellOfOlderBuild(base, name);
  const wantsJobs = name.endsWith('-sides');
  const table = `${base}.jobs.csv`;
  const printed = placewright([
    ...['experiment', file, name, '--json', '--csv', `${base}.csv`, '-o', `${base}.svg`, '--force'],
    ...(values.anew ? [] : ['--resume']),
    ...(wantsJobs ? ['--jobs', table] : []),
    ...formWords,
    ...(values.slurm ? ['--slurm'] : []),
    ...(values.threads === undefined ? [] : ['--threads', values.threads]),
  ]);
  const [result] = printed === undefined ? [] : (JSON.parse(printed) as { experiments: ExperimentJson[] }).experiments;
  if (result === undefined) return false;
  writeFileSync(`${base}.json`, `${JSON.stringify(result)}\n`);
  for (const metric of furtherFigures(result)) {
    const picture = `${base}.${metric.replaceAll(' ', '-')}.svg`;
    placewright(['draw', file, name, '--metric', metric, '-o', picture, '--force', ...formWords]);
  }
  const logged = wantsJobs ? loggedFigures(readFileSync(table, 'utf8')) : undefined;
  const sides = logged === undefined ? [] : loggedReport(name.replace(/-sides$/, ''), logged);
  const ofPaper = paperTables[paperOf(file)]?.kept;
  if (result.complete)
    keepFigures(paperOf(file), name, result.replicationsDone, {
      ...(ofPaper ?? figuresOf)(result),
      ...(logged && keptLogged(logged)),
    });
  const title = `${name}, ${result.replicationsDone} ${result.replicationsDone === 1 ? 'replication' : 'replications'}`;
  print([title, ...indented([...reportOf(result, claimsOf(paperOf(file)), form), ...sides])]);
  return true;
}

/** Puts numbers where the page of their paper finds them, if that is asked for. */
function keepFigures(paper: string, experiment: string, replications: number, figures: Figures): void {
  if (values.keep && Object.keys(figures).length > 0)
    keep(paper, [{ experiment, form: formName(form), replications, figures }]);
}

/** What is drawn of an experiment beside its first metric, which has been drawn when it was run. */
const furtherFigures = (result: ExperimentJson): readonly string[] => [
  ...Object.keys(result.rows[0]?.metrics ?? {}).slice(1),
  ...[...choicesOverTime(result), ...choicesOfScatter(result)].map(({ name }) => name),
];

/** Draws how the search of a placement went, or compares mappers on it; whether that could be done. */
function runPlacement(file: string, name: string): boolean {
  if (paperOf(file) === 'orduna') {
    const picture = join(dirname(file), `${name}.svg`);
    print([name, `  ${picture}`]);
    return placewright(['draw', file, name, '--figure', 'search', '-o', picture, '--force']) !== undefined;
  }
  const printed = placewright(['compare', file, name, '--mappers', stencilMappers.join(), '--json']);
  if (printed === undefined) return false;
  writeFileSync(`${join(dirname(file), name)}.json`, printed);
  print([name, ...indented(comparisonReport(JSON.parse(printed) as MapperComparison))]);
  return true;
}

/** Tables of a paper that are of several experiments, of all that is in the folder of results; their numbers are kept, too. */
function tablesOf(paper: string): string[] {
  const { printed, keptTogether } = paperTables[paper] ?? {};
  const results = figureFiles([paper]).flatMap((file) =>
    figuresIn(readFileSync(file, 'utf8')).flatMap(({ name, kind }) => {
      const path = `${baseOf(join(values.out, paper, stemOf(file)), name)}.json`;
      return kind === 'experiment' && existsSync(path)
        ? [JSON.parse(readFileSync(path, 'utf8')) as ExperimentJson]
        : [];
    }),
  );
  const together = results.every(({ complete }) => complete) ? (keptTogether?.(results) ?? {}) : {};
  const replications = Math.min(...results.map(({ replicationsDone }) => replicationsDone));
  for (const [name, figures] of Object.entries(together)) keepFigures(paper, name, replications, figures);
  return printed?.(results, claimsOf(paper), form) ?? [];
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
const print = (lines: readonly string[]): void => {
  console.log(`${lines.join('\n')}\n`);
};

const files = figureFiles(positionals);
const mistakes = [
  ...(values.keep && values.slurm
    ? [
        '--keep is for runs on this machine: --slurm is done when its job arrays are handed in. Run it again without --slurm when they have ended.',
      ]
    : []),
  ...(values.short && values.middle ? ['--short and --middle are two forms: name one of them.'] : []),
  ...positionals
    .filter((name) => figureFiles([name]).length === 0)
    .map((name) => `No figure is called ${name}: samples/papers/README.md lists them.`),
];
if (mistakes.length > 0) {
  console.error(mistakes.join('\n'));
  process.exit(1);
}
for (const file of files) {
  mkdirSync(join(values.out, paperOf(file)), { recursive: true });
  const copy = withItsFiles(file);
  if (copy === undefined) continue;
  for (const { kind, name, hasMiddle } of figuresIn(readFileSync(copy, 'utf8'))) {
    if (!isAskedFor(copy, name, positionals)) continue;
    if (form === 'short' && !isInShortForm(name)) continue;
    if (form === 'middle' && !hasMiddle) {
      console.log(`${name}: left out, for it has no middle form.\n`);
      continue;
    }
    const isDone = kind === 'experiment' ? runExperiment(copy, name) : runPlacement(copy, name);
    if (!isDone) process.exitCode = 1;
  }
}
for (const paper of new Set(files.map(paperOf))) {
  const lines = tablesOf(paper);
  if (lines.length === 0) continue;
  writeFileSync(join(values.out, paper, `tables${form === undefined ? '' : `.${form}`}.txt`), `${lines.join('\n')}\n`);
  print([paper, ...indented(lines)]);
}
console.log(`Results: ${values.out}`);
