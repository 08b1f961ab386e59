import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { expectOnPage, resultOf, rowOf, shapesOf, textsOf, unbalancedTags, type GivenRow } from '../testing/figures.ts';
import { makeAxis, timeUnitOf } from './axes.ts';
import { drawCurves, nameOfMetric } from './curves.ts';
import { figureToCsv, type Figure } from './figure.ts';
import { renderFigure } from './renderFigure.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

const draw = (rows: readonly GivenRow[], other: Parameters<typeof resultOf>[1] = {}) =>
  drawCurves({ result: resultOf(rows.map(rowOf), other), metric: 'turnaround' });

describe('axes', () => {
  const usual = { name: 'n', unit: '', from: 0, to: 500, spacing: 100 };
  it.each([
    [{ low: 0, high: 1 }, ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0'], 'n'],
    [{ low: 0, high: 83_000, unit: 'cycles' }, ['0', '20,000', '40,000', '60,000', '80,000', '100,000'], 'n (cycles)'],
    [{ low: 0, high: 4e6, unit: 'cycles' }, ['0', '1', '2', '3', '4'], 'n (10⁶ cycles)'],
    [{ low: 2e-4, high: 1e-3, nice: false }, ['0.2', '0.4', '0.6', '0.8', '1.0'], 'n (10⁻³)'],
    [{ low: 2e-5, high: 9e-5, nice: false }, ['2', '3', '4', '5', '6', '7', '8', '9'], 'n (10⁻⁵)'],
    [{ low: -30, high: 30 }, ['−30', '−20', '−10', '0', '10', '20', '30'], 'n'],
    [{ low: 7, high: 7 }, ['7.0', '7.1', '7.2', '7.3', '7.4', '7.5', '7.6', '7.7'], 'n'],
    [{ low: 3, high: 40_000, logarithmic: true }, ['1', '10', '100', '1,000', '10,000', '100,000'], 'n, logarithmic'],
    [{ low: 20, high: 300, logarithmic: true }, ['10', '100', '1,000'], 'n, logarithmic'],
    [{ low: 1e-5, high: 1, logarithmic: true }, ['10⁻⁵', '10⁻⁴', '10⁻³', '10⁻²', '10⁻¹', '10⁰'], 'n, logarithmic'],
    [{ low: 0, high: 5 * 2 ** 30, unit: 'bytes' }, ['0', '1', '2', '3', '4', '5'], 'n (GiB)'],
    [{ low: 0, high: 900, unit: 'bytes' }, ['0', '200', '400', '600', '800', '1,000'], 'n (bytes)'],
    [{ low: 0, high: 2e9, unit: 'bytes/s' }, ['0.0', '0.5', '1.0', '1.5', '2.0'], 'n (10⁹ bytes/s)'],
    [{ low: 5e6, high: 2e7, logarithmic: true }, ['10⁶', '10⁷', '10⁸'], 'n, logarithmic'],
  ])('%j has ticks at round numbers', (request, labels, title) => {
    const axis = makeAxis({ ...usual, ...request });
    expect(axis.ticks.map(({ label }) => label)).toEqual(labels);
    expect(axis.title).toBe(title);
  });

  it('places what it labels: ticks ascend from one end to the other, as their numbers do', () => {
    const random = seededRandom(1);
    for (let round = 0; round < casesOf(100, 300); round++) {
      const low = (random.fraction() - 0.5) * 10 ** random.integer(9);
      const high = low + (0.001 + random.fraction()) * Math.max(Math.abs(low), 1e-4);
      const { ticks, at, title } = makeAxis({ ...usual, low, high, from: 400, to: 100 });
      const power = /10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/.exec(title)?.[1] ?? '⁰';
      const factor =
        10 ** Number(power.replace('⁻', '-').replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (one) => `${'⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(one)}`));
      expect(ticks.length).toBeGreaterThan(1);
      ticks.forEach((tick, index) => {
        expect(tick.at).toBeLessThanOrEqual(index === 0 ? 400 : ticks[index - 1]!.at);
        expect(tick.at).toBeGreaterThanOrEqual(100);
        expect(at(Number(tick.label.replaceAll(',', '').replace('−', '-')) * factor)).toBeCloseTo(tick.at, 0);
      });
    }
  });

  it.each([
    ['cycles', 1e9, 'cycles', 1],
    ['seconds', 100, 'seconds', 1],
    ['seconds', 7200, 'minutes', 60],
    ['seconds', 100_000, 'hours', 3600],
    ['seconds', 1e6, 'days', 86_400],
  ] as const)('time in %s over %d is in %s', (unit, span, name, size) => {
    expect(timeUnitOf(unit, span)).toEqual({ name, size });
  });
});

