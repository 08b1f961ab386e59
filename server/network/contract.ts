import type { Cancellation } from '../model/cancellation.ts';
import type { ArgumentValue, CatalogueEntry, Choice, OptionValues } from '../model/catalogue.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { SlotKind } from '../model/nodeInside.ts';
import type { RailDescription } from '../model/rails.ts';
import type { ForwardingDump } from '../model/forwarding.ts';
import type { GroupFigures, LinkGroup, LinkSpeed, MachineFigures, Routing, Topology } from '../model/machine.ts';
import type { Result } from '../model/result.ts';

/** An undirected cable of an irregular network, as declared: `link 0 -- 2 bandwidth 5 GB/s`. */
export interface Cable extends LinkSpeed {
  readonly from: number;
  readonly to: number;
}

/** How large a topology would be: plain numbers, exact or rounded above 2^53, known without building it. */
export interface TopologySize {
  readonly routers: number;
  /** Compute nodes. */
  readonly nodes: number;
  /** Directed links, host links included. */
  readonly links: number;
}

/** The size with the links of further rails, or with the copies of the network that they have. O(1). */
export function sizeWithRails(size: TopologySize, rails: RailDescription | undefined): TopologySize {
  const { count = 1, separate } = rails ?? {};
  if (separate === true) return { ...size, routers: size.routers * count, links: size.links * count };
  return { ...size, links: size.links + 2 * size.nodes * (count - 1) };
}

/** What a declaration says of its topology. */
export interface TopologyRequest {
  readonly argument: ArgumentValue | undefined;
  readonly options: OptionValues;
  /** Of `link a -- b, c`. */
  readonly cables: readonly Cable[];
  /** Nodes per router where the declaration says so (`hosts 4`); most topologies take 1 otherwise. */
  readonly hosts: number | undefined;
  /** Which routers have nodes, where not all do. */
  readonly hostsOn?: HostingRouters;
  /** What the file of `topology from "FILE"` holds. */
  readonly fabric: Fabric | undefined;
  /** Nodes of a grid get links of their own, {@link Topology.hasPorts}; others have them anyway. */
  readonly hasPorts?: true;
  /** A network in several parts is built all the same: to be looked at, no job can run on it. */
  readonly partsAllowed?: true;
}

/** A topology of the catalogue. `build` never allocates before it has compared sizes with the limits. */
export interface TopologyEntry extends CatalogueEntry {
  readonly build: (request: TopologyRequest) => Result<Topology>;
  /**
   * The size that `build` would give; in constant time, so that absurd machines are refused at once.
   * Undefined where the request does not say it: a file that was not read, options that `build` refuses.
   */
  readonly measure: (request: TopologyRequest) => TopologySize | undefined;
  /** Groups of its links that may have figures of their own, besides those of nodes. */
  readonly linkGroups?: readonly LinkGroup['kind'][];
  /** Axes that link groups of the kind `axis` may name, where neither its shape nor its number says it. */
  readonly axes?: (request: Pick<TopologyRequest, 'options'>) => number | undefined;
  /** What a user may want to know of a machine that is asked for: ports without cables. */
  readonly remark?: (request: TopologyRequest) => string | undefined;
  /** Name of the routing used where the machine names none. */
  readonly defaultRouting: string;
  /** Whether it takes `link` properties: only `switches` does. */
  readonly takesCables: boolean;
  /** Whether it takes `hosts`: fat trees, dragonflies and clusters have their own count. */
  readonly takesHosts: boolean;
  /** Whether routers without nodes are possible: `hosts 4 on 0..15`. */
  readonly takesHostsOn?: true;
}

export interface RoutingEntry extends CatalogueEntry {
  /** Present where it keeps a table of all pairs of routers: more routers than this are refused before any is built. */
  readonly routerLimit?: number;
  /** It searches a graph of states and keeps rows of hops between routers: what that takes of memory is planned. */
  readonly searchesGraph?: true;
  /** A route takes one of several cables side by side: they are links of their own then. */
  readonly choosesCables?: true;
  /** Fails where it cannot route the topology; of no use where it was cancelled. `dump`: what the file of its argument holds. */
  readonly build: (
    topology: Topology,
    options: OptionValues,
    cancellation?: Cancellation,
    dump?: ForwardingDump,
  ) => Result<Routing>;
}

