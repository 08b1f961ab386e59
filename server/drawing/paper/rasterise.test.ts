import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { randomRun, resultOf, rowOf } from '../testing/figures.ts';
import { drawCurves } from '../figures/curves.ts';
import type { Figure, Shape } from '../figures/figure.ts';
import { drawGantt } from '../figures/gantt.ts';
import { baseline, letterOf } from './letters.ts';
import { figurePage } from '../figures/renderFigure.ts';
import { rasterise as rasterisePage, type Raster } from './rasterise.ts';

const rasterise = (figure: Figure, density: number): Raster => rasterisePage(figurePage(figure), density);

const figureOf = (shapes: readonly Shape[], width = 40, height = 30): Figure => ({
  ...{ title: '', subtitle: '', description: '', width, height, shapes },
  table: { head: [], rows: [] },
});

/** How dark each pixel is: 0 on white paper, 1 where it is black. */
const darkness = ({ pixels }: Raster): number[] =>
  Array.from({ length: pixels.length / 3 }, (_, pixel) => 1 - pixels[3 * pixel]! / 255);

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const area = (points: readonly number[]): number =>
  Math.abs(
    sumOf(
      points.map((value, at) =>
        at % 2 === 0 ? value * points[(at + 3) % points.length]! : -value * points[(at + 1) % points.length]!,
      ),
    ),
  ) / 2;

describe('a figure as pixels', () => {
  it('covers each pixel by its share', () => {
    const boxes: Shape = { kind: 'boxes', boxes: [1.25, 1.5, 2, 1], fill: '#000000' };
    const shares = darkness(rasterise(figureOf([boxes], 5, 4), 1));
    const expected = [
      ...[0, 0, 0, 0, 0],
      ...[0, 0.375, 0.5, 0.125, 0],
      ...[0, 0.375, 0.5, 0.125, 0],
      ...[0, 0, 0, 0, 0],
    ];
    shares.forEach((share, pixel) => {
      expect(share).toBeCloseTo(expected[pixel]!, 1.9);
    });
  });

  it('darkens as much as a shape is large, wherever it lies', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 200; round++) {
      const points = Array.from({ length: 6 }, (_, at) => 2 + random.fraction() * (at % 2 === 0 ? 36 : 26));
      const opacity = 0.3 + 0.7 * random.fraction();
      const shape: Shape = { kind: 'area', points, fill: '#000000', opacity };
      const found = sumOf(darkness(rasterise(figureOf([shape]), 1)));
      // Colours are whole numbers: each pixel may be wrong by half a step.
      expect(Math.abs(found - area(points) * opacity)).toBeLessThan(0.6 + 0.01 * area(points));
    }
  });

  it('grows with its density', () => {
    const shape: Shape = {
      kind: 'marker',
      marker: 'circle',
      x: 20,
      y: 15,
      size: 8,
      fill: '#000000',
      outline: '#000000',
    };
    const radius = 8 + 1.3 / 2;
    for (const density of [1, 2, 3]) {
      const raster = rasterise(figureOf([shape]), density);
      expect([raster.width, raster.height]).toEqual([40 * density, 30 * density]);
      const expected = Math.PI * radius ** 2;
      expect(Math.abs(sumOf(darkness(raster)) / density ** 2 / expected - 1)).toBeLessThan(0.03);
    }
  });

  it('does not darken twice where parts of one line cross, and leaves gaps between dashes', () => {
    const line = (dash?: readonly number[]): Shape => ({
      kind: 'line',
      points: [5, 15, 35, 15, 20, 15],
      color: '#000000',
      width: 4,
      ...(dash && { dash }),
    });
    const whole = darkness(rasterise(figureOf([line()]), 1));
    expect(Math.max(...whole)).toBe(1);
    expect(sumOf(whole)).toBeGreaterThan(30 * 4);
    expect(sumOf(whole)).toBeLessThan(30 * 4 + 15);
    const straight: Shape = { kind: 'line', points: [5, 15, 35, 15], color: '#000000', width: 4, dash: [5, 5] };
    expect(sumOf(darkness(rasterise(figureOf([straight]), 1)))).toBeCloseTo(3 * 5 * 4, 0);
  });

  it('paints in the colours of paper, the last one on top', () => {
    const box = (fill: `#${string}`): Shape => ({ kind: 'boxes', boxes: [0, 0, 4, 4], fill });
    const { pixels } = rasterise(figureOf([box('#d55e00'), box('#0072b2')], 4, 4), 1);
    expect([...pixels.slice(0, 3)]).toEqual([0x00, 0x72, 0xb2]);
  });

  it('has full stops on the line of the letters, and commas that reach below it', () => {
    const lowest = (letter: string) =>
      Math.max(...letterOf(letter).strokes.flatMap((stroke) => stroke.filter((_, index) => index % 2 === 1)));
    expect(['.', ':', '!', '?', 'H'].map(lowest)).toEqual(Array(5).fill(baseline));
    expect([',', ';'].map(lowest).every((depth) => depth > baseline)).toBe(true);
  });

  it('has letters that can be told apart, and a sign for those that it has not', () => {
    const all = [...Array(94).keys()]
      .map((at) => String.fromCharCode(33 + at))
      .concat(Array.from('−–—±×·…‹›µ⁰¹²³⁴⁵⁶⁷⁸⁹⁻'));
    const seen = new Map<string, string>();
    for (const letter of all) {
      const written = JSON.stringify(letterOf(letter).strokes);
      // Two dashes are alike, and so are capital i and small L.
      if (letter !== '–' && letter !== 'l') expect([letter, seen.get(written)]).toEqual([letter, undefined]);
      seen.set(written, letter);
      const text: Shape = { kind: 'text', text: letter, x: 10, y: 20, size: 13, color: 'ink', anchor: 'start' };
      expect(sumOf(darkness(rasterise(figureOf([text]), 2)))).toBeGreaterThan(1);
    }
    expect(letterOf('ß')).toEqual(letterOf('語'));
    expect(letterOf(' ').strokes).toEqual([]);
  });

  it.each([
    ['start', 20, 40],
    ['middle', 8, 32],
    ['end', 0, 20],
  ] as const)('puts text at its %s', (anchor, from, to) => {
    const text: Shape = { kind: 'text', text: 'HHH', x: 20, y: 20, size: 12, color: 'ink', anchor };
    const raster = rasterise(figureOf([text]), 1);
    darkness(raster).forEach((share, pixel) => {
      if (share > 0.1) {
        expect(pixel % 40).toBeGreaterThanOrEqual(from);
        expect(pixel % 40).toBeLessThan(to);
      }
    });
    // What reads upwards is as dark.
    const upwards = rasterise(figureOf([{ ...text, turned: true }]), 1);
    expect(sumOf(darkness(upwards)) / sumOf(darkness(raster))).toBeCloseTo(1, 0);
  });

  it('is of every figure', () => {
    const rows = [1, 2, 3].map((x) => rowOf({ x, mean: x, halfWidth: 0.5 }));
    const curves = drawCurves({ result: resultOf(rows), metric: 'turnaround' });
    const gantt = drawGantt({
      name: 'e',
      about: 'a',
      run: randomRun(1, { nodeCount: 256, jobCount: 2000 }),
      timeUnit: 'cycles',
    });
    for (const figure of [curves, gantt]) {
      const share = sumOf(darkness(rasterise(figure, 1))) / (figure.width * figure.height);
      expect(share).toBeGreaterThan(0.01);
      expect(share).toBeLessThan(0.5);
    }
  });
});