const rates = [0.001, 0.002, 0.003];
const five = ['rbs', 'gabl', 'mbs', 'paging', 'first-fit'];
const crossed = rates.flatMap((x, step) =>
  five.map((allocator, place) => ({ x, allocator, mean: 100 * (step + 1) + 30 * place, halfWidth: 5 + step })),
);

const curvesIn = (figure: Figure) =>
  shapesOf(figure, 'line').filter(({ points, color }) => points.length === 2 * rates.length && color !== 'ink');

describe('curves over what is varied', () => {
  const figure = draw(crossed);

  it('have a line for each allocator, told apart by colour and by marker', () => {
    expectOnPage(figure);
    const lines = curvesIn(figure);
    expect(new Set(lines.map(({ color }) => color)).size).toBe(five.length);
    const markers = shapesOf(figure, 'marker');
    // Of each curve its values and one in the legend, all alike.
    expect(markers).toHaveLength(five.length * (rates.length + 1));
    expect(new Set(markers.map(({ marker, fill }) => `${marker} ${fill}`)).size).toBe(five.length);
    expect(new Set(markers.map(({ marker }) => marker)).size).toBe(five.length);
    expect(textsOf(figure)).toEqual(expect.arrayContaining([...five, 'arrivals.rate (10⁻³)', 'Turnaround (cycles)']));
  });

  it('stand where the axes say, with their intervals about them', () => {
    const ticks = new Map(
      shapesOf(figure, 'text')
        .filter(({ anchor, turned }) => anchor === 'end' && turned !== true)
        .map(({ text, y }) => [text, y - 11.5 * 0.35]),
    );
    const [zero, hundred] = [ticks.get('0')!, ticks.get('100')!];
    const valueAt = (y: number): number => ((zero - y) / (zero - hundred)) * 100;
    const plotted = curvesIn(figure);
    // The last one is in front: the first allocator.
    expect(
      plotted
        .at(-1)!
        .points.filter((_, index) => index % 2 === 1)
        .map(valueAt),
    ).toEqual([100, 200, 300].map((value): unknown => expect.closeTo(value, 0)));
    const [{ color }] = [plotted.at(-1)!];
    const stems = shapesOf(figure, 'line').filter(
      ({ points: [x1, , x2], color: own, width }) => own === color && width === 1.3 && x1 === x2,
    );
    expect(stems.map(({ points }) => [valueAt(points[3]!), valueAt(points[1]!)])).toEqual(
      [95, 194, 293].map((low, step): unknown => [expect.closeTo(low, 0), expect.closeTo([105, 206, 307][step]!, 0)]),
    );
  });

  it('say the same in words and in a table', () => {
    expect(figure.description).toContain(
      'Turnaround (cycles) in experiment figure-4-1, 20 replications, 95 % confidence intervals.',
    );
    expect(figure.description).toContain('mbs: from 160 ± 5 at arrivals.rate 0.001 to 360 ± 7 at 0.003.');
    const [head, first] = figureToCsv(figure).split('\n');
    expect(head).toBe('arrivals.rate,scheduler,allocator,turnaround (cycles),half width,replications');
    expect(first).toBe('0.001,fcfs,rbs,100,5,20');
  });

  it('are what was predicted where that is known, and what was simulated are points', () => {
    const rows = crossed.map((row) => {
      const made = rowOf(row);
      const { unit, ...figures } = made.metrics['turnaround']!;
      const predictedTurnaround = { ...figures, unit, mean: row.mean / 2, halfWidth: 0 };
      return { ...made, metrics: { ...made.metrics, predictedTurnaround } };
    });
    const predicted = drawCurves({ result: resultOf(rows), metric: 'turnaround' });
    expectOnPage(predicted);
    const [lines, simulated] = [curvesIn(predicted), curvesIn(figure)];
    expect(lines).toHaveLength(five.length);
    // The values are halved, and the axis is the same.
    const bottom = Math.max(
      ...shapesOf(predicted, 'text')
        .filter(({ text }) => text === '0')
        .map(({ y }) => y - 11.5 * 0.35),
    );
    const heights = ({ points }: { readonly points: readonly number[] }) =>
      points.filter((_, index) => index % 2 === 1).map((y) => bottom - y);
    for (const [index, one] of lines.entries()) {
      for (const [at, height] of heights(one).entries()) {
        expect(height / heights(simulated[index]!)[at]!).toBeCloseTo(0.5, 1);
      }
    }
    const marks = (of: Figure) => shapesOf(of, 'marker').map(({ x, y }) => [x, y]);
    expect(marks(predicted)).toEqual(marks(figure));
    expect(textsOf(predicted)).toContain('predicted');
    expect(figureToCsv(predicted).split('\n').slice(0, 2)).toEqual([
      'arrivals.rate,scheduler,allocator,turnaround (cycles),half width,replications,predicted',
      '0.001,fcfs,rbs,100,5,20,50',
    ]);
  });

  it('stand on a logarithmic axis where what is varied spans magnitudes', () => {
    const wide = draw([1, 10, 100, 1000].map((x) => ({ x, mean: 5 })));
    expect(textsOf(wide)).toContain('arrivals.rate, logarithmic');
    const places = shapesOf(wide, 'line')
      .find(({ points }) => points.length === 8)!
      .points.filter((_, index) => index % 2 === 0);
    const gaps = places.slice(1).map((x, index) => x - places[index]!);
    for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0]!, 0);
  });

  it('have dashes for schedulers and the same colours for the same allocators', () => {
    const both = draw(['fcfs', 'easy'].flatMap((scheduler) => crossed.map((row) => ({ ...row, scheduler }))));
    expectOnPage(both);
    const lines = curvesIn(both);
    expect(new Set(lines.map(({ color }) => color)).size).toBe(five.length);
    expect(new Set(lines.map(({ color, dash }) => `${color} ${dash?.join() ?? ''}`)).size).toBe(2 * five.length);
    expect(textsOf(both)).toEqual(expect.arrayContaining(['fcfs, rbs', 'easy, first-fit']));
  });

  it('show what a paper says: values as open marks, ratios in words', () => {
    const common = { metric: 'turnaround', halfWidth: 2, residual: -20 };
    const quoted = draw(crossed, {
      quoted: [
        { row: 1, paper: 150, ours: 130, ...common },
        { row: 10, over: 11, paper: 0.9, ours: 0.909, ...common, halfWidth: 0.01 },
        { row: 2, paper: 1, ours: 1, ...common, metric: 'waiting' },
      ],
    });
    expectOnPage(quoted);
    const open = shapesOf(quoted, 'marker').filter(({ fill }) => fill === 'paper');
    // The mark and its entry in the legend.
    expect(open).toHaveLength(2);
    expect(textsOf(quoted)).toContain('in the paper');
    expect(textsOf(quoted)).toContain('rbs / gabl at arrivals.rate 0.003: paper 0.9, here 0.909 ± 0.01');
    expect(figureToCsv(quoted).split('\n')[2]).toBe('0.001,fcfs,gabl,130,5,20,150');
  });

  it('leave out what has no value, and say why', () => {
    const rows = crossed.map((row, position) => (position % 5 === 1 ? { ...row, mean: null } : row)).map(rowOf);
    const failure = { seed: 3, code: 'deadlock', message: 'Packets wait for each other.' };
    const failed = drawCurves({
      result: resultOf(
        rows.map((row, position) => (position === 1 ? { ...row, failure } : row)),
        { complete: false },
      ),
      metric: 'turnaround',
    });
    expectOnPage(failed);
    expect(failed.subtitle).toBe('incomplete: 20 replications, 95 % confidence intervals');
    expect(textsOf(failed)).toContain('gabl at arrivals.rate 0.001 has failed: Packets wait for each other.');
    expect(shapesOf(failed, 'marker')).toHaveLength(4 * 3 + 5);
    expect(failed.description).toContain('gabl: no value.');
  });

  it('have a logarithmic axis where some would lie on the axis else', () => {
    const steep = draw(crossed.map((row) => (row.allocator === 'mbs' ? { ...row, mean: 1 + row.mean / 1000 } : row)));
    expectOnPage(steep);
    expect(textsOf(steep)).toContain('Turnaround (cycles), logarithmic');
    expect(textsOf(draw(crossed))).not.toContain('Turnaround (cycles), logarithmic');
  });

  it('lie on the page whatever is measured', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 60; round++) {
      const names = Array.from(
        { length: 1 + random.integer(20) },
        (_, place) => `allocator-${'m'.repeat(random.integer(30))}-${place}`,
      );
      const xs = Array.from(
        { length: 1 + random.integer(12) },
        (_, step) => (step + 1) * 10 ** (random.integer(9) - 5),
      );
      const scale = 10 ** (random.integer(14) - 6);
      const rows = [...new Set(xs)].flatMap((x) =>
        names.map((allocator) => ({
          x,
          allocator,
          mean: random.fraction() * scale,
          halfWidth: random.fraction() * scale,
        })),
      );
      const made = draw(rows);
      expectOnPage(made);
      expect(unbalancedTags(renderFigure(made))).toEqual([]);
    }
  });
});

