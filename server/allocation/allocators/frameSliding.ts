import type { NodeFinder } from '../contract.ts';
import { FreeSums } from '../freeSums.ts';
import { sidesOf, writeSubmesh, type Mesh, type Sides } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const frameSliding = strategy({
  name: 'frame-sliding',
  summary: 'a frame of the shape of the job moved in strides of its own sides (FS)',
  source: 'Chuang and Tzeng 1994; Alsardia 2017, section 2.1.1',
  details:
    'The first frame has its lower left corner at the lowest leftmost free node. Other frames are whole widths to the left or right, and whole heights above. They are tried from the lowest row upwards, from left to right; free submeshes between frames are missed. In three dimensions a frame also moves by its depth. Requests are not turned. O(nodes).',
  options: [],
  contiguous: true,
  finder: onMeshes('frame-sliding', 3, frameSlidingOn),
});

function frameSlidingOn(mesh: Mesh): NodeFinder {
  const sums = new FreeSums(mesh);
  const lists = new NodeLists();
  return {
    find(busy, request) {
      if (sums.fill(busy) < request.nodeCount) return undefined;
      const sides = sidesOf(request, mesh);
      const origin = firstFreeFrame(mesh, sums, sides, busy.indexOf(0));
      if (origin < 0) return undefined;
      const nodes = lists.next(sides[0] * sides[1] * sides[2]);
      writeSubmesh(mesh, origin, sides, nodes, 0);
      return nodes;
    },
  };
}

/** The lower left corner of the first free frame, or -1. `first` is the lowest leftmost free node. */
function firstFreeFrame(mesh: Mesh, sums: FreeSums, [width, height, depth]: Sides, first: number): number {
  const firstX = first % mesh.width;
  const firstRow = (first - firstX) / mesh.width;
  const firstY = firstRow % mesh.height;
  const firstZ = (firstRow - firstY) / mesh.height;
  const size = width * height * depth;
  for (let z = firstZ; z + depth <= mesh.depth; z += depth) {
    for (let y = z === firstZ ? firstY : firstY % height; y + height <= mesh.height; y += height) {
      for (let x = firstX % width; x + width <= mesh.width; x += width) {
        if (sums.count(x, y, z, x + width, y + height, z + depth) === size)
          return x + mesh.width * (y + mesh.height * z);
      }
    }
  }
  return -1;
}
