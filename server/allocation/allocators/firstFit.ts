import type { NodeFinder } from '../contract.ts';
import { FreeRows } from '../freeRows.ts';
import { sidesOf, writeSubmesh, type Mesh } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const firstFit = strategy({
  name: 'first-fit',
  summary: 'the first free submesh of the shape of the job (FF)',
  source: 'Zhu 1992; Alsardia 2017, section 2.1.1',
  details:
    'Uses the lowest free submesh of the requested size, then the leftmost. Requests are not turned. In three ' +
    'dimensions, the lowest plane is first. On a torus, submeshes do not cross wrap-around links. O(nodes).',
  options: [],
  contiguous: true,
  finder: onMeshes('first-fit', 3, firstFitOn),
});

function firstFitOn(mesh: Mesh): NodeFinder {
  const rows = new FreeRows(mesh);
  const lists = new NodeLists();
  return {
    find(busy, request) {
      if (rows.fill(busy) < request.nodeCount) return undefined;
      const sides = sidesOf(request, mesh);
      const origin = rows.firstOrigin(sides);
      if (origin < 0) return undefined;
      const nodes = lists.next(sides[0] * sides[1] * sides[2]);
      writeSubmesh(mesh, origin, sides, nodes, 0);
      return nodes;
    },
  };
}