describe('names of what is crossed over four axes and more', () => {
  const longs = five.map(
    (one, place) =>
      `${one} on the-machine-of-the-year, adaptive routing, grasp(criterion traffic-distribution), bandwidth ${place} GB/s`,
  );

  it('stand below the curves, each as a whole', () => {
    const made = draw(rates.flatMap((x) => longs.map((allocator) => ({ x, allocator, mean: 5 + x }))));
    expectOnPage(made);
    const texts = textsOf(made).join(' ');
    for (const name of longs) expect(texts).toContain(name);
    expect(textsOf(made).filter((one) => one.includes('…'))).toEqual([]);
    // The plot has the room that the legend leaves it.
    const frame = Math.max(
      ...shapesOf(made, 'line').flatMap(({ points, color }) =>
        color === 'grid' ? points.filter((_, index) => index % 2 === 0) : [],
      ),
    );
    expect(frame).toBeGreaterThan(made.width - 60);
  });

  it('are in columns where several fit beside each other', () => {
    const names = ['one', 'two', 'three', 'four'].map((one) => `${one} on a machine, adaptive, rbs, easy`);
    const made = draw(rates.flatMap((x) => names.map((allocator) => ({ x, allocator, mean: 5 + x }))));
    expectOnPage(made);
    const places = shapesOf(made, 'text').filter(({ text }) => names.includes(text));
    expect(places.map(({ text }) => text)).toEqual(names);
    expect([new Set(places.map(({ x }) => x)).size, new Set(places.map(({ y }) => y)).size]).toEqual([2, 2]);
  });

  it('stand above bars, in as many lines as they need', () => {
    const made = draw(longs.map((allocator, place) => ({ allocator, mean: 10 * (place + 1), halfWidth: 2 })));
    expectOnPage(made);
    const texts = textsOf(made).join(' ');
    for (const name of longs) expect(texts).toContain(name);
    const bars = shapesOf(made, 'boxes').map(({ boxes }) => boxes[1]!);
    expect(bars).toEqual([...bars].sort((one, other) => one - other));
  });
});

