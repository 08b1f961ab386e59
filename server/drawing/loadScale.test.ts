import { describe, expect, it } from 'vitest';
import { drawScene } from './drawScene.ts';
import { loadNotes } from './legendLayout.ts';
import { loadStep, sharedScale, withScale } from './loadScale.ts';
import { torusReport } from './testing/fixtures.ts';

describe('the step of a load', () => {
  it.each([
    [0, 100, 0],
    [10, 100, 2],
    [20, 100, 3],
    [21, 100, 4],
    [39, 100, 5],
    [40, 100, 6],
    [70, 100, 8],
    [100, 100, 9],
    [200, 100, 9],
    [40, 40, 9],
    [39, 39, 5],
    [7, 0, 0],
  ])('of %d with mean 20, hot from 40, maximum %d, is %d', (load, maximum, step) => {
    expect(loadStep(load, { kind: 'linear', mean: 20, hotFrom: 40, maximum })).toBe(step);
  });

  it.each([
    [0, 0],
    [1, 0],
    [3, 0],
    [5, 1],
    [20, 2],
    [256, 3],
    [300, 4],
    [511, 5],
    [512, 6],
    [2047, 7],
    [2049, 8],
    [8192, 9],
  ])('of %d on a logarithmic scale with mean 256, hot from 512, maximum 8192, is %d', (load, step) => {
    expect(loadStep(load, { kind: 'logarithmic', mean: 256, hotFrom: 512, maximum: 8192 })).toBe(step);
  });
});

describe('a scale for several pictures', () => {
  const calm = drawScene(
    torusReport([4, 4], {
      loads: [
        [0, 1, 1000],
        [1, 2, 1000],
      ],
    }),
  );
  const heavy = drawScene(
    torusReport([4, 4], {
      loads: [
        [0, 1, 9000],
        [1, 2, 1000],
      ],
    }),
  );
  const idle = drawScene(torusReport([4, 4], { loads: [] }));

  it('is anchored at the first and long enough for all', () => {
    expect(sharedScale([calm, heavy])).toEqual({ kind: 'linear', mean: 1000, hotFrom: 2000, maximum: 9000 });
    expect(sharedScale([heavy, calm])).toEqual({ ...heavy.loadLegend.scale, maximum: 9000 });
    expect(sharedScale([idle, calm])).toEqual(calm.loadLegend.scale);
  });

  it('gives a load one colour in all of them, and says where it ends', () => {
    const scale = sharedScale([calm, heavy]);
    const [one, other] = [withScale(calm, scale), withScale(heavy, scale)];
    expect(loadStep(1000, one.loadLegend.scale)).toBe(loadStep(1000, other.loadLegend.scale));
    expect(one.loadLegend.maximum).toBe(1000);
    expect(loadNotes(one)).toContain('The scale ends at 8.789 KiB.');
    expect(loadNotes(calm)).toContain('The scale ends at 1,000 B.');
  });
});
