import { byteAt, intAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import type { Mesh } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const rbs = strategy({
  name: 'rbs',
  summary: 'row based strategy: neighbouring rows with enough free nodes',
  source: 'Alsardia 2017, section 3.3',
  details:
    'A job of at most one row of nodes goes to the leftmost free nodes of the highest row that has enough (S.1), else to the ' +
    'rightmost free ones of each row from the top (S.2). A larger one goes to the lowest block of free rows that has enough ' +
    '(L.1); else to such a block with free nodes of the rows above and below it, of several blocks the one with most free nodes above (of ' +
    'equal ones the lowest), using the row below only as far as needed and from its right end (L.2); else to the free nodes ' +
    'row by row from the bottom (L.3). Step 4 of the outline in the thesis says rightmost for S.1 and step 11 R(e) for R(e+1); its text and ' +
    'examples do not. O(nodes).',
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
