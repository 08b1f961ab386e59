import { fail, type Result } from '../../model/result.ts';
import type { OptionValue, OptionValues } from '../../model/catalogue.ts';
import { formatShape } from '../../model/shape.ts';
import { byteAt, intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import { writeSubmesh, type Mesh, type Sides } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

const indexings = ['row-major', 'shuffled-row-major', 'snake', 'shuffled-snake'];

export const paging = strategy({
  name: 'paging',
  summary: 'free pages of 2^i x 2^i nodes in the order of an index',
  source: 'Lo et al. 1997; Alsardia 2017, section 2.1.2',
  details:
    'Uses the first ⌈k / 4^i⌉ free pages for k nodes; a page lists its nodes by rows. Shuffled orders recurse into quarters. `shuffled-row-major` numbers them 0 1 and above 2 3, `shuffled-snake` 0 1 and above 3 2. If the pages are not a power-of-two square, indices outside the mesh are skipped. With i above 0 a job may get surplus nodes. In three dimensions pages are cubes of 8^i nodes. `shuffled-row-major` then recurses into eighths, the lower four first. A snake visits the planes in order; `shuffled-snake` supports two dimensions only. On a line pages are lines. O(nodes).',
  options: [
    {
      name: 'size',
      summary: 'i, for pages of 2^i x 2^i nodes',
      kind: 'integer',
      minimum: 0,
      maximum: 11,
      default: 0,
    },
    {
      name: 'index',
      summary: 'order in which pages are taken',
      kind: 'choice',
      choices: indexings,
      default: 'row-major',
    },
  ],
  contiguous: false,
  finder: onMeshes('paging', 3, pagingOn),
});

function pagingOn(mesh: Mesh, options: OptionValues): NodeFinder | Result<NodeFinder> {
  const { width, height, depth, dimensions, nodeCount } = mesh;
  const side = 2 ** Number(options['size'] ?? 0);
  const sides: Sides = [side, dimensions > 1 ? side : 1, dimensions > 2 ? side : 1];
  if (width % sides[0] !== 0 || height % sides[1] !== 0 || depth % sides[2] !== 0) {
    const [page, all] = [sides, [width, height, depth]].map((shape) =>
      formatShape(shape.slice(0, Math.max(2, dimensions))),
    );
    return fail('does-not-apply', `Pages of ${page} nodes do not tile a mesh of ${all}. Use a smaller \`size\`.`);
  }
  if (dimensions > 2 && options['index'] === 'shuffled-snake') {
    return fail('does-not-apply', '`index shuffled-snake` supports at most 2 dimensions. Use another `index`.');
  }
  const pages = pageOrigins(mesh, sides, options['index']);
  const taken = new Int32Array(pages.length);
  const pageSize = sides[0] * sides[1] * sides[2];
  const page = new Int32Array(pageSize);
  const lists = new NodeLists();
  const isFree = (origin: number, busy: Uint8Array): boolean => {
    writeSubmesh(mesh, origin, sides, page, 0);
    return page.every((node) => byteAt(busy, node) === 0);
  };
  /** Pages of one node. */
  const freePages = (wanted: number, busy: Uint8Array): Int32Array | undefined => {
    let count = 0;
    for (let index = 0; index < pages.length && count < wanted; index++) {
      const node = intAt(pages, index);
      taken[count] = node;
      count += 1 - byteAt(busy, node);
    }
    if (count < wanted) return undefined;
    const nodes = lists.next(wanted);
    for (let index = 0; index < wanted; index++) nodes[index] = intAt(taken, index);
    return nodes;
  };
  return {
    heldBy: (wanted) => Math.ceil(wanted / pageSize) * pageSize,
    find(busy, request) {
      if (request.nodeCount > nodeCount) return undefined;
      if (pageSize === 1) return freePages(request.nodeCount, busy);
      const wanted = Math.ceil(request.nodeCount / pageSize);
      let count = 0;
      for (let index = 0; index < pages.length && count < wanted; index++) {
        const origin = intAt(pages, index);
        if (isFree(origin, busy)) taken[count++] = origin;
      }
      if (count < wanted) return undefined;
      const nodes = lists.next(wanted * pageSize);
      for (let index = 0, at = 0; index < wanted; index++)
        at = writeSubmesh(mesh, intAt(taken, index), sides, nodes, at);
      return nodes;
    },
  };
}

/** The lowest node of each page, in the order of the index. O(pages · log pages). */
function pageOrigins({ width, height, depth }: Mesh, sides: Sides, index: OptionValue | undefined): Int32Array {
  const counts: Sides = [width / sides[0], height / sides[1], depth / sides[2]];
  const [across, up, deep] = counts;
  const positions = Array.from({ length: across * up * deep }, (_, page): Sides => {
    const row = Math.floor(page / across);
    return [page % across, row % up, Math.floor(row / up)];
  });
  const keys = Float64Array.from(positions, (position, page) => {
    if (index === 'snake') return snaking(position, counts);
    return index === 'shuffled-row-major' || index === 'shuffled-snake'
      ? shuffled(position, counts, index === 'shuffled-snake')
      : page;
  });
  const order = Int32Array.from(keys, (_, page) => page).sort((a, b) => realAt(keys, a) - realAt(keys, b));
  return order.map((page) => {
    const [x, y, z] = itemAt(positions, page);
    return x * sides[0] + width * (y * sides[1] + height * z * sides[2]);
  });
}

/** Every other row from right to left, and every other plane from its last row to its first. */
function snaking([x, y, z]: Sides, [across, up]: Sides): number {
  const row = z * up + (z % 2 === 0 ? y : up - 1 - y);
  return row * across + (row % 2 === 0 ? x : across - 1 - x);
}

/**
 * The number of a page by quarters within quarters (of three dimensions eighths), the largest first; in a snake the
 * upper two go from right to left. Bits in which no two pages of an axis differ are left out, so that numbers stay
 * exact.
 */
function shuffled(position: Sides, counts: Sides, snake: boolean): number {
  const [, y] = position;
  let key = 0;
  for (let bit = 21; bit >= 0; bit--) {
    for (const axis of [2, 1, 0] as const) {
      if ((counts[axis] - 1) >> bit === 0) continue;
      const half = (position[axis] >> bit) & 1;
      key = key * 2 + (snake && axis === 0 ? half ^ ((y >> bit) & 1) : half);
    }
  }
  return key;
}
