import { intAt, realAt } from '../../numeric/elements.ts';
import { routersOfPorts, type Topology } from '../../model/machine.ts';
import type { RoutingEntry } from '../contract.ts';
import { buildTables, type TableFiller } from './tableRouting.ts';

export const dfsssp: RoutingEntry = {
  name: 'dfsssp',
  summary: 'one shortest route per node, over the least-used links',
  source: 'Hoefler, Schneider and Lumsdaine 2009 (SSSP); Domke, Hoefler and Nagel 2011 (DFSSSP), algorithms 1 and 2',
  details:
    'Shortest-path trees are built node by node. Each switch uses its path of least weight. Each route then adds ' +
    'to the weight of its links. Unlike `static`, a switch takes earlier routes of others into account. Initial ' +
    'weights are so high that no route exceeds the minimal hops. Routes are those of one virtual lane: lanes ' +
    'avoid deadlocks and change no load. Tables have at most 134,217,728 entries.',
  options: [],
  choosesCables: true,
  build: (topology, _options, cancellation) => buildTables('dfsssp', topology, shortestTrees(topology), cancellation),
};

/** Weight of each link: routes from nodes that lead over it. */
function shortestTrees(topology: Topology): TableFiller {
  const { links, routerCount } = topology;
  const weight = new Float64Array(links.routerLinkCount);
  const cost = new Float64Array(routerCount);
  const senders = new Int32Array(routerCount);
  for (const router of routersOfPorts(topology)) senders[router] = intAt(senders, router) + 1;
  const passing = new Float64Array(routerCount);
  return {
    settle(router, link) {
      cost[router] = realAt(weight, link) + realAt(cost, intAt(links.to, link));
    },
    begin: (_address, target) => (cost[target] = 0),
    choose(_router, candidates, count) {
      let best = -1;
      let least = Infinity;
      for (let index = 0; index < count; index++) {
        const link = intAt(candidates, index);
        const through = realAt(weight, link) + realAt(cost, intAt(links.to, link));
        if (through < least) [best, least] = [link, through];
      }
      return best;
    },
    end(address, order, next) {
      if (address < routerCount) return;
      order.forEach((router) => (passing[router] = intAt(senders, router)));
      // From the farthest inwards: what passes a router passes its next link.
      for (let index = order.length - 1; index > 0; index--) {
        const link = intAt(next, intAt(order, index));
        const through = realAt(passing, intAt(order, index));
        weight[link] = realAt(weight, link) + through;
        passing[intAt(links.to, link)] = realAt(passing, intAt(links.to, link)) + through;
      }
    },
  };
}
