import { fail, type Result } from '../../model/result.ts';
import { formatShape } from '../../model/shape.ts';
import type { NodeFinder } from '../contract.ts';
import { FreeSums } from '../freeSums.ts';
import { sidesOf, type Mesh } from '../mesh.ts';
import { onMeshes, strategy } from '../strategy.ts';

export const buddy2d = strategy({
  name: 'buddy-2d',
  summary: 'two-dimensional buddy system on square meshes with power-of-two sides (2DBS)',
  source: 'Li and Cheng 1991; Alsardia 2017, section 2.1.1',
  details:
    'The job gets a square: its longer side, rounded up to a power of two. For example, 2 x 4 nodes occupy 4 x 4. Squares start at multiples of their side. The smallest free block that is large enough is split; ties: lowest, then leftmost. Its lower left square is used. The node list starts with the requested submesh, row by row, then the surplus nodes. O(nodes).',
  options: [],
  contiguous: true,
  finder: onMeshes('buddy-2d', 2, squareBuddies),
});

function squareBuddies(mesh: Mesh): NodeFinder | Result<NodeFinder> {
  const { width, height } = mesh;
  if (width !== height || (width & (width - 1)) !== 0) {
    return fail(
      'does-not-apply',
      `\`allocate buddy-2d\` needs a square mesh with a power-of-two side, found ${formatShape([width, height])}. Use \`mbs\`.`,
    );
  }
  const sums = new FreeSums(mesh);
  return {
    find(busy, request) {
      if (sums.fill(busy) < request.nodeCount) return undefined;
      const [jobWidth, jobHeight] = sidesOf(request, mesh);
      let side = 1;
      while (side < jobWidth || side < jobHeight) side *= 2;
      for (let block = side; block <= width; block *= 2) {
        const origin = lowestFreeBlock(sums, block, width);
        if (origin >= 0) return squareOf(origin, side, width, jobWidth, jobHeight);
      }
      return undefined;
    },
  };
}

/**
 * The lower left corner of the first free block of that side, or -1. What is part of a larger free block is not one: buddies that are both free have
 * been joined.
 */
function lowestFreeBlock(sums: FreeSums, block: number, width: number): number {
  const isFree = (x: number, y: number, side: number): boolean =>
    sums.count(x, y, 0, x + side, y + side, 1) === side * side;
  const twice = 2 * block;
  for (let y = 0; y < width; y += block) {
    for (let x = 0; x < width; x += block) {
      if (!isFree(x, y, block)) continue;
      if (block === width || !isFree(x - (x % twice), y - (y % twice), twice)) return x + width * y;
    }
  }
  return -1;
}

/** A square row by row, what lies in its lower left submesh first. */
function squareOf(origin: number, side: number, width: number, jobWidth: number, jobHeight: number): Int32Array {
  const nodes = new Int32Array(side * side);
  let used = 0;
  let unused = jobWidth * jobHeight;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const isUsed = x < jobWidth && y < jobHeight;
      nodes[isUsed ? used++ : unused++] = origin + x + width * y;
    }
  }
  return nodes;
}
