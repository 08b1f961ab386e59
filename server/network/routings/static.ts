import { intAt } from '../../numeric/elements.ts';
import type { RoutingEntry } from '../contract.ts';
import { buildTables } from './tableRouting.ts';

export const staticRouting: RoutingEntry = {
  name: 'static',
  summary: 'one shortest route to each node by forwarding tables, next links used evenly',
  source: 'the rule of `minhop` of OpenSM, its default: `osm_switch_recommend_path` and `sort_ports_by_switch_load`',
  details:
    'Every router has one next link for each node, for all senders. Nodes are assigned in order, starting with switches with most nodes. A router uses the shortest-route link with the fewest nodes so far (ties: the lowest). Heavy pairs may still share a link; adaptive networks come closer to the even split of `minimal`. Tables have at most 134,217,728 entries.',
  options: [],
  choosesCables: true,
  build: (topology, _options, cancellation) => {
    const given = new Int32Array(topology.links.routerLinkCount);
    return buildTables(
      'static',
      topology,
      {
        choose(_router, candidates, count, address) {
          let best = intAt(candidates, 0);
          for (let index = 1; index < count; index++) {
            const link = intAt(candidates, index);
            if (intAt(given, link) < intAt(given, best)) best = link;
          }
          // Routes to routers themselves carry no traffic, and count nothing.
          if (address >= topology.routerCount) given[best] = intAt(given, best) + 1;
          return best;
        },
      },
      cancellation,
    );
  },
};
