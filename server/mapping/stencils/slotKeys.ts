/**
 * Numbers that order slots by their coordinates, so that sorting and selecting work on plain
 * typed arrays. A key is a slot written in another mixed radix: the axes of `axes` from the most
 * significant to the least, then the slot within its router. Keys are one to one with slots.
 */
export interface SlotKeys {
  readonly slotsPerRouter: number;
  /** Per axis, most significant first: its side, and its stride in slots and in keys. */
  readonly sides: Int32Array;
  readonly slotStrides: Int32Array;
  readonly keyStrides: Int32Array;
  /** Number of all slots of the machine. */
  readonly count: number;
}

/** Keys in which `axes` (a permutation of all axes) goes from most to least significant. */
export function slotKeys(machineSides: readonly number[], slotsPerRouter: number, axes: readonly number[]): SlotKeys {
  const strides: number[] = [];
  let count = slotsPerRouter;
  for (const side of machineSides) {
    strides.push(count);
    count *= side;
  }
  let keyStride = count;
  return {
    slotsPerRouter,
    sides: Int32Array.from(axes, (axis) => machineSides[axis]!),
    slotStrides: Int32Array.from(axes, (axis) => strides[axis]!),
    keyStrides: Int32Array.from(axes, (axis) => (keyStride /= machineSides[axis]!)),
    count,
  };
}

/** Replaces each slot by its key, in place. O(n · dimensions). */
export function encodeSlots(keys: SlotKeys, slots: Int32Array): void {
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index]!;
    let key = slot % keys.slotsPerRouter;
    for (let axis = 0; axis < keys.sides.length; axis++) {
      const coordinate = ((slot / keys.slotStrides[axis]!) | 0) % keys.sides[axis]!;
      key += coordinate * keys.keyStrides[axis]!;
    }
    slots[index] = key;
  }
}

/** The slot of a key: the inverse of {@link encodeSlots} for one of them. O(dimensions). */
export function slotOfKey(keys: SlotKeys, key: number): number {
  let slot = key % keys.slotsPerRouter;
  for (let axis = 0; axis < keys.sides.length; axis++) {
    const coordinate = ((key / keys.keyStrides[axis]!) | 0) % keys.sides[axis]!;
    slot += coordinate * keys.slotStrides[axis]!;
  }
  return slot;
}
