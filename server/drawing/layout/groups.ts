import type { Topology } from '../../model/machine.ts';
import type { SceneArea } from '../scene.ts';
import { type Layout, ascending } from './contract.ts';
import { frameRouters, nodesOfRouters, placeHosts, type RouterPlaces } from './frames.ts';

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
    return areaOf(x, y, border, members.length > 1 ? `group ${group}` : '');
  });
  return {
    ...places,
    order: ascending(topology.routerCount),
    stub: () => undefined,
    fabric: {
      ...placeHosts(first, places),
      framed: places.framed,
      bend: () => 0,
      areas,
      rank: groups,
      rankWord: 'group',
    },
  };
}

/** Of a circle on which `count` points are at least `apart` from each other. */
export const circleRadius = (count: number, apart: number): number =>
  count < 2 ? 0 : apart / 2 / Math.sin(Math.PI / count);

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

const areaOf = (x: number, y: number, radius: number, label: string): SceneArea => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
  round: true,
  label,
});
