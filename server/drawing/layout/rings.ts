import { largestOf } from '../../model/lists.ts';
import type { Topology } from '../../model/machine.ts';
import type { SceneArea } from '../scene.ts';
import { controlOf } from '../strokes.ts';
import { usualProportion, type Layout, type Network } from './contract.ts';
import { discSize, fabricLayout, frameRouters, nodesOfRouters, type RouterPlaces } from './frames.ts';
import { rowBend } from './hyperx.ts';

/** Layouts on rings: the groups of a dragonfly, and the nodes of a cluster round their switch. */

/** From the routers of a group to its border, and from border to border. */
const margin = 0.3;
const groupGap = 0.5;
/** How much longer than wide the ring of groups is at most, and the other way round. */
const longestRing = 2.2;

/**
 * Dragonflies: the groups on a ring, the first at the top, clockwise; the routers of each on a bow that is open towards the
 * middle, leaves outside of their spines, or in a grid that stays upright. So the middle is free for global cables, and local ones
 * stay in the patch of their group. Global cables bow out where a straight one would run beneath another router. The ring
 * is as long and as wide as its room. O(routers), and the global cables times the routers of a group.
 */
export function layoutGroups(topology: Network, groups: Int32Array, proportion = usualProportion): Layout {
  const first = nodesOfRouters(topology);
  const places = frameRouters(first);
  const members: number[][] = Array.from({ length: Math.max(0, largestOf(groups)) + 1 }, () => []);
  groups.forEach((group, router) => members[group]!.push(router));
  const router = largestOf(places.size);
  const most = largestOf(members.map(({ length }) => length));
  const within = groupPlacesOf(topology, most, router);
  const border = within.radius + router * Math.SQRT2 + margin;
  // In a room of usual proportions, as that on paper, the ring is a circle.
  const stretch = proportion === usualProportion ? 1 : Math.min(longestRing, Math.max(1 / longestRing, proportion));
  const ring = ringOf(members.length, 2 * border + groupGap, stretch);
  const areas = members.map((routers, group) => {
    const { x, y, turn } = ring[group]!;
    setInGroup(routers, x, y, within, turn, places);
    return areaOf(x, y, border, members.length > 1 ? `group ${group}` : '', turn);
  });
  const indexOf = new Int32Array(groups.length);
  for (const routers of members) routers.forEach((each, index) => (indexOf[each] = index));
  const bends = bendsPastRouters(topology, groups, members, places, border);
  const bend = (from: number, to: number): number =>
    groups[from] === groups[to]
      ? within.bend(indexOf[from]!, indexOf[to]!)
      : (bends.get(pairKey(from, to, groups)) ?? 0) * (from < to ? 1 : -1);
  return fabricLayout(first, places, { areas, bend, rank: groups, rankWord: 'group' });
}

/** A place on a ring, and the direction that leads out of it there, as an angle. */
interface RingPlace {
  readonly x: number;
  readonly y: number;
  readonly turn: number;
}

/** Pieces into which the ring is cut to measure along it. */
const ringPieces = 1440;

/** Places on an ellipse `stretch` times as wide as high, all as far from the next along it, and `apart` at the least. */
function ringOf(count: number, apart: number, stretch: number): readonly RingPlace[] {
  if (count < 2) return [{ x: 0, y: 0, turn: -Math.PI / 2 }];
  const along = new Float64Array(ringPieces + 1);
  const at = (piece: number): readonly [number, number] => {
    const angle = (2 * Math.PI * piece) / ringPieces - Math.PI / 2;
    return [stretch * Math.cos(angle), Math.sin(angle)];
  };
  for (let piece = 1; piece <= ringPieces; piece++) {
    const [[x, y], [lastX, lastY]] = [at(piece), at(piece - 1)];
    along[piece] = along[piece - 1]! + Math.hypot(x - lastX, y - lastY);
  }
  let piece = 0;
  const places = Array.from({ length: count }, (_, place): RingPlace => {
    const wanted = (along[ringPieces]! * place) / count;
    while (along[piece + 1]! < wanted) piece++;
    const [x, y] = at(piece + (wanted - along[piece]!) / (along[piece + 1]! - along[piece]!));
    return { x, y, turn: Math.atan2(y, x / stretch ** 2) };
  });
  const nearest = places.reduce((least, { x, y }, place) => {
    const next = places[(place + 1) % count]!;
    return Math.min(least, Math.hypot(next.x - x, next.y - y));
  }, Infinity);
  const scale = apart / nearest;
  return places.map(({ x, y, turn }) => ({ x: x * scale, y: y * scale, turn }));
}

