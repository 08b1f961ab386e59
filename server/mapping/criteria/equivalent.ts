import { hostHops, type Machine } from '../../model/machine.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import { KnownDistances } from '../../network/distances/knownDistances.ts';
import { solveHere } from '../../network/distances/equivalentSolver.ts';
import { buildSiteCosts } from '../../optimisation/problem/buildSiteCosts.ts';
import type { Places } from '../../optimisation/problem/places.ts';
import { tableSiteLimit, type SiteCosts } from '../../optimisation/problem/siteCosts.ts';
import { additiveCriterion } from './additive.ts';
import type { ComputeContext } from '../../optimisation/objective.ts';
import { routerHops } from './distance.ts';

/** What a cell of a table holds, less what the links of hosts add. */
const largestCost = 2 ** 30;

/** Distances are rounded to multiples of this where they are no multiples of something coarser. */
const finestUnit = 2 ** -20;

export const equivalent = additiveCriterion({
  name: 'equivalent',
  summary: 'bytes times equivalent distances: the mapping coefficient',
  source: 'Orduña et al. 2004, sections 3 and 4.1',
  details:
    'Equivalent distance of the two routers, plus 2 where the machine has links of hosts; 0 within a node. Where every ' +
    'pair has one route it is the hops. Distances are rounded to multiples of 2^-20, so that sums are exact.',
  options: [],
  siteCosts: (machine, places, context) => {
    if (machine.routing.singlePath) {
      const costs = { criterion: 'equivalent', unit: 1, between: hostHops(machine), ...routerHops(machine) };
      return buildSiteCosts(places, costs, context.cancellation);
    }
    const routers = Int32Array.from(new Set(places.routerOfSite));
    const known = workOut(machine, routers, context);
    return known.ok ? costsFrom(machine, places, routers, known.value, context) : known;
  },
});

/** The distances between all of `routers`. Fails with `not-evaluated-yet`, `too-many-distances` and `cancelled`. */
function workOut(machine: Machine, routers: Int32Array, context: ComputeContext): Result<KnownDistances> {
  const known = context.equivalentDistances?.(machine) ?? KnownDistances.of(machine);
  if (known === undefined) {
    return fail(
      'not-evaluated-yet',
      `Machine \`${machine.name}\`: routing \`${machine.routing.kind}\` does not tell its routes, which equivalent ` +
        'distances are made of: use `hop-bytes`.',
    );
  }
  if (routers.length > tableSiteLimit || !askAll(known, routers)) {
    return fail(
      'too-many-distances',
      `The job's nodes hang on ${routers.length.toLocaleString('en-US')} routers, too many for the equivalent distances ` +
        'of all pairs: allocate fewer, or use `hop-bytes`.',
    );
  }
  const { cancellation, progress } = context;
  return known.workOut({ solve: solveHere, cancellation, progress }) ? succeed(known) : cancelled();
}

function askAll(known: KnownDistances, routers: Int32Array): boolean {
  for (const from of routers) for (const to of routers) if (!known.ask(from, to)) return false;
  return true;
}

function costsFrom(
  machine: Machine,
  places: Places,
  routers: Int32Array,
  known: KnownDistances,
  { cancellation }: ComputeContext,
): Result<SiteCosts> {
  const unit = unitOf(known, routers);
  if (Number.isNaN(unit)) {
    return fail(
      'no-route',
      `Machine \`${machine.name}\` has no route between some of the allocated nodes, so they have no equivalent ` +
        'distance: allocate nodes that are connected.',
    );
  }
  const cost = (from: number, to: number): number => Math.round(known.between(from, to) / unit);
  const between = hostHops(machine) / unit;
  return buildSiteCosts(places, { criterion: 'equivalent', unit, between, cost }, cancellation);
}

/**
 * The coarsest power of two, `finestUnit` at least, of which all distances are multiples, as far as 32
 * bits hold them; NaN where one is missing.
 */
function unitOf(known: KnownDistances, routers: Int32Array): number {
  let unit = 1;
  let longest = 0;
  for (const from of routers) {
    for (const to of routers) {
      const distance = known.between(from, to);
      if (Number.isNaN(distance)) return NaN;
      const rounded = Math.round(distance / finestUnit) * finestUnit;
      while (!Number.isInteger(rounded / unit)) unit /= 2;
      longest = Math.max(longest, rounded);
    }
  }
  while (longest / unit > largestCost) unit *= 2;
  return unit;
}
