import { describe, expect, it } from 'vitest';
import { gridDescription } from '../network/testing/machines.ts';
import { outlineOf } from './outline.ts';
import { outlinedHotLinks } from './report.ts';
import { choiceOf, placementOf, programOf, run, tableJob } from './testing/programs.ts';

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
    expect(placement!.jobs[0]!.search!.chosen!.name).toBe('baseline');
  });
});
