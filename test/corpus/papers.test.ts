/** Figures of Bunde et al. 2014 on the logs that may not be passed on, through the command line. */
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { claimLines } from '../../tools/paperClaims.ts';
import { claimsOf, figureFiles } from '../../tools/paperFigures.ts';
import { loggedFigures, measuredJobs } from '../../tools/paperTables/bunde.ts';
import { binary } from '../cli/binary.ts';
import { sharedFolder } from './shared.ts';

const cli = binary();

/** The figure beside its log. */
function withItsLog(name: string): string {
  const [file = ''] = figureFiles([name]);
  const log = /^ *log +"([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  copyFileSync(join(sharedFolder(), 'data', 'swf', log), join(cli.scratch(), log));
  const copy = join(cli.scratch(), basename(file));
  copyFileSync(file, copy);
  return copy;
}

function run(words: readonly string[]): ExperimentJson {
  const { out, err, code } = cli.run(['experiment', ...words, '--json', '--force']);
  if (code !== 0) throw new Error(err);
  return (JSON.parse(out) as { experiments: ExperimentJson[] }).experiments[0]!;
}

describe('figures 16 and 17', () => {
  it.each(['kth-sp2', 'lublin'])('%s: incremental is best and rcb second, with both allocators', (name) => {
    const { rows, ...rest } = run([withItsLog(name), `${name}-mappers`, '--short']);
    expect(rows).toHaveLength(20);
    expect(claimLines({ rows, ...rest }, claimsOf('bunde')).map(({ holds }) => holds)).toEqual([true, true]);
    for (const allocator of ['mc1x1', 'curve']) {
      const [search, bisection] = ['incremental', 'rcb'].map(
        (mapper) =>
          rows.find((row) => row.allocator === allocator && row.mapper === mapper)?.metrics['averageHops']?.mean ?? 0,
      );
      expect(bisection! / search!).toBeGreaterThan(1.01);
      expect(bisection! / search!).toBeLessThan(1.08);
    }
  });
});

describe('figures 14 and 18', () => {
  it.each([
    { name: 'kth-sp2', file: 'kth-sp2', serial: 0.329, within: 20 },
    { name: 'sdsc-par', file: 'sdsc-par-1996', serial: undefined, within: 0 },
  ])('$name: as many jobs as the paper measured', ({ name, file, serial, within }) => {
    const table = join(cli.scratch(), `${name}.csv`);
    run([withItsLog(file), `${name}-sides`, '--jobs', table]);
    const { jobs, measured, serial: single, sides } = loggedFigures(readFileSync(table, 'utf8'));
    expect(Math.abs(measured - measuredJobs[name]!.jobs)).toBeLessThanOrEqual(within);
    expect(measured / jobs).toBeCloseTo(measuredJobs[name]!.share, 2);
    if (serial !== undefined) expect(single / jobs).toBeCloseTo(serial, 3);
    // At nearly every side the snake has more hops than mc1x1, on KTH at all but 2; at 7 they are equal.
    const between = sides.filter(({ side }) => side >= 3 && side <= 9);
    expect(between.length).toBeGreaterThan(3);
    for (const { hops } of name === 'kth-sp2' ? between : [])
      expect(hops.get('curve')).toBeGreaterThan((hops.get('mc1x1') ?? Infinity) - 0.005);
  });
});
