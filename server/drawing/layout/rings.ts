import type { Topology } from '../../model/machine.ts';
import type { SceneArea } from '../scene.ts';
import type { Layout } from './contract.ts';
import { discSize, fabricLayout, frameRouters, nodesOfRouters, type RouterPlaces } from './frames.ts';

/** Layouts on circles: the groups of a dragonfly, and the nodes of a cluster round their switch. */

/** Distance of neighbours on a circle, in diameters of a router. */
const spacing = 1.75;
/** From the routers of a group to its border, and from border to border. */
const margin = 0.3;
const groupGap = 0.5;

/**
 * Dragonflies: the routers of a group on a small circle, the groups on a large one, the first at
 * the top, clockwise. Each group is turned so that its first router points outwards: all
 * groups look alike from the middle, where the global cables cross. O(routers).
 */
export function layoutGroups(topology: Topology, groups: Int32Array): Layout {
  const first = nodesOfRouters(topology);
  const places = frameRouters(first);
  const members: number[][] = Array.from({ length: Math.max(...groups, 0) + 1 }, () => []);
  groups.forEach((group, router) => members[group]!.push(router));
  const router = Math.max(...places.size);
  const groupRadius = circleRadius(Math.max(...members.map(({ length }) => length)), 2 * router * spacing);
  const border = groupRadius + router * Math.SQRT2 + margin;
  const radius = circleRadius(members.length, 2 * border + groupGap);
  const areas = members.map((routers, group) => {
    const turn = (2 * Math.PI * group) / members.length - Math.PI / 2;
    const [x, y] = [radius * Math.cos(turn), radius * Math.sin(turn)];
    setOnCircle(routers, x, y, groupRadius, turn, places);
    return areaOf(x, y, border, members.length > 1 ? `group ${group}` : '', turn);
  });
  return fabricLayout(first, places, { areas, rank: groups, rankWord: 'group' });
}

/** Of a circle on which `count` points are at least `apart` from each other. */
const circleRadius = (count: number, apart: number): number => (count < 2 ? 0 : apart / 2 / Math.sin(Math.PI / count));

function setOnCircle(
  routers: readonly number[],
  x: number,
  y: number,
  radius: number,
  turn: number,
  places: RouterPlaces,
): void {
  routers.forEach((router, index) => {
    const angle = turn + (2 * Math.PI * index) / routers.length;
    places.x[router] = x + radius * Math.cos(angle);
    places.y[router] = y + radius * Math.sin(angle);
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
