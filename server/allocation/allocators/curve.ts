import type { OptionValue, OptionValues } from '../../model/catalogue.ts';
import { byteAt, intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import type { Mesh } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const curve = strategy({
  name: 'curve',
  summary:
    'neighbours on a curve through all nodes: snake, Hilbert or row-major; best fit, first fit or a sorted free list',
  source: 'Lo et al. 1997; Leung et al. 2002; Bunde et al. 2014, section 5 (snake best fit)',
  details:
    'Consecutive free nodes on the curve form intervals. `best` uses the smallest interval with enough nodes, `first` the first one. Ties: the lowest on the curve; its first nodes are used. If no interval is large enough, both use the free nodes with the shortest span. `free-list` uses the first free nodes. The snake runs along the shortest side (ties: x), then back along the next row. The Hilbert curve covers the smallest enclosing power-of-two square or cube. Positions outside the mesh are skipped, so the curve has jumps in other meshes. O(nodes).',
  options: [
    {
      name: 'order',
      summary: 'the curve',
      kind: 'choice',
      choices: ['snake', 'hilbert', 'row-major'],
      default: 'snake',
    },
    {
      name: 'fit',
      summary: 'which free nodes on it',
      kind: 'choice',
      choices: ['best', 'first', 'free-list'],
      default: 'best',
    },
  ],
  contiguous: false,
  finder: onMeshes('curve', 3, curveOn),
});

function curveOn(mesh: Mesh, options: OptionValues): NodeFinder {
  const order = nodesAlong(options['order'], mesh);
  const fit = options['fit'];
  const lists = new NodeLists();
  /** Places on the curve whose nodes are free, ascending. */
  const free = new Int32Array(order.length);
  return {
    find(busy, { nodeCount }) {
      let count = 0;
      for (let place = 0; place < order.length; place++) {
        if (byteAt(busy, intAt(order, place)) === 0) free[count++] = place;
      }
      if (count < nodeCount) return undefined;
      const first = fit === 'free-list' ? 0 : firstOfFit(free, count, nodeCount, fit !== 'first');
      const nodes = lists.next(nodeCount);
      for (let index = 0; index < nodeCount; index++) nodes[index] = intAt(order, intAt(free, first + index));
      return nodes;
    },
  };
}

/** Which of the free places is the first that the job gets. */
function firstOfFit(free: Int32Array, count: number, wanted: number, best: boolean): number {
  let found = -1;
  let smallest = Infinity;
  for (let start = 0; start < count;) {
    let end = start + 1;
    while (end < count && intAt(free, end) === intAt(free, end - 1) + 1) end++;
    if (end - start >= wanted && end - start < smallest) {
      if (!best) return start;
      [found, smallest] = [start, end - start];
    }
    start = end;
  }
  return found >= 0 ? found : leastSpan(free, count, wanted);
}

/** The start of those that are least far apart on the curve. */
function leastSpan(free: Int32Array, count: number, wanted: number): number {
  let found = 0;
  let least = Infinity;
  for (let start = 0; start + wanted <= count; start++) {
    const span = intAt(free, start + wanted - 1) - intAt(free, start);
    if (span < least) [found, least] = [start, span];
  }
  return found;
}

/** All nodes in the order of a curve. O(nodes · log nodes). */
function nodesAlong(name: OptionValue | undefined, mesh: Mesh): Int32Array {
  const nodes = Int32Array.from({ length: mesh.nodeCount }, (_, node) => node);
  if (name === 'row-major') return nodes;
  const keyOf = name === 'hilbert' ? hilbertKey(mesh) : snakeKey(mesh);
  const keys = Float64Array.from(nodes, (node) => {
    const row = Math.floor(node / mesh.width);
    return keyOf([node % mesh.width, row % mesh.height, Math.floor(row / mesh.height)]);
  });
  return nodes.sort((a, b) => realAt(keys, a) - realAt(keys, b) || a - b);
}

/** Along the shortest side, back and forth; the rows of a plane back and forth in the same way. */
function snakeKey({ width, height, depth, dimensions }: Mesh): (position: readonly number[]) => number {
  const sides = [width, height, depth];
  const [a = 0, b = 1, c = 2] = [0, 1, 2]
    .slice(0, dimensions)
    .sort((one, other) => itemAt(sides, one) - itemAt(sides, other))
    .concat([0, 1, 2].slice(dimensions));
  const [shortest, middle] = [itemAt(sides, a), itemAt(sides, b)];
  return (position) => {
    const plane = itemAt(position, c);
    const y = itemAt(position, b);
    const row = plane * middle + (plane % 2 === 0 ? y : middle - 1 - y);
    const x = itemAt(position, a);
    return row * shortest + (row % 2 === 0 ? x : shortest - 1 - x);
  };
}

/**
 * The place of a position on the Hilbert curve of two or three dimensions, after Skilling 2004 (Programming the Hilbert
 * curve): from the highest bit down, axes are reflected and exchanged, and the bits of what comes out are those of the
 * place in turn. A place of more than 53 bits (sides of a million nodes beside short ones) is rounded; equal ones are
 * then in the order of their nodes.
 */
function hilbertKey({ width, height, depth, dimensions }: Mesh): (position: readonly number[]) => number {
  const axes = Math.max(2, dimensions);
  const bits = Math.max(1, Math.ceil(Math.log2(Math.max(width, height, depth))));
  return (position) => {
    const at = Int32Array.from(position.slice(0, axes));
    for (let bit = 1 << (bits - 1); bit > 1; bit >>= 1) {
      for (let axis = 0; axis < axes; axis++) turnAxis(at, axis, bit);
    }
    for (let axis = 1; axis < axes; axis++) at[axis] = intAt(at, axis) ^ intAt(at, axis - 1);
    let reflected = 0;
    for (let bit = 1 << (bits - 1); bit > 1; bit >>= 1) {
      if ((intAt(at, axes - 1) & bit) !== 0) reflected ^= bit - 1;
    }
    let key = 0;
    for (let bit = bits - 1; bit >= 0; bit--) {
      for (let axis = 0; axis < axes; axis++) key = key * 2 + (((intAt(at, axis) ^ reflected) >> bit) & 1);
    }
    return key;
  };
}

/** Reflects the first axis below a bit that an axis has set, else exchanges the lower bits of the two. */
function turnAxis(at: Int32Array, axis: number, bit: number): void {
  const [first, other] = [intAt(at, 0), intAt(at, axis)];
  if ((other & bit) !== 0) {
    at[0] = first ^ (bit - 1);
    return;
  }
  const differing = (first ^ other) & (bit - 1);
  at[0] = first ^ differing;
  at[axis] = intAt(at, axis) ^ differing;
}
