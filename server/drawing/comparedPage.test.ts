import { describe, expect, it } from 'vitest';
import { comparedPage } from './comparedPage.ts';
import { drawScene } from './drawScene.ts';
import { writeSvg } from './svg.ts';
import { torusReport } from './testing/fixtures.ts';

const pictures = ['first', 'second', 'third', 'fourth'].map((name) => ({
  scene: drawScene(torusReport([4, 4], { jobs: [6], placement: name })),
  name,
  words: [`Hop-bytes: of ${name}`],
  marks: undefined,
}));
const natural = { theme: 'light', legend: 'full', plane: undefined } as const;

describe('a page of several pictures', () => {
  it('has each with its name and figures, no id twice, and one legend', () => {
    const svg = writeSvg(comparedPage(pictures.slice(0, 3), natural));
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, words } of pictures.slice(0, 3)) {
      expect(svg).toContain(`>${name}<`);
      expect(svg).toContain(`>${words[0]!}<`);
    }
    expect(ids.filter((id) => id?.startsWith('legend-'))).toHaveLength(2);
    expect(ids.filter((id) => id?.endsWith('nodes'))).toHaveLength(3);
  });

  it('has two rows of two, and three in a row', () => {
    const [three, four] = [3, 4].map((count) => comparedPage(pictures.slice(0, count), { ...natural, legend: 'none' }));
    expect(three!.width).toBeGreaterThan(2.5 * three!.height);
    expect(four!.width).toBeLessThan(1.5 * four!.height);
  });

  it.each([
    [{ width: 84 }, 84, undefined],
    [{ width: 210, height: 297 }, 210, 297],
  ])('is as large as it is said: %j', (size, width, height) => {
    const { root } = comparedPage(pictures.slice(0, 2), { ...natural, ...size });
    expect(root.attributes['width']).toBe(`${width}mm`);
    if (height === undefined) expect(Number.parseFloat(String(root.attributes['height']))).toBeLessThan(84);
    else expect(root.attributes['height']).toBe(`${height}mm`);
  });
});