/** Those of the lowest tier, or each by its number or by names as hostlists. */
export type HostingRouters = 'leaves' | readonly (RouterReference | NumberRange)[];

/** A switch by its number, or by the name that the fabric's file gives it. */
export type RouterReference = number | string;

/** The numbers `first` to `last`, both of them. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** What of a machine does not work, as `without` says it. */
export interface FaultDescription {
  /** All between two routers, or the one of a number, from 1. */
  readonly cables: readonly { readonly from: RouterReference; readonly to: RouterReference; readonly cable?: number }[];
  readonly routers: readonly (RouterReference | NumberRange)[];
  readonly nodes: NodeReferences;
}

/** NodeIds, and names of hosts as hostlists. */
export type NodeReferences = readonly (number | string | NumberRange)[];

/** Everything a machine declaration says, checked; `network/machine.ts` builds a Machine of it. */
export interface MachineDescription {
  readonly name: string;
  readonly topology: {
    readonly name: string;
    readonly argument?: ArgumentValue;
    readonly options: OptionValues;
    /** The word of `from "FILE" as FORMAT`. */
    readonly format?: string;
  };
  readonly routing?: Choice;
  readonly cables: readonly Cable[];
  /** `hosts N`, where it stands, and `on …` behind it. */
  readonly hosts?: number;
  readonly hostsOn?: HostingRouters;
  /** `names`, where it stands: a hostlist or a pattern for all nodes, as `expandHostNames` takes it. */
  readonly names?: string;
  /** `rails N` and `rail-optimised`, where they stand. */
  readonly rails?: RailDescription;
  /** `without`, where it stands. */
  readonly faults?: FaultDescription;
  /** URI of `node from "FILE"`: sockets and cores come from there. */
  readonly nodeFile?: string;
  readonly socketsPerNode: number;
  readonly coresPerSocket: number;
  /** Where `cores` does not stand, whose default is 1. */
  readonly coresUnstated?: true | undefined;
  /** Cores of each socket, where they are written one by one; goes before the two above. */
  readonly coresOfSockets?: readonly number[];
  /** `cores` beside `node`: how many cores of each socket of the file tasks may run on; one number is for all. */
  readonly coresInFile?: readonly number[];
  /** `gpus` and `gpu-link`, where they stand. */
  readonly gpus?: GpuDescription;
  /** `slots`, where it stands; GPUs where there is `gpus`, else cores. */
  readonly slots?: SlotKind;
  /** `inside`, where it stands: whether distances inside a node count; they do where slots are GPUs. */
  readonly countsInside?: boolean;
  readonly figures: MachineFigures;
}

/** The GPUs of a node, dealt to its sockets and rails in order, and how they are linked directly. */
export interface GpuDescription {
  readonly count: number;
  /** Links between every two of them, over switches or not. */
  readonly allLinks?: number;
  readonly links: readonly { readonly from: number; readonly to: number; readonly links: number }[];
}

/** The bandwidths that a declaration speaks of, each once, without those of a file. */
export function declaredBandwidths({
  figures,
  cables,
}: Pick<MachineDescription, 'figures' | 'cables'>): ReadonlySet<number> {
  const { bandwidth, groups = [], interface: port, cables: sideBySide = 1 } = figures;
  const ofGroup = (one: GroupFigures): number | undefined => {
    const rate = one.bandwidth ?? bandwidth;
    return rate && rate * (one.cables ?? (one.group.kind === 'hosts' ? 1 : sideBySide));
  };
  const all = [
    bandwidth && bandwidth * sideBySide,
    port,
    ...groups.map(ofGroup),
    ...cables.map((cable) => cable.bandwidth),
  ];
  return new Set(all.flatMap((one) => one ?? []));
}

