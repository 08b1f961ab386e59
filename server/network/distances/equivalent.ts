import { cancelled, fail, succeed } from '../../model/result.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { DistanceModelEntry, KeptDistances } from './contract.ts';
import { hopsBetween } from './hops.ts';
import { KnownDistances } from './knownDistances.ts';

/** Above this many routers the distances between all of them are not worked out. */
const routerLimit = 8192;

export const equivalent: DistanceModelEntry = {
  name: 'equivalent',
  summary: 'resistance between two routers of the cables on their shortest routes',
  source: 'Orduña et al. 2004, section 3',
  details:
    'Every cable that lies on a shortest route between the two is a resistor of one ohm, two parallel cables are two, ' +
    'and a cable counts once however many routes share it. The routes are those of the routing, not the shortest ways ' +
    'of the network. Where there is one route per pair the cables are in series, so the equivalent distance is the ' +
    'hops. No value where no route leads.',
  options: [],
  between: (machine, repeated, context) => {
    const { name, routing } = machine;
    if (routing.singlePath) return succeed(hopsBetween(machine));
    const known = context.equivalentDistances?.(machine) ?? KnownDistances.of(machine);
    if (known === undefined) {
      return fail(
        'not-evaluated-yet',
        `Machine \`${name}\`: routing \`${routing.kind}\` does not tell its routes, which equivalent distances are made of.`,
      );
    }
    const routers = new Set(repeated);
    if (routers.size > routerLimit || !askAll(known, routers)) {
      return fail(
        'too-many-distances',
        `${formatNumber(routers.size)} routers are too many for the equivalent distances between all of them: take fewer.`,
      );
    }
    if (!known.workOut(context)) return cancelled();
    return succeed({ cost: (from, to) => known.between(from, to), isWhole: false });
  },
  criterion: {
    summary: 'bytes times equivalent distances: the mapping coefficient',
    source: 'Orduña et al. 2004, sections 3 and 4.1',
    details:
      'Equivalent distance of the two routers, plus 2 where the machine has links of hosts; 0 within a node. Where every ' +
      'pair has one route it is the hops. Distances are rounded to multiples of 2^-20, so that sums are exact.',
    countsHostLinks: true,
  },
};

function askAll(known: KeptDistances, routers: ReadonlySet<number>): boolean {
  for (const from of routers) for (const to of routers) if (!known.ask(from, to)) return false;
  return true;
}
