import type { Machine, Topology } from '../../model/machine.ts';
import { centralRouter } from '../../network/routings/roots.ts';
import { levelsFrom } from '../../network/routings/routeGraph.ts';
import {
  layoutAxonometric,
  layoutFolded,
  layoutHypercube,
  hypercubeLimit,
  layoutPlanar,
  layoutSnake,
  snakeFrom,
} from './grids.ts';
import { layoutCluster, layoutGroups } from './rings.ts';
import type { Grid, Layout } from './contract.ts';
import { layoutLevels } from './levels.ts';
import { layoutTiers } from './tiers.ts';
import { nodesOfRouters } from './frames.ts';
import { distancesFrom } from '../../numeric/breadthFirst.ts';

/**
 * The layout of a machine's network: structural and without chance, so that a machine always
 * looks the same. What it is, not what it is called, decides: coordinates, then groups, tiers,
 * one switch alone, and for everything else the levels of up/down routing.
 */
export function layoutOf({ topology, routing }: Pick<Machine, 'topology' | 'routing'>): Layout {
  if (topology.shape !== undefined) return gridLayoutOf(topology, topology.shape);
  if (topology.routerCount === 1) return layoutCluster(topology);
  if (topology.groups !== undefined) return layoutGroups(topology, topology.groups);
  const tiers = tiersOf(topology);
  if (tiers !== undefined) return layoutTiers(topology, tiers);
  return layoutLevels(topology, routing.hierarchy?.level ?? levelsFrom(topology, centralRouter(topology)));
}

function gridLayoutOf({ routerCount }: Topology, shape: readonly number[]): Layout {
  const axes = shape.flatMap((side, axis) => (side > 1 ? [axis] : []));
  const grid: Grid = { shape, axes, routerCount };
  if (axes.length === 1 && routerCount >= snakeFrom) return layoutSnake(grid);
  if (axes.length <= 2) return layoutPlanar(grid);
  if (axes.length === 3) return layoutAxonometric(grid);
  const isHypercube = axes.every((axis) => shape[axis] === 2);
  return isHypercube && axes.length <= hypercubeLimit ? layoutHypercube(grid) : layoutFolded(grid);
}

/**
 * Tier of each switch above the leaves, where the network is a tree of switches: what the
 * topology says, else the distance from the nearest switch with nodes, provided that every cable
 * then leads from one tier to the next. Undefined for other networks. O(routers + links).
 */
function tiersOf(topology: Topology): Int32Array | undefined {
  if (topology.tiers !== undefined) return topology.tiers;
  const { firstLink, to, from, routerLinkCount } = topology.links;
  const first = nodesOfRouters(topology);
  const leaves: number[] = [];
  for (let router = 0; router < topology.routerCount; router++)
    if (first[router + 1] !== first[router]) leaves.push(router);
  if (leaves.length < 2 || leaves.length === topology.routerCount) return undefined;
  const tier = distancesFrom(firstLink, to, leaves);
  for (let link = 0; link < routerLinkCount; link++) {
    if (Math.abs(tier[from[link]!]! - tier[to[link]!]!) !== 1) return undefined;
  }
  return tier;
}
