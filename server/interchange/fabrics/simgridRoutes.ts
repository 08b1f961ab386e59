/**
 * Routes of SimGrid over links, as ways over routers: a link that several routes share becomes a router (a hub), and the links
 * between two hubs or ends become one cable.
 */
import { leastOf } from '../../model/lists.ts';
import type { LinkSpeed } from '../../model/machine.ts';
import type { FabricBuilder } from './builder.ts';

export interface PlatformLink extends LinkSpeed {
  readonly name: string;
  /** Routes that cross it. */
  routes: number;
  /** The router that it is where several routes share it. */
  hub?: number;
}

/** A route as the file declares it; its ends are routers of the builder. */
export interface Route {
  readonly from: number;
  readonly to: number;
  readonly links: readonly PlatformLink[];
  readonly line: number;
  /** False for `symmetrical="NO"`, as long as no other route has the same links the other way. */
  isBothWays: boolean;
}

/** Routers from the first end of a route to its last. Two in a row have one cable. */
export type Way = readonly number[];

export interface LaidRoutes {
  /** The way of each route. */
  readonly ways: readonly Way[];
  readonly hubs: number;
  /** Routers that cables of routes join, by router. */
  readonly neighbours: ReadonlyMap<number, ReadonlySet<number>>;
}

/** A part of a route between two ends or hubs. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly speed: LinkSpeed;
  /** Links that no other route crosses; '' where there are none. */
  readonly own: string;
}

/**
 * Adds the hubs and cables of all routes to the builder. `behind`: what lies between an end and its routes, by router. O(links of routes).
 */
export function layRoutes(
  routes: readonly Route[],
  builder: FabricBuilder,
  behind: ReadonlyMap<number, LinkSpeed> = new Map(),
): LaidRoutes {
  const hubs = { count: 0 };
  const laid = routes.map((route) => ({ route, stretches: stretchesOf(route, builder, behind, hubs) }));
  const owners = new Map<string, Set<string>>();
  for (const stretch of laid.flatMap(({ stretches }) => stretches)) {
    const key = endpointsKey(stretch.from, stretch.to);
    owners.set(key, (owners.get(key) ?? new Set()).add(stretch.own));
  }
  const neighbours = new Map<number, Set<number>>();
  const join = (from: number, to: number, speed: LinkSpeed): void => {
    // The cable between two hubs is one, however many routes take it.
    if (from === to || neighbours.get(from)?.has(to) === true) return;
    builder.addCable(from, to, speed);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      neighbours.set(one, (neighbours.get(one) ?? new Set()).add(other));
  };
  const ways = laid.map(({ route, stretches }) => {
    const way = [route.from];
    for (const { from, to, speed, own } of stretches) {
      // Other routes join the same two without these links: they need a cable of their own.
      if (own !== '' && (from === to || (owners.get(endpointsKey(from, to))?.size ?? 0) > 1)) {
        const middle = builder.addRouter(own);
        join(from, middle, speed);
        join(middle, to, { ...speed, latency: 0 });
        way.push(middle, to);
      } else if (from !== to) {
        join(from, to, speed);
        way.push(to);
      }
    }
    return way;
  });
  return { ways, hubs: hubs.count, neighbours };
}

const endpointsKey = (from: number, to: number): string => `${Math.min(from, to)} ${Math.max(from, to)}`;

function stretchesOf(
  { from, to, links }: Route,
  builder: FabricBuilder,
  behind: ReadonlyMap<number, LinkSpeed>,
  hubs: { count: number },
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let here = from;
  let before = [behind.get(from) ?? []].flat();
  let own: PlatformLink[] = [];
  const end = (at: number, after: readonly LinkSpeed[]): void => {
    const name = own.map((link) => link.name).join(' ');
    stretches.push({ from: here, to: at, speed: inSeries([...before, ...own, ...after]), own: name });
    [here, own] = [at, []];
  };
  for (const link of links) {
    if (link.routes < 2) {
      own.push(link);
      continue;
    }
    if (link.hub === undefined) hubs.count++;
    link.hub ??= builder.addRouter(link.name);
    end(link.hub, [halved(link)]);
    before = [halved(link)];
  }
  end(to, [behind.get(to) ?? []].flat());
  return stretches;
}

