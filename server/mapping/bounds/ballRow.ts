import type { Places } from '../problem/places.ts';
import { writeRanks } from './nearestRow.ts';

/**
 * The least costs of the `count` nearest partners of a task on a grid whose costs are sums over the axes,
 * wherever the task and the free places are: within a distance no router has more others than one in the
 * middle of an endless grid, where a line or ring of `side` ends the count, and all of them have as many
 * places as the one that has most. O(places + axes · diameter²).
 */
export function ballRow(places: Places, sides: readonly number[], count: number): Float64Array {
  const perRouter = mostPlacesOfRouter(places);
  let routersAtCost = [1];
  for (const side of sides) routersAtCost = convolved(routersAtCost, routersAlong(side));
  const costs = new Float64Array(count);
  writeRanks(
    costs,
    routersAtCost.map((routers) => routers * perRouter),
  );
  return costs;
}

/** Several nodes may hang on one router, at no cost from each other. */
function mostPlacesOfRouter({ siteOfPlace, routerOfSite }: Places): number {
  const placesOfRouter = new Map<number, number>();
  let most = 0;
  for (const site of siteOfPlace) {
    const places = (placesOfRouter.get(routerOfSite[site]!) ?? 0) + 1;
    placesOfRouter.set(routerOfSite[site]!, places);
    if (places > most) most = places;
  }
  return most;
}

/** Routers at each distance along one axis, from where most are near. */
const routersAlong = (side: number): number[] =>
  Array.from({ length: (side >> 1) + 1 }, (_, distance) =>
    distance === 0 || (side % 2 === 0 && distance === side / 2) ? 1 : 2,
  );

function convolved(one: readonly number[], other: readonly number[]): number[] {
  const sums = new Array<number>(one.length + other.length - 1).fill(0);
  for (const [a, counted] of one.entries()) for (const [b, along] of other.entries()) sums[a + b]! += counted * along;
  return sums;
}
