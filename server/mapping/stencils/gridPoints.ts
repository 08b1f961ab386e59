import type { AlignedJob } from './alignment.ts';
import { encodeSlots, slotKeys, slotOfKey } from './slotKeys.ts';

/**
 * The tasks of a grid, or the ranks they go to, with their coordinates. Points are sorted by the
 * last axis, …, then y, then x, then by id, so that wherever the paper breaks ties by z, then y, then
 * x, the point with the lower index comes first.
 */
export interface GridPoints {
  /** TaskIds or SlotIds. */
  readonly ids: Int32Array;
  /** `coordinates[axis][point]`, counted from the lowest of all points: from the paper's basepoint. */
  readonly coordinates: readonly Int32Array[];
  /** The highest coordinate on each axis. */
  readonly highest: readonly number[];
}

/** Tasks of the turned grid. O(n · dimensions). */
export function taskPoints({ sides, strides, ranks }: AlignedJob): GridPoints {
  const ids = new Int32Array(ranks.length);
  let filled = 1;
  const coordinates = sides.map(() => new Int32Array(ids.length));
  for (let axis = 0; axis < sides.length; axis++) {
    const volume = filled;
    filled *= sides[axis]!;
    for (let point = volume; point < filled; point++) ids[point] = ids[point - volume]! + strides[axis]!;
    for (let point = 0; point < ids.length; point++) {
      coordinates[axis]![point] = Math.floor(point / volume) % sides[axis]!;
    }
  }
  return { ids, coordinates, highest: sides.map((side) => side - 1) };
}

/** The ranks in their bounding box, which does not know of the wrap of a torus. O(n log n). */
export function rankPoints({ ranks, machineSides, slotsPerRouter }: AlignedJob): GridPoints {
  const lastAxisFirst = machineSides.map((_, axis) => machineSides.length - 1 - axis);
  const keys = slotKeys(machineSides, slotsPerRouter, lastAxisFirst);
  const ids = ranks.slice();
  encodeSlots(keys, ids);
  ids.sort();
  const coordinates = machineSides.map((side, axis) => {
    const stride = keys.keyStrides[machineSides.length - 1 - axis]!;
    return ids.map((key) => Math.floor(key / stride) % side);
  });
  return {
    ids: ids.map((key) => slotOfKey(keys, key)),
    coordinates,
    highest: coordinates.map((positions) => countFromLowest(positions)),
  };
}

/** Subtracts the lowest from all; returns the highest that is left. */
function countFromLowest(positions: Int32Array): number {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const position of positions) {
    if (position < lowest) lowest = position;
    if (position > highest) highest = position;
  }
  for (let point = 0; point < positions.length; point++) positions[point]! -= lowest;
  return highest - lowest;
}