const halved = (link: PlatformLink): LinkSpeed => ({ ...link, latency: (link.latency ?? 0) / 2 });

/** Links one behind the other: the slowest bandwidth, and the sum of the latencies. */
export function inSeries(links: readonly LinkSpeed[]): LinkSpeed {
  const bandwidth = leastOf(links.map((link) => link.bandwidth ?? Infinity));
  const latency = links.reduce((sum, link) => sum + (link.latency ?? 0), 0);
  return Number.isFinite(bandwidth) ? { bandwidth, latency } : {};
}

/** How a zone finds routes that its file does not declare. */
export type ZoneRouting = 'full' | 'floyd' | 'dijkstra';

interface Leg {
  readonly to: number;
  readonly cost: number;
  readonly way: Way;
}

/**
 * The way from each host to each other one. Zones with the routing Floyd or Dijkstra take the declared routes with fewest links in all, through
 * hosts too. Full takes the declared route, and where there is none the fewest routes in a row, which SimGrid refuses: `through` are the
 * hosts on the way there. Undefined if some hosts have no way to each other, or all ways have more than {@link mostSteps} steps.
 * O(hosts³), or O(hosts · (hosts² + routes)).
 */
export function waysBetween(
  hosts: readonly number[],
  routes: readonly Route[],
  laid: Pick<LaidRoutes, 'ways'>,
  routing: ZoneRouting,
): { readonly ways: readonly Way[]; readonly through: ReadonlySet<number> } | undefined {
  const legs = legsOf(routes, laid.ways, routing);
  const isHost = new Set(hosts);
  const through = new Set<number>();
  const ways: Way[] = [];
  let steps = 0;
  const before = routing === 'floyd' ? floyd(hosts, legs) : (from: number) => dijkstra(from, legs);
  for (const from of hosts) {
    const legTo = before(from);
    for (const to of hosts) {
      if (to === from) continue;
      let way = [to];
      for (let at = to; at !== from;) {
        const last = legTo.get(at);
        if (last === undefined) return undefined;
        way = [...last.way.slice(0, -1), ...way];
        at = last.from;
        if (at !== from && routing === 'full' && isHost.has(at)) through.add(at);
      }
      steps += way.length;
      if (steps > mostSteps) return undefined;
      ways.push(way);
    }
  }
  return { ways, through };
}

/** Of all ways together, which are kept one by one. */
const mostSteps = 2 ** 20;

/** The declared routes that leave each end, those the other way among them; the first of two between the same ends. */
function legsOf(
  routes: readonly Route[],
  ways: readonly Way[],
  routing: ZoneRouting,
): ReadonlyMap<number, readonly Leg[]> {
  const legs = new Map<number, Leg[]>();
  const add = (from: number, to: number, cost: number, way: Way): void => {
    const known = legs.get(from) ?? [];
    if (!known.some((leg) => leg.to === to)) known.push({ to, cost, way });
    legs.set(from, known);
  };
  for (const [index, { from, to, links, isBothWays }] of routes.entries()) {
    const cost = routing === 'full' ? 1 : links.length;
    const way = ways[index] ?? [];
    add(from, to, cost, way);
    if (isBothWays) add(to, from, cost, way.toReversed());
  }
  return legs;
}

/** By end: the last leg of the cheapest way there. */
type LastLegs = ReadonlyMap<number, { readonly from: number; readonly way: Way }>;

