import { intAt } from '../../numeric/elements.ts';
import type { OptionValues } from '../../model/catalogue.ts';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { LinkTable, Routing, Topology } from '../../model/machine.ts';
import { expandHostlist } from '../../model/hostlist.ts';
import { cancelled, fail, quote, succeed, type Result } from '../../model/result.ts';
import type { RoutingEntry } from '../contract.ts';
import { centralRouter, goesUp, longestClimb, rootCandidates, switchesApart, topTier, upOrder } from './roots.ts';
import { disconnection } from '../topologies/cableGraph.ts';
import { graphRouting, isTree } from './graphRouting.ts';
import { leafRoutes } from './leafRoutes.ts';
import { depthOf, routeGraphOf, type Phases } from './routeGraph.ts';
import { integerOption, routersOption } from '../topologies/argument.ts';

export const upDown: RoutingEntry = {
  name: 'up-down',
  summary: 'shortest routes that go up towards a root first, then down',
  source: 'Orduña et al. 2004, section 3; Autonet (Schroeder et al. 1990); several roots as in `updn` of OpenSM',
  details:
    'Levels are the hops to the nearest root. A link is up if it goes to a lower level, or to a lower label on ' +
    'the same level. A route has any number of links up, then any number down. All shortest ones of these are ' +
    'used; they may be longer than the shortest path. Traffic is split evenly among the next links at each ' +
    'router, parallel links counting as several. Traffic that has gone down is split among the legal next links. ' +
    'The route through a third router may be shorter than the hops between two: the triangle inequality does not ' +
    'hold. Without `root` or `roots`, the roots are the top level of a tree of switches. In other networks they ' +
    'are the root switches that OpenSM selects: more than 90 % of the hosts are at one distance, at most 5 % at ' +
    'any other. Without such switches, or if they leave two switches with hosts without a legal route, the root ' +
    'is the switch with the least mean distance to all. With several roots, two of them may have no legal route.',
  options: [
    {
      name: 'root',
      summary: 'the only switch at the top',
      kind: 'integer',
      minimum: 0,
      maximum: 2 ** 22 - 1,
    },
    {
      name: 'roots',
      summary: 'all switches at the top, by number or name',
      kind: 'routers',
    },
  ],
  searchesGraph: true,
  build: buildUpDown,
};

/**
 * Fails with `disconnected`, `unknown-root`, `conflicting-options`, or `roots-apart` where given roots leave two
 * switches with hosts without a legal way. Of no use where it was cancelled.
 */
function buildUpDown(
  topology: Topology,
  options: OptionValues,
  cancellation: Cancellation = neverCancelled,
): Result<Routing> {
  const refusal = disconnection(topology);
  if (refusal) return refusal;
  const given = givenRoots(topology, options);
  if (!given.ok) return given;
  const roots = given.value ?? automaticRoots(topology, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  const order = upOrder(topology, roots);
  const apart = given.value === undefined ? undefined : switchesApart(topology, order, cancellation);
  if (apart !== undefined) return rootsApart(topology, apart);
  return succeed(
    graphRouting(topology, {
      kind: 'up-down',
      graph: routeGraphOf(topology, upThenDown(topology.links, order.level)),
      // Up to the root and down from it is always a legal way.
      longest: 2 * (roots.length === 1 ? depthOf(order.level) : longestClimb(topology, order)),
      singlePath: isTree(topology),
      hierarchy: { roots: roots.map(asRouterId), level: order.level },
      // From leaf to leaf up to the top tier and down: what is shortest of all is legal.
      ...(roots.join() === topTier(topology).join() ? leafRoutes(topology) : {}),
    }),
  );
}

/** The roots that are written, ascending; undefined where none are. */
function givenRoots(topology: Topology, options: OptionValues): Result<readonly number[] | undefined> {
  const root = integerOption(options, 'root');
  const listed = routersOption(options, 'roots');
  if (root !== undefined && listed !== undefined)
    return fail('conflicting-options', 'The roots are given by `root` or by `roots`, not both: remove one.');
  if (root === undefined && listed === undefined) return succeed(undefined);
  const roots = new Set<number>();
  for (const item of listed ?? [root ?? 0]) {
    const found = typeof item === 'number' ? succeed([item]) : routersNamed(topology, item);
    if (!found.ok) return found;
    for (const router of found.value) {
      if (!Number.isInteger(router) || router < 0 || router >= topology.routerCount)
        return noSuchRoot(topology, router);
      roots.add(router);
    }
  }
  return succeed([...roots].sort((a, b) => a - b));
}

function noSuchRoot({ routerCount }: Topology, root: number): ReturnType<typeof fail> {
  const last = routerCount - 1;
  const known = last === 0 ? 'The only switch is 0.' : `Switches are 0 to ${last}.`;
  return fail('unknown-root', `Unknown root switch ${root}. ${known}`);
}

/** Routers of a hostlist of names. O(routers + names). */
function routersNamed({ names }: Topology, hostlist: string): Result<readonly number[]> {
  const written = expandHostlist(hostlist);
  if (!written.ok) return fail('unknown-root', `${quote(hostlist)}: ${written.failure}`);
  if (names === undefined || names.routers.length === 0)
    return fail('unknown-root', `Switches of this topology have no names: write the number of ${quote(hostlist)}.`);
  const idOf = new Map(names.routers.map((name, router) => [name, router]));
  const routers: number[] = [];
  for (const name of written.value) {
    const router = idOf.get(name);
    if (router === undefined) {
      const example = names.routers[0] ?? '';
      return fail('unknown-root', `Unknown root switch ${quote(name)}. The first switch is called ${quote(example)}.`);
    }
    routers.push(router);
  }
  return succeed(routers);
}

function rootsApart({ names }: Topology, apart: readonly [number, number]): ReturnType<typeof fail> {
  const [one, other] = apart.map((router) => names?.routers[router] ?? String(router));
  return fail(
    'roots-apart',
    `No up-down route from these roots between switches ${one} and ${other}. Add a root above both.`,
  );
}

/** As the details of the entry say. */
function automaticRoots(topology: Topology, cancellation: Cancellation): readonly number[] {
  const candidates = [topTier(topology), rootCandidates(topology, cancellation)];
  for (const roots of candidates) {
    if (roots.length > 0 && switchesApart(topology, upOrder(topology, roots), cancellation) === undefined) return roots;
  }
  const top = candidates.find((roots) => roots.length > 0);
  return [centralRouter(topology, top, cancellation)];
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
