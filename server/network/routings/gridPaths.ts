import { intAt, itemAt } from '../../numeric/elements.ts';
import type { RouterId } from '../../model/identifiers.ts';
import { type Shape, closesToRing } from '../../model/shape.ts';

/** One axis of a grid along which there are links: its side is at least 2. */
export interface GridAxis {
  /** Place in the order of travel. */
  readonly turn: number;
  readonly side: number;
  /** Difference of router ids between neighbours on the axis. */
  readonly stride: number;
  readonly ring: boolean;
}

/** Coordinates and shortest ways on a torus, mesh or hypercube, axes in order of travel. */
export interface GridPaths {
  readonly routerCount: number;
  readonly axes: readonly GridAxis[];
  /** Links between two routers. O(dimensions), allocates nothing. */
  readonly hops: (from: RouterId, to: RouterId) => number;
  readonly positionOf: (router: number, axis: GridAxis) => number;
}

export function gridPathsOf(shape: Shape, wraps: readonly boolean[], order: readonly number[]): GridPaths {
  const axes = axesOf(shape, wraps, order);
  const routerCount = shape.reduce((product, side) => product * side, 1);
  const positions = positionsOf(axes, routerCount);
  const width = axes.length;
  // Where an axis is no ring, going round is given a length that is never the shorter one.
  const around = Int32Array.from(axes, (axis) => (axis.ring ? axis.side : 0x7fffffff));
  return {
    routerCount,
    axes,
    hops(from, to) {
      let hops = 0;
      for (let turn = 0; turn < width; turn++) {
        const distance = Math.abs(intAt(positions, from * width + turn) - intAt(positions, to * width + turn));
        hops += Math.min(distance, intAt(around, turn) - distance);
      }
      return hops;
    },
    positionOf: (router, axis) => intAt(positions, router * width + axis.turn),
  };
}

/** Signed steps from one position on an axis to another: the shorter way, half-way ties positive. */
export function stepsAlong(axis: GridAxis, from: number, to: number): number {
  const straight = to - from;
  if (!axis.ring) return straight;
  const forward = straight < 0 ? straight + axis.side : straight;
  return 2 * forward <= axis.side ? forward : forward - axis.side;
}

function axesOf(shape: Shape, wraps: readonly boolean[], order: readonly number[]): GridAxis[] {
  const strides: number[] = [];
  let stride = 1;
  for (const side of shape) {
    strides.push(stride);
    stride *= side;
  }
  return order
    .filter((axis) => itemAt(shape, axis) > 1)
    .map((axis, turn) => ({
      turn,
      side: itemAt(shape, axis),
      stride: itemAt(strides, axis),
      ring: closesToRing(itemAt(shape, axis), wraps[axis] === true),
    }));
}

/** Position of every router on every axis, router by router: a look-up is cheaper than divisions. */
function positionsOf(axes: readonly GridAxis[], routerCount: number): Int32Array {
  const width = axes.length;
  const positions = new Int32Array(routerCount * width);
  for (const { turn, side, stride } of axes) {
    for (let router = 0; router < routerCount; router++) {
      positions[router * width + turn] = Math.floor(router / stride) % side;
    }
  }
  return positions;
}
