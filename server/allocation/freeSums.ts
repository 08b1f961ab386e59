/** How many nodes of a submesh are free, from sums made once for all submeshes. */
import { byteAt, intAt } from '../numeric/elements.ts';
import type { Mesh } from './mesh.ts';

/** Summed areas (Crow 1984), in three dimensions summed volumes. */
export class FreeSums {
  readonly #mesh: Mesh;
  /** Free nodes below x, y and z on every axis, at x + (width + 1) · (y + (height + 1) · z). */
  readonly #sums: Int32Array;
  readonly #row: number;
  readonly #plane: number;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    this.#row = mesh.width + 1;
    this.#plane = this.#row * (mesh.height + 1);
    this.#sums = new Int32Array(this.#plane * (mesh.depth + 1));
  }

  /** Takes over which nodes are free, and says how many. O(nodes). */
  fill(busy: Uint8Array): number {
    const { width, height, depth } = this.#mesh;
    const sums = this.#sums;
    const row = this.#row;
    const plane = this.#plane;
    let node = 0;
    for (let z = 1; z <= depth; z++) {
      for (let y = 1; y <= height; y++) {
        let at = z * plane + y * row;
        let inRow = 0;
        for (let x = 1; x <= width; x++) {
          inRow += 1 - byteAt(busy, node++);
          at++;
          // All below in this plane, and what the planes below have that far; the two share nothing.
          sums[at] =
            inRow + intAt(sums, at - row) + (z === 1 ? 0 : intAt(sums, at - plane) - intAt(sums, at - plane - row));
        }
      }
    }
    return intAt(sums, sums.length - 1);
  }

  /** Free nodes with x0 ≤ x < x1, y0 ≤ y < y1 and z0 ≤ z < z1, all within the mesh. O(1). */
  count(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): number {
    const above = this.#below(x0, y0, x1, y1, z1 * this.#plane);
    return z0 === 0 ? above : above - this.#below(x0, y0, x1, y1, z0 * this.#plane);
  }

  /** For every x from 0 to the width, the {@link count} from 0 to x. O(width). */
  countToLeft(y0: number, z0: number, y1: number, z1: number, out: Int32Array): void {
    const sums = this.#sums;
    const [low, high] = [y0 * this.#row, y1 * this.#row];
    const [front, back] = [z0 * this.#plane, z1 * this.#plane];
    for (let x = 0; x < this.#row; x++) {
      const upTo = intAt(sums, back + high + x) - intAt(sums, back + low + x);
      out[x] = z0 === 0 ? upTo : upTo - intAt(sums, front + high + x) + intAt(sums, front + low + x);
    }
  }

  #below(x0: number, y0: number, x1: number, y1: number, plane: number): number {
    const sums = this.#sums;
    const low = plane + y0 * this.#row;
    const high = plane + y1 * this.#row;
    return intAt(sums, high + x1) - intAt(sums, high + x0) - intAt(sums, low + x1) + intAt(sums, low + x0);
  }
}
