import type { Topology } from '../../model/machine.ts';
import type { SceneArea } from '../scene.ts';
import type { Layout } from './contract.ts';
import { discSize, fabricLayout, frameRouters, nodesOfRouters, type RouterPlaces } from './frames.ts';
import { rowBend } from './hyperx.ts';

/** Layouts on circles: the groups of a dragonfly, and the nodes of a cluster round their switch. */

/** Distance of neighbours on a circle, in diameters of a router. */
const spacing = 1.75;
/** From the routers of a group to its border, and from border to border. */
const margin = 0.3;
const groupGap = 0.5;

/**
 * Dragonflies: the routers of a group on a small circle, the groups on a large one, the first at
 * the top, clockwise. Each group is turned so that its first router points outwards: all
 * groups look alike from the middle, where the global cables cross. Groups that are grids stay upright, and leaves stand
 * outside of their spines. O(routers).
 */
export function layoutGroups(topology: Topology, groups: Int32Array): Layout {
  const first = nodesOfRouters(topology);
  const places = frameRouters(first);
  const members: number[][] = Array.from({ length: Math.max(...groups, 0) + 1 }, () => []);
  groups.forEach((group, router) => members[group]!.push(router));
  const router = Math.max(...places.size);
  const most = Math.max(...members.map(({ length }) => length));
  const within = groupPlacesOf(topology, most, router, circleRadius(most, 2 * router * spacing));
  const groupRadius = within.radius;
  const border = groupRadius + router * Math.SQRT2 + margin;
  const radius = circleRadius(members.length, 2 * border + groupGap);
  const areas = members.map((routers, group) => {
    const turn = (2 * Math.PI * group) / members.length - Math.PI / 2;
    const [x, y] = [radius * Math.cos(turn), radius * Math.sin(turn)];
    setInGroup(routers, x, y, within, turn, places);
    return areaOf(x, y, border, members.length > 1 ? `group ${group}` : '', turn);
  });
  const indexOf = new Int32Array(groups.length);
  for (const routers of members) routers.forEach((each, index) => (indexOf[each] = index));
  const bend = (from: number, to: number): number =>
    groups[from] === groups[to] ? within.bend(indexOf[from]!, indexOf[to]!) : 0;
  return fabricLayout(first, places, { areas, bend, rank: groups, rankWord: 'group' });
}

/** Offsets from the middle of the group, by the index of a router in it, where the group lies at the top of the circle. */
interface GroupPlaces {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Farthest offset of a router. */
  readonly radius: number;
  /** Whether the places turn with the group, so that all groups look alike from the middle. */
  readonly turns: boolean;
  /** How far a cable between two routers of a group bows out, by their indices. */
  readonly bend: (from: number, to: number) => number;
}

/** From row to row and column to column, in diameters of a router. */
const gridSpacing = 1.9;
/** From leaf to leaf, and from the leaves to the spines. */
const rowSpacing = 1.45;
const tierDistance = 2.6;

/**
 * The places in a group of `count` routers of half side `size`: a grid where its routers stand in one, leaves outside and
 * spines inside where some have no nodes, else a circle of `circleRadius(count, apart)` with the first outside. O(count).
 */
function groupPlacesOf(
  { groupShape, routerOfNode }: Pick<Topology, 'groupShape' | 'routerOfNode'>,
  count: number,
  size: number,
  radiusOfCircle: number,
): GroupPlaces {
  if (groupShape !== undefined) return gridPlaces(groupShape, count, 2 * size * gridSpacing);
  const hasNodes = new Uint8Array(count);
  for (const router of routerOfNode) if (router < count) hasNodes[router] = 1;
  const leaves = hasNodes.indexOf(0);
  if (leaves > 0) return twoRows(count, leaves, 2 * size);
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  for (let index = 0; index < count; index++) {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2;
    x[index] = radiusOfCircle * Math.cos(angle);
    y[index] = radiusOfCircle * Math.sin(angle);
  }
  return { x, y, radius: radiusOfCircle, turns: true, bend: () => 0 };
}

