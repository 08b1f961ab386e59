import type { Machine } from '../model/machine.ts';
import { KnownDistances } from '../network/distances/knownDistances.ts';
import type { StudyCache } from './cache.ts';
import { fingerprintOf } from './fingerprint.ts';

/**
 * The equivalent distances of a machine that earlier runs have worked out, and a place for more;
 * undefined where the routing does not tell its routes. They depend on routes and cables alone, so
 * a machine that has got more cores or another name finds its own again.
 */
export function knownDistances(cache: StudyCache, machine: Machine): KnownDistances | undefined {
  const key = routesKey(cache, machine);
  if (key === undefined) return undefined;
  const known = cache.distances.get(key) ?? KnownDistances.of(machine);
  if (known !== undefined) cache.distances.set(key, known);
  return known;
}

/** Says that the distances of a machine are still of use: placements that have not changed do not ask for them. */
export function keepDistances(cache: StudyCache, machine: Machine): void {
  const key = routesKey(cache, machine);
  if (key !== undefined) cache.distances.get(key);
}

/** O(steps), once for each time that a machine is built. */
function routesKey({ fingerprints }: StudyCache, { topology, routing }: Machine): string | undefined {
  const { graph } = routing;
  if (graph === undefined) return undefined;
  const { from, to, routerLinkCount } = topology.links;
  const { routerOf, startOf, firstStep, stepLink, stepTo } = graph;
  const ends = [from.subarray(0, routerLinkCount), to.subarray(0, routerLinkCount)];
  const content = fingerprints.get(graph) ?? fingerprintOf(...ends, routerOf, startOf, firstStep, stepLink, stepTo);
  fingerprints.set(graph, content);
  return JSON.stringify([routing.kind, routing.symmetric, topology.kind, topology.shape, content]);
}
