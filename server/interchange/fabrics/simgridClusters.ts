import { leastOf } from '../../model/lists.ts';
import type { LinkSpeed } from '../../model/machine.ts';
import { quote } from '../../model/result.ts';
import { type FabricBuilder, fabricLimits } from './builder.ts';

/**
 * Clusters of SimGrid: a star, or a fat tree, dragonfly or torus by its parameters, wired as SimGrid's own zones wire
 * them (`FatTreeZone`, `DragonflyZone`, `TorusZone`).
 */

type Attributes = Readonly<Record<string, string>>;

/** What was built; places are switches by the name of the host that is one with them. */
export interface BuiltCluster {
  readonly gateway: number;
  readonly hosts: number;
  readonly cables: number;
  /** Switches of the builder, these included. */
  readonly routers: number;
  readonly places: ReadonlyMap<string, number>;
  /** Of a torus: the routers from each host to each other one, in dimension order; none where these would be too many. */
  readonly routes?: readonly (readonly number[])[];
  /** Of a fat tree: the tier of each switch that it added, 0 at the leaves. */
  readonly tiers?: readonly number[];
  /** Of a fat tree: whether switches have several links to each other. */
  readonly isParallel?: boolean;
}

/** Why a cluster cannot be read, without looking at its topology. */
export function faultOfCluster(attributes: Attributes): string | undefined {
  for (const key of ['id', 'radical', 'bw'] as const)
    if (attributes[key] === undefined) return `The cluster has no \`${key}\`. Add it.`;
  return undefined;
}

/** Adds a cluster's switches, hosts and cables; or says what is wrong. O(hosts + cables). */
export function buildSimgridCluster(
  attributes: Attributes,
  link: LinkSpeed,
  builder: FabricBuilder,
): BuiltCluster | string {
  const numbers = radicalNumbers(attributes['radical'] ?? '');
  if (typeof numbers === 'string') return numbers;
  const { prefix = '', suffix = '', id = '' } = attributes;
  const hosts = numbers.map((number) => `${prefix}${number}${suffix}`);
  const topology = (attributes['topology'] ?? 'FLAT').toUpperCase();
  const parameters = attributes['topo_parameters'] ?? '';
  const cluster: Cluster = { id, hosts, link, builder };
  if (topology === 'FLAT') return star(cluster, `${prefix}${id}_router${suffix}`);
  if (topology === 'FAT_TREE') return fatTree(cluster, parameters);
  if (topology === 'DRAGONFLY') return dragonfly(cluster, parameters);
  if (topology === 'TORUS') return torus(cluster, parameters);
  return `Unknown cluster topology ${quote(topology)}. Expected FLAT, FAT_TREE, DRAGONFLY or TORUS.`;
}

interface Cluster {
  readonly id: string;
  /** Names of its hosts, in order. */
  readonly hosts: readonly string[];
  readonly link: LinkSpeed;
  readonly builder: FabricBuilder;
}

/** `1-29,58,59`. */
function radicalNumbers(radical: string): number[] | string {
  const numbers: number[] = [];
  for (const range of radical.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,9})(?:-(\d{1,9}))?\s*$/.exec(range) ?? [];
    if (first === undefined)
      return `Invalid range ${quote(range)} in \`radical\`. Expected a number, or a range such as 0-15.`;
    if (Number(last) < Number(first)) return `The range ${quote(range)} in \`radical\` ends before it begins.`;
    if (numbers.length + Number(last) - Number(first) >= fabricLimits.hosts)
      return `\`radical\` lists more than ${fabricLimits.hosts} hosts, the maximum.`;
    for (let number = Number(first); number <= Number(last); number++) numbers.push(number);
  }
  return numbers;
}

function star({ hosts, link, builder }: Cluster, name: string): BuiltCluster {
  const gateway = builder.addRouter(name);
  for (const host of hosts) builder.addHost(host, gateway, link);
  return {
    gateway,
    hosts: hosts.length,
    cables: 0,
    routers: gateway + 1,
    places: new Map(hosts.map((host) => [host, gateway])),
  };
}

/** Numbers above 0, of a list between commas. */
function positiveNumbers(text: string | undefined): number[] | undefined {
  const numbers = (text ?? '').split(',').map((word) => (/^\s*\d{1,6}\s*$/.test(word) ? Number(word) : 0));
  return numbers.every((number) => number > 0) ? numbers : undefined;
}

const product = (numbers: readonly number[]): number => numbers.reduce((all, number) => all * number, 1);

