/**
 * The part of a fabric that a machine is made of: files may hold several subnets or trees that no cable joins, and packets stay
 * within one. `fabricOfMachine` reads the file of a machine so, `partsOfFabric` tells what parts there are.
 */
import type { OptionValues } from '../model/catalogue.ts';
import type { Fabric, FabricAdapter, FabricNode, FabricWarning } from '../model/fabric.ts';
import { countOf, formatNumber, inWords } from '../model/quantities.ts';
import { fail, quote, succeed, type Result } from '../model/result.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import { DisjointSets } from '../numeric/unionFind.ts';
import type { MachineDescription, MachineFiles } from './contract.ts';

/** Switches that cables join, and the hosts on them. */
export interface FabricPart {
  /** RouterId in the fabric of its first switch. */
  readonly first: number;
  readonly switches: number;
  readonly hosts: number;
}

/** The parts of a fabric, the largest first: the one with most hosts, of equal ones that with most switches, then the first of the file. */
export interface FabricParts {
  readonly parts: readonly FabricPart[];
  /** Position in `parts` of each switch. */
  readonly partOf: Int32Array;
}

/**
 * Undefined where something hangs on a switch that is not there, which the topology refuses. A host with adapters on several parts
 * counts in each; it joins none, as hosts pass nothing on. O(switches + cables + hosts).
 */
export function partsOfFabric({ routers, cables, nodes }: Fabric): FabricParts | undefined {
  const isThere = (router: number): boolean => Number.isInteger(router) && router >= 0 && router < routers.length;
  const sets = new DisjointSets(routers.length);
  for (const { from, to } of cables) {
    if (!isThere(from) || !isThere(to)) return undefined;
    sets.join(from, to);
  }
  const switches = new Int32Array(routers.length);
  const hosts = new Int32Array(routers.length);
  for (const router of routers.keys()) switches[sets.rootOf(router)] = intAt(switches, sets.rootOf(router)) + 1;
  for (const node of nodes) {
    const adapters = adaptersOf(node);
    if (!adapters.every(({ router }) => isThere(router))) return undefined;
    for (const root of new Set(adapters.map(({ router }) => sets.rootOf(router)))) hosts[root] = intAt(hosts, root) + 1;
  }
  const roots = Array.from(routers.keys()).filter((router) => intAt(switches, router) > 0);
  roots.sort((a, b) => intAt(hosts, b) - intAt(hosts, a) || intAt(switches, b) - intAt(switches, a) || a - b);
  const place = new Map(roots.map((root, part) => [root, part]));
  return {
    parts: roots.map((first) => ({ first, switches: intAt(switches, first), hosts: intAt(hosts, first) })),
    partOf: Int32Array.from(routers.keys(), (router) => place.get(sets.rootOf(router)) ?? 0),
  };
}

const adaptersOf = ({ further = [], ...first }: FabricNode): readonly FabricAdapter[] => [first, ...further];

/**
 * The fabric of a machine that rests on a file: the part that its declaration names, else the largest, with a warning that counts the
 * others. Undefined where it rests on none. Fails as the file does, and with `no-such-part`.
 */
export function fabricOfMachine(
  { topology }: Pick<MachineDescription, 'topology'>,
  files: Pick<MachineFiles, 'fabric'>,
): Result<Fabric> | undefined {
  const { argument, format, options } = topology;
  if (argument?.kind !== 'file') return undefined;
  const fabric = files.fabric(argument.uri, format);
  return fabric.ok ? chosenPart(fabric.value, wantedPart(options)) : fabric;
}

/** The name behind `part`. */
export const wantedPart = ({ part }: OptionValues): string | undefined => (typeof part === 'string' ? part : undefined);

/** As {@link fabricOfMachine}: the part with the switch or host of that name. O(switches + cables + hosts). */
export function chosenPart(fabric: Fabric, wanted: string | undefined): Result<Fabric> {
  const found = partsOfFabric(fabric);
  if (found === undefined) return succeed(fabric);
  const router = wanted === undefined ? undefined : routerOfName(fabric, wanted);
  if (wanted !== undefined && router === undefined) return noSuchPart(fabric, wanted, found);
  if (found.parts.length <= 1) {
    const idle = { message: '`part` has no effect: all switches are connected.' };
    return succeed(wanted === undefined ? fabric : { ...fabric, warnings: [idle, ...fabric.warnings] });
  }
  const chosen = router === undefined ? 0 : intAt(found.partOf, router);
  const part = onlyPart(fabric, found, chosen);
  const warnings = [
    ...(wanted === undefined ? [warningOfParts(fabric, found)] : []),
    ...lostAdapters(fabric, part),
    ...fabric.warnings,
  ];
  return succeed({ ...part, warnings });
}

/** Of a switch, else the first one of a host. */
function routerOfName({ routers, nodes }: Fabric, name: string): number | undefined {
  const router = routers.indexOf(name);
  return router >= 0 ? router : nodes.find((node) => node.name === name)?.router;
}

