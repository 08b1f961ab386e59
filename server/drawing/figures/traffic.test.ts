import { describe, expect, it } from 'vitest';
import { torusReport, withTraffic } from '../testing/fixtures.ts';
import { figureToCsv, smallSize } from './figure.ts';
import { renderFigure } from './renderFigure.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { cancelledCode } from '../../model/result.ts';
import { trafficUnits } from '../../study/trafficMatrix.ts';
import { drawTraffic, type DrawnTraffic, type TrafficChoice } from './traffic.ts';

const chosen: TrafficChoice = { by: 'task', order: 'job', scale: 'linear' };

/** Eight tasks on four nodes of two cores. */
const report = withTraffic(torusReport([2, 2], { cores: 2 }), [
  [0, 1, 100],
  [0, 2, 10],
  [2, 0, 30],
  [6, 7, 5],
]);

function drawn(
  subject: DrawnTraffic,
  choice: Partial<TrafficChoice> = {},
  ...marks: readonly ((job: number, from: number, to: number) => boolean)[]
) {
  const figure = drawTraffic(subject, { ...chosen, ...choice }, neverCancelled, ...marks);
  if (!figure.ok) throw new Error(figure.failure.message);
  return figure.value;
}

/** Two jobs of 100 tasks each. */
function ofJobs(...names: readonly [string, string]): DrawnTraffic {
  const placed = torusReport([16, 16], { jobs: [100, 100] });
  return { ...placed, jobs: placed.jobs.map((one, index) => ({ ...one, job: { ...one.job, name: names[index]! } })) };
}

const rowsOf = (choice: Partial<TrafficChoice>) => drawn(report, choice).figure.table.rows;

