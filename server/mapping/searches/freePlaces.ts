import type { Objective } from '../criteria/contract.ts';

/** The first free place of a site, or −1. Its other free places cost the same. O(places of the site). */
export function firstFreePlace({ places, taskAtPlace }: Objective, site: number): number {
  const end = places.firstPlace[site + 1]!;
  for (let place = places.firstPlace[site]!; place < end; place++) if (taskAtPlace[place]! < 0) return place;
  return -1;
}