/** Why so many switches and cables cannot be had; looked at before any is made. */
function excessOfDevices(routers: number, cables: number): string | undefined {
  if (routers > fabricLimits.switches)
    return `The cluster has ${routers} switches. The maximum is ${fabricLimits.switches}.`;
  if (cables > fabricLimits.cables) return `The cluster has ${cables} links. The maximum is ${fabricLimits.cables}.`;
  return undefined;
}

/**
 * `levels; children; parents; cables`, all from the leaves up: a parallel-port generalized fat tree (Zahavi, D-Mod-K
 * routing, 2010). Two switches of neighbouring levels are cabled where all their digits but that of the level agree.
 */
function fatTree({ id, hosts, link, builder }: Cluster, parameters: string): BuiltCluster | string {
  const [levels, ...lists] = parameters.split(';');
  const [children, parents, parallel] = [
    positiveNumbers(lists[0]),
    positiveNumbers(lists[1]),
    positiveNumbers(lists[2]),
  ];
  const height = Number(levels);
  if (!children || !parents || !parallel || [children, parents, parallel].some(({ length }) => length !== height)) {
    return `Invalid parameters of a fat tree ${quote(parameters)}. Expected \`levels; children; parents; cables\`, as in 2;4,4;1,2;1,2.`;
  }
  if (product(children) !== hosts.length)
    return `The fat tree has ${product(children)} hosts in its parameters but ${hosts.length} in \`radical\`.`;
  if (parents[0] !== 1) return `Hosts of the fat tree have ${parents[0]} switches each. Expected one.`;
  const sizes = children.map((_, level) => product(parents.slice(0, level + 1)) * product(children.slice(level + 1)));
  const routers = sizes.reduce((sum, size) => sum + size, 0);
  const cables = sizes
    .slice(0, -1)
    .reduce((sum, size, level) => sum + size * parents[level + 1]! * parallel[level + 1]!, 0);
  const excess = excessOfDevices(routers, cables);
  if (excess !== undefined) return excess;
  const firsts = sizes.map((size, level) => {
    const ids = Array.from({ length: size }, (_, at) => builder.addRouter(`${id}_${level + 1}_${at}`));
    return ids[0]!;
  });
  const leafLink = { ...link, bandwidth: (link.bandwidth ?? 0) * parallel[0]! };
  for (const [at, host] of hosts.entries()) builder.addHost(host, firsts[0]! + Math.floor(at / children[0]!), leafLink);
  for (let level = 0; level + 1 < height; level++) {
    // A switch is its digits among those above it, then those below: the subtree, then the copy inside of it.
    const copies = product(parents.slice(0, level + 1));
    const [down, up] = [children[level + 1]!, parents[level + 1]!];
    for (let at = 0; at < sizes[level]!; at++) {
      const [subtree, copy] = [Math.floor(at / copies), at % copies];
      for (let parent = 0; parent < up; parent++) {
        const above = Math.floor(subtree / down) * copies * up + parent * copies + copy;
        for (let cable = 0; cable < parallel[level + 1]!; cable++)
          builder.addCable(firsts[level]! + at, firsts[level + 1]! + above, link);
      }
    }
  }
  const places = new Map(hosts.map((host, at) => [host, firsts[0]! + Math.floor(at / children[0]!)]));
  const tiers = sizes.flatMap((size, level) => new Array<number>(size).fill(level));
  return {
    gateway: firsts.at(-1)!,
    hosts: hosts.length,
    cables,
    routers: firsts.at(-1)! + sizes.at(-1)!,
    places,
    tiers,
    isParallel: parallel.some((links) => links > 1),
  };
}

/**
 * `groups,links; chassis,links; routers,links; nodes`: Cray's Cascade (Faanes et al., SC 2012). All routers of a chassis
 * are joined, and all of one number in the chassis of a group; router j of group i is joined to router i of group j.
 * Several links are one cable of their bandwidths together, as in SimGrid.
 */
