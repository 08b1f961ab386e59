import { byteAt, intAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import type { Mesh } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const rbs = strategy({
  name: 'rbs',
  summary: 'row based strategy: neighbouring rows with enough free nodes',
  source: 'Alsardia 2017, section 3.3',
  details:
    'S.1: A job of at most one row uses the highest row with enough free nodes, from the left. S.2: Otherwise it ' +
    'uses the rightmost free nodes of each row from the top. L.1: A larger job uses the lowest block of free ' +
    'rows with enough nodes. L.2: Otherwise the block is extended by free nodes of the rows above and below. The ' +
    'block with most free nodes above is used (ties: lowest). The row below is used from its right end, only as ' +
    'far as needed. L.3: Otherwise it uses free nodes row by row from the bottom. Step 4 of the outline in the ' +
    'thesis says rightmost for S.1, and step 11 R(e) for R(e+1). Its text and examples do not. O(nodes).',
  options: [],
  contiguous: false,
  finder: onMeshes('rbs', 2, rowsOn),
});

function rowsOn(mesh: Mesh): NodeFinder {
  const { width, height } = mesh;
  const freeInRow = new Int32Array(height);
  const lists = new NodeLists();
  return {
    find(busy, { nodeCount }) {
      let free = 0;
      for (let row = 0, node = 0; row < height; row++) {
        let inRow = width;
        for (let x = 0; x < width; x++) inRow -= byteAt(busy, node++);
        freeInRow[row] = inRow;
        free += inRow;
      }
      if (free < nodeCount) return undefined;
      const nodes = lists.next(nodeCount);
      if (nodeCount > width) {
        const { first, below } = largePlace(freeInRow, width, nodeCount);
        const count = takeFromRight(busy, (first - 1) * width, first * width, below, nodes, 0);
        takeFromLeft(busy, first * width, nodes, count);
        return nodes;
      }
      const row = freeInRow.findLastIndex((count) => count >= nodeCount);
      if (row >= 0) takeFromLeft(busy, row * width, nodes, 0);
      else takeFromRight(busy, 0, mesh.nodeCount, nodeCount, nodes, 0);
      return nodes;
    },
  };
}

/**
 * The row from which a large job is allocated upwards, and how many nodes it gets from the row below. Blocks are the
 * longest runs of free rows; beyond the mesh there are no free nodes.
 */
function largePlace(freeInRow: Int32Array, width: number, nodeCount: number): { first: number; below: number } {
  const height = freeInRow.length;
  let place = { first: 0, below: 0 };
  let mostAbove = -1;
  for (let first = 0; first < height; first++) {
    if (intAt(freeInRow, first) < width) continue;
    let end = first + 1;
    while (end < height && intAt(freeInRow, end) === width) end++;
    const inBlock = (end - first) * width;
    if (inBlock >= nodeCount) return { first, below: 0 };
    const above = end < height ? intAt(freeInRow, end) : 0;
    const below = first > 0 ? intAt(freeInRow, first - 1) : 0;
    if (inBlock + above + below >= nodeCount && above > mostAbove) {
      mostAbove = above;
      place = { first, below: Math.max(nodeCount - inBlock - above, 0) };
    }
    first = end;
  }
  return place;
}

/** The free nodes from `start` upwards, until `nodes` is full. */
function takeFromLeft(busy: Uint8Array, start: number, nodes: Int32Array, count: number): void {
  for (let node = start; count < nodes.length; node++) if (byteAt(busy, node) === 0) nodes[count++] = node;
}

/** The last free nodes before `end`, downwards; returns how many `nodes` has. */
function takeFromRight(
  busy: Uint8Array,
  start: number,
  end: number,
  wanted: number,
  nodes: Int32Array,
  count: number,
): number {
  const full = count + wanted;
  for (let node = end - 1; node >= start && count < full; node--) if (byteAt(busy, node) === 0) nodes[count++] = node;
  return count;
}
