import type { Routing, Topology } from '../../model/machine.ts';
import { succeed } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { weightedRows, SharesByLink, type Detours } from './detours.ts';
import { graphRouterLimit, graphRoutingRefusal } from './graphRouting.ts';
import { GroupDetours } from './groupDetours.ts';
import { minimal } from './minimal.ts';
import { SwitchDetours } from './switchDetours.ts';

export const valiant: RoutingEntry = {
  name: 'valiant',
  summary: 'each packet through a random switch, with minimal routes to it and from it',
  source: 'Valiant 1982; on dragonflies by way of a group, Kim et al. 2008, section 4.1, "VAL"',
  details:
    'All switches with nodes are equally likely, including both ends. Drawing an end gives a minimal route. For ' +
    'any pattern, link loads are at most about twice those of uniform traffic. Uniform traffic has twice the ' +
    'load of `minimal`. If routers form groups, a group is drawn instead. The packet uses the first router of it ' +
    'that is reached. Hops are the mean over all draws. At most 8,192 routers.',
  options: [],
  routerLimit: graphRouterLimit,
  searchesGraph: true,
  build: (topology, _options, cancellation) => {
    const refusal = graphRoutingRefusal('valiant', topology);
    if (refusal) return refusal;
    const straight = minimal.build(topology, {}, cancellation);
    return straight.ok ? succeed(valiantRouting(topology, straight.value)) : straight;
  },
};

/** By way of groups where routers stand in some, else of switches; both halves by the routes of `straight`. */
export const detoursOf = (topology: Topology, straight: Routing): Detours =>
  topology.groups === undefined
    ? new SwitchDetours(topology, straight)
    : new GroupDetours(topology, topology.groups, straight);

function valiantRouting(topology: Topology, straight: Routing): Routing {
  const detours = detoursOf(topology, straight);
  const shares = new SharesByLink(topology.links.routerLinkCount);
  const visitShares: Routing['visitShares'] = (from, to, visit) => {
    if (from === to) return;
    detours.addShares(from, to, shares.add);
    // Whatever is drawn may lead the same way, among two switches or in one group: then in order of travel.
    const only = shares.areWhole() ? straight.route(from, to) : undefined;
    if (only === undefined) shares.visit(visit);
    else {
      shares.clear();
      for (const link of only) visit(link, 1);
    }
  };
  return {
    kind: valiant.name,
    straight,
    singlePath: false,
    // To the group of another router need not be as far as from it.
    symmetric: topology.groups === undefined,
    hops: (from, to) => (from === to ? 0 : detours.hops(from, to)),
    route(from, to) {
      if (from === to) return [];
      detours.addShares(from, to, shares.add);
      const isOnly = shares.areWhole();
      shares.clear();
      return isOnly ? straight.route(from, to) : undefined;
    },
    stepsTo: () => undefined,
    hopShares(from, to, visit) {
      if (from === to) visit(0, 1);
      else detours.hopShares(from, to, visit);
    },
    visitShares,
    weigh: (weights) => {
      const weigh = detours.weigh(weights, weightedRows(straight, weights));
      return (from, to) => (from === to ? 0 : weigh(from, to));
    },
    addLoads(flows, loads, cancellation) {
      detours.addLoads(flows, loads, cancellation);
    },
  };
}
