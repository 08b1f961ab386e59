import { describe, expect, it } from 'vitest';
import { torusReport, withTraffic } from '../testing/fixtures.ts';
import { figureToCsv } from './figure.ts';
import { renderFigure } from './renderFigure.ts';
import { drawTraffic, trafficUnits, type TrafficChoice } from './traffic.ts';

const chosen: TrafficChoice = { by: 'task', order: 'job', scale: 'linear' };

/** Eight tasks on four nodes of two cores. */
const report = withTraffic(torusReport([2, 2], { cores: 2 }), [[0, 1, 100], [0, 2, 10], [2, 0, 30], [6, 7, 5]]); // prettier-ignore

const rowsOf = (choice: Partial<TrafficChoice>) => drawTraffic(report, { ...chosen, ...choice }).table.rows;

describe('the heat map of traffic', () => {
  it('adds up by task, by node, by switch and by job', () => {
    expect(rowsOf({})).toEqual([['0', '1', 100, 1], ['0', '2', 10, 1], ['2', '0', 30, 1], ['6', '7', 5, 1]]); // prettier-ignore
    const byNode = [['0', '0', 100, 1], ['0', '1', 10, 1], ['1', '0', 30, 1], ['3', '3', 5, 1]]; // prettier-ignore
    expect(rowsOf({ by: 'node' })).toEqual(byNode);
    expect(rowsOf({ by: 'switch' })).toEqual(byNode);
    expect(rowsOf({ by: 'job' })).toEqual([['job-0', 'job-0', 145, 4]]);
  });

  it('orders tasks by their nodes', () => {
    const [first, ...others] = report.jobs;
    const turned = { ...report, jobs: [{ ...first!, mapping: first!.mapping.toReversed() }, ...others] };
    const { table } = drawTraffic(turned, { ...chosen, order: 'node' });
    expect(table.rows[0]).toEqual(['6', '7', 5, 1]);
    expect(table.rows.map(([from]) => from)).toEqual(['6', '2', '0', '0']);
  });

  it('adds large ones up into cells, loses no byte, and says how many are in one', () => {
    const large = torusReport([20, 20]);
    const entries = Array.from({ length: 400 }, (_, task): [number, number, number] => [task, (task + 1) % 400, 1]);
    for (const by of trafficUnits) {
      const figure = drawTraffic(withTraffic(large, entries), { ...chosen, by });
      expect(figure.table.rows.reduce((sum, [, , bytes]) => sum + Number(bytes), 0)).toBe(400);
      expect(figure.table.rows.length).toBeLessThanOrEqual(64 * 64);
      if (by === 'task') expect(figure.description).toContain('Each row and column of the map is 7 of them.');
    }
  });

  it.each(['linear', 'logarithmic'] as const)('has the least and the most at the ends of its %s scale', (scale) => {
    const figure = drawTraffic(report, { ...chosen, scale });
    const fills = figure.shapes.flatMap((shape) =>
      shape.kind === 'boxes' && shape.fill.startsWith('load') ? [shape] : [],
    );
    // The last ten are the legend.
    const cells = fills.slice(0, -10);
    expect(cells.at(-1)).toMatchObject({ fill: 'load 9' });
    expect(cells[0]).toMatchObject({ fill: 'load 0' });
    const texts = figure.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
    expect(texts).toContain(scale === 'linear' ? '0 B' : '5 B');
    expect(texts).toContain('100 B');
  });

  it('is described, written as SVG and as numbers, and empty where nobody talks', () => {
    const figure = drawTraffic(report, chosen);
    expect(figure.description).toContain(
      '8 tasks, ordered by job: 145 B between 4 ordered pairs of tasks, in 4 of 64 cells.',
    );
    expect(renderFigure(figure)).toContain('traffic by task');
    expect(figureToCsv(figure).split('\n').slice(0, 2)).toEqual(['from,to,bytes,pairs', '0,1,100,1']);
    const silent = drawTraffic(torusReport([2, 2], { jobs: [] }), chosen);
    expect(silent.table.rows).toEqual([]);
    expect(renderFigure(silent)).not.toContain('NaN');
  });
});
