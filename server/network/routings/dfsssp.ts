import { intAt, realAt } from '../../numeric/elements.ts';
import { routersOfPorts, type Topology } from '../../model/machine.ts';
import type { RoutingEntry } from '../contract.ts';
import { buildTables, type TableFiller } from './tableRouting.ts';

export const dfsssp: RoutingEntry = {
  name: 'dfsssp',
  summary: 'one shortest route to each node, over the links that carry fewest routes so far',
  source: 'Hoefler, Schneider and Lumsdaine 2009 (SSSP); Domke, Hoefler and Nagel 2011 (DFSSSP), algorithms 1 and 2',
  details:
    'Node after node a tree of shortest ways is grown, of all of them the one with the least weight from each switch; then every ' +
    'link gets as much heavier as routes from nodes lead over it. Unlike `static` a switch sees what others have done. Weights ' +
    'begin so high that no route is longer than the fewest hops. Routes are those of one virtual lane: lanes keep packets from ' +
    'waiting in circles and change no load. Tables have at most 134,217,728 entries.',
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
