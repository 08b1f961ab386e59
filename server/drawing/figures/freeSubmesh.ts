/** How much of a mesh is free in one piece. */
import { byteAt, intAt } from '../../numeric/elements.ts';

/** A submesh: its first corner and its sides, x first. */
export interface Submesh {
  readonly corner: readonly number[];
  readonly sides: readonly number[];
}

/**
 * The largest submesh of free nodes of a mesh of one, two or three dimensions; undefined where nothing is free. It does not
 * reach over the edge, on a torus either: allocators of submeshes do not. Of several the first by layers, then rows.
 * O(nodes) in the plane, O(nodes · depth) in space.
 */
export function largestFreeSubmesh(busy: Uint8Array, shape: readonly number[]): Submesh | undefined {
  const [width = 1, height = 1, depth = 1] = shape;
  const layer = width * height;
  let best: Submesh | undefined;
  let most = 0;
  for (let low = 0; low < depth; low++) {
    const blocked = new Uint8Array(layer);
    for (let high = low; high < depth; high++) {
      for (let node = 0; node < layer; node++) {
        if (byteAt(busy, high * layer + node) === 1) blocked[node] = 1;
      }
      const deep = high - low + 1;
      const found = largestRectangle(blocked, width, height);
      if (found === undefined || found.area * deep <= most) continue;
      most = found.area * deep;
      const { x, y, wide, high: tall } = found;
      best = {
        corner: [x, y, low].slice(0, shape.length),
        sides: [wide, tall, deep].slice(0, shape.length),
      };
    }
  }
  return best;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly high: number;
  readonly area: number;
}

/** By the heights of free columns above each row, and a stack of those that still rise. O(width · height). */
function largestRectangle(blocked: Uint8Array, width: number, height: number): Rectangle | undefined {
  const heights = new Int32Array(width + 1);
  let best: Rectangle | undefined;
  for (let row = 0; row < height; row++) {
    const stack: number[] = [];
    for (let column = 0; column <= width; column++) {
      // Behind the last column everything ends.
      heights[column] = column < width && byteAt(blocked, row * width + column) === 0 ? intAt(heights, column) + 1 : 0;
      for (;;) {
        const top = stack.at(-1);
        if (top === undefined || intAt(heights, top) < intAt(heights, column)) break;
        stack.pop();
        const x = (stack.at(-1) ?? -1) + 1;
        const [wide, high] = [column - x, intAt(heights, top)];
        if (wide * high > (best?.area ?? 0)) best = { x, y: row - high + 1, wide, high, area: wide * high };
      }
      stack.push(column);
    }
  }
  return best;
}
