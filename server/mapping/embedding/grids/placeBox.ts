import { coordinatesOf } from '../../../model/shape.ts';
import { closesToRing } from '../../../network/topologies/gridGraph.ts';
import { axisDistance } from '../../problem/gridCosts.ts';
import type { SearchProblem } from '../../problem/searchProblem.ts';

/** One axis of a box of places. */
export interface BoxAxis {
  readonly side: number;
  /** Links between positions a and b: `links[a · side + b]`. */
  readonly links: Int32Array;
  /** Links of a step to the next position: none between places of one router. */
  readonly step: number;
}

/** Places that stand in all positions of a grid, each in one; the first axis fastest. */
export interface PlaceBox {
  readonly axes: readonly BoxAxis[];
  /** Place at each index. */
  readonly placeAt: Int32Array;
}

/**
 * The places as a box, where the allocation takes the same positions on each axis all through: all of
 * a grid machine, a part without holes, every second plane. Places of one router are an axis of their
 * own. A ring is cut in its widest gap. Undefined on other machines and allocations. O(places · axes).
 */
export function placeBoxOf({ machine, places }: SearchProblem): PlaceBox | undefined {
  const { shape, wraps } = machine.topology;
  if (shape === undefined) return undefined;
  const { placeCount, siteOfPlace, routerOfSite } = places;
  const taken = shape.map((side) => new Uint8Array(side));
  const position = new Int32Array(shape.length);
  const onRouter = new Map<number, number[]>();
  for (let place = 0; place < placeCount; place++) {
    const router = routerOfSite[siteOfPlace[place]!]!;
    const others = onRouter.get(router);
    if (others !== undefined) {
      others.push(place);
      continue;
    }
    onRouter.set(router, [place]);
    coordinatesOf(shape, router, position);
    for (const [axis, positions] of taken.entries()) positions[position[axis]!] = 1;
  }
  const ring = shape.map((side, axis) => closesToRing(side, wraps?.[axis] === true));
  const positionsOf = taken.map((positions, axis) => takenInOrder(positions, ring[axis]!));
  const perRouter = onRouter.values().next().value?.length ?? 0;
  const routers = positionsOf.reduce((product, positions) => product * positions.length, 1);
  if (routers !== onRouter.size || [...onRouter.values()].some(({ length }) => length !== perRouter)) return undefined;
  const indexAt = positionsOf.map((positions, axis) => invert(positions, shape[axis]!));
  const placeAt = new Int32Array(placeCount);
  for (const [router, own] of onRouter) {
    coordinatesOf(shape, router, position);
    let index = 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index = index * positionsOf[axis]!.length + indexAt[axis]![position[axis]!]!;
    }
    placeAt.set(own, index * perRouter);
  }
  const local = { side: perRouter, links: new Int32Array(perRouter * perRouter), step: 0 };
  const grid = positionsOf.map((positions, axis) => boxAxis(positions, shape[axis]!, ring[axis]!));
  return { axes: [local, ...grid], placeAt };
}

/** Positions that are taken, ascending from behind the widest gap. */
function takenInOrder(taken: Uint8Array, ring: boolean): number[] {
  const positions = [...taken.keys()].filter((position) => taken[position] === 1);
  if (!ring) return positions;
  let first = 0;
  let widest = 0;
  for (const [index, position] of positions.entries()) {
    const before = positions.at(index - 1)!;
    const gap = index === 0 ? position + taken.length - before : position - before;
    if (gap > widest) {
      widest = gap;
      first = index;
    }
  }
  return [...positions.slice(first), ...positions.slice(0, first)];
}

function invert(positions: readonly number[], side: number): Int32Array {
  const index = new Int32Array(side);
  for (const [order, position] of positions.entries()) index[position] = order;
  return index;
}

function boxAxis(positions: readonly number[], side: number, ring: boolean): BoxAxis {
  const links = Int32Array.from({ length: positions.length ** 2 }, (_, pair) =>
    axisDistance(side, ring, positions[Math.floor(pair / positions.length)]!, positions[pair % positions.length]!),
  );
  return { side: positions.length, links, step: 1 };
}
