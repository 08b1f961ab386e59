import { groupStarts } from '../../numeric/grouping.ts';
import { ascending, usualProportion, type FabricLayout, type Layout, type Network } from './contract.ts';

/**
 * What the layouts of networks of switches share: switches with their nodes, and the space between rows of them. A
 * switch that has nodes is a frame with the nodes in a compact grid below its label, so that cables never run across
 * nodes; a switch without is a disc. Where nothing stands below a switch its nodes may hang there in a row instead.
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
export const rowDrop = 1.05;
/** How far a switch with its row of nodes reaches down, where they are so far below it. */
export const rowReach = (drop: number): number => drop + hostSize;

/** Nodes per router, ids in a row: those of router r are `first[r] … first[r + 1] − 1`. */
export const nodesOfRouters = ({
  routerCount,
  routerOfNode,
}: Pick<Network, 'routerCount' | 'routerOfNode'>): Int32Array => groupStarts(routerOfNode, routerCount);

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

export interface NodePlaces {
  readonly nodeX: Float32Array;
  readonly nodeY: Float32Array;
  readonly nodeSize: Float32Array;
}

/** Nodes into the frames of their switches, or in a row so far below a disc. O(nodes). */
export function placeHosts(first: Int32Array, { x, y, framed }: RouterPlaces, drop = rowDrop): NodePlaces {
  const routerCount = first.length - 1;
  const nodeCount = first[routerCount]!;
  const nodeX = new Float32Array(nodeCount);
  const nodeY = new Float32Array(nodeCount);
  for (let router = 0; router < routerCount; router++) {
    const start = first[router]!;
    const nodes = first[router + 1]! - start;
    if (nodes === 0) continue;
    const grid =
      framed[router] === 1 ? gridInFrame(frameOf(nodes)) : { columns: nodes, across: stepX, top: drop, down: 0 };
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

/** What is drawn of a fabric beside its switches and nodes; nothing where it is left out. */
type Extras = Partial<Pick<FabricLayout, 'bend' | 'areas' | 'rank' | 'rankWord'>>;

/** The layout in which switches stand at `places` and cables are lines; nodes stand where `placeHosts` puts them. O(nodes). */
export function fabricLayout(
  first: Int32Array,
  { x, y, size, framed }: RouterPlaces,
  { bend = () => 0, areas = [], rank = new Int32Array(0), rankWord = '' }: Extras = {},
  nodes: NodePlaces = placeHosts(first, { x, y, size, framed }),
): Layout {
  return {
    x,
    y,
    size,
    order: ascending(size.length),
    stub: () => undefined,
    fabric: { ...nodes, framed, inFrame: inFrames(first, framed), bend, areas, rank, rankWord },
  };
}

/** Nodes in the frames of their switches; all or none of them where they are in another order than their switches. */
function inFrames(first: Int32Array, framed: Uint8Array): Uint8Array {
  const inFrame = new Uint8Array(first.at(-1)!);
  framed.forEach((isFramed, router) => inFrame.fill(isFramed, first[router], first[router + 1]));
  return inFrame;
}

/** Between rows at the least, and more the wider they are, so that cables are not all flat. */
const leastRise = 0.9;
const risePerWidth = 0.05;

/** At the most in a room of usual proportions: further apart, rows would be hard to see as one picture. */
const mostPerWidth = 0.26;

/**
 * Free space between rows of a picture `width` wide whose `rows` rows alone are `height` high: they move apart until the
 * picture is as many times as wide as high as its room.
 */
export function riseOf(width: number, height: number, rows: number, proportion = usualProportion): number {
  const least = leastRise + risePerWidth * width;
  if (rows < 2) return least;
  const filling = (width / proportion - height) / (rows - 1);
  return Math.max(least, Math.min(filling, (mostPerWidth * width * usualProportion) / proportion));
}
