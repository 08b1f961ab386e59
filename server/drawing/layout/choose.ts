import type { Topology } from '../../model/machine.ts';
import { layoutAxonometric } from './axonometric.ts';
import { layoutCircular } from './circular.ts';
import { layoutFolded } from './folded.ts';
import { layoutHypercube, hypercubeLimit } from './hypercube.ts';
import { layoutPlanar } from './planar.ts';
import { layoutSnake, snakeFrom } from './snake.ts';
import type { Grid, Layout } from './contract.ts';

/**
 * The layout of a topology: structural and without chance, so that a machine always looks the
 * same. Topologies without coordinates stand on a circle. O(routers).
 */
export function layoutOf(topology: Topology): Layout {
  const { shape, routerCount } = topology;
  if (shape === undefined) return layoutCircular(routerCount);
  const axes = shape.flatMap((side, axis) => (side > 1 ? [axis] : []));
  const grid: Grid = { shape, axes, routerCount };
  if (axes.length === 1 && routerCount >= snakeFrom) return layoutSnake(grid);
  if (axes.length <= 2) return layoutPlanar(grid);
  if (axes.length === 3) return layoutAxonometric(grid);
  const isHypercube = axes.every((axis) => shape[axis] === 2);
  return isHypercube && axes.length <= hypercubeLimit ? layoutHypercube(grid) : layoutFolded(grid);
}
