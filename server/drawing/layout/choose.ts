import type { Machine, Topology } from '../../model/machine.ts';
import { centralRouter } from '../../network/routings/centralRouter.ts';
import { levelsFrom } from '../../network/routings/levels.ts';
import { layoutAxonometric } from './axonometric.ts';
import { layoutCluster } from './cluster.ts';
import type { Grid, Layout } from './contract.ts';
import { layoutFolded } from './folded.ts';
import { layoutGroups } from './groups.ts';
import { layoutHypercube, hypercubeLimit } from './hypercube.ts';
import { layoutLevels } from './levels.ts';
import { layoutPlanar } from './planar.ts';
import { layoutSnake, snakeFrom } from './snake.ts';
import { tiersOf } from './tierOf.ts';
import { layoutTiers } from './tiers.ts';

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
