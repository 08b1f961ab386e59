import { describe, expect, it } from 'vitest';
import { visiblePart } from './viewport.ts';

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
