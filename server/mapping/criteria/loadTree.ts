/** Loads of links with the largest of them at hand: a tournament, each inner node the larger of its two. */
export class LoadTree {
  readonly #leaves: number;
  /** Node n has the children 2n and 2n + 1; the root is 1. */
  readonly #nodes: Float64Array;

  constructor(linkCount: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, linkCount)));
    this.#nodes = new Float64Array(2 * this.#leaves);
  }

  get maximum(): number {
    return this.#nodes[1]!;
  }

  load(link: number): number {
    return this.#nodes[this.#leaves + link]!;
  }

  /** O(log links), less where the load wins no match and had won none. */
  set(link: number, load: number): void {
    const nodes = this.#nodes;
    let node = this.#leaves + link;
    nodes[node] = load;
    while (node > 1) {
      const larger = Math.max(nodes[node]!, nodes[node ^ 1]!);
      node >>= 1;
      if (nodes[node] === larger) return;
      nodes[node] = larger;
    }
  }

  /** All loads anew. O(links). */
  fill(loads: Float64Array): void {
    this.#nodes.fill(0);
    this.#nodes.set(loads, this.#leaves);
    for (let node = this.#leaves - 1; node > 0; node--) {
      this.#nodes[node] = Math.max(this.#nodes[2 * node]!, this.#nodes[2 * node + 1]!);
    }
  }
}