/** As `DijkstraZone`: of ends as cheap the one that routes name first is settled first. */
function dijkstra(source: number, legs: ReadonlyMap<number, readonly Leg[]>): LastLegs {
  const last = new Map<number, { readonly from: number; readonly way: Way }>();
  const cost = new Map([[source, 0]]);
  const open = new Set(legs.keys());
  for (;;) {
    let nearest: number | undefined;
    for (const end of open)
      if ((cost.get(end) ?? Infinity) < (nearest === undefined ? Infinity : cost.get(nearest)!)) nearest = end;
    if (nearest === undefined) return last;
    open.delete(nearest);
    for (const { to, cost: more, way } of legs.get(nearest) ?? []) {
      const whole = cost.get(nearest)! + more;
      if (whole >= (cost.get(to) ?? Infinity)) continue;
      cost.set(to, whole);
      last.set(to, { from: nearest, way });
    }
  }
}

/** As `FloydZone`, which settles ties by the order in which the file declares hosts and routers. O(ends³). */
function floyd(hosts: readonly number[], legs: ReadonlyMap<number, readonly Leg[]>): (from: number) => LastLegs {
  const ends = Array.from(new Set([...hosts, ...legs.keys()])).sort((one, other) => one - other);
  const placeOf = new Map(ends.map((end, place) => [end, place]));
  const count = ends.length;
  const cost = new Float64Array(count * count).fill(Infinity);
  const previous = new Int32Array(count * count).fill(-1);
  for (const [place, end] of ends.entries()) {
    cost[place * count + place] = 0;
    for (const leg of legs.get(end) ?? []) {
      const pair = place * count + placeOf.get(leg.to)!;
      cost[pair] = leg.cost;
      previous[pair] = place;
    }
  }
  for (let middle = 0; middle < count; middle++) {
    for (let from = 0; from < count; from++) {
      const half = cost[from * count + middle]!;
      if (half === Infinity) continue;
      for (let to = 0; to < count; to++) {
        const whole = half + cost[middle * count + to]!;
        if (whole >= cost[from * count + to]!) continue;
        cost[from * count + to] = whole;
        previous[from * count + to] = previous[middle * count + to]!;
      }
    }
  }
  return (from) => {
    const row = placeOf.get(from)! * count;
    return new Map(
      ends.flatMap((to, place) => {
        const before = ends[previous[row + place] ?? -1];
        const leg = before === undefined ? undefined : legs.get(before)?.find((one) => one.to === to);
        return before === undefined || leg === undefined ? [] : [[to, { from: before, way: leg.way }] as const];
      }),
    );
  };
}

/**
 * Routes that are not the only shortest way over the cables of all routes, where no way leads through a `passive` router: these are the ones that a
 * network of cables does not keep. O(ends of routes · cables).
 */
export function lostRoutes(
  routes: readonly Route[],
  { ways, neighbours }: LaidRoutes,
  passive: { readonly has: (router: number) => boolean },
): readonly Route[] {
  const searches = new Map<number, ReturnType<typeof shortestWays>>();
  return routes.filter(({ from, to }, index) => {
    const search = searches.get(from) ?? shortestWays(from, neighbours, passive);
    searches.set(from, search);
    const found = search.get(to);
    return found?.hops !== (ways[index]?.length ?? 0) - 1 || found.ways > 1;
  });
}

/** By router: hops of the shortest ways from a router, and how many there are. */
function shortestWays(
  start: number,
  neighbours: LaidRoutes['neighbours'],
  passive: { readonly has: (router: number) => boolean },
): ReadonlyMap<number, { readonly hops: number; ways: number }> {
  const found = new Map([[start, { hops: 0, ways: 1 }]]);
  for (const [router, { hops, ways }] of found) {
    if (router !== start && passive.has(router)) continue;
    for (const next of neighbours.get(router) ?? []) {
      const known = found.get(next);
      if (known === undefined) found.set(next, { hops: hops + 1, ways });
      else if (known.hops === hops + 1) known.ways += ways;
    }
  }
  return found;
}
