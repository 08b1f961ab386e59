import { intAt } from '../../numeric/elements.ts';
import type { OptionValues } from '../../model/catalogue.ts';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import { asRouterId, type RouterId } from '../../model/identifiers.ts';
import type { LinkTable, Routing, Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { centralRouter, rootCandidates } from './roots.ts';
import { graphRouterLimit, graphRouting, graphRoutingRefusal, isTree } from './graphRouting.ts';
import { depthOf, levelsFrom, routeGraphOf, type Phases } from './routeGraph.ts';
import { integerOption } from '../topologies/argument.ts';

export const upDown: RoutingEntry = {
  name: 'up-down',
  summary: 'shortest routes that go up towards the root first, then down',
  source: 'Orduña et al. 2004, section 3; Autonet (Schroeder et al. 1990)',
  details:
    'Levels are those of a breadth-first search from the root. A link is up where it leads to a lower level, or to a ' +
    'lower label on the same level. A route takes any number of links up, then any number down; the shortest of these ' +
    'are used, all of them, and they may be longer than the shortest way of all. A flow splits evenly among the next ' +
    'links at each router, parallel cables counting as several; packets that have gone down and packets that have not ' +
    'split among the links that they may take. The way round by a third router may be shorter than the hops between ' +
    'two: the triangle inequality does not hold. At most 8,192 routers.',
  options: [
    {
      name: 'root',
      summary:
        'switch at the top; where left out, of the switches at the top of a tree (of all, where the network is none) the one ' +
        'with the least mean distance to all, ties to the lowest',
      kind: 'integer',
      minimum: 0,
      maximum: 2 ** 22 - 1,
    },
  ],
  routerLimit: graphRouterLimit,
  build: buildUpDown,
};

/** Fails with `too-many-routers`, `disconnected` or `unknown-root`. Of no use where it was cancelled. */
function buildUpDown(
  topology: Topology,
  options: OptionValues,
  cancellation: Cancellation = neverCancelled,
): Result<Routing> {
  const refusal = graphRoutingRefusal('up-down', topology);
  if (refusal) return refusal;
  const root = rootOf(topology, options, cancellation);
  if (!root.ok) return root;
  const level = levelsFrom(topology, root.value);
  return succeed(
    graphRouting(topology, {
      kind: 'up-down',
      graph: routeGraphOf(topology, upThenDown(topology.links, level)),
      // Up to the root and down from it is always a legal way.
      longest: 2 * depthOf(level),
      singlePath: isTree(topology),
      hierarchy: { root: root.value, level },
    }),
  );
}

function rootOf(topology: Topology, options: OptionValues, cancellation: Cancellation): Result<RouterId> {
  const given = integerOption(options, 'root');
  if (given === undefined) {
    const top = rootCandidates(topology, cancellation);
    return succeed(asRouterId(centralRouter(topology, top.length > 0 ? top : undefined, cancellation)));
  }
  const last = topology.routerCount - 1;
  if (Number.isInteger(given) && given >= 0 && given <= last) {
    return succeed(asRouterId(given));
  }
  return fail(
    'unknown-root',
    `There is no switch ${given} to be the root: ` + (last === 0 ? 'the only one is 0.' : `there are 0 to ${last}.`),
  );
}

/** Phase 0 while a packet has only gone up; phase 1 once it has gone down. */
function upThenDown(links: LinkTable, level: Int32Array): Phases {
  return {
    count: 2,
    next(phase, link) {
      if (!goesUp(level, intAt(links.from, link), intAt(links.to, link))) return 1;
      return phase === 0 ? 0 : -1;
    },
  };
}

/** Whether a link leads to a lower level, or to a lower label on the same level. */
export function goesUp(level: Int32Array, from: number, to: number): boolean {
  return intAt(level, to) < intAt(level, from) || (level[to] === level[from] && to < from);
}
