import { intAt, realAt } from '../../numeric/elements.ts';
/** The two ends between which the resistance is wanted are the first two nodes of a circuit. */
export const terminals = { from: 0, to: 1, count: 2 } as const;

/**
 * Solves a network of resistors by the star–mesh transform (Rosen 1924): a node goes, and each two
 * of its neighbours get a conductance g·g′/Σg between them. That is Gaussian elimination on the
 * Laplacian without a subtraction, so the result is exact to a few units in the last place. Always
 * the node with fewest neighbours goes next.
 */
export class StarMesh {
  #nodes = 0;
  /** Conductance between two nodes, nodes × nodes; symmetric, 0 where there is none. */
  #between = new Float64Array(0);
  /** Neighbours of each node. */
  #degree = new Int32Array(0);
  #neighbours = new Int32Array(0);
  #weights = new Float64Array(0);

  clear(nodes: number): void {
    this.#nodes = nodes;
    if (this.#degree.length < nodes) {
      const size = Math.max(16, 2 * nodes);
      this.#degree = new Int32Array(size);
      this.#neighbours = new Int32Array(size);
      this.#weights = new Float64Array(size);
      this.#between = new Float64Array(size * size);
    }
    this.#degree.fill(0, 0, nodes);
    this.#between.fill(0, 0, nodes * nodes);
  }

  add(from: number, to: number, conductance: number): void {
    if (from === to) return;
    const cell = from * this.#nodes + to;
    if (this.#between[cell] === 0) {
      this.#degree[from]! += 1;
      this.#degree[to]! += 1;
    }
    const sum = realAt(this.#between, cell) + conductance;
    this.#between[cell] = sum;
    this.#between[to * this.#nodes + from] = sum;
  }

  /** Resistance between the terminals. Uses the network up. O(nodes² + nodes · neighbours²). */
  resistance(): number {
    for (let left = this.#nodes - terminals.count; left > 0; left--) this.#remove(this.#simplest());
    return 1 / realAt(this.#between, terminals.from * this.#nodes + terminals.to);
  }

  /** Removed nodes have a degree below 0. */
  #simplest(): number {
    const degree = this.#degree;
    let best = -1;
    let fewest = this.#nodes;
    for (let node: number = terminals.count; node < this.#nodes; node++) {
      const neighbours = intAt(degree, node);
      if (neighbours < 0 || neighbours >= fewest) continue;
      best = node;
      fewest = neighbours;
    }
    return best;
  }

  #remove(node: number): void {
    const nodes = this.#nodes;
    const between = this.#between;
    const neighbours = this.#neighbours;
    const weights = this.#weights;
    const degree = this.#degree;
    degree[node] = -1;
    let count = 0;
    let sum = 0;
    for (let other = 0, cell = node * nodes; other < nodes; other++, cell++) {
      const conductance = realAt(between, cell);
      if (conductance === 0 || intAt(degree, other) < 0) continue;
      neighbours[count] = other;
      weights[count++] = conductance;
      sum += conductance;
    }
    for (let one = 0; one < count; one++) {
      const from = intAt(neighbours, one);
      const part = realAt(weights, one) / sum;
      const row = from * nodes;
      degree[from]! -= 1;
      for (let two = one + 1; two < count; two++) {
        const to = intAt(neighbours, two);
        const before = realAt(between, row + to);
        if (before === 0) {
          degree[from]! += 1;
          degree[to]! += 1;
        }
        const after = before + part * realAt(weights, two);
        between[row + to] = after;
        between[to * nodes + from] = after;
      }
    }
  }
}
