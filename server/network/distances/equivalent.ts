import { cancelled, fail, succeed } from '../../model/result.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { DistanceModelEntry, KeptDistances } from './contract.ts';
import { hopDistances } from './hops.ts';
import { KnownDistances } from './knownDistances.ts';

/** Above this many routers the distances between all of them are not worked out. */
const routerLimit = 8192;

export const equivalent: DistanceModelEntry = {
  name: 'equivalent',
  summary: 'resistance between two routers of the cables on their shortest routes',
  source: 'Orduña et al. 2004, section 3',
  details:
    'Every link on a shortest route is a resistor of one ohm; parallel links are two. A link counts once, however many routes use it. Routes are those of the routing, not the shortest in the network. With one route per pair, links are in series and the equivalent distance equals the hops. Pairs without a route have no value.',
  options: [],
  between: (machine, repeated, context) => {
    const { name, routing } = machine;
    if (routing.singlePath) return succeed(hopDistances(machine));
    const known = context.equivalentDistances?.(machine) ?? KnownDistances.of(machine);
    if (known === undefined) {
      return fail(
        'not-evaluated-yet',
        `Equivalent distances need routes; routing \`${routing.kind}\` of machine \`${name}\` does not list them.`,
      );
    }
    const routers = new Set(repeated);
    if (routers.size > routerLimit || !askAll(known, routers)) {
      return fail(
        'too-many-distances',
        `Too many routers for equivalent distances: ${formatNumber(routers.size)}. Use a smaller machine.`,
      );
    }
    if (!known.workOut(context)) return cancelled();
    return succeed({ cost: (from, to) => known.between(from, to), isWhole: false });
  },
  criterion: {
    summary: 'bytes times equivalent distances: the mapping coefficient',
    source: 'Orduña et al. 2004, sections 3 and 4.1',
    details:
      'Equivalent distance of the two routers, plus 2 with host links; 0 within a node. With one route per pair it equals the hops. Distances are rounded to multiples of 2^-20, so that sums are exact.',
    countsHostLinks: true,
  },
};

function askAll(known: KeptDistances, routers: ReadonlySet<number>): boolean {
  for (const from of routers) for (const to of routers) if (!known.ask(from, to)) return false;
  return true;
}
