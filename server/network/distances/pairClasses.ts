import type { Machine } from '../../model/machine.ts';
import { coordinatesOf } from '../../model/shape.ts';
import { minimal } from '../routings/minimal.ts';
import { closesToRing } from '../topologies/gridGraph.ts';
import { stretchResistance, type AxisStretch } from './gridResistance.ts';

/**
 * Ordered pairs of routers that are certain to have the same equivalent distance, and the pair that
 * is worked out for all of them.
 */
export interface PairClasses {
  /** Source and target of the pair that stands for this one. */
  source(from: number, to: number): number;
  target(from: number, to: number): number;
  /** Whether router 0 is the source of all of them. */
  readonly oneSource: boolean;
  /** The distance of the pair that stands for others, where it is known by a formula; undefined where it must be solved. */
  readonly known?: (target: number) => number | undefined;
}

/** Up to this many routers a circuit is solved: by elimination, which is exact where all values are. */
const solvedSize = 64;

/**
 * Where ways and ways back are the same, (a, b) and (b, a). On a torus, mesh or hypercube under
 * minimal routing all pairs as far apart along each axis: their routes fill boxes of the same
 * sides. Everything stands for itself otherwise. O(routers · dimensions).
 */
export function pairClassesOf(machine: Machine): PairClasses {
  const { routing, topology } = machine;
  const { shape, wraps } = topology;
  if (routing.kind === minimal.name && shape && wraps) {
    return {
      source: () => 0,
      target: offsetBetween(shape, wraps, topology.routerCount),
      oneSource: true,
      known: resistanceFromCorner(shape, wraps),
    };
  }
  if (routing.symmetric) return { source: Math.min, target: Math.max, oneSource: false };
  return { source: (from) => from, target: (_, to) => to, oneSource: false };
}

/** The resistance between router 0 and another, no farther along a ring than half of it, where their routes fill a large grid. */
function resistanceFromCorner(
  shape: readonly number[],
  wraps: readonly boolean[],
): (target: number) => number | undefined {
  return (target) => {
    let stride = 1;
    let size = 1;
    const axes = shape.map((side, axis): AxisStretch => {
      const distance = Math.floor(target / stride) % side;
      stride *= side;
      const isRing = closesToRing(side, wraps[axis] === true) && 2 * distance === side;
      const length = isRing ? side : distance + 1;
      size *= length;
      return { length, isRing };
    });
    return size > solvedSize ? stretchResistance(axes) : undefined;
  };
}

/** The router that is as far from router 0 along each axis as `to` is from `from`. */
function offsetBetween(
  shape: readonly number[],
  wraps: readonly boolean[],
  routers: number,
): (from: number, to: number) => number {
  const axes = shape.length;
  const coordinates = new Int32Array(routers * axes);
  for (let router = 0; router < routers; router++) coordinatesOf(shape, router, coordinates.subarray(router * axes));
  const rings = shape.map((side, axis) => closesToRing(side, wraps[axis] === true));
  return (from, to) => {
    let router = 0;
    for (let axis = axes - 1; axis >= 0; axis--) {
      const side = shape[axis]!;
      const straight = Math.abs(coordinates[from * axes + axis]! - coordinates[to * axes + axis]!);
      router = router * side + (rings[axis] ? Math.min(straight, side - straight) : straight);
    }
    return router;
  };
}
