/** `mc` and `mc1x1`: shells of free nodes round a centre, the inner ones counting least. */
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { NodeFinder, NodeRequest } from '../contract.ts';
import { FreeSums } from '../freeSums.ts';
import { sidesOf, type Mesh, type Sides } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const mc = strategy({
  name: 'mc',
  summary: 'minimise contention: free nodes in shells round a submesh of the shape of the job (MC)',
  source: 'Mache et al. 1997, as told in Bender et al. 2008',
  details:
    'Shell 0 is a submesh of the requested shape around a free node. For an even side, the node is left of and below the middle. Each further shell is one node thick. The job gets the nodes of the inner shells. The centre with the smallest sum of shell numbers is used (ties: lowest node). Nodes are listed shell by shell, each in row-major order. On a torus, shells do not cross wrap-around links. O(nodes) for most machines, O(nodes · side) at worst.',
  options: [],
  contiguous: false,
  finder: onMeshes('mc', 3, (mesh) => shellsOn(mesh, (request) => sidesOf(request, mesh))),
});

export const mc1x1 = strategy({
  name: 'mc1x1',
  summary: 'free nodes in square shells round a free node (MC1x1)',
  source: 'Bender et al. 2008; Bunde et al. 2014, section 5',
  details:
    'As `mc`, but shell 0 is the centre alone: shell r has Chebyshev distance r. The paper writes L∞ (Manhattan), and describes squares of odd sides. In three dimensions they are cubes. O(nodes) for most machines, O(nodes · side) at worst.',
  options: [],
  contiguous: false,
  finder: onMeshes('mc1x1', 3, (mesh) => shellsOn(mesh, () => [1, 1, 1])),
});

function shellsOn(mesh: Mesh, innerSides: (request: NodeRequest) => Sides): NodeFinder {
  const shells = new Shells(mesh);
  return {
    find(busy, request) {
      if (shells.sums.fill(busy) < request.nodeCount) return undefined;
      shells.begin(innerSides(request), request.nodeCount);
      const centre = shells.bestCentre(busy, request);
      return centre < 0 ? undefined : shells.nodesRound(centre, busy, request.nodeCount);
    },
  };
}

/** How many centres are looked at between two looks at the cancellation flag. */
const centresPerPoll = 4096;

/**
 * The cost of a centre is the sum of the shell numbers of its k nearest nodes: Σ max(0, k − F(r)) over r ≥ 0, where
 * F(r) is the number of free nodes in the shells up to r, which takes O(1) from {@link FreeSums}.
 *
 * Few centres need the whole sum. In a mesh without borders and jobs F(r) is the volume V(r), and R is the first radius
 * with V(R) ≥ k. From F(R) alone follows a least cost, because F(r) ≤ min(F(R), V(r)) for r < R, and because beyond R
 * shells have at most V(r) − V(R) nodes. Centres whose least cost is not below the best cost known are left out; the
 * best known begins as the cost of the centre with the least of these.
 */
