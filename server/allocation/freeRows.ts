/** Free submeshes of given sides, found with one bit for each node. */
import { byteAt, intAt } from '../numeric/elements.ts';
import type { Mesh, Sides } from './mesh.ts';

/**
 * Which nodes are free, 32 of a row in a word: bit x of a row is set where its node is free. A submesh of width w may
 * begin at the bits that are left when the row is combined with itself shifted by 1, 2, 4, …, in all ⌈log2 w⌉ times,
 * and of height h at those left in all of h rows. So looking for it takes O(rows · words · (log w + h)) word
 * operations, and far fewer where rows are full.
 */
export class FreeRows {
  readonly #mesh: Mesh;
  readonly #wordsPerRow: number;
  /** Rows of the plane z = 0 first. */
  readonly #words: Int32Array;
  /** Where `#runLength` free nodes of a row begin. */
  readonly #runs: Int32Array;
  #runLength = 0;
  /** The bytes that were looked at last, and the same four at a time. */
  #busy: Uint8Array | undefined;
  #fours: Int32Array | undefined;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    this.#wordsPerRow = (mesh.width + 31) >>> 5;
    this.#words = new Int32Array(this.#wordsPerRow * mesh.height * mesh.depth);
    this.#runs = new Int32Array(this.#words.length);
  }

  /** Takes over which nodes are free, and says how many. O(nodes). */
  fill(busy: Uint8Array): number {
    const { width, height, depth } = this.#mesh;
    const words = this.#words;
    const fours = width % 4 === 0 ? this.#foursOf(busy) : undefined;
    let node = 0;
    let word = 0;
    let free = 0;
    for (let row = 0; row < height * depth; row++) {
      for (let left = width; left > 0; left -= 32) {
        const end = Math.min(32, left);
        let held = 0;
        if (fours === undefined) {
          for (let bit = 0; bit < end; bit++) held |= byteAt(busy, node++) << bit;
        } else {
          // The product has the lowest bits of the four bytes side by side in its highest byte: 24, 8 + 17, 16 + 10, 24 + 3.
          for (let bit = 0; bit < end; bit += 4, node += 4)
            held |= ((Math.imul(intAt(fours, node >> 2), 0x01020408) >>> 24) & 15) << bit;
        }
        const bits = ~held & (-1 >>> (32 - end));
        free += freeBitCount(bits);
        words[word++] = bits;
      }
    }
    this.#runLength = 0;
    return free;
  }

  /** The same bytes four at a time, the first one lowest: allocators that ask for all nodes at every job do little else. */
  #foursOf(busy: Uint8Array): Int32Array | undefined {
    if (busy !== this.#busy) {
      this.#busy = busy;
      const { buffer, byteOffset, length } = busy;
      this.#fours =
        byteOffset % 4 === 0 && isLittleEndian ? new Int32Array(buffer, byteOffset, length >> 2) : undefined;
    }
    return this.#fours;
  }

  /** Marks a submesh as held. */
  take(origin: number, [width, height, depth]: Sides): void {
    const mesh = this.#mesh;
    const x = origin % mesh.width;
    const firstRow = (origin - x) / mesh.width;
    for (let z = 0; z < depth; z++) {
      for (let y = 0; y < height; y++) {
        const start = (firstRow + z * mesh.height + y) * this.#wordsPerRow;
        for (let column = x; column < x + width; column++) {
          const word = start + (column >>> 5);
          this.#words[word] = intAt(this.#words, word) & ~(1 << (column & 31));
        }
      }
    }
    this.#runLength = 0;
  }

  /**
   * Writes the lowest corners (NodeIds) of free submeshes to `out`, in row-major order, until it is full or there are
   * no more; returns how many.
   */
  origins([width, height, depth]: Sides, out: Int32Array): number {
    const mesh = this.#mesh;
    if (width > mesh.width || height > mesh.height || depth > mesh.depth || out.length === 0) return 0;
    this.#findRuns(width);
    const rowCount = (mesh.depth - depth + 1) * mesh.height;
    let count = 0;
    for (let row = 0; row < rowCount;) {
      const above = mesh.height - (row % mesh.height);
      // The other rows of the plane are too few.
      if (above < height) {
        row += above;
        continue;
      }
      let steps = height;
      for (let word = 0; word < this.#wordsPerRow; word++) {
        steps = Math.min(steps, this.#stepsToStart(row, word, height));
        if (steps > 0) continue;
        for (let bits = this.#starts(row, word, height, depth); bits !== 0; bits &= bits - 1) {
          out[count++] = row * mesh.width + (word << 5) + trailingZeros(bits);
          if (count === out.length) return count;
        }
      }
      row += Math.max(1, steps);
    }
    return count;
  }

  /** The first of {@link origins}, or -1. */
  firstOrigin(sides: Sides): number {
    return this.origins(sides, oneOrigin) === 0 ? -1 : intAt(oneOrigin, 0);
  }

  /**
   * How many rows further up the first submesh may begin in the bits of a word, as far as the rows of this plane tell; 0 where one may
   * begin here. Rows are combined from the highest one downwards: where nothing is left, none begins at or below that row.
   */
  #stepsToStart(firstRow: number, word: number, height: number): number {
    const runs = this.#runs;
    const wordsPerRow = this.#wordsPerRow;
    let bits = -1;
    let at = (firstRow + height - 1) * wordsPerRow + word;
    for (let row = height; row > 0; row--, at -= wordsPerRow) {
      bits &= intAt(runs, at);
      if (bits === 0) return row;
    }
    return 0;
  }

  /** The bits of a word where a submesh may begin that has its lowest row in `firstRow`. */
  #starts(firstRow: number, word: number, height: number, depth: number): number {
    let bits = -1;
    for (let plane = 0; plane < depth && bits !== 0; plane++) {
      let at = (firstRow + plane * this.#mesh.height) * this.#wordsPerRow + word;
      for (let row = 0; row < height && bits !== 0; row++, at += this.#wordsPerRow) bits &= intAt(this.#runs, at);
    }
    return bits;
  }

  #findRuns(length: number): void {
    if (this.#runLength === length) return;
    this.#runs.set(this.#words);
    for (let have = 1; have < length;) {
      const shift = Math.min(have, length - have);
      this.#combineShifted(shift);
      have += shift;
    }
    this.#runLength = length;
  }

  /** Combines each row of `#runs` with itself, shifted towards bit 0. Words are read before they are written. */
  #combineShifted(shift: number): void {
    const runs = this.#runs;
    if (this.#wordsPerRow === 1 && shift < 32) {
      for (let row = 0; row < runs.length; row++) {
        const run = intAt(runs, row);
        runs[row] = run & (run >>> shift);
      }
      return;
    }
    const words = shift >>> 5;
    const bits = shift & 31;
    for (let end = this.#wordsPerRow; end <= runs.length; end += this.#wordsPerRow) {
      for (let at = end - this.#wordsPerRow; at < end; at++) {
        const low = at + words < end ? intAt(runs, at + words) : 0;
        const high = at + words + 1 < end ? intAt(runs, at + words + 1) : 0;
        runs[at] = intAt(runs, at) & (bits === 0 ? low : (low >>> bits) | (high << (32 - bits)));
      }
    }
  }
}

const isLittleEndian = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

const oneOrigin = new Int32Array(1);

const trailingZeros = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** How many bits are set. */
function freeBitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
