import { intAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import { FreeRows } from '../freeRows.ts';
import { FreeSums } from '../freeSums.ts';
import { sidesOf, writeSubmesh, type Mesh, type Sides } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const bestFit = strategy({
  name: 'best-fit',
  summary: 'the free submesh with the most busy or border neighbours (BF)',
  source: 'Zhu 1992; Alsardia 2017, section 2.1.1',
  details:
    'Takes the free submesh whose sides touch most busy nodes or mesh borders. Corners do not count. Ties: lowest row, then leftmost column. Requests are not turned. O(nodes).',
  options: [],
  contiguous: true,
  finder: onMeshes('best-fit', 3, bestFitOn),
});

function bestFitOn(mesh: Mesh): NodeFinder {
  const rows = new FreeRows(mesh);
  const lists = new NodeLists();
  const sums = new FreeSums(mesh);
  const origins = new Int32Array(mesh.nodeCount);
  return {
    find(busy, request) {
      if (rows.fill(busy) < request.nodeCount) return undefined;
      const sides = sidesOf(request, mesh);
      const count = rows.origins(sides, origins);
      if (count === 0) return undefined;
      sums.fill(busy);
      let best = -1;
      let fewest = Infinity;
      for (let index = 0; index < count; index++) {
        const origin = intAt(origins, index);
        const free = freeNeighbours(mesh, sums, origin, sides);
        if (free < fewest) [best, fewest] = [origin, free];
      }
      const nodes = lists.next(sides[0] * sides[1] * sides[2]);
      writeSubmesh(mesh, best, sides, nodes, 0);
      return nodes;
    },
  };
}

/** Every place of the shape has as many neighbours, so fewest free ones are most that are busy or beyond the border. */
function freeNeighbours(mesh: Mesh, sums: FreeSums, origin: number, [width, height, depth]: Sides): number {
  const x = origin % mesh.width;
  const row = (origin - x) / mesh.width;
  const y = row % mesh.height;
  const z = (row - y) / mesh.height;
  const [endX, endY, endZ] = [x + width, y + height, z + depth];
  let free = 0;
  if (x > 0) free += sums.count(x - 1, y, z, x, endY, endZ);
  if (endX < mesh.width) free += sums.count(endX, y, z, endX + 1, endY, endZ);
  if (y > 0) free += sums.count(x, y - 1, z, endX, y, endZ);
  if (endY < mesh.height) free += sums.count(x, endY, z, endX, endY + 1, endZ);
  if (z > 0) free += sums.count(x, y, z - 1, endX, endY, z);
  if (endZ < mesh.depth) free += sums.count(x, y, endZ, endX, endY, endZ + 1);
  return free;
}