/** What a declaration says of the links of nodes on a grid, where these are no links that hops count. */
export function bandwidthOfPorts({
  topology,
  figures,
}: Pick<MachineDescription, 'topology' | 'figures'>): number | undefined {
  if (!['torus', 'mesh', 'hypercube'].includes(topology.name)) return undefined;
  return figures.groups?.find(({ group }) => group.kind === 'hosts')?.bandwidth ?? figures.interface;
}

type Varying = (description: MachineDescription, value: number) => MachineDescription;

/** What a machine has of a figure, and the same machine with another one. */
interface VariedFigure {
  readonly of: (description: MachineDescription) => number | undefined;
  readonly with: Varying;
}

const variedFigure = (key: 'bandwidth' | 'latency' | 'memory' | 'interface' | 'switchTime'): VariedFigure => ({
  of: ({ figures }) => figures[key],
  with: (description, value) => ({ ...description, figures: { ...description.figures, [key]: value } }),
});

/** Whether tasks run on cores of which each socket has as many. */
const hasEvenCores = ({ nodeFile, coresOfSockets, gpus }: MachineDescription): boolean =>
  nodeFile === undefined && coresOfSockets === undefined && gpus === undefined;

/** Figures of machines by the words of their properties. Those of groups of links stay as they are. */
const variedFigures: Readonly<Record<string, VariedFigure>> = {
  bandwidth: variedFigure('bandwidth'),
  latency: variedFigure('latency'),
  memory: variedFigure('memory'),
  interface: variedFigure('interface'),
  switch: variedFigure('switchTime'),
  hosts: { of: ({ hosts }) => hosts, with: (description, hosts) => ({ ...description, hosts }) },
  sockets: {
    of: (description) => (hasEvenCores(description) ? description.socketsPerNode : undefined),
    with: (description, socketsPerNode) => ({ ...description, socketsPerNode }),
  },
  cores: {
    of: (description) => (hasEvenCores(description) ? description.coresPerSocket : undefined),
    with: (description, coresPerSocket) => ({ ...description, coresPerSocket, coresUnstated: undefined }),
  },
};

/** The words of machines' properties that are numbers which experiments can vary, where they are written. */
export const variedMachineWords: readonly string[] = Object.keys(variedFigures);

/**
 * Numbers of a machine that experiments can vary, as paths with what they are: those of its topology, and figures in seconds and
 * bytes per second that it has.
 */
export function variedMachineNumbers(description: MachineDescription): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const [word, { of }] of Object.entries(variedFigures)) {
    const value = of(description);
    if (value !== undefined) numbers.set(`machine.${word}`, value);
  }
  for (const [name, value] of Object.entries(description.topology.options)) {
    if (typeof value === 'number') numbers.set(`machine.${name}`, value);
  }
  return numbers;
}

/** The same with another number at a path of {@link variedMachineNumbers}; any other path changes nothing. */
export function machineWithNumber(description: MachineDescription, path: string, value: number): MachineDescription {
  if (!variedMachineNumbers(description).has(path)) return description;
  const { topology } = description;
  const word = path.slice('machine.'.length);
  const isOfTopology = word in topology.options;
  const named = isOfTopology || word === 'hosts' ? withoutListedNames(description) : description;
  if (!isOfTopology) return variedFigures[word]?.with(named, value) ?? named;
  return { ...named, topology: { ...topology, options: { ...topology.options, [word]: value } } };
}

/** A list names as many nodes as are declared, and no others; a pattern any number of them. */
const withoutListedNames = ({ names, ...others }: MachineDescription): MachineDescription =>
  names?.includes('%') === true ? { ...others, names } : others;

/** Files that a machine rests on, read and parsed by the entrypoints, by URI. */
export interface MachineFiles {
  fabric(uri: string, format: string | undefined): Result<Fabric>;
  forwarding(uri: string, format: string | undefined): Result<ForwardingDump>;
  nodeShape(uri: string): Result<NodeShape>;
}