describe('bars where nothing is varied', () => {
  const figure = draw(five.map((allocator, place) => ({ allocator, mean: 10 * (place + 1), halfWidth: 2 })));

  it('have a length, an interval and a number each', () => {
    expectOnPage(figure);
    const bars = shapesOf(figure, 'boxes').map(({ boxes }) => boxes);
    const [unit] = bars.map(([, , width]) => width! / 10);
    expect(bars.map(([, , width]) => width! / unit!)).toEqual(
      [10, 20, 30, 40, 50].map((length) => expect.closeTo(length, 1) as number),
    );
    expect(new Set(bars.map(([x]) => x)).size).toBe(1);
    expect(textsOf(figure)).toEqual(expect.arrayContaining(['rbs', '10 ± 2', 'first-fit', '50 ± 2']));
    const whiskers = shapesOf(figure, 'line').filter(({ width }) => width === 1.3);
    expect(whiskers).toHaveLength(3 * five.length);
  });

  it('mark the number of the paper', () => {
    const best = {
      row: 1,
      metric: 'turnaround',
      statistic: 'best' as const,
      paper: 18,
      ours: 19,
      halfWidth: null,
      residual: 1,
    };
    const quoted = [best, { row: 1, metric: 'turnaround', paper: 25, ours: 20, halfWidth: 2, residual: -5 }];
    const marked = drawCurves({
      result: resultOf(
        five.map((allocator) => rowOf({ allocator, mean: 20, halfWidth: 2 })),
        { quoted },
      ),
      metric: 'turnaround',
    });
    expectOnPage(marked);
    expect(shapesOf(marked, 'marker')).toHaveLength(1);
    expect(textsOf(marked)).toContain('gabl: paper 25, here 20 ± 2');
    // Only means are marked: the best of all runs is told.
    expect(textsOf(marked)).toContain('gabl, best: paper 18, here 19');
    expect(figureToCsv(marked).split('\n')[2]).toMatch(/,25$/);
  });

  it('have room for the longest names of mappers', () => {
    const name = 'grasp(criterion traffic-distribution)';
    expect(
      textsOf(
        draw([
          { allocator: name, mean: 3 },
          { allocator: 'rbs', mean: 2 },
        ]),
      ),
    ).toContain(name);
  });

  it.each([
    ['one replication', [{ mean: 3 }]],
    ['no value', [{ mean: null }]],
  ])('are drawn of %s too', (_, rows) => {
    const made = draw(rows);
    expectOnPage(made);
    expect(textsOf(made)).toContain('rbs');
  });
});

it.each([
  ['turnaround', 'Turnaround'],
  ['averageHops', 'Average hops'],
  ['hopBytes', 'Hop-bytes'],
  ['newerMetric', 'Newer metric'],
])('the metric %s is called %s', (metric, name) => {
  expect(nameOfMetric(metric)).toBe(name);
});
