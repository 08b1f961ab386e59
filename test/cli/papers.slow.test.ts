/**
 * The figures of `samples/papers` through the command line, with few jobs and replications: the orders that the papers tell of come out, the
 * ratios are as near as expected, and each number is what it was (`golden/papers.txt`, written anew by `vitest -u`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { claimLines } from '../../tools/paperClaims.ts';
import { claimsOf, figureFiles } from '../../tools/paperFigures.ts';
import { cellLines, quotedLines, reportOf } from '../../tools/paperReport.ts';
import {
  comparisonReport,
  loggedFigures,
  loggedReport,
  stencilMappers,
  type MapperComparison,
} from '../../tools/paperTables/bunde.ts';
import { isInShortForm, runningTimes } from '../../tools/paperTables/runningTimes.ts';
import { networkFigures, ordunaTables } from '../../tools/paperTables/orduna.ts';
import { paperFigures } from './paperFigures.ts';

const { cli, run } = paperFigures();
const golden = join(import.meta.dirname, 'golden');

const report: string[] = [];

/** Replications, and jobs of each; all-to-all takes long, and of so few jobs only the orders mean something. */
const shortRuns = [
  { name: '4-1', replications: 3, jobs: 1000 },
  { name: '4-2', replications: 6, jobs: 1000 },
  { name: '4-3', replications: 2, jobs: 50 },
  { name: '4-4', replications: 2, jobs: 80 },
  { name: '4-5', replications: 20, jobs: 1000 },
  { name: '4-6', replications: 20, jobs: 1000 },
  { name: '4-7', replications: 2, jobs: 1000 },
  { name: '4-8', replications: 3, jobs: 1000 },
];

