import { byteAt, intAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import { FreeSums } from '../freeSums.ts';
import type { Mesh } from '../mesh.ts';
import { onMeshes, strategy } from '../strategy.ts';

export const ess = strategy({
  name: 'ess',
  summary: 'expanding square strategy: the tightest cluster that grows round a free node',
  source: 'Moghaddam and Naghibzadeh 2006; Alsardia 2017, section 2.1.2',
  details:
    'Round every free node a square grows by one on each side until it has enough free nodes. Its cluster is all free nodes of the ' +
    'square before, and of the last ring those with the least sum of L1 distances to them (ties to the lowest node). The cluster with the least sum of ' +
    'L1 distances between its nodes is allocated, of equal ones that of the lowest node; its nodes come ring by ring, those of the last ' +
    'by their sum. O(free nodes · (nodes of the square + k log k)).',
  options: [],
  contiguous: false,
  finder: onMeshes('ess', 2, squaresOn),
});

function squaresOn(mesh: Mesh): NodeFinder {
  const sums = new FreeSums(mesh);
  return {
    find(busy, { nodeCount, cancellation }) {
      if (sums.fill(busy) < nodeCount) return undefined;
      let best: Int32Array | undefined;
      let least = Infinity;
      for (let node = 0; node < busy.length; node++) {
        if (byteAt(busy, node) === 1) continue;
        if (cancellation?.isCancelled() === true) return undefined;
        const cluster = clusterRound(node, mesh, sums, busy, nodeCount);
        const sum = sumOfDistances(cluster, mesh);
        if (sum < least) [best, least] = [cluster, sum];
      }
      return best;
    },
  };
}

/** The cluster that grows round a node. */
function clusterRound(centre: number, mesh: Mesh, sums: FreeSums, busy: Uint8Array, nodeCount: number): Int32Array {
  const { width, height } = mesh;
  const x = centre % width;
  const y = (centre - x) / width;
  const within = (radius: number): number =>
    sums.count(
      Math.max(0, x - radius),
      Math.max(0, y - radius),
      0,
      Math.min(width, x + radius + 1),
      Math.min(height, y + radius + 1),
      1,
    );
  let radius = 0;
  while (within(radius) < nodeCount) radius++;
  const nodes = new Int32Array(nodeCount);
  let count = 0;
  for (let ring = 0; ring < radius; ring++) {
    for (const node of freeOfRing(x, y, ring, mesh, busy)) nodes[count++] = node;
  }
  const last = freeOfRing(x, y, radius, mesh, busy);
  const distanceTo = distanceSums(nodes.subarray(0, count), mesh);
  const distances = new Map(last.map((node) => [node, distanceTo(node)]));
  last.sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || a - b);
  for (const node of last.slice(0, nodeCount - count)) nodes[count++] = node;
  return nodes;
}

/** Free nodes at exactly this Chebyshev distance, ascending. */
function freeOfRing(x: number, y: number, ring: number, { width, height }: Mesh, busy: Uint8Array): number[] {
  const nodes: number[] = [];
  const add = (column: number, row: number): void => {
    if (column >= 0 && column < width && byteAt(busy, row * width + column) === 0) nodes.push(row * width + column);
  };
  const lastRow = Math.min(height - 1, y + ring);
  for (let row = Math.max(0, y - ring); row <= lastRow; row++) {
    if (row === y - ring || row === y + ring) {
      for (let column = x - ring; column <= x + ring; column++) add(column, row);
    } else {
      add(x - ring, row);
      add(x + ring, row);
    }
  }
  return nodes;
}

/** Sums of L1 distances from any node to those given: the axes are apart, and how many nodes a column has is enough. */
function distanceSums(nodes: Int32Array, { width, height }: Mesh): (node: number) => number {
  const columns = new Int32Array(width);
  const rows = new Int32Array(height);
  for (const node of nodes) {
    const x = node % width;
    const y = (node - x) / width;
    columns[x] = intAt(columns, x) + 1;
    rows[y] = intAt(rows, y) + 1;
  }
  const [across, up] = [lineDistances(columns), lineDistances(rows)];
  return (node) => intAt(across, node % width) + intAt(up, Math.floor(node / width));
}

/** For every position of a line the sum of its distances to all that stand there. */
function lineDistances(counts: Int32Array): Int32Array {
  const sums = new Int32Array(counts.length);
  for (const reverse of [false, true]) {
    let passed = 0;
    let sum = 0;
    for (let step = 0; step < counts.length; step++) {
      const at = reverse ? counts.length - 1 - step : step;
      sum += passed;
      passed += intAt(counts, at);
      sums[at] = intAt(sums, at) + sum;
    }
  }
  return sums;
}

/** Sum of the L1 distances of all ordered pairs. */
function sumOfDistances(nodes: Int32Array, mesh: Mesh): number {
  const distanceTo = distanceSums(nodes, mesh);
  let sum = 0;
  for (const node of nodes) sum += distanceTo(node);
  return sum;
}