function noSuchPart(fabric: Fabric, wanted: string, { parts }: FabricParts): Result<never> {
  const there =
    parts.length === 1
      ? 'all switches are connected. Remove `part`.'
      : `the components are ${listOfParts(fabric, parts)}.`;
  return fail('no-such-part', `Unknown switch or host ${quote(wanted)}; ${there}`);
}

/** Parts that are told of one by one. */
const namedParts = 3;

/** `that of "grp10" with 11 switches and 200 hosts, that of "spineA" with …, and 2 more with 4 hosts`. */
export function listOfParts({ routers }: Pick<Fabric, 'routers'>, parts: readonly FabricPart[]): string {
  const shown = parts
    .slice(0, namedParts)
    .map((part) => `${quote(itemAt(routers, part.first))} with ${sizeOfPart(part)}`);
  const rest = parts.slice(namedParts);
  if (rest.length === 0) return inWords(shown);
  const hosts = rest.reduce((sum, part) => sum + part.hosts, 0);
  return inWords([...shown, `${formatNumber(rest.length)} more with ${countOf(hosts, 'host')}`]);
}

const sizeOfPart = ({ switches, hosts }: FabricPart): string =>
  `${countOf(switches, 'switch', 'switches')} and ${countOf(hosts, 'host')}`;

function warningOfParts(fabric: Fabric, { parts }: FabricParts): FabricWarning {
  const [largest, ...others] = parts;
  const [one] = others;
  if (largest === undefined || one === undefined) return { message: '' };
  const are = others.length === 1 ? 'is' : 'are';
  return {
    message: `${formatNumber(parts.length)} connected components; using the largest, ${listOfParts(fabric, [largest])}. Left out ${are} ${listOfParts(fabric, others)}. To select another, write \`(part "${itemAt(fabric.routers, one.first)}")\` after the file, or add the missing links.`,
  };
}

/** Hosts of a part whose other adapters are on parts that are left out. O(hosts). */
function lostAdapters(fabric: Fabric, part: Fabric): readonly FabricWarning[] {
  const all = new Map(fabric.nodes.map((node) => [node.name, adaptersOf(node).length]));
  const lost = part.nodes.reduce((sum, node) => sum + (all.get(node.name) ?? 0) - adaptersOf(node).length, 0);
  if (lost <= 0) return [];
  const have = lost === 1 ? 'NIC is' : 'NICs are';
  return [
    {
      message: `${formatNumber(lost)} ${have} in components that are left out. Their rails are missing from the machine.`,
    },
  ];
}

/** The switches of one part, numbered in their order, with their cables, and their hosts by the adapters that they have there. O(switches + cables + hosts). */
function onlyPart(fabric: Fabric, { parts, partOf }: FabricParts, part: number): Fabric {
  const kept = Array.from(fabric.routers.keys()).filter((router) => partOf[router] === part);
  const number = new Map(kept.map((router, place) => [router, place]));
  const own = <Item>(list: readonly Item[]): readonly Item[] => kept.map((router) => itemAt(list, router));
  const nodes = fabric.nodes.flatMap((node): FabricNode[] => {
    const [first, ...further] = adaptersOf(node).flatMap((adapter): FabricAdapter[] => {
      const router = number.get(adapter.router);
      return router === undefined ? [] : [{ ...adapter, router }];
    });
    if (first === undefined) return [];
    return [{ ...first, name: node.name, ...(further.length > 0 && { further }) }];
  });
  const { addresses, tiers, sparePorts, routes } = fabric;
  return {
    ...fabric,
    leftOut: {
      parts: parts.length - 1,
      switches: fabric.routers.length - kept.length,
      hosts: fabric.nodes.length - nodes.length,
    },
    routers: own(fabric.routers),
    nodes: withoutGaps(nodes),
    cables: fabric.cables.flatMap((cable) => {
      const [from, to] = [number.get(cable.from), number.get(cable.to)];
      return from === undefined || to === undefined ? [] : [{ ...cable, from, to }];
    }),
    ...(addresses && { addresses: own(addresses) }),
    ...(tiers && { tiers: own(tiers) }),
    ...(sparePorts && { sparePorts: own(sparePorts) }),
    ...(routes && {
      routes: routes.flatMap((route) => {
        const ids = route.flatMap((router) => number.get(router) ?? []);
        return ids.length === route.length ? [ids] : [];
      }),
    }),
  };
}

/** The rails that some host has, numbered in their order. O(adapters · log adapters). */
function withoutGaps(nodes: readonly FabricNode[]): readonly FabricNode[] {
  const used = new Set(nodes.flatMap((node) => adaptersOf(node).map(({ rail = 0 }) => rail)));
  const place = new Map([...used].sort((a, b) => a - b).map((rail, number) => [rail, number]));
  if (Array.from(place).every(([rail, number]) => rail === number)) return nodes;
  const renumbered = <Adapter extends FabricAdapter>(adapter: Adapter): Adapter => ({
    ...adapter,
    rail: place.get(adapter.rail ?? 0) ?? 0,
  });
  return nodes.map((node) => ({
    ...renumbered(node),
    ...(node.further && { further: node.further.map(renumbered) }),
  }));
}
