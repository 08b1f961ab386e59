/**
 * Time-weighted hops: how long all links together work for what crosses them. As {@link hopBytes} where a byte takes as long on
 * all links, but for ports of a grid, which are no hops.
 */
import type { RouterId } from '../../model/identifiers.ts';
import { hasLinksOfNodes, type Machine } from '../../model/machine.ts';
import { formatNumber } from '../../model/quantities.ts';
import { cancelled, fail, type Result } from '../../model/result.ts';
import { axisFinder, relativeTimes } from '../../network/linkClasses.ts';
import { visitNodeShares } from '../../network/links.ts';
import type { GridMetric } from '../../network/distances/contract.ts';
import { hopDistances } from '../../network/distances/hops.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { ComputeContext } from '../../optimisation/objective.ts';
import type { Places } from '../../optimisation/problem/places.ts';
import { buildSiteCosts, type SiteCosts } from '../../optimisation/problem/siteCosts.ts';
import { additiveCriterion } from './additive.ts';

export const linkTime = additiveCriterion({
  name: 'link-time',
  summary: 'bytes times what each takes over the links of its route: time-weighted hops',
  source: "Placewright: the report's link time",
  details:
    'Each link, host links included, counts by its slowness relative to the fastest one. The value is the bytes ' +
    'that take the same time on the fastest link. Without any `bandwidth` all links count equally; links without ' +
    'one cost nothing if others have one. If the two directions differ, their mean counts. Costs are multiples ' +
    'of a power of two, 2^-20 or coarser.',
  options: [],
  siteCosts: linkTimeCosts,
});

/** Costs are multiples of this, or of more where they would not fit into 32 bits. */
const finestBits = 20;
const largestCost = 2 ** 30;
/** Costs of all pairs of so many routers are worked out: 64 MiB. */
const routerLimit = 4096;

/** Fails with `too-many-nodes` and `cancelled`. */
function linkTimeCosts(machine: Machine, places: Places, { cancellation }: ComputeContext): Result<SiteCosts> {
  const { links } = machine.topology;
  const times = relativeTimes(machine) ?? new Float64Array(links.linkCount).fill(1);
  if (machine.rails !== undefined) return timesOverRails(machine, places, times, () => cancellation.isCancelled());
  const ports = portTimes(machine, places, times);
  const portsAreAlike = ports.every((time) => time === ports[0]);
  const axes = axisTimes(machine, times);
  const name = 'link-time';
  if (axes !== undefined && portsAreAlike) {
    const unit = coarsestUnit([...axes.times, 2 * realAt(ports, 0)], axes.longest + 2 * realAt(ports, 0));
    const whole = axes.times.map((time) => Math.round(time / unit));
    const cost = (distances: Int32Array): number =>
      whole.reduce((sum, time, axis) => sum + time * intAt(distances, axis), 0);
    const isSum = unit === 1 && whole.every((time) => time === 1);
    const between = Math.round((2 * realAt(ports, 0)) / unit);
    return buildSiteCosts(
      places,
      { criterion: name, unit, between, grid: { ...axes.grid, cost, isSum } },
      cancellation,
    );
  }
  const routers = Int32Array.from(new Set(places.routerOfSite));
  if (routers.length > routerLimit) return tooManyNodes();
  const between = timesBetween(machine, routers, times, () => cancellation.isCancelled());
  if (between === undefined) return cancelled();
  const indexOf = new Map(Array.from(routers, (router, index) => [router, index]));
  const indices = places.routerOfSite.map((router) => indexOf.get(router)!);
  const longest = between.reduce((most, time) => Math.max(most, time), 0);
  const longestPort = ports.reduce((most, time) => Math.max(most, time), 0);
  const unit = coarsestUnit([...new Set(between), ...new Set(ports)], longest + 2 * longestPort);
  const timeOf = (from: number, to: number): number =>
    realAt(between, intAt(indices, from) * routers.length + intAt(indices, to));
  if (portsAreAlike) {
    // Costs of routers: any site of a router stands for it.
    const siteOfRouter = new Map(Array.from(places.routerOfSite, (router, site) => [router, site]));
    const cost = (from: number, to: number): number =>
      Math.round(timeOf(siteOfRouter.get(from)!, siteOfRouter.get(to)!) / unit);
    const ofPorts = Math.round((2 * realAt(ports, 0)) / unit);
    return buildSiteCosts(places, { criterion: name, unit, between: ofPorts, cost }, cancellation);
  }
  // Every node has costs of its own, so each stands for a router.
  const ownRouters = { ...places, routerOfSite: places.routerOfSite.map((_, site) => site) };
  const cost = (from: number, to: number): number =>
    Math.round((timeOf(from, to) + realAt(ports, from) + realAt(ports, to)) / unit);
  return buildSiteCosts(ownRouters, { criterion: name, unit, between: 0, cost }, cancellation);
}

