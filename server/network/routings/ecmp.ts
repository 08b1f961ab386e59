import { intAt, realAt } from '../../numeric/elements.ts';
import { asLinkId, type LinkId } from '../../model/identifiers.ts';
import { routerOfAddress, type Routing, type Topology } from '../../model/machine.ts';
import { WorkMeter } from '../../model/cancellation.ts';
import { succeed, type Result } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { integerOption } from '../topologies/argument.ts';
import { allShortestRoutes } from './minimal.ts';

export const ecmp: RoutingEntry = {
  name: 'ecmp',
  summary: 'one shortest route for each flow, next links drawn by the hash of its two nodes',
  source: 'Hopps 2000, RFC 2992 (equal-cost multi-path, hash of the flow)',
  details:
    'All messages from one node to another are a flow. Each router hashes both nodes, its own number and `seed`, and selects one shortest next link. On a dragonfly such a route may cross a third group, unlike `minimal`. Several flows may share a link while another is idle, which `minimal` does not show.',
  options: [
    {
      name: 'seed',
      summary: 'another seed draws other routes',
      kind: 'integer',
      minimum: 0,
      maximum: 2 ** 32 - 1,
      default: 1,
    },
  ],
  searchesGraph: true,
  choosesCables: true,
  build: (topology, options) => {
    const even = allShortestRoutes(topology);
    return even.ok ? hashed(topology, even.value, integerOption(options, 'seed') ?? 1) : even;
  },
};

/** Four words to 32 bits: multiply and rotate, with the finaliser of MurmurHash3 (Appleby 2011). */
function routeHash(seed: number, from: number, to: number, router: number): number {
  let hash = seed | 0;
  for (const word of [from, to, router]) {
    hash = Math.imul(hash ^ Math.imul(word + 1, 0xcc9e2d51), 0x1b873593);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A walk through the graph of another routing that takes one of its next links at each state. */
function hashed(topology: Topology, even: Routing, seed: number): Result<Routing> {
  const { graph } = even;
  const candidates = new Int32Array(topology.links.routerLinkCount);
  const walk = (from: number, to: number, visit: (link: LinkId) => void): void => {
    if (graph === undefined) return;
    const target = routerOfAddress(topology, to);
    const steps = even.stepsTo(target);
    let state = intAt(graph.startOf, routerOfAddress(topology, from));
    for (let left = even.hops(routerOfAddress(topology, from), target); left > 0 && left < Infinity; left--) {
      let count = 0;
      for (let step = intAt(graph.firstStep, state); step < intAt(graph.firstStep, state + 1); step++) {
        if (steps?.[intAt(graph.stepTo, step)] === left - 1) candidates[count++] = step;
      }
      const step = intAt(candidates, routeHash(seed, from, to, intAt(graph.routerOf, state)) % count);
      visit(asLinkId(intAt(graph.stepLink, step)));
      state = intAt(graph.stepTo, step);
    }
  };
  const hops: Routing['hops'] = (from, to) => even.hops(routerOfAddress(topology, from), routerOfAddress(topology, to));
  return succeed({
    kind: ecmp.name,
    byNode: 'both',
    singlePath: true,
    symmetric: true,
    hops,
    route(from, to) {
      if (hops(from, to) === Infinity) return undefined;
      const route: LinkId[] = [];
      walk(from, to, (link) => route.push(link));
      return route;
    },
    stepsTo: () => undefined,
    visitShares(from, to, visit) {
      walk(from, to, (link) => {
        visit(link, 1);
      });
    },
    addLoads(flows, loads, cancellation) {
      const meter = new WorkMeter(cancellation);
      let amount = 0;
      let crossed = 0;
      const add = (link: LinkId): void => {
        loads[link] = realAt(loads, link) + amount;
        crossed++;
      };
      for (let flow = 0; flow < flows.amount.length; flow++) {
        amount = realAt(flows.amount, flow);
        walk(intAt(flows.from, flow), intAt(flows.to, flow), add);
        if (meter.isCancelledAfter(1 + 4 * crossed)) return;
        crossed = 0;
      }
    },
  });
}
