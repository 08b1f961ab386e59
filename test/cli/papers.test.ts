/** The figures of `samples/papers`: they open, their claims are told, and some of them come out in seconds. All numbers are in papers.slow.test.ts. */
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { claimLines } from '../../tools/paperClaims.ts';
import { claimsOf, figureFiles, isAskedFor, stemOf } from '../../tools/paperFigures.ts';
import { reportOf } from '../../tools/paperReport.ts';
import { pascualTables } from '../../tools/paperTables/pascual.ts';
import { paperFigures } from './paperFigures.ts';

const { cli, folderOf, run } = paperFigures();

const logOf = (text: string): string | undefined => /^ *log +"([^"]+)"/m.exec(text)?.[1];

describe('the figures of papers', () => {
  it('have claims on experiments that run what they speak of', () => {
    const texts = figureFiles(['bunde'])
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    for (const { experiments, holds = [] } of claimsOf('bunde').claims ?? []) {
      for (const name of experiments) {
        const mapped = new RegExp(`^experiment ${name} \\{[^}]*\\bmap +([^\\n]*)`, 'm').exec(texts)?.[1]?.split(', ');
        for (const order of holds)
          expect(mapped, name).toEqual(expect.arrayContaining(order.replace(/^\w+: /, '').split(' < ')));
      }
    }
  });

  it('are found by parts of their names', () => {
    expect(figureFiles(['4-1']).map(stemOf)).toEqual(['figure-4-1-and-4-9']);
    expect(figureFiles(['4-16', 'kth']).map(stemOf)).toEqual(['figure-4-8-and-4-16', 'figures-14-16-17-18-kth-sp2']);
    expect(figureFiles(['12', '1']).map(stemOf)).toEqual([
      'figure-12-hops',
      ...[1, 2, 4, 8, 16].map((cores) => `figures-11-12-13-by-${cores}`),
      'figure-12',
      'table-1',
    ]);
    expect(figureFiles(['5-1'])).toEqual([]);
    expect(figureFiles(['figure-9', 'table-3-lu']).map(stemOf)).toEqual(['table-3', 'figures-9-10-11']);
    const [figure9 = ''] = figureFiles(['figure-9']);
    expect(isAskedFor(figure9, 'figure-9-linear', ['figure-9'])).toBe(true);
    expect(isAskedFor(figure9, 'figure-9-linear', ['figure-9-mixed'])).toBe(false);
    expect(figureFiles(['pascual']).map(stemOf)).toEqual([
      'equation-7',
      'figure-2',
      'ft-checks',
      'table-2',
      'table-3',
      'table-4',
      'table-5',
      'table-6',
    ]);
    expect(figureFiles().length).toBeGreaterThanOrEqual(14);
  });

  it.each(figureFiles().map((file) => [stemOf(file), file] as const))('%s opens without errors', async (_, file) => {
    // Logs that may not be passed on are not here; a file of no job stands for them.
    const log = logOf(readFileSync(file, 'utf8'));
    const folder = folderOf(file);
    const copy = join(folder, basename(file));
    if (log !== undefined) copyFileSync(join(dirname(file), 'evalys-easy_mediumWL_smallPF.swf.gz'), join(folder, log));
    const { code, err } = await cli.run(['check', copy]);
    expect(err.split('\n').filter((line) => /: (?:error|warning): /.test(line))).toEqual([]);
    expect(code).toBe(0);
  });
});

describe('Pascual et al. 2010', () => {
  const claims = claimsOf('pascual');

  it('table 1 is of the winners of tables 4 to 6', () => {
    const row = (mapper: string, mean: number) => ({
      point: { 'background.rate': 0.016 },
      scheduler: null,
      allocator: null,
      mapper,
      replications: 50,
      metrics: { makespan: { mean, halfWidth: 1, unit: 'cycles', deviation: 1, values: [] } },
    });
    const quote = (at: number, paper: number, ours: number, differs = false) => ({
      row: at,
      metric: 'makespan',
      paper,
      ours,
      halfWidth: 1,
      residual: 0,
      ...(differs && { differs: true as const }),
    });
    const comparison = (of: string, p: number, pHolm: number) => ({
      test: 'kruskal-wallis' as const,
      metric: 'makespan',
      of,
      to: 'random',
      point: { 'background.rate': 0.016 },
      scheduler: null,
      allocator: null,
      mapper: null,
      ratio: 1,
      halfWidth: 0,
      p,
      pHolm,
      differs: pHolm < 0.05,
    });
    const experiment: ExperimentJson = {
      ...{ name: 'table-4-ft', complete: true, replicationsDone: 50 },
      rows: [row('consecutive', 16), row('random', 15), row('grasp(criterion distance)', 17)],
      quoted: [quote(0, 16, 16), quote(1, 16, 15), quote(2, 17, 17, true)],
      comparisons: [comparison('consecutive', 0.03, 0.06), comparison('grasp(criterion distance)', 0.001, 0.002)],
    };
    expect(pascualTables([experiment], claims, undefined)).toEqual([
      'table 1: the best mean and what does not differ from it',
      '                                paper    ours           with Holm  best as in the paper',
      'ft quadrant 0.016  consecutive random  random  consecutive random                   yes',
      "of 63, 1 were run: the best is one of the paper's in 1, the same are best in 0, with Holm's correction in 1",
    ]);
    expect(pascualTables([{ ...experiment, name: 'table-3-ft' }], claims, undefined)).toEqual([]);
  });

  it('claims that do not hold are told with our numbers, and misprints with why', async () => {
    const experiment = await run(
      'table-2',
      [[/short +replications.*/, 'short replications 2, iterations 1']],
      ['table-2-lu'],
    );
    const lines = reportOf(experiment, {
      claims: [
        {
          experiments: ['table-2-*'],
          says: 'so it is',
          holds: [
            'makespan: random < consecutive',
            'makespan: 0.5 * random < consecutive',
            'makespan: nobody < random',
          ],
        },
      ],
      notes: [{ experiment: 'table-2-lu', says: 'not so.' }],
    });
    expect(lines.filter((line) => line.startsWith('NO'))).toEqual([
      expect.stringMatching(
        /^NO {3}so it is \(random < consecutive: [\d.e+]+ and [\d.e+]+; nobody < random: NaN and [\d.e+]+\)$/,
      ),
    ]);
    expect(lines.at(-1)).toBe('misprint: not so.');
  });
});

describe('claims', () => {
  it('`random` is the mapper where all rows have an allocator of that name', () => {
    const row = (mapper: string, makespan: number): unknown => ({
      ...{ point: {}, scheduler: null, allocator: 'random', mapper },
      metrics: { makespan: { mean: makespan } },
    });
    const made = { name: 'made', rows: [row('consecutive', 1), row('random', 2)], quoted: [] };
    const lines = claimLines(made as unknown as ExperimentJson, {
      claims: [{ experiments: ['made'], says: 'so it is', holds: ['makespan: 1.9 * consecutive < random'] }],
    });
    expect(lines).toEqual([{ says: 'so it is', holds: true, failing: [] }]);
  });
});