/** Offsets from the middle of the group, by the index of a router in it, where the group lies at the top of the ring. */
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

/**
 * From row to row and column to column, in diameters of a router, by the number of rows or of columns, whichever is less: so far apart
 * that nearly all global cables find a way between. Of four rows of six 5 in 216 have none with 4 diameters, of six rows of sixteen,
 * as in Aries, 14 in 1,920, and none with 5.
 */
const gridSpacing = (rows: number): number => (rows <= 3 ? 3 : 5);
/** From leaf to leaf, and from the leaves to the spines. */
const rowSpacing = 1.45;
const tierDistance = 2.6;
/** From router to router on a bow; of few routers it is so much of a circle, of many and more so much. */
const bowSpacing = 1.5;
const fewRouters = 8;
const manyRouters = 32;
const shortestBow = 0.7 * Math.PI;
const longestBow = 1.3 * Math.PI;

/**
 * The places in a group of `count` routers of half side `size`: a grid where its routers stand in one, leaves outside and
 * spines inside where some have no nodes, else a bow that is open downwards. O(count).
 */
function groupPlacesOf(
  { groupShape, routerOfNode }: Pick<Topology, 'groupShape' | 'routerOfNode'>,
  count: number,
  size: number,
): GroupPlaces {
  if (groupShape !== undefined) return gridPlaces(groupShape, count, 2 * size);
  const hasNodes = new Uint8Array(count);
  for (const router of routerOfNode) if (router < count) hasNodes[router] = 1;
  const leaves = hasNodes.indexOf(0);
  return leaves > 0 ? twoRows(count, leaves, 2 * size) : bowPlaces(count, 2 * size * bowSpacing);
}

function bowPlaces(count: number, apart: number): GroupPlaces {
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  if (count < 2) return { x, y, radius: 0, turns: true, bend: () => 0 };
  const share = Math.min(1, Math.max(0, (count - fewRouters) / (manyRouters - fewRouters)));
  const length = shortestBow + share * (longestBow - shortestBow);
  const radius = apart / 2 / Math.sin(length / 2 / (count - 1));
  // The middle of what is less than half a circle lies between its ends.
  const below = Math.max(0, Math.cos(length / 2));
  for (let index = 0; index < count; index++) {
    const angle = (index / (count - 1) - 0.5) * length - Math.PI / 2;
    x[index] = radius * Math.cos(angle);
    y[index] = radius * (Math.sin(angle) + below);
  }
  return { x, y, radius: radius * Math.sin(Math.min(length, Math.PI) / 2), turns: true, bend: () => 0 };
}

