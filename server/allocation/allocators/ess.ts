import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import { FreeSums } from '../freeSums.ts';
import type { Mesh } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const ess = strategy({
  name: 'ess',
  summary: 'expanding square strategy: the tightest cluster that grows round a free node',
  source: 'Moghaddam and Naghibzadeh 2006; Alsardia 2017, section 2.1.2',
  details:
    'A square grows around every free node until it has enough free nodes. Its cluster has all free nodes of the previous square and the nearest nodes of the last ring. Nearest means the smallest sum of L1 distances to the previous square (ties: lowest node). The cluster with the smallest sum of internal L1 distances is allocated (ties: lowest centre). Nodes are listed ring by ring; the last ring by its sums. O(free nodes · (side of the square · log side)).',
  options: [],
  contiguous: false,
  finder: onMeshes('ess', 2, squaresOn),
});

/** How many nodes are looked at between two looks at the cancellation flag. */
const centresPerPoll = 256;

function squaresOn(mesh: Mesh): NodeFinder {
  const squares = new Squares(mesh);
  return {
    find(busy, { nodeCount, cancellation }) {
      if (squares.begin(busy) < nodeCount) return undefined;
      let best = -1;
      let least = Infinity;
      for (let node = 0; node < busy.length; node++) {
        if (node % centresPerPoll === 0 && cancellation?.isCancelled() === true) return undefined;
        if (byteAt(busy, node) === 1) continue;
        const sum = squares.sumRound(node, nodeCount, least);
        if (sum < least) [best, least] = [node, sum];
      }
      return squares.clusterRound(best, nodeCount);
    },
  };
}

/**
 * The clusters that grow round nodes. The axes of an L1 distance are apart: how many nodes a cluster has in each column and
 * row is all that its sum of distances needs, and {@link FreeSums} tells it for a whole square.
 */
