import { intAt } from './elements.ts';
/**
 * Indices 0 … n − 1 by key, the largest first; equal keys by the lower index, so that the order is the
 * same everywhere. A binary heap (Williams 1964) that knows where each index stands. Several heaps may
 * share one array of keys: set the key, then call {@link IndexedHeap.update}. O(log n) each.
 */
export class IndexedHeap {
  readonly #key: Float64Array;
  readonly #heap: Int32Array;
  /** Position of each index in the heap, −1 outside it. */
  readonly #position: Int32Array;
  #count = 0;

  constructor(key: Float64Array) {
    this.#key = key;
    this.#heap = new Int32Array(key.length);
    this.#position = new Int32Array(key.length).fill(-1);
  }

  get count(): number {
    return this.#count;
  }

  /** The index of largest key; −1 where the heap is empty. */
  get top(): number {
    return this.#count === 0 ? -1 : intAt(this.#heap, 0);
  }

  has(item: number): boolean {
    return this.#position[item]! >= 0;
  }

  /** O(count). */
  clear(): void {
    for (let place = 0; place < this.#count; place++) this.#position[intAt(this.#heap, place)] = -1;
    this.#count = 0;
  }

  /** Puts an index behind the others without ordering it: {@link order} must follow. */
  append(item: number): void {
    this.#position[item] = this.#count;
    this.#heap[this.#count++] = item;
  }

  /** Makes a heap of what was appended. O(count). */
  order(): void {
    for (let place = (this.#count >> 1) - 1; place >= 0; place--) this.#sink(place);
  }

  add(item: number): void {
    this.append(item);
    this.#rise(this.#count - 1);
  }

  remove(item: number): void {
    const place = this.#position[item]!;
    this.#position[item] = -1;
    const last = this.#heap[--this.#count]!;
    if (last === item) return;
    this.#heap[place] = last;
    this.#position[last] = place;
    this.update(last);
  }

  /** After the key of an index in the heap has changed. */
  update(item: number): void {
    const place = intAt(this.#position, item);
    this.#rise(place);
    if (this.#position[item] === place) this.#sink(place);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const position = this.#position;
    const item = heap[from]!;
    const key = this.#key[item]!;
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent]!;
      const keyAbove = this.#key[above]!;
      if (keyAbove > key || (keyAbove === key && above < item)) break;
      heap[place] = above;
      position[above] = place;
      place = parent;
    }
    heap[place] = item;
    position[item] = place;
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const position = this.#position;
    const keys = this.#key;
    const count = this.#count;
    const item = heap[from]!;
    const key = keys[item]!;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= count) break;
      let below = heap[child]!;
      let keyBelow = keys[below]!;
      if (child + 1 < count) {
        const right = heap[child + 1]!;
        const keyRight = keys[right]!;
        if (keyRight > keyBelow || (keyRight === keyBelow && right < below)) {
          child++;
          below = right;
          keyBelow = keyRight;
        }
      }
      if (key > keyBelow || (key === keyBelow && item < below)) break;
      heap[place] = below;
      position[below] = place;
      place = child;
    }
    heap[place] = item;
    position[item] = place;
  }
}