/** Rows and columns upright, further axes as further blocks of rows. */
function gridPlaces(shape: readonly number[], count: number, diameter: number): GroupPlaces {
  const columns = shape[0] ?? 1;
  const rows = Math.ceil(count / columns);
  const step = diameter * gridSpacing(Math.min(rows, columns));
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

/** More global cables than this are all straight: nobody tells them apart, and looking for their bows would take long. */
const bentCables = 3000;
/**
 * How far a cable may bow out, as shares of its length, inwards where they are positive; those that are tried first in front.
 * Outwards little: there are the names of groups.
 */
const bows = Array.from({ length: 20 }, (_, step) => 0.03 * (step + 1)).flatMap((bow) => [bow, -bow]);
/** Points of a bow on either side of the nearest to a router at which its distance is measured, and the room that it leaves, in half sides of one: if not more, then this. */
const bowPoints = 3;
const clearance = 1.25;
const leastClearance = 1.02;
/** As many routers may be near as one would be above it. */
const hidden = 100;

const pairKey = (from: number, to: number, { length }: ArrayLike<number>): number =>
  Math.min(from, to) * length + Math.max(from, to);

/**
 * How far each global cable that would run beneath another router bows out, by its routers, seen from the lower one; outwards by
 * `most`. Only routers of its two groups and of those beside them can stand in its way: the rest are on the other side of a convex ring.
 */
function bendsPastRouters(
  { links: { from, to, routerLinkCount } }: Network,
  groups: Int32Array,
  members: readonly (readonly number[])[],
  places: RouterPlaces,
  most: number,
): ReadonlyMap<number, number> {
  const bends = new Map<number, number>();
  const isGlobal = (link: number): boolean => from[link]! < to[link]! && groups[from[link]!] !== groups[to[link]!];
  let count = 0;
  for (let link = 0; link < routerLinkCount; link++) count += Number(isGlobal(link));
  if (count > bentCables) return bends;
  const near = (group: number): readonly number[] =>
    [-1, 0, 1].map((step) => (group + step + members.length) % members.length);
  for (let link = 0; link < routerLinkCount; link++) {
    if (!isGlobal(link)) continue;
    const ends = [from[link]!, to[link]!] as const;
    const around = new Set([...near(groups[ends[0]]!), ...near(groups[ends[1]]!)]);
    const others = [...around].flatMap((group) => members[group]!).filter((router) => !ends.includes(router));
    const bend = bendPast(ends, others, places, most);
    if (bend !== 0) bends.set(pairKey(...ends, groups), bend);
  }
  return bends;
}

/** A router that may stand in the way of a cable: beside which share of it, and how far before and behind. */
interface Beside {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly middle: number;
  readonly reach: number;
}

/** The least bow of a cable, to either side and outwards by `most`, that passes all others, or the fewest. O(bows · others). */
function bendPast(
  [one, other]: readonly [number, number],
  others: readonly number[],
  { x, y, size }: RouterPlaces,
  most: number,
): number {
  const [x1, y1, x2, y2] = [x[one]!, y[one]!, x[other]!, y[other]!];
  const length = Math.hypot(x2 - x1, y2 - y1);
  // A bow goes on along its chord as evenly as a line does: what is near stands beside the same share of either.
  const beside = others
    .map((router): Beside => {
      const middle = ((x[router]! - x1) * (x2 - x1) + (y[router]! - y1) * (y2 - y1)) / length ** 2;
      const reach = (clearance * Math.SQRT2 * size[router]!) / length;
      return { x: x[router]!, y: y[router]!, size: size[router]!, middle, reach };
    })
    .filter(({ middle, reach }) => middle >= -reach && middle <= 1 + reach);
  /** Or as many as are enough. */
  const hits = (bend: number, enough: number): number => {
    const [controlX, controlY] = controlOf(x1, y1, x2, y2, bend);
    let sum = 0;
    for (const router of beside) {
      let nearest = Infinity;
      for (let point = -bowPoints; point <= bowPoints; point++) {
        const share = Math.min(1, Math.max(0, router.middle + (router.reach * point) / bowPoints));
        const [start, control, end] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
        const right = Math.abs(router.x - (start * x1 + control * controlX + end * x2));
        const down = Math.abs(router.y - (start * y1 + control * controlY + end * y2));
        nearest = Math.min(nearest, Math.max(right, down) / router.size);
      }
      if (nearest < clearance) sum += nearest < leastClearance ? hidden : 1;
      if (sum >= enough) return sum;
    }
    return sum;
  };
  const inward = Math.sign(x1 * (y2 - y1) - y1 * (x2 - x1)) || 1;
  let [best, fewest] = [0, hits(0, Infinity)];
  for (const bow of bows) {
    if (fewest === 0) break;
    if (bow < 0 && -bow * length > most) continue;
    const bend = inward * bow * length;
    const found = hits(bend, fewest);
    if (found < fewest) [best, fewest] = [bend, found];
  }
  return best;
}

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

/** Of a circle on which `count` points are at least `apart` from each other. */
const circleRadius = (count: number, apart: number): number => (count < 2 ? 0 : apart / 2 / Math.sin(Math.PI / count));

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