describe('the heat map of traffic', () => {
  it('adds up by task, by node, by switch and by job', () => {
    expect(rowsOf({})).toEqual([
      ['0', '1', 100, 1, 0],
      ['0', '2', 10, 1, 1],
      ['2', '0', 30, 1, 1],
      ['6', '7', 5, 1, 0],
    ]);
    const byNode = [
      ['0', '0', 100, 1, 0],
      ['0', '1', 10, 1, 1],
      ['1', '0', 30, 1, 1],
      ['3', '3', 5, 1, 0],
    ];
    expect(rowsOf({ by: 'node' })).toEqual(byNode);
    expect(rowsOf({ by: 'switch' })).toEqual(byNode);
    expect(rowsOf({ by: 'job' })).toEqual([['job-0', 'job-0', 145, 4, 40 / 145]]);
  });

  it('orders tasks by node', () => {
    const [first, ...others] = report.jobs;
    const turned = { ...report, jobs: [{ ...first!, mapping: first!.mapping.toReversed() }, ...others] };
    const { table } = drawn(turned, { order: 'node' }).figure;
    expect(table.rows[0]).toEqual(['6', '7', 5, 1, 0]);
    expect(table.rows.map(([from]) => from)).toEqual(['6', '2', '0', '0']);
  });

  it('adds large ones up into cells, loses no byte, and says how many are in one', () => {
    const large = torusReport([20, 20]);
    const entries = Array.from({ length: 400 }, (_, task): [number, number, number] => [task, (task + 1) % 400, 1]);
    for (const by of trafficUnits) {
      const { figure } = drawn(withTraffic(large, entries), { by });
      expect(figure.table.rows.reduce((sum, [, , bytes]) => sum + Number(bytes), 0)).toBe(400);
      expect(figure.table.rows.length).toBeLessThanOrEqual(64 * 64);
      if (by === 'task') expect(figure.description).toContain('Map cells: 7 per row and column.');
    }
  });

  it.each(['linear', 'logarithmic'] as const)('has the least and the most at the ends of its %s scale', (scale) => {
    const { figure } = drawn(report, { scale });
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
    const { figure } = drawn(report);
    expect(figure.description).toContain(
      '8 tasks, ordered by job: 145 B between 4 ordered pairs of tasks, in 4 of 64 cells.',
    );
    expect(renderFigure(figure)).toContain('traffic by task');
    expect(figureToCsv(figure).split('\n').slice(0, 2)).toEqual(['from,to,bytes,pairs,hops', '0,1,100,1,0']);
    const { figure: silent } = drawn(torusReport([2, 2], { jobs: [] }));
    expect(silent.table.rows).toEqual([]);
    expect(renderFigure(silent)).not.toContain('NaN');
  });

  it('shows a block of it, cell by cell, and says which', () => {
    const large = withTraffic(
      torusReport([20, 20]),
      Array.from({ length: 400 }, (_, task): [number, number, number] => [task, (task + 1) % 400, 1]),
    );
    const whole = drawn(large);
    expect(whole).toMatchObject({ count: 400, perCell: [7, 7], rows: { first: 0, last: 399 } });
    const block = { rows: { first: 7, last: 13 }, columns: { first: 7, last: 27 } };
    const { figure, perCell } = drawn(large, { block });
    expect(perCell).toEqual([1, 1]);
    expect(figure.table.rows[0]).toEqual(['7', '8', 1, 1, 1]);
    expect(figure.table.rows).toHaveLength(7);
    expect(figure.description).toContain('shown are tasks 7 to 13 that send to 7 to 27');
    // What is not there is all of it.
    const gone = { rows: { first: 900, last: 950 }, columns: { first: 3, last: 2 } };
    expect(drawn(large, { block: gone })).toMatchObject({ rows: whole.rows, columns: whole.columns });
  });

  it('names rows so that each can be told from the others, however long the names of jobs are', () => {
    const labels = (job: string, width?: number): readonly string[] => {
      const { figure } = drawn(ofJobs(job, 'b'), width === undefined ? {} : { width });
      return figure.shapes.flatMap((shape) =>
        shape.kind === 'text' && shape.anchor === 'end' && shape.x < figure.grid!.left ? [shape.text] : [],
      );
    };
    // Cells of several tasks: by the first, as columns.
    expect(labels('a')[0]).toBe('a 0');
    expect(labels('weather')[0]).toBe('weather 0');
    const [first = '', second = ''] = labels('a-forecast-of-the-weather-of-tomorrow');
    expect(first).toMatch(/^a-fore.*…\S*morrow 0$/);
    expect(second).not.toBe(first);
    const narrow = labels('a-forecast-of-the-weather-of-tomorrow', 270).filter((name) => !name.startsWith('b'));
    for (const name of narrow) expect(name).toMatch(/…\S* \d+$/);
  });

  it('has a name for every row of which the column has one, and no other', () => {
    const { shapes, grid } = drawn(ofJobs('weather-forecast', 'b')).figure;
    const names = (isRow: boolean): readonly string[] =>
      shapes.flatMap((shape) =>
        shape.kind === 'text' &&
        shape.size === smallSize &&
        (isRow ? shape.anchor === 'end' && shape.x < grid!.left : shape.anchor === 'middle' && shape.y < grid!.top)
          ? [shape.text.replace(/.* /, '')]
          : [],
      );
    expect(names(true).length).toBeGreaterThan(2);
    expect(names(true)).toEqual(names(false));
  });

  it('has the cells of each mark, empty ones between them', () => {
    const { grid, marks } = drawn(report).figure;
    expect(grid).toMatchObject({ cells: [1, 2, 16, 55], rows: ['0', '1', '2', '3', '4', '5', '6', '7'] });
    expect(marks!.boxes.slice(0, 4)).toEqual([
      grid!.left + grid!.cellWidth,
      grid!.top,
      grid!.cellWidth,
      grid!.cellHeight,
    ]);
  });

  it('marks the cells of pairs that are asked for', () => {
    expect(drawn(report, {}, (_, from) => from === 2).marked).toEqual([2]);
    expect(drawn(report, { by: 'node' }, (_, from, to) => from + to === 1).marked).toEqual([0]);
    expect(drawn(report).marked).toBeUndefined();
  });

  it('counts messages where every job says how its bytes are cut', () => {
    const [first, ...others] = report.jobs;
    const inMessages = { ...report, jobs: [{ ...first!, job: { ...first!.job, messageBytes: 5 } }, ...others] };
    const { figure, hasMessages } = drawn(inMessages, { amount: 'messages' });
    expect(hasMessages).toBe(true);
    expect(figure.table.head).toEqual(['from', 'to', 'bytes', 'pairs', 'messages', 'hops']);
    expect(figure.table.rows[0]).toEqual(['0', '1', 100, 1, 20, 0]);
    const texts = figure.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
    expect(texts).toContain('messages of a cell, linear');
    expect(drawn(report, { amount: 'messages' }).hasMessages).toBe(false);
  });

  it('of a job that is placed nowhere is by task, in its own grid', () => {
    const { job } = withTraffic(torusReport([2, 2]), [[0, 3, 8]]).jobs[0]!;
    const alone: DrawnTraffic = { name: 'heat', jobs: [{ job: { ...job, grid: [2, 2] } }] };
    const { figure } = drawn(alone, { by: 'node', order: 'task' });
    expect(figure.title).toBe('heat: traffic by task');
    expect(figure.table.head).toEqual(['from', 'to', 'bytes', 'pairs']);
    expect(figure.table.rows).toEqual([['0 (0, 0)', '3 (1, 1)', 8, 1]]);
  });

  it.each([270, 480, 720])('keeps within %s pixels, the legend too', (width) => {
    const { figure } = drawn(report, { width });
    expect(figure.width).toBe(width);
    for (const shape of figure.shapes) {
      if (shape.kind === 'boxes')
        for (let at = 0; at < shape.boxes.length; at += 4)
          expect(shape.boxes[at]! + shape.boxes[at + 2]!).toBeLessThanOrEqual(width);
    }
  });

  it('is nothing once cancelled', () => {
    const all = Array.from({ length: 10_000 }, (_, pair): [number, number, number] => [
      pair % 100,
      Math.floor(pair / 100),
      1,
    ]);
    const large = withTraffic(torusReport([10, 10]), all);
    expect(drawTraffic(large, chosen, { isCancelled: () => true })).toMatchObject({ failure: { code: cancelledCode } });
  });
});
