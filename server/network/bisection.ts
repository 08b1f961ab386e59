import type { Shape } from '../model/shape.ts';
import { closesToRing } from './topologies/gridGraph.ts';

interface CutAxis {
  readonly side: number;
  /** Cables a straight cut across one line of the axis meets: 2 on a ring, 1 on a line. */
  readonly crossed: number;
}

/**
 * Fewest cables between two halves of a grid of routers whose sizes differ by one at most.
 * A straight cut halves an even side. Where the longest sides are odd the cut has a step: it
 * goes through the middle plane of the longest side, halves that plane in the same way, and so
 * on: Σ over the sides, longest first, up to the first even one, of the product of the shorter
 * ones (Azizoğlu and Eğecioğlu 2004 for meshes; twice that for tori, Aroca and Fernández Anta
 * 2014). Tori that mix sides of 2, where a ring is one cable, with longer ones take the best of
 * these cuts, so the figure is an upper bound there.
 */
export function gridBisection(shape: Shape, wraps: readonly boolean[]): number {
  const axes = shape
    .map((side, axis) => ({ side, crossed: closesToRing(side, wraps[axis] === true) ? 2 : 1 }))
    .filter(({ side }) => side > 1)
    .sort((a, b) => b.side - a.side);
  if (axes.length === 0) return 0;
  return Math.min(steppedCut(axes), ...straightCuts(axes));
}

/** Cuts across each even side. */
function straightCuts(axes: readonly CutAxis[]): number[] {
  const routers = axes.reduce((product, { side }) => product * side, 1);
  return axes.filter(({ side }) => side % 2 === 0).map(({ side, crossed }) => (crossed * routers) / side);
}

/** Across the longest side, through the middle plane's own halves where the side is odd. */
function steppedCut([longest, ...shorter]: readonly CutAxis[]): number {
  if (!longest) return 0;
  const plane = shorter.reduce((product, { side }) => product * side, 1);
  const straight = longest.crossed * plane;
  return longest.side % 2 === 0 ? straight : straight + steppedCut(shorter);
}