describe('Alsardia 2017', () => {
  const claims = claimsOf('alsardia');
  const done = new Map<string, ExperimentJson>();
  it.each(shortRuns)('figure $name, $replications replications of $jobs jobs', async ({ name, replications, jobs }) => {
    const experiment = await run(
      name,
      [
        ['replications 60', `replications ${replications}`],
        ['jobs     1000 completed', `jobs     ${jobs} completed`],
      ],
      [`figure-${name}`],
    );
    done.set(name, experiment);
    expect(experiment.replicationsDone).toBe(replications);
    expect(claimLines(experiment, claims).filter(({ holds }) => !holds)).toEqual([]);
    expect(claimLines(experiment, claims).length).toBeGreaterThan(0);
    const lines = quotedLines(experiment, claims);
    expect(lines.length).toBeGreaterThan(0);
    for (const { what, residual, halfWidth, expected } of jobs === 1000 ? lines : []) {
      if (typeof expected === 'number') expect(Math.abs(residual ?? 9) - (halfWidth ?? 0), what).toBeLessThan(expected);
    }
    report.push(`figure-${name}`, ...reportOf(experiment, claims).map((line) => `  ${line}`), '');
  });

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
  const claims = claimsOf('bunde');
  it('figure 16 on a small log: incremental is best, rcb second; the paper tells nothing of this log and the snake', async () => {
    const experiment = await run('evalys', [], ['evalys-mappers']);
    expect(experiment.rows).toHaveLength(20);
    expect(claimLines(experiment, claims).find(({ says }) => says.startsWith('mc1x1'))?.holds).toBe(true);
    report.push('evalys-mappers', ...reportOf(experiment, claims).map((line) => `  ${line}`), '');
  });

  it('figures 14 and 18 on a small log', async () => {
    const table = join(cli.scratch(), 'jobs.csv');
    await run('evalys', [], ['evalys-sides', '--jobs', table]);
    const figures = loggedFigures(readFileSync(table, 'utf8'));
    expect(figures).toMatchObject({ jobs: 800, serial: 213, measured: 587 });
    expect(figures.sides.map(({ side }) => side)).toEqual([2, 4]);
    report.push('evalys-sides', ...loggedReport('evalys', figures).map((line) => `  ${line}`), '');
  });

  it('figures 12 and 13 with one seed: rcb is best, and the more so the larger the job; column-major is worse than row-major', async () => {
    const done = [await run('by-4', [], ['cores-512-by-4']), await run('by-4', [], ['cores-4k-by-4'])];
    expect(done.map(({ name }) => isInShortForm(name))).toEqual([true, true]);
    expect(isInShortForm('cores-512-by-2')).toBe(false);
    const lines = runningTimes(done);
    expect(lines.join('\n')).toMatch(
      /rcb is best at 2 of 2 sizes[\s\S]*column-major is worse than row-major at 2 of 2/,
    );
    const gains = lines.flatMap((line) => /cores, 4 a rank +– +([\d.]+)/.exec(line)?.[1] ?? []).map(Number);
    expect(gains).toHaveLength(2);
    expect(gains[1]).toBeGreaterThan(gains[0] ?? 99);
    // Without the experiment that says how long computing takes nothing is known.
    expect(runningTimes(done.slice(0, 1))).toEqual([]);
    report.push('figures-11-12-13', ...lines.map((line) => `  ${line}`.trimEnd()), '');
  });

  it.each(['cores-512', 'cores-4k'])('figure 12 in hops: %s', async (size) => {
    const [file = ''] = figureFiles(['12']);
    const { out } = await cli.run(['compare', file, size, '--mappers', stencilMappers.join(), '--json']);
    const lines = comparisonReport(JSON.parse(out) as MapperComparison);
    expect(lines.filter((line) => line.startsWith('NO'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('yes'))).toHaveLength(3);
    report.push(size, ...lines.map((line) => `  ${line}`), '');
  });
});

describe('Pascual et al. 2010', () => {
  const claims = claimsOf('pascual');

  it.each(['bt', 'cg', 'ft', 'is', 'lu', 'mg', 'sp'])(
    'table 2 for %s, one iteration of three mappings',
    async (name) => {
      const experiment = await run(
        'table-2',
        [[/short +replications.*/, 'short replications 3, iterations 1']],
        [`table-2-${name}`],
      );
      expect(experiment.rows.map(({ deterministic = false }) => deterministic)).toEqual([true, false, false, false]);
      const cells = cellLines(experiment, claims, 'short');
      expect(cells.map(({ mean }) => mean.ours)).toEqual([
        1,
        ...Array.from({ length: 3 }, () => expect.any(Number) as number),
      ]);
      expect(cells.map(({ differs }) => differs.ours === undefined)).toEqual([true, false, false, false]);
      // All-to-all messages: with so few of them nothing tells the mappers apart.
      if (name !== 'ft' && name !== 'is')
        expect(claimLines(experiment, claims).find(({ says }) => says === 'random has the worst mean')?.holds).toBe(
          true,
        );
      report.push(`table-2-${name}`, ...reportOf(experiment, claims, 'short').map((line) => `  ${line}`), '');
    },
  );
});

describe('Orduña et al. 2004', () => {
  it('figures 8 and 11 on fewer messages: the search has more traffic than any random mapping, and locality helps', async () => {
    const experiment = await run(
      'figures-8-11-cg',
      [
        ['packets 100000', 'packets 8000'],
        ['class A, iterations 4', 'class W, iterations 1'],
        ['over-time  10000', 'over-time  1000'],
      ],
      ['cg-traffic'],
    );
    const networks = networkFigures(experiment);
    expect(networks.map(({ network }) => network)).toEqual(['3', '7']);
    for (const { r, worstR, rl, rl1, no } of networks) {
      expect(no.traffic / r.traffic).toBeGreaterThan(1.2);
      expect(rl.traffic / r.traffic).toBeGreaterThan(1.2);
      expect(no.traffic / rl1.traffic).toBeGreaterThan(1.6);
      expect(worstR.traffic).toBeLessThanOrEqual(r.traffic);
    }
    expect(ordunaTables([experiment])).toHaveLength(10);
  });

  it('figures 9 and 12 on fewer messages: the latency of random mappings is the highest', async () => {
    const experiment = await run(
      'figures-9-to-13-sp',
      [
        ['packets 150000', 'packets 12000'],
        ['over-time  5000', 'over-time  1000'],
      ],
      ['sp-bursts'],
    );
    const networks = networkFigures(experiment);
    expect(networks).toHaveLength(2);
    for (const { r, no } of networks) expect(r.peakLatency / no.peakLatency).toBeGreaterThan(1.2);
  });
});

it('every number is what it was', async () => {
  await expect(report.join('\n')).toMatchFileSnapshot(join(golden, 'papers.txt'));
});
