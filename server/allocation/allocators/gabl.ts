import type { NodeFinder } from '../contract.ts';
import { FreeRows } from '../freeRows.ts';
import { sidesOf, writeSubmesh, type Mesh, type Sides } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const gabl = strategy({
  name: 'gabl',
  summary: 'greedy available busy list: the largest free submeshes that still fit',
  source: 'Bani-Mohammad et al. 2007; Alsardia 2017, section 2.1.2',
  details:
    'Searches the requested submesh in both orientations. If it is not free, the longer side shrinks by one (ties: width) until one is found. The remaining nodes are found the same way, starting from the last sides. This reading reproduces the example of the thesis; its words "the largest free submesh" do not. Nodes are listed submesh by submesh, each row by row. In three dimensions all six orientations are tried. O(pieces · nodes).',
  options: [],
  contiguous: false,
  finder: onMeshes('gabl', 3, gablOn),
});

function gablOn(mesh: Mesh): NodeFinder {
  const rows = new FreeRows(mesh);
  const lists = new NodeLists();
  return {
    find(busy, request) {
      const { nodeCount } = request;
      if (rows.fill(busy) < nodeCount) return undefined;
      const nodes = lists.next(nodeCount);
      let sides = sidesOf(request, mesh);
      let count = 0;
      while (count < nodeCount) {
        const place = sides[0] * sides[1] * sides[2] <= nodeCount - count ? firstPlace(rows, mesh, sides) : undefined;
        if (place === undefined) {
          sides = withLongestSideShorter(sides);
        } else {
          rows.take(place.origin, place.sides);
          count = writeSubmesh(mesh, place.origin, place.sides, nodes, count);
        }
      }
      return nodes;
    },
  };
}

interface Place {
  readonly origin: number;
  readonly sides: Sides;
}

/** The first free place for a submesh in any orientation, the one asked for first. */
function firstPlace(rows: FreeRows, mesh: Mesh, sides: Sides): Place | undefined {
  const [width, height, depth] = sides;
  const lying =
    submeshPlace(rows, sides) ?? (width === height ? undefined : submeshPlace(rows, [height, width, depth]));
  if (lying !== undefined || mesh.depth === 1) return lying;
  return (
    submeshPlace(rows, [width, depth, height]) ??
    submeshPlace(rows, [depth, height, width]) ??
    submeshPlace(rows, [height, depth, width]) ??
    submeshPlace(rows, [depth, width, height])
  );
}

function submeshPlace(rows: FreeRows, sides: Sides): Place | undefined {
  const origin = rows.firstOrigin(sides);
  return origin < 0 ? undefined : { origin, sides };
}

/** The longest side less one, of equal ones the width before the height before the depth. */
function withLongestSideShorter([width, height, depth]: Sides): Sides {
  if (width >= height && width >= depth) return [width - 1, height, depth];
  return height >= depth ? [width, height - 1, depth] : [width, height, depth - 1];
}
