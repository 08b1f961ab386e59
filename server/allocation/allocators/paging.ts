import { fail, type Result } from '../../model/result.ts';
import type { OptionValue, OptionValues } from '../../model/catalogue.ts';
import { formatShape } from '../../model/shape.ts';
import { byteAt, intAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import { writeSubmesh, type Mesh } from '../mesh.ts';
import { onMeshes, strategy } from '../strategy.ts';

const indexings = ['row-major', 'shuffled-row-major', 'snake', 'shuffled-snake'];

export const paging = strategy({
  name: 'paging',
  summary: 'free pages of 2^i x 2^i nodes in the order of an index',
  source: 'Lo et al. 1997; Alsardia 2017, section 2.1.2',
  details:
    'The first ⌈k / 4^i⌉ pages of which every node is free, for k nodes; the nodes of a page in rows. Shuffled orders go through ' +
    'quarters within quarters: those of `shuffled-row-major` are numbered 0 1 and above 2 3, those of `shuffled-snake` 0 1 and above 3 2. ' +
    'Where the pages are no square of a power of two, the indices beyond the mesh are left out. With i above 0 a job may hold nodes that it ' +
    'did not ask for. O(nodes).',
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
  finder: onMeshes('paging', 2, pagingOn),
});

function pagingOn(mesh: Mesh, options: OptionValues): NodeFinder | Result<NodeFinder> {
  const { width, height, nodeCount } = mesh;
  const side = 2 ** Number(options['size'] ?? 0);
  if (width % side !== 0 || height % side !== 0) {
    return fail(
      'does-not-apply',
      `Pages of ${formatShape([side, side])} nodes do not tile a mesh of ${formatShape([width, height])}: choose a smaller \`size\`.`,
    );
  }
  const pages = pageOrigins(mesh, side, options['index']);
  const taken = new Int32Array(pages.length);
  const sides = [side, side, 1] as const;
  const isFree = (origin: number, busy: Uint8Array): boolean => {
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) if (byteAt(busy, origin + y * width + x) !== 0) return false;
    }
    return true;
  };
  return {
    find(busy, request) {
      if (request.nodeCount > nodeCount) return undefined;
      const wanted = Math.ceil(request.nodeCount / (side * side));
      let count = 0;
      for (let index = 0; index < pages.length && count < wanted; index++) {
        const origin = intAt(pages, index);
        if (isFree(origin, busy)) taken[count++] = origin;
      }
      if (count < wanted) return undefined;
      const nodes = new Int32Array(wanted * side * side);
      for (let page = 0, at = 0; page < wanted; page++) at = writeSubmesh(mesh, intAt(taken, page), sides, nodes, at);
      return nodes;
    },
  };
}

/** The lower left node of each page, in the order of the index. O(pages · log pages). */
function pageOrigins({ width, height }: Mesh, side: number, index: OptionValue | undefined): Int32Array {
  const across = width / side;
  const up = height / side;
  const keyOf = (x: number, y: number): number => {
    switch (index) {
      case 'snake':
        return y * across + (y % 2 === 0 ? x : across - 1 - x);
      case 'shuffled-row-major':
        return shuffled(x, y, false);
      case 'shuffled-snake':
        return shuffled(x, y, true);
      default:
        return y * across + x;
    }
  };
  const keys = Float64Array.from({ length: across * up }, (_, page) => keyOf(page % across, Math.floor(page / across)));
  const order = Int32Array.from(keys, (_, page) => page).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  return order.map((page) => (page % across) * side + Math.floor(page / across) * side * width);
}

/** The number of a page by quarters within quarters, the largest first; in a snake the upper two go from right to left. */
function shuffled(x: number, y: number, snake: boolean): number {
  let key = 0;
  for (let bit = 21; bit >= 0; bit--) {
    const right = (x >> bit) & 1;
    const upper = (y >> bit) & 1;
    key = key * 4 + 2 * upper + (snake && upper === 1 ? 1 - right : right);
  }
  return key;
}
