/**
 * Shapes and coordinates of any dimension. Index 0 is x, 1 is y, 2 is z; x varies fastest:
 * `index = x + X · (y + Y · z)`, for routers of a torus as for tasks of a grid.
 */
export type Shape = readonly number[];

/** Product of the sides. May exceed 2^53 for absurd input: compare before you allocate. */
export function volumeOf(shape: Shape): number {
  let volume = 1;
  for (const side of shape) volume *= side;
  return volume;
}

/** Writes the coordinates of `index` into `out` (length ≥ shape.length). O(dimensions). */
export function coordinatesOf(shape: Shape, index: number, out: Int32Array | number[]): void {
  let rest = index;
  for (let axis = 0; axis < shape.length; axis++) {
    const side = shape[axis] ?? 1;
    out[axis] = rest % side;
    rest = Math.floor(rest / side);
  }
}

/** By how much an index grows with one step along each axis, x fastest. */
export function stridesOf(sides: readonly number[]): readonly number[] {
  let stride = 1;
  return sides.map((side) => {
    const own = stride;
    stride *= side;
    return own;
  });
}

/** `16 x 12 x 24`, the way the language writes it. */
export const formatShape = (shape: Shape): string => shape.join(' x ');

/** Names of the axes in messages and options: x, y, z, w, then axis-5, axis-6, … */
export const axisName = (axis: number): string => ['x', 'y', 'z', 'w'][axis] ?? `axis-${axis + 1}`;

/** The axis of a name; every axis is also called by its number, `axis-1`. Undefined where the text is no such name. */
export function axisNamed(text: string): number | undefined {
  const number = /^axis-([1-9]\d?)$/.exec(text)?.[1];
  if (number !== undefined) return Number(number) - 1;
  const axis = ['x', 'y', 'z', 'w'].indexOf(text);
  return axis < 0 ? undefined : axis;
}

/**
 * Whether an axis has a cable from its last router back to its first. A ring of two routers
 * is one cable between them, so it is a line like any other; a ring of one has no cable.
 */
export const closesToRing = (side: number, wraps: boolean): boolean => wraps && side > 2;

/** Links between two positions on an axis of a grid, the shorter way round where it is a ring. */
export function axisDistance(side: number, wraps: boolean, from: number, to: number): number {
  const straight = Math.abs(from - to);
  return closesToRing(side, wraps) ? Math.min(straight, side - straight) : straight;
}

/** The farthest apart that two positions on an axis are. */
export const axisExtent = (side: number, wraps: boolean): number => (closesToRing(side, wraps) ? side >> 1 : side - 1);
