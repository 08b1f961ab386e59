import { describe, expect, it } from 'vitest';
import { moveBetween, viewportPart, uncoveredBy, visiblePart } from './viewport.ts';

const view = { width: 100, height: 60, scale: 1, x: 0, y: 0 };

describe('the part of a line that may be seen', () => {
  it.each([
    ['inside', [10, 10, 90, 50], [0, 1]],
    ['to the left', [-100, 10, -20, 50], undefined],
    ['past a corner', [-60, 20, 30, -70], undefined],
    ['through', [-92, 30, 308, 30], [0.21, 0.5]],
    ['a point outside', [500, 30, 500, 30], undefined],
    ['a point inside', [50, 30, 50, 30], [0, 1]],
  ] as const)('of one %s', (_name, [x1, y1, x2, y2], expected) => {
    const part = visiblePart(view, x1, y1, x2, y2);
    if (expected === undefined) expect(part).toBeUndefined();
    else expect(part!.map((share) => Math.round(share * 1000) / 1000)).toEqual(expected);
  });
});

describe('a view that has moved', () => {
  it.each([
    ['by whole pixels', { x: 7, y: -3 }, 1, [7, -3]],
    ['by nearly whole ones', { x: 60.000000000001, y: 0 }, 1, [60, 0]],
    ['by half ones, on a screen with two', { x: 0.5, y: 2 }, 2, [1, 4]],
    ['by half ones', { x: 0.5, y: 2 }, 1, undefined],
    ['while it was enlarged', { x: 7, y: 0, scale: 1.3 }, 1, undefined],
    ['while the room for it became another', { x: 7, y: 0, width: 101 }, 1, undefined],
  ])('%s', (_how, change, ratio, expected) => {
    expect(moveBetween(view, { ...view, ...change }, ratio)).toEqual(expected);
  });

  it.each([
    [0, 0],
    [7, 0],
    [-7, 0],
    [0, 9],
    [0, -9],
    [7, 9],
    [-7, -9],
    [100, 3],
    [3, -60],
    [-400, 700],
  ])('by %i, %i has what it covered and what it lacks, each pixel once', (right, down) => {
    const seen = new Uint8Array(view.width * view.height);
    const mark = (left: number, top: number, width: number, height: number): void => {
      for (let y = Math.max(0, top); y < Math.min(view.height, top + height); y++)
        for (let x = Math.max(0, left); x < Math.min(view.width, left + width); x++) seen[y * view.width + x]!++;
    };
    mark(right, down, view.width, view.height);
    for (const { left, top, width, height } of uncoveredBy(view, right, down)) mark(left, top, width, height);
    expect(new Set(seen)).toEqual(new Set([1]));
  });

  it('shows in a part of it what stands there, and around', () => {
    const part = viewportPart({ ...view, scale: 3, x: 40, y: 50 }, { left: 90, top: 0, width: 10, height: 60 }, 20);
    // World (20, 0) is pixel (100, 50) of the whole, 10 to the right of the part's own corner.
    expect(part).toEqual({ width: 50, height: 100, scale: 3, x: -30, y: 70 });
    expect([20 * part.scale + part.x, part.y]).toEqual([10 + 20, 50 + 20]);
  });
});