function dragonfly(cluster: Cluster, parameters: string): BuiltCluster | string {
  const { id, hosts, link, builder } = cluster;
  const form =
    /^\s*(\d{1,6})\s*,\s*(\d{1,6})\s*;\s*(\d{1,6})\s*,\s*(\d{1,6})\s*;\s*(\d{1,6})\s*,\s*(\d{1,6})\s*;\s*(\d{1,6})\s*$/;
  const numbers = (form.exec(parameters) ?? []).slice(1).map(Number);
  if (numbers.length < 7 || leastOf(numbers) < 1) {
    return `Invalid parameters of a dragonfly ${quote(parameters)}. Expected \`groups,links; chassis,links; routers,links; nodes\`, as in 3,4;4,3;5,1;2.`;
  }
  const [groups, blue, chassis, black, blades, green, nodes] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const perGroup = chassis * blades;
  const routers = groups * perGroup;
  if (routers * nodes !== hosts.length) {
    return `The dragonfly has ${routers * nodes} hosts in its parameters but ${hosts.length} in \`radical\`.`;
  }
  // Router j of a group has the link to group j, so that the last group needs as many routers.
  if (groups > perGroup)
    return `A group of ${perGroup} routers cannot link to all ${groups} groups with one link per router.`;
  const pairs = (count: number): number => (count * (count - 1)) / 2;
  const cables = groups * (chassis * pairs(blades) + blades * pairs(chassis)) + pairs(groups);
  const excess = excessOfDevices(routers, cables);
  if (excess !== undefined) return excess;
  const first = builder.addRouter(`${id}_router_0`);
  for (let router = 1; router < routers; router++) builder.addRouter(`${id}_router_${router}`);
  const places = new Map(hosts.map((host, at) => [host, first + Math.floor(at / nodes)]));
  for (const [host, place] of places) builder.addHost(host, place, link);
  const times = (links: number): LinkSpeed => ({ ...link, bandwidth: (link.bandwidth ?? 0) * links });
  for (let group = 0; group < groups; group++) {
    const start = first + group * perGroup;
    cableGroup({ start, chassis, blades, green: times(green), black: times(black) }, builder);
    for (let other = group + 1; other < groups; other++) {
      // Routers of the group are numbered through: the one with the number of the other group leads there.
      builder.addCable(start + other, first + other * perGroup + group, times(blue));
    }
  }
  return { gateway: first, hosts: hosts.length, cables, routers: first + routers, places };
}

interface Group {
  /** Its first router; those of a chassis follow one another. */
  readonly start: number;
  readonly chassis: number;
  readonly blades: number;
  /** Cables inside a chassis, and between them. */
  readonly green: LinkSpeed;
  readonly black: LinkSpeed;
}

function cableGroup({ start, chassis, blades, green, black }: Group, builder: FabricBuilder): void {
  for (let one = 0; one < chassis * blades; one++) {
    const [row, blade] = [Math.floor(one / blades), one % blades];
    for (let other = blade + 1; other < blades; other++)
      builder.addCable(start + one, start + row * blades + other, green);
    for (let other = row + 1; other < chassis; other++)
      builder.addCable(start + one, start + other * blades + blade, black);
  }
}

/** Sides between commas; a host is a router with a cable forward along each axis. Its own link is the router's inside. */
function torus({ hosts, link, builder }: Cluster, parameters: string): BuiltCluster | string {
  const sides = positiveNumbers(parameters);
  if (!sides) return `Invalid sides of a torus ${quote(parameters)}. Expected numbers between commas, as in 3,2,2.`;
  if (product(sides) !== hosts.length)
    return `The torus has ${product(sides)} hosts in its sides but ${hosts.length} in \`radical\`.`;
  const cabled = sides.filter((side) => side > 1);
  const cables = hosts.length * cabled.length;
  const excess = excessOfDevices(hosts.length, cables);
  if (excess !== undefined) return excess;
  const places = new Map(hosts.map((host) => [host, builder.addRouter(host)]));
  const first = places.get(hosts[0]!)!;
  for (const [host, place] of places) builder.addHost(host, place);
  let stride = 1;
  for (const side of sides) {
    for (let at = 0; at < hosts.length && side > 1; at++) {
      const isLast = Math.floor(at / stride) % side === side - 1;
      builder.addCable(first + at, first + (isLast ? at - stride * (side - 1) : at + stride), link);
    }
    stride *= side;
  }
  const routes = hosts.length > mostHostsOfRoutes ? [] : torusRoutes(sides, first);
  return { gateway: first, hosts: hosts.length, cables, routers: first + hosts.length, places, routes };
}

/** Routes are kept one by one: 256 hosts have 65,280. */
export const mostHostsOfRoutes = 256;

/** As `TorusZone`: axis after axis, the shorter way round; of two as short the one that does not wrap. O(hosts² · hops). */
function torusRoutes(sides: readonly number[], first: number): readonly (readonly number[])[] {
  const count = product(sides);
  const routes: number[][] = [];
  for (let from = 0; from < count; from++) {
    for (let to = 0; to < count; to++) {
      if (from === to) continue;
      const route = [first + from];
      let here = from;
      let stride = 1;
      for (const side of sides) {
        const target = Math.floor(to / stride) % side;
        let own = Math.floor(here / stride) % side;
        const isUp = own < target ? target - own <= side / 2 : own - target > side / 2;
        while (own !== target) {
          const next = (own + (isUp ? 1 : side - 1)) % side;
          here += (next - own) * stride;
          own = next;
          route.push(first + here);
        }
        stride *= side;
      }
      routes.push(route);
    }
  }
  return routes;
}
