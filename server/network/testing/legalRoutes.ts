import type { Routing, Topology } from '../../model/machine.ts';

/**
 * What a routing allows, written down a second time and in another way than the engine's states:
 * each link has a letter, and a way is legal where its letters match `ways`. Any beginning of a
 * legal way is legal.
 */
export interface Legality {
  readonly letterOf: (link: number) => string;
  readonly ways: RegExp;
}

/** Undefined where nothing but the routing itself says what is legal (dimension-order). */
export function legalityOf(topology: Topology, routing: Routing): Legality | undefined {
  const { links, groups } = topology;
  const ends = (link: number): [number, number] => [links.from[link]!, links.to[link]!];
  if (routing.hierarchy) {
    const { level } = routing.hierarchy;
    const order = [...level.keys()].sort((a, b) => level[a]! - level[b]! || a - b);
    const rank = new Map(order.map((router, place) => [router, place]));
    const letterOf = (link: number) => {
      const [from, to] = ends(link);
      return rank.get(to)! < rank.get(from)! ? 'u' : 'd';
    };
    return { letterOf, ways: /^u*d*$/ };
  }
  if (routing.kind !== 'minimal') return undefined;
  if (!groups) return { letterOf: () => 'x', ways: /^x*$/ };
  const letterOf = (link: number) => {
    const [from, to] = ends(link);
    return groups[from] === groups[to] ? 'l' : 'g';
  };
  // Groups that are not cabled all to all take as many links as they must.
  const sizes = new Map<number, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const within = new Set(
    [...links.from.keys()].filter((link) => letterOf(link) === 'l').map((link) => ends(link).join()),
  );
  const isComplete = within.size === [...sizes.values()].reduce((sum, size) => sum + size * (size - 1), 0);
  return { letterOf, ways: isComplete ? /^l?(gl?)?$/ : /^l*(gl*)?$/ };
}

/** A way as its links in order of travel. */
export type Way = readonly number[];

/** All shortest legal ways from a router to every router, by writing down every legal way there is. */
export function shortestLegalWays({ links, routerCount }: Topology, legality: Legality, from: number): Way[][] {
  const ways: Way[][] = Array.from({ length: routerCount }, () => []);
  ways[from] = [[]];
  let front: { at: number; way: Way; letters: string }[] = [{ at: from, way: [], letters: '' }];
  let missing = routerCount - 1;
  while (missing > 0 && front.length > 0) {
    const next: typeof front = [];
    for (const { at, way, letters } of front) {
      for (let link = links.firstLink[at]!; link < links.firstLink[at + 1]!; link++) {
        const longer = letters + legality.letterOf(link);
        if (legality.ways.test(longer)) next.push({ at: links.to[link]!, way: [...way, link], letters: longer });
      }
    }
    front = next;
    const length = front[0]?.way.length;
    for (const { at, way } of front) {
      const known = ways[at]!;
      if (known.length > 0 && known[0]!.length !== length) continue;
      if (known.length === 0) missing--;
      known.push(way);
    }
  }
  return ways;
}

/** Share of a flow over each link where it splits evenly among the next links wherever ways part. */
export function sharesOfWays(ways: readonly Way[], depth = 0, share = 1, shares = new Map<number, number>()) {
  const nextLinks = new Map<number, Way[]>();
  for (const way of ways) {
    const link = way[depth];
    if (link === undefined) continue;
    const those = nextLinks.get(link);
    if (those) those.push(way);
    else nextLinks.set(link, [way]);
  }
  for (const [link, those] of nextLinks) {
    const part = share / nextLinks.size;
    shares.set(link, (shares.get(link) ?? 0) + part);
    sharesOfWays(those, depth + 1, part, shares);
  }
  return shares;
}