/** Rows and columns upright, further axes as further blocks of rows. */
function gridPlaces(shape: readonly number[], count: number, step: number): GroupPlaces {
  const columns = shape[0] ?? 1;
  const rows = Math.ceil(count / columns);
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  for (let index = 0; index < count; index++) {
    x[index] = ((index % columns) - (columns - 1) / 2) * step;
    y[index] = (Math.floor(index / columns) - (rows - 1) / 2) * step;
  }
  const radius = (Math.hypot(columns - 1, rows - 1) * step) / 2;
  return {
    x,
    y,
    radius,
    turns: false,
    bend: (from, to) => rowBend(Math.hypot(x[to]! - x[from]!, y[to]! - y[from]!), step),
  };
}

function twoRows(count: number, leaves: number, diameter: number): GroupPlaces {
  const spines = count - leaves;
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const step = diameter * rowSpacing;
  const half = (tierDistance * diameter) / 2;
  for (let index = 0; index < count; index++) {
    const isLeaf = index < leaves;
    const [place, row] = isLeaf ? [index, leaves] : [index - leaves, spines];
    x[index] = (place - (row - 1) / 2) * step;
    y[index] = isLeaf ? -half : half;
  }
  const width = (Math.max(leaves, spines) - 1) * step;
  return { x, y, radius: Math.hypot(width / 2, half), turns: true, bend: () => 0 };
}

/** Of a circle on which `count` points are at least `apart` from each other. */
const circleRadius = (count: number, apart: number): number => (count < 2 ? 0 : apart / 2 / Math.sin(Math.PI / count));

/** The places of a group are those at the top of the circle, so that they turn by as much more as it stands further on. */
function setInGroup(
  routers: readonly number[],
  x: number,
  y: number,
  within: GroupPlaces,
  turn: number,
  places: RouterPlaces,
): void {
  const angle = within.turns ? turn + Math.PI / 2 : 0;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  routers.forEach((router, index) => {
    const [right, down] = [within.x[index]!, within.y[index]!];
    places.x[router] = x + right * cosine - down * sine;
    places.y[router] = y + right * sine + down * cosine;
  });
}

/** From the border of a group to the middle of its name, outside of it: there are no cables. */
const nameAway = 0.35;

const areaOf = (x: number, y: number, radius: number, label: string, turn: number): SceneArea => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
  round: true,
  label,
  labelAt: { x: x + (radius + nameAway) * Math.cos(turn), y: y + (radius + nameAway) * Math.sin(turn) },
});

/** A cluster of more nodes has them in the frame of the switch. */
const ringLimit = 40;
/** Half the side of a node on the ring: room for sockets and cores. */
const nodeSize = 0.5;
/** From node to node, middle to middle. */
const apart = 1.5;
/** So that nodes leave the switch room for its host links. */
const leastRadius = 1.9;

/** One switch: its nodes on a ring round it, the first at the top, clockwise; many nodes in a frame. O(nodes). */
export function layoutCluster(topology: Topology): Layout {
  const first = nodesOfRouters(topology);
  const nodeCount = first[1]!;
  const places = frameRouters(first);
  if (nodeCount > ringLimit) return fabricLayout(first, places);
  const radius = Math.max(leastRadius, circleRadius(nodeCount, apart));
  const angle = (node: number): number => (2 * Math.PI * node) / nodeCount - Math.PI / 2;
  places.framed[0] = 0;
  places.size[0] = Math.min(radius * 0.3, 2 * discSize);
  const nodes = {
    nodeX: Float32Array.from({ length: nodeCount }, (_, node) => radius * Math.cos(angle(node))),
    nodeY: Float32Array.from({ length: nodeCount }, (_, node) => radius * Math.sin(angle(node))),
    nodeSize: new Float32Array(nodeCount).fill(nodeSize),
  };
  return fabricLayout(first, places, {}, nodes);
}
