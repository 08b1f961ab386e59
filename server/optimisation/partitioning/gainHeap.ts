
/**
 * Vertices by gain, the largest first; equal gains by the lower vertex, so that the order is the
 * same everywhere. A binary heap that knows where each vertex stands: gains are amounts of bytes
 * times costs, too far apart for the buckets of Fiduccia and Mattheyses 1982. All heaps over one
 * array of gains share it: set the gain, then call {@link GainHeap.update}. O(log n) each.
 */
export class GainHeap {
  readonly #gain: Float64Array;
  readonly #heap: Int32Array;
  /** Position of each vertex in the heap, −1 outside it. */
  readonly #position: Int32Array;
  #count = 0;

  constructor(gain: Float64Array) {
    this.#gain = gain;
    this.#heap = new Int32Array(gain.length);
    this.#position = new Int32Array(gain.length).fill(-1);
  }

  get count(): number {
    return this.#count;
  }

  /** The vertex of largest gain; −1 where the heap is empty. */
  get top(): number {
    return this.#count === 0 ? -1 : this.#heap[0]!;
  }

  has(vertex: number): boolean {
    return this.#position[vertex]! >= 0;
  }

  /** O(count). */
  clear(): void {
    for (let index = 0; index < this.#count; index++) this.#position[this.#heap[index]!] = -1;
    this.#count = 0;
  }

  /** Puts a vertex behind the others without ordering it: {@link order} must follow. */
  append(vertex: number): void {
    this.#position[vertex] = this.#count;
    this.#heap[this.#count++] = vertex;
  }

  /** Makes a heap of what was appended. O(count). */
  order(): void {
    for (let index = (this.#count >> 1) - 1; index >= 0; index--) this.#sink(index);
  }

  add(vertex: number): void {
    this.append(vertex);
    this.#rise(this.#count - 1);
  }

  remove(vertex: number): void {
    const index = this.#position[vertex]!;
    this.#position[vertex] = -1;
    const last = this.#heap[--this.#count]!;
    if (last === vertex) return;
    this.#heap[index] = last;
    this.#position[last] = index;
    this.update(last);
  }

  /** After the gain of a vertex in the heap has changed. */
  update(vertex: number): void {
    const index = this.#position[vertex]!;
    this.#rise(index);
    if (this.#position[vertex] === index) this.#sink(index);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const position = this.#position;
    const vertex = heap[from]!;
    const gain = this.#gain[vertex]!;
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent]!;
      const gainAbove = this.#gain[above]!;
      if (gainAbove > gain || (gainAbove === gain && above < vertex)) break;
      heap[index] = above;
      position[above] = index;
      index = parent;
    }
    heap[index] = vertex;
    position[vertex] = index;
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const position = this.#position;
    const gains = this.#gain;
    const count = this.#count;
    const vertex = heap[from]!;
    const gain = gains[vertex]!;
    let index = from;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= count) break;
      let below = heap[child]!;
      let gainBelow = gains[below]!;
      if (child + 1 < count) {
        const right = heap[child + 1]!;
        const gainRight = gains[right]!;
        if (gainRight > gainBelow || (gainRight === gainBelow && right < below)) {
          child++;
          below = right;
          gainBelow = gainRight;
        }
      }
      if (gain > gainBelow || (gain === gainBelow && vertex < below)) break;
      heap[index] = below;
      position[below] = index;
      index = child;
    }
    heap[index] = vertex;
    position[vertex] = index;
  }
}