class Shells {
  readonly sums: FreeSums;
  readonly #mesh: Mesh;
  readonly #leastCosts: Float64Array;
  readonly #toLeft: Int32Array;
  readonly #lists = new NodeLists();
  #inner: Sides = [1, 1, 1];
  /** Nodes of shell 0 to the left of, below and in front of the centre. */
  #before: Sides = [0, 0, 0];
  #wanted = 0;
  #radius = 0;
  /** The least cost by F(R), as long as that is at most k. */
  #leastCost: Float64Array = new Float64Array(0);

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    this.sums = new FreeSums(mesh);
    this.#leastCosts = new Float64Array(mesh.nodeCount);
    this.#toLeft = new Int32Array(mesh.width + 1);
  }

  begin(inner: Sides, wanted: number): void {
    this.#inner = inner;
    this.#before = [(inner[0] - 1) >> 1, (inner[1] - 1) >> 1, (inner[2] - 1) >> 1];
    this.#wanted = wanted;
    this.#radius = 0;
    while (this.#volume(this.#radius) < wanted) this.#radius++;
    this.#leastCost = this.#boundsByCount();
  }

  /** The lowest of the centres with the least cost, or -1 where cancelled. */
  bestCentre(busy: Uint8Array, { cancellation }: NodeRequest): number {
    const first = this.#centreOfLeastBound(busy);
    // The cost of the first is only known to be reached: a lower node may have the same.
    let best = first;
    let bestCost = this.#cost(first, Infinity);
    for (let node = 0; node < busy.length; node++) {
      if (node % centresPerPoll === 0 && cancellation?.isCancelled() === true) return -1;
      const bound = realAt(this.#leastCosts, node);
      if (bound > bestCost || (bound === bestCost && node > best)) continue;
      const limit = node < best ? bestCost + 1 : bestCost;
      const cost = this.#cost(node, limit);
      if (cost < limit) [best, bestCost] = [node, cost];
    }
    return best;
  }

  /** Notes the least cost of every centre; infinite for busy ones. */
  #centreOfLeastBound(busy: Uint8Array): number {
    const { width, height, depth } = this.#mesh;
    const reach = this.#before[0] + this.#radius;
    const across = this.#inner[0] + 2 * this.#radius;
    let least = Infinity;
    let first = -1;
    for (let node = 0, row = 0; row < height * depth; row++) {
      const within = this.#rowsWithin(row % height, Math.floor(row / height));
      for (let x = 0; x < width; x++, node++) {
        let bound = Infinity;
        if (byteAt(busy, node) === 0) {
          const from = x < reach ? 0 : x - reach;
          const to = x - reach + across < width ? x - reach + across : width;
          const free = intAt(within, to) - intAt(within, from);
          bound = realAt(this.#leastCost, free < this.#wanted ? free : this.#wanted);
        }
        if (bound < least) {
          least = bound;
          first = node;
        }
        this.#leastCosts[node] = bound;
      }
    }
    return first;
  }

  /** Free nodes to the left of every x, in the rows and planes within the radius R of a row. */
  #rowsWithin(y: number, z: number): Int32Array {
    const { height, depth } = this.#mesh;
    const radius = this.#radius;
    const y0 = y - this.#before[1] - radius;
    const z0 = z - this.#before[2] - radius;
    const y1 = Math.min(height, y0 + this.#inner[1] + 2 * radius);
    const z1 = depth === 1 ? 1 : Math.min(depth, z0 + this.#inner[2] + 2 * radius);
    this.sums.countToLeft(Math.max(0, y0), Math.max(0, z0), y1, z1, this.#toLeft);
    return this.#toLeft;
  }

  /** The cost of a centre, or anything of at least `limit` where it is not below. */
  #cost(node: number, limit: number): number {
    const { width, height } = this.#mesh;
    const x = node % width;
    const row = (node - x) / width;
    const y = row % height;
    const z = (row - y) / height;
    let cost = 0;
    for (let radius = 0; cost < limit; radius++) {
      const missing = this.#wanted - this.#freeWithin(x, y, z, radius);
      if (missing <= 0) return cost;
      cost += missing;
    }
    return cost;
  }

  /** F(r). */
  #freeWithin(x: number, y: number, z: number, radius: number): number {
    const { width, height, depth } = this.#mesh;
    const [innerX, innerY, innerZ] = this.#inner;
    const x0 = x - this.#before[0] - radius;
    const y0 = y - this.#before[1] - radius;
    const z0 = z - this.#before[2] - radius;
    return this.sums.count(
      x0 < 0 ? 0 : x0,
      y0 < 0 ? 0 : y0,
      z0 < 0 ? 0 : z0,
      Math.min(width, x0 + innerX + 2 * radius),
      Math.min(height, y0 + innerY + 2 * radius),
      depth === 1 ? 1 : Math.min(depth, z0 + innerZ + 2 * radius),
    );
  }

  /** V(r), of the mesh's own dimensions. */
  #volume(radius: number): number {
    const [width, height, depth] = this.#inner;
    const { dimensions } = this.#mesh;
    return (
      (width + 2 * radius) * (dimensions > 1 ? height + 2 * radius : 1) * (dimensions > 2 ? depth + 2 * radius : 1)
    );
  }

  /** The least cost for every F(R) from 0 to k. O(k + R). */
  #boundsByCount(): Float64Array {
    const wanted = this.#wanted;
    const radius = this.#radius;
    const bounds = new Float64Array(wanted + 1);
    // Within R: Σ (k − min(f, V(r))) over r < R. One more in f takes off as much as there are r with V(r) > f.
    let head = radius * wanted;
    let smaller = 0;
    for (let count = 0; count <= wanted; count++) {
      bounds[count] = head + (wanted - count);
      while (smaller < radius && this.#volume(smaller) <= count) smaller++;
      head -= radius - smaller;
    }
    // Beyond: Σ max(0, d − (V(s) − V(R))) over s > R for the d that are missing. One more in d adds as many s as have
    // less.
    const atRadius = this.#volume(radius);
    let tail = 0;
    let reached = 0;
    for (let missing = 1; missing <= wanted; missing++) {
      while (this.#volume(radius + reached + 1) - atRadius < missing) reached++;
      tail += reached;
      bounds[wanted - missing] = realAt(bounds, wanted - missing) + tail;
    }
    return bounds;
  }

  /** The free nodes shell by shell, each in row-major order. */
  nodesRound(centre: number, busy: Uint8Array, wanted: number): Int32Array {
    const { width, height, depth } = this.#mesh;
    const nodes = this.#lists.next(wanted);
    const x = centre % width;
    const row = (centre - x) / width;
    const y = row % height;
    const z = (row - y) / height;
    let count = 0;
    for (let radius = 0; count < wanted; radius++) {
      const [x0, y0, z0] = [x - this.#before[0] - radius, y - this.#before[1] - radius, z - this.#before[2] - radius];
      const x1 = x0 + this.#inner[0] + 2 * radius - 1;
      const y1 = y0 + this.#inner[1] + 2 * radius - 1;
      const z1 = z0 + this.#inner[2] + 2 * radius - 1;
      for (let planeZ = Math.max(0, z0); planeZ <= Math.min(depth - 1, z1); planeZ++) {
        const isFace = depth > 1 && (planeZ === z0 || planeZ === z1);
        for (let rowY = Math.max(0, y0); rowY <= Math.min(height - 1, y1); rowY++) {
          const start = width * (rowY + height * planeZ);
          // Of an inner row only its two ends are new.
          const step = radius === 0 || isFace || rowY === y0 || rowY === y1 ? 1 : x1 - x0;
          for (let column = x0; column <= x1 && count < wanted; column += step) {
            nodes[count] = start + column;
            count += column >= 0 && column < width ? 1 - byteAt(busy, start + column) : 0;
          }
        }
      }
    }
    return nodes;
  }
}
