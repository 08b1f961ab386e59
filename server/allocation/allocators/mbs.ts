import { byteAt, intAt, itemAt } from '../../numeric/elements.ts';
import type { NodeFinder } from '../contract.ts';
import { writeSubmesh, type Mesh, type Sides } from '../mesh.ts';
import { NodeLists, onMeshes, strategy } from '../strategy.ts';

export const mbs = strategy({
  name: 'mbs',
  summary: 'multiple buddy strategy: square blocks of power-of-two sides',
  source: 'Lo et al. 1997; Alsardia 2017, section 2.1.2',
  details:
    'The node count in base 4 gives the number of blocks of each size 2^i x 2^i. Large blocks are first. A block ' +
    'is the lowest, then leftmost free block of its size. Otherwise the next larger free block is split. If ' +
    'there is none, four blocks of half the side replace it. Meshes without power-of-two sides are tiled with ' +
    'the largest squares that fit. Nodes are listed block by block, each row by row. Three dimensions use cubes ' +
    'and base 8; a line uses lines and base 2. O(nodes).',
  options: [],
  contiguous: false,
  finder: onMeshes('mbs', 3, multipleBuddies),
});

/** The blocks of one size that lie wholly in the mesh, at multiples of their side. */
interface Level {
  readonly side: number;
  readonly across: number;
  readonly up: number;
  readonly deep: number;
  /** 1 where every node of a block is free. */
  readonly free: Uint8Array;
  /** Free blocks from `head` to `tail`. */
  readonly list: Int32Array;
  head: number;
  tail: number;
}

function multipleBuddies(mesh: Mesh): NodeFinder {
  const levels = buddyLevels(mesh);
  const lists = new NodeLists();
  const children = 2 ** mesh.dimensions;
  return {
    find(busy, { nodeCount }) {
      if (fillLevels(levels, busy, mesh) < nodeCount) return undefined;
      const nodes = lists.next(nodeCount);
      let count = 0;
      let left = nodeCount;
      let wanted = 0;
      for (let index = levels.length - 1; index >= 0; index--) {
        const level = itemAt(levels, index);
        const size = children ** index;
        // What the level above could not give, and this digit of the number.
        wanted = wanted * children + Math.floor(left / size);
        left %= size;
        for (; wanted > 0 && hasFreeBlock(levels, index, mesh); wanted--) {
          const block = intAt(level.list, level.head++);
          count = writeSubmesh(mesh, blockOrigin(block, level, mesh), sidesOfBlock(level, mesh), nodes, count);
        }
      }
      return nodes;
    },
  };
}

function buddyLevels({ width, height, depth, dimensions }: Mesh): readonly Level[] {
  const shortest = Math.min(width, dimensions > 1 ? height : width, dimensions > 2 ? depth : width);
  const levels: Level[] = [];
  for (let side = 1; side <= shortest; side *= 2) {
    const across = Math.floor(width / side);
    const up = dimensions > 1 ? Math.floor(height / side) : 1;
    const deep = dimensions > 2 ? Math.floor(depth / side) : 1;
    const count = across * up * deep;
    levels.push({
      ...{ side, across, up, deep, head: 0, tail: 0 },
      ...{ free: new Uint8Array(count), list: new Int32Array(count) },
    });
  }
  return levels;
}

/** Finds the largest free blocks: those that are in no larger free block. Returns how many nodes are free. O(nodes). */
function fillLevels(levels: readonly Level[], busy: Uint8Array, mesh: Mesh): number {
  const [nodes] = levels;
  let count = 0;
  if (nodes === undefined) return count;
  for (let node = 0; node < busy.length; node++) count += nodes.free[node] = 1 - byteAt(busy, node);
  for (let index = 1; index < levels.length; index++)
    joinBuddies(itemAt(levels, index - 1), itemAt(levels, index), mesh);
  for (const [index, level] of levels.entries()) listLargest(level, levels[index + 1], mesh);
  return count;
}

function joinBuddies(from: Level, to: Level, mesh: Mesh): void {
  const yStep = mesh.dimensions > 1 ? from.across : 0;
  const zStep = mesh.dimensions > 2 ? from.across * from.up : 0;
  let block = 0;
  for (let z = 0; z < to.deep; z++) {
    for (let y = 0; y < to.up; y++) {
      for (let at = 2 * (z * zStep + y * yStep), end = block + to.across; block < end; block++, at += 2) {
        let free = byteAt(from.free, at) & byteAt(from.free, at + 1);
        free &= byteAt(from.free, at + yStep) & byteAt(from.free, at + yStep + 1);
        if (zStep > 0) {
          free &= byteAt(from.free, at + zStep) & byteAt(from.free, at + zStep + 1);
          free &= byteAt(from.free, at + zStep + yStep) & byteAt(from.free, at + zStep + yStep + 1);
        }
        to.free[block] = free;
      }
    }
  }
}

function listLargest(level: Level, larger: Level | undefined, mesh: Mesh): void {
  level.head = 0;
  level.tail = 0;
  const half = (position: number, axis: number): number => (mesh.dimensions > axis ? position >> 1 : 0);
  let block = 0;
  for (let z = 0; z < level.deep; z++) {
    for (let y = 0; y < level.up; y++) {
      const isInside = larger !== undefined && half(z, 2) < larger.deep && half(y, 1) < larger.up;
      const row = isInside ? larger.across * (half(y, 1) + larger.up * half(z, 2)) : 0;
      for (let x = 0; x < level.across; x++, block++) {
        if (byteAt(level.free, block) === 0) continue;
        if (isInside && x >> 1 < larger.across && byteAt(larger.free, row + (x >> 1)) === 1) continue;
        level.list[level.tail++] = block;
      }
    }
  }
}

/** Whether a block of this size is free, once the next larger free one is divided where there is none. */
function hasFreeBlock(levels: readonly Level[], index: number, mesh: Mesh): boolean {
  let larger = index;
  while (larger < levels.length && isEmpty(itemAt(levels, larger))) larger++;
  if (larger === levels.length) return false;
  for (; larger > index; larger--) divide(itemAt(levels, larger), itemAt(levels, larger - 1), mesh);
  return true;
}

const isEmpty = ({ head, tail }: Level): boolean => head === tail;

/** Puts the buddies of the first free block in the empty list of the level below. */
function divide(from: Level, to: Level, mesh: Mesh): void {
  const block = intAt(from.list, from.head++);
  const x = block % from.across;
  const row = (block - x) / from.across;
  const y = row % from.up;
  const z = (row - y) / from.up;
  const [rows, planes] = [mesh.dimensions > 1 ? 2 : 1, mesh.dimensions > 2 ? 2 : 1];
  to.head = 0;
  to.tail = 0;
  for (let plane = 0; plane < planes; plane++) {
    for (let row = 0; row < rows; row++) {
      const first = 2 * x + to.across * (rows * y + row + to.up * (planes * z + plane));
      to.list[to.tail++] = first;
      to.list[to.tail++] = first + 1;
    }
  }
}

function blockOrigin(block: number, { side, across, up }: Level, mesh: Mesh): number {
  const x = block % across;
  const row = (block - x) / across;
  const y = row % up;
  return side * (x + mesh.width * (y + mesh.height * ((row - y) / up)));
}

const sidesOfBlock = ({ side }: Level, { dimensions }: Mesh): Sides => [
  side,
  dimensions > 1 ? side : 1,
  dimensions > 2 ? side : 1,
];
