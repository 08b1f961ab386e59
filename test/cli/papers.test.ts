/**
 * The figures of `samples/papers` through the command line, with few jobs and replications: the orders that the papers tell of come out, the
 * ratios are as near as expected, and each number is what it was (`golden/papers.txt`, written anew by `vitest -u`).
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import {
  comparisonReport,
  figureFiles,
  loggedFigures,
  loggedReport,
  orderLines,
  quotedLines,
  reportOf,
  stencilMappers,
  stemOf,
  type MapperComparison,
} from '../../tools/paperFigures.ts';
import { commandLine } from './commandLine.ts';

const cli = commandLine();
const golden = join(import.meta.dirname, 'golden');

const logOf = (text: string): string | undefined => /^ *log +"([^"]+)"/m.exec(text)?.[1];

describe('the figures of papers', () => {
  it('are found by parts of their names', () => {
    expect(figureFiles(['4-1']).map(stemOf)).toEqual(['figure-4-1-and-4-9']);
    expect(figureFiles(['4-16', 'kth']).map(stemOf)).toEqual(['figure-4-8-and-4-16', 'figures-14-16-17-18-kth-sp2']);
    expect(figureFiles(['12', '1']).map(stemOf)).toEqual(['figure-12-hops', 'figure-12', 'table-1']);
    expect(figureFiles(['5-1'])).toEqual([]);
    expect(figureFiles().length).toBeGreaterThanOrEqual(14);
  });

  it.each(figureFiles().map((file) => [stemOf(file), file] as const))('%s opens without errors', (_, file) => {
    // Logs that may not be passed on are not here; a file of no job stands for them.
    const log = logOf(readFileSync(file, 'utf8'));
    const copy = join(cli.scratch(), basename(file));
    copyFileSync(file, copy);
    if (log !== undefined) {
      copyFileSync(join(dirname(file), 'evalys-easy_mediumWL_smallPF.swf.gz'), join(cli.scratch(), log));
    }
    const { code, err } = cli.run(['check', copy]);
    expect(err.split('\n').filter((line) => /: (?:error|warning): /.test(line))).toEqual([]);
    expect(code).toBe(0);
  });
});

/** Runs a figure in the scratch directory; texts are changed as told, so that it takes seconds. */
function run(name: string, changes: readonly (readonly [string, string])[], words: readonly string[]): ExperimentJson {
  const [file = ''] = figureFiles([name]);
  let text = readFileSync(file, 'utf8');
  for (const [before, after] of changes) {
    expect(text).toContain(before);
    text = text.replaceAll(before, after);
  }
  const copy = join(cli.scratch(), `short-${basename(file)}`);
  writeFileSync(copy, text);
  const log = logOf(text);
  if (log !== undefined) copyFileSync(join(dirname(file), log), join(cli.scratch(), log));
  const { out, err, code } = cli.run(['experiment', copy, ...words, '--json', '--short']);
  if (code !== 0) throw new Error(err);
  return (JSON.parse(out) as { experiments: ExperimentJson[] }).experiments[0]!;
}

const report: string[] = [];

/** Replications, and jobs of each; all-to-all takes long, and of 200 jobs only the orders mean something. */
const shortRuns = [
  { name: '4-1', replications: 5, jobs: 1000 },
  { name: '4-2', replications: 10, jobs: 1000 },
  { name: '4-3', replications: 2, jobs: 100 },
  { name: '4-4', replications: 2, jobs: 300 },
  { name: '4-5', replications: 20, jobs: 1000 },
  { name: '4-6', replications: 20, jobs: 1000 },
  { name: '4-7', replications: 3, jobs: 1000 },
  { name: '4-8', replications: 5, jobs: 1000 },
];

/** Milliseconds: all-to-all takes a minute on a machine that is busy with much else. */
const longest = 600_000;

describe('Alsardia 2017', () => {
  const done = new Map<string, ExperimentJson>();
  it.each(shortRuns)(
    'figure $name, $replications replications of $jobs jobs',
    ({ name, replications, jobs }) => {
      const experiment = run(
        name,
        [
          ['replications 60', `replications ${replications}`],
          ['jobs     1000 completed', `jobs     ${jobs} completed`],
        ],
        [`figure-${name}`],
      );
      done.set(name, experiment);
      expect(experiment.replicationsDone).toBe(replications);
      expect(orderLines(experiment).filter(({ holds }) => !holds)).toEqual([]);
      expect(orderLines(experiment).length).toBeGreaterThan(0);
      const lines = quotedLines(experiment);
      expect(lines.length).toBeGreaterThan(0);
      for (const { what, residual, halfWidth, expected } of jobs === 1000 ? lines : []) {
        if (expected !== 'open') expect(Math.abs(residual ?? 9) - (halfWidth ?? 0), what).toBeLessThan(expected);
      }
      report.push(`figure-${name}`, ...reportOf(experiment).map((line) => `  ${line}`), '');
    },
    longest,
  );

  it.each([
    ['4-1', '4-2'],
    ['4-5', '4-6'],
  ])(
    'smaller jobs take less time: figures %s and %s, of which the second has the higher load',
    (uniform, decreasing) => {
      const turnaroundsOf = (name: string) =>
        done.get(name)?.rows.map(({ metrics }) => metrics['turnaround']?.mean ?? 0);
      const [larger, smaller] = [turnaroundsOf(uniform), turnaroundsOf(decreasing)];
      expect(larger).toHaveLength(5);
      for (const [row, turnaround] of (smaller ?? []).entries()) expect(turnaround).toBeLessThan(larger?.[row] ?? 0);
    },
  );
});

describe('Bunde et al. 2014', () => {
  it('figure 16 on a small log: incremental is best, rcb second; the paper tells nothing of this log and the snake', () => {
    const experiment = run('evalys', [], ['evalys-mappers']);
    expect(experiment.rows).toHaveLength(20);
    expect(orderLines(experiment).find(({ says }) => says.startsWith('mc1x1'))?.holds).toBe(true);
    report.push('evalys-mappers', ...reportOf(experiment).map((line) => `  ${line}`), '');
  });

  it('figures 14 and 18 on a small log', () => {
    const table = join(cli.scratch(), 'jobs.csv');
    run('evalys', [], ['evalys-sides', '--jobs', table]);
    const figures = loggedFigures(readFileSync(table, 'utf8'));
    expect(figures).toMatchObject({ jobs: 800, serial: 213, measured: 587 });
    expect(figures.sides.map(({ side }) => side)).toEqual([2, 4]);
    report.push('evalys-sides', ...loggedReport('evalys', figures).map((line) => `  ${line}`), '');
  });

  it.each(['cores-512', 'cores-4k'])('figure 12 in hops: %s', (size) => {
    const [file = ''] = figureFiles(['12']);
    const { out } = cli.run(['compare', file, size, '--mappers', stencilMappers.join(), '--json']);
    const lines = comparisonReport(JSON.parse(out) as MapperComparison);
    expect(lines.filter((line) => line.startsWith('NO'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('yes'))).toHaveLength(3);
    report.push(size, ...lines.map((line) => `  ${line}`), '');
  });
});

it('every number is what it was', async () => {
  await expect(report.join('\n')).toMatchFileSnapshot(join(golden, 'papers.txt'));
});
