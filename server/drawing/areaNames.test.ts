import { describe, expect, it } from 'vitest';
import { drawScene } from './drawScene.ts';
import { renderSvg, type PageOptions } from './renderSvg.ts';
import { fabricReport } from './testing/fixtures.ts';

/** At least, in the font of the pages: narrow letters. */
const letter = 5;

/** From where to where the names of groups reach, and where the page and its picture end. */
function namesOn(svg: string): {
  names: readonly (readonly [left: number, right: number])[];
  page: number;
  legend: number;
} {
  const number = (pattern: RegExp, text: string): number => Number(pattern.exec(text)?.[1]);
  const labels = /id="area-labels".*?<\/g>/s.exec(svg)?.[0] ?? '';
  const names = [...labels.matchAll(/<text ([^>]*)>(group \d+)<\/text>/g)].map(([, attributes = '', name = '']) => {
    const [x, length] = [number(/\bx="([-\d.]+)"/, attributes), letter * name.length];
    const anchor = /text-anchor="(\w+)"/.exec(attributes)?.[1];
    const left = anchor === 'end' ? x - length : anchor === 'middle' ? x - length / 2 : x;
    return [left, left + length] as const;
  });
  return {
    names,
    page: number(/<svg [^>]*viewBox="0 0 ([\d.]+)/, svg),
    legend: number(/translate\(([\d.]+)[^)]*\)[^>]*><text [^>]*>Metrics</, svg),
  };
}

describe('names of groups round a ring', () => {
  const pages: readonly (readonly [page: string, options: PageOptions, isBeside: boolean])[] = [
    ['on a screen', {}, true],
    ['on a narrow page', { width: 84 }, false],
    ['on a wide page', { width: 240, height: 120 }, true],
  ];
  const machines = [
    ['nine groups', { p: 2, a: 4, h: 2 }],
    ['five groups of grids', { p: 2, group: [4, 3], h: 2, g: 5 }],
  ] as const;

  it.each(
    pages.flatMap(([page, options, isBeside]) => machines.map(([name, of]) => ({ page, options, isBeside, name, of }))),
  )('$name $page: end on the page, before the legend', ({ options, isBeside, of }) => {
    const { names, page, legend } = namesOn(renderSvg(drawScene(fabricReport('dragonfly', { options: of })), options));
    expect(names.length).toBeGreaterThanOrEqual(5);
    expect(Math.min(...names.map(([left]) => left))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...names.map(([, right]) => right))).toBeLessThan(isBeside ? legend : page);
  });
});
