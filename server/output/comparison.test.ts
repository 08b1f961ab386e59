import { describe, expect, it } from 'vitest';
import { overRuns } from '../study/compare.ts';
import { comparedCluster, comparedHeat, compareByCounts, namedMappers } from '../study/testing/comparisons.ts';
import { comparisonCsv } from './comparisonCsv.ts';
import { comparisonToJson } from './json.ts';

const { program } = comparedHeat;

describe('a comparison of mappers as JSON', () => {
  const names = ['random', 'baseline', 'rcb', 'row-major'];
  const comparison = compareByCounts(program, namedMappers(...names));

  it('has the keys of the language', () => {
    const json = comparisonToJson(comparison, { machine: 'm', seed: 1 });
    expect(json).toMatchObject({ placement: 'p', machine: 'm', seed: 1 });
    expect(json.mappers.map(({ mapper }) => mapper)).toEqual(comparison.placed.map(({ mapper }) => mapper));
    expect(Object.keys(json.mappers[0]!)).toEqual([
      'mapper',
      'ratio',
      'metrics',
      'heaviestLink',
      'jobs',
      'notes',
      'milliseconds',
    ]);
    const failure = { code: 'no-grid', message: 'Needs a grid.' };
    const partly = {
      ...comparison,
      refused: [{ mapper: 'a', failure }],
      stopped: [{ mapper: 'b', milliseconds: 5 }],
      left: 3,
    };
    const rest = comparisonToJson(partly, { machine: 'm', seed: 1 });
    expect(rest.mappers.slice(names.length)).toEqual([
      { mapper: 'a', refused: failure },
      { mapper: 'b', stopped: { milliseconds: 5 } },
    ]);
    expect(rest.left).toBe(3);
  });

  it('has all values of several seeds', () => {
    const seeds = [3, 1, 8];
    const found = compareByCounts(program, namedMappers('random', 'baseline', 'grasp'), { seeds });
    const of = (mapper: string) => found.placed.find((trial) => trial.mapper === mapper)!;
    const json = comparisonToJson(found, { machine: 'm', seed: 3 });
    expect(json).toMatchObject({ seed: 3, seeds });
    const row = (name: string) => json.mappers.find(({ mapper }) => mapper === name);
    expect(row('baseline')).toMatchObject({ seeds: [3], seed: 3, deterministic: true });
    expect(row('random')).not.toHaveProperty('deterministic');
    expect(row('random')).toMatchObject({
      seeds,
      seed: of('random').shown.seed,
      figures: { hopBytes: overRuns(of('random'), 'hopBytes'), milliseconds: { values: [3, 3, 3] } },
    });
  });
});

describe('a comparison of mappers as CSV', () => {
  it('leaves a wait without end empty, and says how busy the busiest server is', () => {
    const mappers = namedMappers('blocked', 'contention-free');
    const sorted = compareByCounts(comparedCluster(), mappers, { sort: 'waiting', seeds: [1, 2] });
    const [head = '', best = '', worst = ''] = comparisonCsv(sorted)
      .split('\r\n')
      .map((line) => line.split(','));
    const [waiting, busiest] = ['waiting', 'highestUtilisation'].map((key) => head.indexOf(key));
    expect([Number(best[waiting!]), Number(best[busiest!])]).toEqual([
      expect.closeTo(80.6e-6, 6),
      expect.closeTo(0.3146, 4),
    ]);
    expect([worst[waiting!], Number(worst[busiest!])]).toEqual(['', expect.closeTo(1.0066, 4)]);
  });
});
