/**
 * Criteria that are sums over pairs of tasks, from what a byte between two sites costs: one for every distance model of
 * the room of networks, and `hop-bytes`, which counts the links of hosts too.
 */
import { endsPerNode, hostHops, routersOfPorts, type Machine } from '../../model/machine.ts';
import { cancelledCode, fail, succeed, type Failure, type Result } from '../../model/result.ts';
import type { DistanceModelEntry } from '../../network/distances/contract.ts';
import { solveHere } from '../../network/distances/equivalentSolver.ts';
import { hops } from '../../network/distances/hops.ts';
import { betweenPorts, railRoutersBetween } from '../../network/rails.ts';
import { intAt } from '../../numeric/elements.ts';
import { AdditiveObjective, type ComputeContext } from '../../optimisation/objective.ts';
import { buildSiteCosts, type SiteCosts } from '../../optimisation/problem/siteCosts.ts';
import type { Places } from '../../optimisation/problem/places.ts';
import { type CriterionEntry, prepareSearch } from './contract.ts';

/** A criterion that is a sum over pairs of tasks. */
type AdditiveCriterion = CriterionEntry & Required<Pick<CriterionEntry, 'siteCosts'>>;

/** A criterion from what a byte between two sites costs. */
export function additiveCriterion(entry: Omit<AdditiveCriterion, 'objective'>): AdditiveCriterion {
  const criterion: AdditiveCriterion = {
    ...entry,
    objective: (problem, context) => {
      const prepared = prepareSearch(problem, criterion, context);
      return prepared.ok ? succeed(new AdditiveObjective(prepared.value)) : prepared;
    },
  };
  return criterion;
}

/** Bytes times the distances of a model. */
export function sumOfDistances(
  model: DistanceModelEntry,
  { name = model.name, summary, source = model.source, details, countsHostLinks } = model.criterion,
  more: Pick<CriterionEntry, 'countsInside'> = {},
): AdditiveCriterion {
  return additiveCriterion({
    name,
    summary,
    source,
    details,
    options: [],
    ...more,
    siteCosts: (machine, places, context) => {
      const hostLinks = countsHostLinks ? hostHops(machine) : 0;
      const routers = machine.rails === undefined ? places.routerOfSite : routersOfPorts(machine.topology);
      const distances = model.between(betweenPorts(machine), routers, { ...context, solve: solveHere });
      if (!distances.ok) return { ok: false, failure: withAdvice(distances.failure) };
      if (machine.rails !== undefined && 'cost' in distances.value)
        return costsOverRails(machine, places, { name, hostLinks, cost: distances.value.cost }, context);
      if ('grid' in distances.value || distances.value.isWhole) {
        const costs = { criterion: name, unit: 1, between: hostLinks, ...distances.value };
        // Rails of a node on a grid are on one router, and as far from all others.
        const { coordinateOfSite: routerOfSite } = places;
        const own = 'grid' in distances.value && routerOfSite !== undefined ? { ...places, routerOfSite } : places;
        return buildSiteCosts(own, costs, context.cancellation);
      }
      return roundedCosts(machine, places, { name, hostLinks, cost: distances.value.cost }, context);
    },
  });
}

const withAdvice = ({ code, message }: Failure): Failure =>
  code === cancelledCode
    ? { code, message }
    : { code, message: `${message} Use \`hop-bytes\`, which every machine has.` };

/** Bytes times links, as reports count them. */
export const hopBytes = sumOfDistances(
  hops,
  {
    name: 'hop-bytes',
    summary: 'bytes times the links they travel, those of hosts included',
    source: 'Placewright, as its reports count hop-bytes',
    details:
      '0 within a node; `distance` without host links. Distances inside nodes count if they are set, for up to 8,192 slots of a job.',
    countsHostLinks: true,
  },
  { countsInside: true },
);

/** Over rails what a byte costs is the mean of its parts; rails of one node are at no cost from each other. */
function costsOverRails(
  machine: Machine,
  places: Places,
  exact: ExactCosts,
  context: ComputeContext,
): Result<SiteCosts> {
  const between = railRoutersBetween(machine);
  const { endOfSite, routerOfSite } = places;
  const siteOf = new Map(Array.from(routerOfSite, (key, site) => [key, site]));
  const hasSites = endsPerNode(machine) > 1;
  const cost = (from: number, to: number): number => {
    let [sum, parts] = [0, 0];
    between(intAt(endOfSite, siteOf.get(from) ?? 0), intAt(endOfSite, siteOf.get(to) ?? 0), (one, other, share) => {
      sum += share * exact.cost(one, other);
      parts++;
    });
    return sum + (hasSites && parts > 0 ? exact.hostLinks : 0);
  };
  return roundedCosts(machine, places, { ...exact, cost, hostLinks: hasSites ? 0 : exact.hostLinks }, context);
}

/** What a cell of a table holds, less what the links of hosts add. */
const largestCost = 2 ** 30;

/** Distances are rounded to multiples of this where they are no multiples of something coarser. */
const finestUnit = 2 ** -20;

interface ExactCosts {
  readonly name: string;
  readonly hostLinks: number;
  readonly cost: (from: number, to: number) => number;
}

/** Distances that are no whole numbers, in whole units. Fails with `no-route`, `too-many-nodes` and `cancelled`. */
function roundedCosts(
  machine: Machine,
  places: Places,
  { name, hostLinks, cost }: ExactCosts,
  { cancellation }: ComputeContext,
): Result<SiteCosts> {
  const unit = costUnit(cost, new Set(places.routerOfSite));
  if (Number.isNaN(unit)) {
    return fail(
      'no-route',
      `No ${name} distance on machine \`${machine.name}\`: some allocated nodes are disconnected. Allocate connected nodes.`,
    );
  }
  const rounded = (from: number, to: number): number => Math.round(cost(from, to) / unit);
  return buildSiteCosts(places, { criterion: name, unit, between: hostLinks / unit, cost: rounded }, cancellation);
}

/**
 * The coarsest power of two, `finestUnit` at least, of which all distances are multiples, as far as 32
 * bits hold them; NaN where one is missing.
 */
function costUnit(cost: ExactCosts['cost'], routers: ReadonlySet<number>): number {
  let unit = 1;
  let longest = 0;
  for (const from of routers) {
    for (const to of routers) {
      const distance = cost(from, to);
      if (Number.isNaN(distance)) return NaN;
      const rounded = Math.round(distance / finestUnit) * finestUnit;
      while (!Number.isInteger(rounded / unit)) unit /= 2;
      longest = Math.max(longest, rounded);
    }
  }
  while (longest / unit > largestCost) unit *= 2;
  return unit;
}
