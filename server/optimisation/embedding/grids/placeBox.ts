import { intAt, itemAt } from '../../../numeric/elements.ts';
import { coordinatesOf, type Shape, closesToRing, axisDistance } from '../../../model/shape.ts';
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
  const { shape, wraps, routerCount } = machine.topology;
  if (shape === undefined) return undefined;
  const { placeCount, siteOfPlace } = places;
  const routerOfSite = places.coordinateOfSite ?? places.routerOfSite;
  const routerOfPlace = siteOfPlace.map((site) => intAt(routerOfSite, site));
  const placesOn = new Int32Array(routerCount);
  for (const router of routerOfPlace) placesOn[router] = intAt(placesOn, router) + 1;
  const perRouter = intAt(placesOn, intAt(routerOfPlace, 0));
  if (placesOn.some((count) => count !== 0 && count !== perRouter)) return undefined;
  const ring = shape.map((side, axis) => closesToRing(side, wraps?.[axis] === true));
  const positionsOf = takenPositions(shape, placesOn).map((taken, axis) => takenInOrder(taken, itemAt(ring, axis)));
  if (positionsOf.reduce((product, { length }) => product * length, perRouter) !== placeCount) return undefined;
  const indexAt = positionsOf.map((positions, axis) => invert(positions, itemAt(shape, axis)));
  const position = new Int32Array(shape.length);
  const placeAt = new Int32Array(placeCount);
  for (let place = 0; place < placeCount; place++) {
    const router = intAt(routerOfPlace, place);
    coordinatesOf(shape, router, position);
    let index = 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index = index * itemAt(positionsOf, axis).length + intAt(itemAt(indexAt, axis), intAt(position, axis));
    }
    placesOn[router] = intAt(placesOn, router) - 1;
    placeAt[index * perRouter + intAt(placesOn, router)] = place;
  }
  const local = { side: perRouter, links: new Int32Array(perRouter * perRouter), step: 0 };
  const grid = positionsOf.map((positions, axis) => boxAxis(positions, itemAt(shape, axis), itemAt(ring, axis)));
  return { axes: [local, ...grid], placeAt };
}

/** Per axis, 1 for the positions where routers with places stand. */
function takenPositions(shape: Shape, placesOn: Int32Array): Uint8Array[] {
  const taken = shape.map((side) => new Uint8Array(side));
  const position = new Int32Array(shape.length);
  for (let router = 0; router < placesOn.length; router++) {
    if (placesOn[router] === 0) continue;
    coordinatesOf(shape, router, position);
    for (const [axis, positions] of taken.entries()) positions[intAt(position, axis)] = 1;
  }
  return taken;
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
    axisDistance(
      side,
      ring,
      itemAt(positions, Math.floor(pair / positions.length)),
      itemAt(positions, pair % positions.length),
    ),
  );
  return { side: positions.length, links, step: 1 };
}
