import type { Cancellation } from '../../model/cancellation.ts';
import type { RouterFlows, Routing, RoutingSplit, Topology } from '../../model/machine.ts';
import { succeed } from '../../model/result.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import type { RoutingEntry } from '../contract.ts';
import { addSplitLoads, weightedRows, SharesByLink, type Detours } from './detours.ts';
import { graphRouterLimit, graphRoutingRefusal } from './graphRouting.ts';
import { minimal } from './minimal.ts';
import { settleSplit } from './settleSplit.ts';
import { detoursOf } from './valiant.ts';

export const ugal: RoutingEntry = {
  name: 'ugal',
  summary: 'each pair minimally or by Valiant’s detours, split so that the busiest link has least to do',
  source:
    'Singh 2005; Kim et al. 2008, section 4.2, "UGAL-G"; the split by the method of Frank and Wolfe 1956, as in traffic assignment ' +
    '(Beckmann et al. 1956)',
  details:
    'Adaptive routers send a packet minimally unless that route is congested. Splits depend on all traffic of a placement, so they are iterated to a fixed point. There, no other split lowers the maximum link load by more than the reported gap. Mappers and machine metrics have no traffic and use the routes of `minimal`. So do pairs without traffic. At most 8,192 routers.',
  options: [],
  routerLimit: graphRouterLimit,
  build: (topology, _options, cancellation) => {
    const refusal = graphRoutingRefusal('ugal', topology);
    if (refusal) return refusal;
    const straight = minimal.build(topology, {}, cancellation);
    return straight.ok ? succeed(unsettled(topology, straight.value)) : straight;
  },
};

/** Minimal routing, until the traffic is known. */
function unsettled(topology: Topology, straight: Routing): Routing {
  const detours = detoursOf(topology, straight);
  return {
    ...straight,
    kind: ugal.name,
    straight,
    settled(flows: RouterFlows, times: Float64Array | undefined, cancellation: Cancellation) {
      const split = settleSplit({ topology, straight, detours }, flows, times, cancellation);
      return split && splitRouting(topology, straight, detours, split);
    },
    withSplit: (split) => splitRouting(topology, straight, detours, split),
  };
}

/** Every pair minimally with the share of a split, and by way of others with the rest. */
function splitRouting(topology: Topology, straight: Routing, detours: Detours, split: RoutingSplit): Routing {
  const { routerCount, links } = topology;
  const shareOfPair = new Map<number, number>();
  split.from.forEach((from, flow) => {
    shareOfPair.set(from * routerCount + intAt(split.to, flow), realAt(split.minimalShares, flow));
  });
  const rows = weightedRows(straight, split.prices);
  const price = detours.weigh(split.prices, rows);
  /** A pair without traffic takes the way that is cheaper as links are loaded. */
  const shareOf = (from: number, to: number): number => {
    const settled = shareOfPair.get(from * routerCount + to);
    if (settled !== undefined) return settled;
    return from === to || realAt(rows(to), from) <= price(from, to) ? 1 : 0;
  };
  const shares = new SharesByLink(links.routerLinkCount);
  return {
    kind: ugal.name,
    straight,
    split,
    singlePath: false,
    symmetric: false,
    hops(from, to) {
      const share = shareOf(from, to);
      return share === 1
        ? straight.hops(from, to)
        : share * straight.hops(from, to) + (1 - share) * detours.hops(from, to);
    },
    route: (from, to) => (shareOf(from, to) === 1 ? straight.route(from, to) : undefined),
    stepsTo: () => undefined,
    hopShares(from, to, visit) {
      const share = shareOf(from, to);
      if (share > 0) visit(straight.hops(from, to), share);
      if (share === 1) return;
      detours.hopShares(from, to, (hops, part) => {
        visit(hops, (1 - share) * part);
      });
    },
    visitShares(from, to, visit) {
      const share = shareOf(from, to);
      if (share === 1) {
        straight.visitShares(from, to, visit);
        return;
      }
      if (share > 0) {
        straight.visitShares(from, to, (link, part) => {
          shares.add(link, share * part);
        });
      }
      detours.addShares(from, to, (link, part) => {
        shares.add(link, (1 - share) * part);
      });
      shares.visit(visit);
    },
    weigh(weights) {
      const row = weightedRows(straight, weights);
      const round = detours.weigh(weights, row);
      return (from, to) => {
        const share = shareOf(from, to);
        if (share === 1) return realAt(row(to), from);
        return share * realAt(row(to), from) + (1 - share) * round(from, to);
      };
    },
    addLoads(flows, loads, cancellation) {
      const share = Float64Array.from(flows.amount, (_, flow) =>
        shareOf(intAt(flows.from, flow), intAt(flows.to, flow)),
      );
      addSplitLoads({ straight, detours }, flows, share, loads, cancellation);
    },
  };
}
