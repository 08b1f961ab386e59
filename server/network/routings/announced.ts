import type { RoutingEntry } from '../contract.ts';

/** Routings that the language knows and this version cannot evaluate. */
const upDown: RoutingEntry = {
  name: 'up-down',
  summary: 'shortest routes that go up towards the root first, then down',
  source: 'Orduña et al. 2004, section 2; Autonet (Schroeder et al. 1990)',
  details: 'Levels are those of a breadth-first search from the root; between equal levels up is the lower label.',
  options: [
    {
      name: 'root',
      summary: 'switch at the top; where left out, 0',
      kind: 'integer',
      minimum: 0,
      maximum: 2 ** 22 - 1,
      default: 0,
    },
  ],
  announced: true,
};

const minimal: RoutingEntry = {
  name: 'minimal',
  summary: 'all shortest routes; a flow splits evenly among the next hops at each router',
  source: 'Placewright',
  options: [],
  announced: true,
};

export const announcedRoutings: readonly RoutingEntry[] = [upDown, minimal];