class Squares {
  readonly #mesh: Mesh;
  readonly #sums: FreeSums;
  readonly #columns: Line;
  readonly #rows: Line;
  readonly #lists = new NodeLists();
  /** Of the free nodes of the last ring, sum of distances · nodes of the mesh + NodeId: ascending by sum, then by node. */
  readonly #ring: Float64Array;
  #busy: Uint8Array = new Uint8Array(0);

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    this.#sums = new FreeSums(mesh);
    this.#columns = new Line(mesh.width);
    this.#rows = new Line(mesh.height);
    this.#ring = new Float64Array(2 * (mesh.width + mesh.height));
  }

  /** Takes over which nodes are free, and says how many. */
  begin(busy: Uint8Array): number {
    this.#busy = busy;
    return this.#sums.fill(busy);
  }

  /** The sum of the distances of all ordered pairs of a cluster, or anything of at least `limit` where it is not below. */
  sumRound(centre: number, nodeCount: number, limit: number): number {
    const { width } = this.#mesh;
    const { inner, ringCount } = this.#grow(centre, nodeCount);
    const innerSum = this.#columns.pairs() + this.#rows.pairs();
    if (innerSum >= limit) return innerSum;
    this.#rankRing(ringCount);
    for (let index = 0; index < nodeCount - inner; index++) {
      const node = this.#nodeOfRing(index);
      const x = node % width;
      this.#columns.add(x, 1);
      this.#rows.add((node - x) / width, 1);
    }
    this.#columns.measure();
    this.#rows.measure();
    return this.#columns.pairs() + this.#rows.pairs();
  }

  /** The nodes of a cluster, ring by ring, those of the last by their sum of distances to the others. */
  clusterRound(centre: number, nodeCount: number): Int32Array {
    const { radius, inner, ringCount } = this.#grow(centre, nodeCount);
    this.#rankRing(ringCount);
    const nodes = this.#lists.next(nodeCount);
    for (let index = inner; index < nodeCount; index++) nodes[index] = this.#nodeOfRing(index - inner);
    for (let ring = 0, count = 0; ring < radius; ring++) {
      const end = count + this.#freeOfRing(centre, ring);
      for (let index = 0; count < end; index++) nodes[count++] = realAt(this.#ring, index);
    }
    return nodes;
  }

  /** Counts and measures the square before the last one, of `inner` nodes, and writes the free nodes of the last ring. */
  #grow(centre: number, nodeCount: number): { radius: number; inner: number; ringCount: number } {
    const { width, height } = this.#mesh;
    const x = centre % width;
    const y = (centre - x) / width;
    let radius = 0;
    let inner = 0;
    for (let within = 1; within < nodeCount;) {
      inner = within;
      radius++;
      within = this.#freeWithin(x, y, radius);
    }
    const [x0, y0] = [Math.max(0, x - radius), Math.max(0, y - radius)];
    const [x1, y1] = [Math.min(width, x + radius + 1), Math.min(height, y + radius + 1)];
    this.#columns.begin(x0, x1);
    this.#rows.begin(y0, y1);
    if (radius > 0) {
      const [left, low] = [Math.max(0, x - radius + 1), Math.max(0, y - radius + 1)];
      const [right, high] = [Math.min(width, x + radius), Math.min(height, y + radius)];
      for (let column = left; column < right; column++)
        this.#columns.add(column, this.#sums.count(column, low, 0, column + 1, high, 1));
      for (let row = low; row < high; row++) this.#rows.add(row, this.#sums.count(left, row, 0, right, row + 1, 1));
    }
    this.#columns.measure();
    this.#rows.measure();
    return { radius, inner, ringCount: this.#freeOfRing(centre, radius) };
  }

  #freeWithin(x: number, y: number, radius: number): number {
    const { width, height } = this.#mesh;
    return this.#sums.count(
      Math.max(0, x - radius),
      Math.max(0, y - radius),
      0,
      Math.min(width, x + radius + 1),
      Math.min(height, y + radius + 1),
      1,
    );
  }

  /** Writes the free nodes at exactly this Chebyshev distance to `#ring`, ascending, and says how many they are. */
  #freeOfRing(centre: number, ring: number): number {
    const { width, height } = this.#mesh;
    const x = centre % width;
    const y = (centre - x) / width;
    const lastRow = Math.min(height - 1, y + ring);
    let count = 0;
    for (let row = Math.max(0, y - ring); row <= lastRow; row++) {
      const step = ring === 0 || row === y - ring || row === y + ring ? 1 : 2 * ring;
      for (let column = x - ring; column <= x + ring; column += step) {
        const node = row * width + column;
        if (column >= 0 && column < width && byteAt(this.#busy, node) === 0) this.#ring[count++] = node;
      }
    }
    return count;
  }

  #rankRing(count: number): void {
    const { width, nodeCount } = this.#mesh;
    for (let index = 0; index < count; index++) {
      const node = realAt(this.#ring, index);
      const x = node % width;
      const sum = this.#columns.distancesTo(x) + this.#rows.distancesTo((node - x) / width);
      this.#ring[index] = sum * nodeCount + node;
    }
    this.#ring.subarray(0, count).sort();
  }

  #nodeOfRing(index: number): number {
    return realAt(this.#ring, index) % this.#mesh.nodeCount;
  }
}

/** How many nodes stand at each position of an axis, and for each position the sum of its distances to all of them. */
class Line {
  readonly #counts: Int32Array;
  readonly #distances: Int32Array;
  #from = 0;
  #to = 0;

  constructor(length: number) {
    this.#counts = new Int32Array(length);
    this.#distances = new Int32Array(length);
  }

  /** Nothing stands there; positions from `from` to before `to` are used. */
  begin(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
    this.#counts.fill(0, from, to);
  }

  add(position: number, count: number): void {
    this.#counts[position] = intAt(this.#counts, position) + count;
  }

  /** Works out the distances: once upwards, once downwards. O(positions). */
  measure(): void {
    for (let position = this.#from, passed = 0, sum = 0; position < this.#to; position++) {
      sum += passed;
      passed += intAt(this.#counts, position);
      this.#distances[position] = sum;
    }
    for (let position = this.#to - 1, passed = 0, sum = 0; position >= this.#from; position--) {
      sum += passed;
      passed += intAt(this.#counts, position);
      this.#distances[position] = intAt(this.#distances, position) + sum;
    }
  }

  distancesTo(position: number): number {
    return intAt(this.#distances, position);
  }

  /** Sum of the distances of all ordered pairs. */
  pairs(): number {
    let sum = 0;
    for (let position = this.#from; position < this.#to; position++)
      sum += intAt(this.#counts, position) * intAt(this.#distances, position);
    return sum;
  }
}