/** Over rails routes have the links of nodes, and each site routes of its own. Fails with `too-many-nodes` and `cancelled`. */
function timesOverRails(
  machine: Machine,
  places: Places,
  times: Float64Array,
  isCancelled: () => boolean,
): Result<SiteCosts> {
  const { siteCount, endOfSite } = places;
  if (siteCount > routerLimit) return tooManyNodes();
  const between = new Float64Array(siteCount ** 2);
  for (let from = 0; from < siteCount; from++) {
    if (isCancelled()) return cancelled();
    for (let to = 0; to < siteCount; to++) {
      visitNodeShares(machine, intAt(endOfSite, from), intAt(endOfSite, to), (link, share) => {
        const half = (share * realAt(times, link)) / 2;
        between[from * siteCount + to] = realAt(between, from * siteCount + to) + half;
        between[to * siteCount + from] = realAt(between, to * siteCount + from) + half;
      });
    }
  }
  const unit = coarsestUnit(
    [...new Set(between)],
    between.reduce((most, time) => Math.max(most, time), 0),
  );
  const cost = (from: number, to: number): number => Math.round(realAt(between, from * siteCount + to) / unit);
  const own = { ...places, routerOfSite: endOfSite.map((_, site) => site) };
  return buildSiteCosts(own, { criterion: 'link-time', unit, between: 0, cost }, { isCancelled });
}

const tooManyNodes = (): ReturnType<typeof fail> =>
  fail(
    'too-many-nodes',
    `\`link-time\` supports at most ${formatNumber(routerLimit)} routers on this machine. Allocate fewer nodes, or use \`hop-bytes\`.`,
  );

/** What a byte takes over the link of each site's node; 0 where it has none. */
function portTimes({ topology }: Machine, { nodeOfSite }: Places, times: Float64Array): Float64Array {
  const { routerLinkCount } = topology.links;
  if (!hasLinksOfNodes(topology)) return new Float64Array(nodeOfSite.length);
  return Float64Array.from(nodeOfSite, (node) => realAt(times, routerLinkCount + 2 * node));
}

/**
 * Of a grid whose links along an axis are all as fast, on which packets go by its axes: what a byte takes along each, and over
 * the longest way. O(links).
 */
function axisTimes(
  machine: Machine,
  times: Float64Array,
): { readonly grid: GridMetric; readonly times: readonly number[]; readonly longest: number } | undefined {
  const hops = hopDistances(machine);
  if (!('grid' in hops) || machine.topology.shape === undefined) return undefined;
  const { shape } = machine.topology;
  const axisOf = axisFinder(machine.topology, shape);
  const found = new Float64Array(shape.length).fill(NaN);
  for (let link = 0; link < machine.topology.links.routerLinkCount; link++) {
    const axis = axisOf(link);
    if (Number.isNaN(realAt(found, axis))) found[axis] = realAt(times, link);
    else if (found[axis] !== times[link]) return undefined;
  }
  const known = Array.from(found, (time) => (Number.isNaN(time) ? 0 : time));
  return {
    grid: hops.grid,
    times: known,
    longest: shape.reduce((sum, side, axis) => sum + side * itemAt(known, axis), 0),
  };
}

/** The coarsest power of two of which all are multiples, between the finest and what lets the largest fit. */
function coarsestUnit(costs: readonly number[], largest: number): number {
  let unit = 1;
  const finest = 2 ** -finestBits;
  for (const cost of costs) {
    const rounded = Math.round(cost / finest) * finest;
    while (unit > finest && !Number.isInteger(rounded / unit)) unit /= 2;
  }
  while (largest / unit > largestCost) unit *= 2;
  return unit;
}

/** Between the two routers of each pair, the mean of both ways; undefined if cancelled. O(routers² · links of a route). */
function timesBetween(
  { routing }: Machine,
  routers: Int32Array,
  times: Float64Array,
  isCancelled: () => boolean,
): Float64Array | undefined {
  const between = new Float64Array(routers.length ** 2);
  let sum = 0;
  const add = (link: number, share: number): void => {
    sum += share * realAt(times, link);
  };
  const weigh =
    routing.weigh?.(times) ??
    ((from: RouterId, to: RouterId): number => {
      sum = 0;
      routing.visitShares(from, to, add);
      return sum;
    });
  // Receiver after receiver, as weighing likes it.
  for (let to = 0; to < routers.length; to++) {
    if (isCancelled()) return undefined;
    for (let from = 0; from < routers.length; from++) {
      if (from === to) continue;
      const way = weigh(intAt(routers, from) as RouterId, intAt(routers, to) as RouterId);
      between[from * routers.length + to] = realAt(between, from * routers.length + to) + way / 2;
      between[to * routers.length + from] = realAt(between, to * routers.length + from) + way / 2;
    }
  }
  return between;
}
