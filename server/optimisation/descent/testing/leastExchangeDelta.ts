import type { Objective } from '../../objective.ts';

/** The least that an exchange of any two places would change the value by; 0 where none helps. */
export function leastExchangeDelta(objective: Objective): number {
  const { placeCount } = objective.places;
  let least = 0;
  for (let place = 0; place < placeCount; place++) {
    for (let other = place + 1; other < placeCount; other++) {
      least = Math.min(least, objective.exchangeDelta(place, other));
    }
  }
  return least;
}
