import { describe, expect, it } from 'vitest';
import { gridDescription } from '../network/testing/machines.ts';
import { placementToJson } from './json.ts';
import { outlineOf } from './outline.ts';
import { outlinedHotLinks } from './report.ts';
import { choiceOf, placementOf, programOf, run, tableJob } from './testing/programs.ts';

const line = gridDescription('mesh', [3], { name: 'line', figures: { bandwidth: 4 } });
const pair = tableJob('pair', 2, [
  [0, 1, 8],
  [1, 0, 2],
]);
const program = programOf([line], [pair], [placementOf({ name: 'p', machine: 'line', jobs: ['pair'], seed: 7 })]);

describe('a placement as JSON', () => {
  it('has the keys and units of the language', () => {
    const report = run(program, { settings: { hotLinkFactor: 1.5 } }).placements[0]!;
    expect(placementToJson(report)).toEqual({
      name: 'p',
      machine: 'line',
      seed: 7,
      jobs: [{ name: 'pair', tasks: 2, nodes: [0, 1, 2], mapping: [0, 1] }],
      metrics: {
        averageHops: 1,
        hopVariance: 0,
        maximumHops: 1,
        hopBytes: 10,
        weightedHops: 1,
        mappingCoefficient: 10,
        maximumLinkLoad: 8,
        meanLinkLoad: 2.5,
        interNodeBytes: 10,
        congestionTime: 2,
        hotLinks: [{ from: 0, to: 1, load: 8 }],
        linkLoads: expect.arrayContaining([
          { from: 0, to: 1, load: 8 },
          { from: 1, to: 0, load: 2 },
          { from: 1, to: 2, load: 0 },
          { from: 2, to: 1, load: 0 },
        ]) as unknown,
      },
      milliseconds: { allocate: 1, map: 1, evaluate: 1 },
    });
  });

  it('says nothing of a time where no bandwidth is given', () => {
    const report = run({ ...program, machines: new Map([['line', { ...line, figures: {} }]]) }).placements[0]!;
    expect(JSON.parse(JSON.stringify(placementToJson(report)))).not.toHaveProperty('metrics.congestionTime');
  });
});

describe('the outline of a report', () => {
  it('is plain data with the heaviest hot links and their flows by name', () => {
    const rows = Array.from({ length: 40 }, (_, task) => [task, (task + 1) % 40, task < 8 ? 100 + task : 1] as const);
    const ring = programOf(
      [gridDescription('torus', [40], { name: 'ring' })],
      [tableJob('job', 40, rows)],
      [placementOf({ name: 'p', machine: 'ring', map: choiceOf('auto') })],
    );
    const report = run(ring);
    const summary = outlineOf(report);
    expect(structuredClone(summary)).toEqual(summary);
    const [placement] = summary.placements;
    expect(placement).toMatchObject({
      name: 'p',
      machine: 'ring',
      jobs: [{ name: 'job', tasks: 40, nodes: 40 }],
      hotLinkCount: 8,
    });
    expect(placement!.hotLinks).toHaveLength(outlinedHotLinks);
    expect(placement!.hotLinks[0]).toMatchObject({
      from: 7,
      to: 8,
      load: 107,
      flows: [{ job: 'job', from: 7, to: 8, bytes: 107 }],
    });
    expect(placement!.notes[0]).toMatch(/^auto chose baseline/);
  });
});
