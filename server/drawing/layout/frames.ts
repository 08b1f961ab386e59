import type { Topology } from '../../model/machine.ts';
import { groupStarts } from '../../numeric/grouping.ts';

/**
 * Switches with their nodes: a switch that has nodes is a frame with the nodes in a compact grid
 * below its label, so that cables never run across nodes; a switch without is a disc. Where
 * nothing stands below a switch its nodes may hang there in a row instead.
 */

/** Half the side of the square of a node that hangs on a switch, world units. */
const hostSize = 0.13;
/** From node to node; down there is room for the host link above each. */
const stepX = 0.33;
const stepY = 0.42;
const padding = 0.12;
/** Steps grow at most so many times where a frame has free space. */
const loosest = 1.4;
/** Room for the label of a frame. */
const header = 0.36;
/** Radius of a switch without nodes inside. */
export const discSize = 0.34;
/** From the middle of a switch to the row of nodes below it. */
const rowDrop = 1.05;
/** How far a switch with its row of nodes reaches down. */
export const rowReach = rowDrop + hostSize;

/** Nodes per router, ids in a row: those of router r are `first[r] … first[r + 1] − 1`. */
export const nodesOfRouters = ({ routerCount, routerOfNode }: Topology): Int32Array =>
  groupStarts(routerOfNode, routerCount);

interface Frame {
  /** Half the side. */
  readonly size: number;
  readonly columns: number;
  readonly rows: number;
}

/** The smallest square frame for so many nodes. O(nodes). */
function frameOf(nodes: number): Frame {
  let best: Frame = { size: Infinity, columns: 1, rows: nodes };
  for (let columns = 1; columns <= nodes; columns++) {
    const rows = Math.ceil(nodes / columns);
    const size = Math.max(columns * stepX, rows * stepY + header) / 2 + padding;
    if (size < best.size) best = { size, columns, rows };
    // Wider ones only grow from here on.
    else if (columns * stepX > rows * stepY + header) break;
  }
  return best;
}

/** Width of a switch with its nodes in a row below. */
export const rowWidth = (nodes: number): number => Math.max(2 * discSize, nodes * stepX);

/** Switches: where they stand, how large they are, and whether their nodes are inside. */
export interface RouterPlaces {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly size: Float32Array;
  readonly framed: Uint8Array;
}

/** Frames for switches with nodes, discs for the others; nothing is placed yet. */
export function frameRouters(first: Int32Array): RouterPlaces {
  const routerCount = first.length - 1;
  const places = {
    x: new Float32Array(routerCount),
    y: new Float32Array(routerCount),
    size: new Float32Array(routerCount).fill(discSize),
    framed: new Uint8Array(routerCount),
  };
  for (let router = 0; router < routerCount; router++) {
    const nodes = first[router + 1]! - first[router]!;
    if (nodes === 0) continue;
    places.framed[router] = 1;
    places.size[router] = frameOf(nodes).size;
  }
  return places;
}

interface NodePlaces {
  readonly nodeX: Float32Array;
  readonly nodeY: Float32Array;
  readonly nodeSize: Float32Array;
}

/** Nodes into the frames of their switches, or in a row below a disc. O(nodes). */
export function placeHosts(first: Int32Array, { x, y, framed }: RouterPlaces): NodePlaces {
  const routerCount = first.length - 1;
  const nodeCount = first[routerCount]!;
  const nodeX = new Float32Array(nodeCount);
  const nodeY = new Float32Array(nodeCount);
  for (let router = 0; router < routerCount; router++) {
    const start = first[router]!;
    const nodes = first[router + 1]! - start;
    if (nodes === 0) continue;
    const grid =
      framed[router] === 1 ? gridInFrame(frameOf(nodes)) : { columns: nodes, across: stepX, top: rowDrop, down: 0 };
    for (let host = 0; host < nodes; host++) {
      nodeX[start + host] = x[router]! + ((host % grid.columns) - (grid.columns - 1) / 2) * grid.across;
      nodeY[start + host] = y[router]! + grid.top + Math.floor(host / grid.columns) * grid.down;
    }
  }
  return { nodeX, nodeY, nodeSize: new Float32Array(nodeCount).fill(hostSize) };
}

/** Steps between the nodes of a frame, which use its free space, and the middle of their first row. */
function gridInFrame({ size, columns, rows }: Frame): { columns: number; across: number; top: number; down: number } {
  const height = 2 * (size - padding) - header;
  const across = Math.min((2 * (size - padding)) / columns, loosest * stepX);
  const down = Math.min(height / rows, loosest * stepY);
  const free = height - rows * down;
  return { columns, across, down, top: -size + padding + header + free / 2 + (down - stepY) / 2 + stepY - hostSize };
}

/**
 * Places in a row as near as can be to where each would like to be: the positions that keep the
 * given order and gaps and have the least sum of squared distances from `wanted`. Isotonic
 * regression by pooling adjacent violators (Barlow et al. 1972). O(n).
 * `gaps[i]` is the least distance from place i to place i + 1.
 */
export function spread(wanted: readonly number[], gaps: readonly number[]): number[] {
  const offsets = [0];
  for (let index = 1; index < wanted.length; index++) offsets.push(offsets[index - 1]! + gaps[index - 1]!);
  const pools: { sum: number; count: number }[] = [];
  wanted.forEach((place, index) => {
    let pool = { sum: place - offsets[index]!, count: 1 };
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.count < pool.sum / pool.count) break;
      pools.pop();
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  });
  const places: number[] = [];
  for (const { sum, count } of pools) {
    for (let member = 0; member < count; member++) places.push(sum / count + offsets[places.length]!);
  }
  return places;
}
