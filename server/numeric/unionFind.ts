import { intAt } from './elements.ts';
/**
 * Disjoint sets of 0 … count − 1 (union-find) with path halving; the root of a set is its lowest member, whatever
 * the order of the joins. O(log count) per call, amortised (Tarjan and van Leeuwen 1984, Worst-case
 * analysis of set union algorithms).
 */
export class DisjointSets {
  readonly #parent: Int32Array;
  #setCount: number;

  /** Every member a set of its own. */
  constructor(count: number) {
    this.#parent = Int32Array.from({ length: count }, (_, member) => member);
    this.#setCount = count;
  }

  get setCount(): number {
    return this.#setCount;
  }

  /** The lowest member of the set that `member` is in. */
  rootOf(member: number): number {
    const parent = this.#parent;
    let root = member;
    while (parent[root] !== root) {
      parent[root] = intAt(parent, intAt(parent, root));
      root = intAt(parent, root);
    }
    return root;
  }

  /** Makes one set of the sets of two members; false where they were in the same. */
  join(one: number, other: number): boolean {
    const first = this.rootOf(one);
    const second = this.rootOf(other);
    if (first === second) return false;
    this.#parent[Math.max(first, second)] = Math.min(first, second);
    this.#setCount--;
    return true;
  }
}
