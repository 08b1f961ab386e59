import type { LinkSpeed } from './machine.ts';
import type { GpuMaker, SystemNumbers } from './nodeInside.ts';

/**
 * A network as another tool's file describes it, before it becomes a topology. Names are the
 * file's own; ids are positions in these lists. Nothing here is checked for sense: a fabric may
 * be disconnected or have no hosts, and `network/topologies/from.ts` says so.
 */
export interface Fabric {
  /** Name in the catalogue of machine formats: `ibnetdiscover`. */
  readonly format: string;
  /** Names of the switches; the index is the RouterId. */
  readonly routers: readonly string[];
  /** Hosts in the order of their NodeIds, which is the order of their switches, then of the file. */
  readonly nodes: readonly FabricNode[];
  /** The file counts its hosts and names none: their names are made of those of their switches, and no launcher knows them. */
  readonly nodesAreCounted?: true;
  /** Undirected cables between switches; parallel ones are repeated. */
  readonly cables: readonly FabricCable[];
  /** What the subnet manager knows the switches by, where the file says. */
  readonly addresses?: readonly SubnetAddress[];
  /** Tier of each switch where the file is a tree (0 at the leaves). */
  readonly tiers?: readonly number[];
  /** Ports of each switch without a cable, −1 where the file does not say how many it has; absent where it says of none. */
  readonly sparePorts?: readonly number[];
  /** Cables by the width and speed that the file gives them, `4xEDR`, host links among them; absent where it gives none. */
  readonly speeds?: readonly { readonly speed: string; readonly cables: number }[];
  /** Names of switches that are hosts with several links: nothing is passed on there. */
  readonly passive?: readonly string[];
  /** Where the file gives all routes between hosts: the switches of each, from the first to the last. Two in a row have one cable. */
  readonly routes?: readonly (readonly number[])[];
  /** The routing of the catalogue that is that of the file's own tool, where that is not `minimal`. */
  readonly routing?: 'fat-tree';
  /** What its file describes besides, where this is one of several parts that no cable joins. */
  readonly leftOut?: Readonly<Record<'parts' | 'switches' | 'hosts', number>>;
  /** What was left out or read with a doubt, a sentence each, with its line where it has one. */
  readonly warnings: readonly FabricWarning[];
}

/** What a subnet manager calls a switch or the port of an adapter, as far as the file says: forwarding tables name these. */
export interface SubnetAddress {
  /** 16 hexadecimal digits in lower case. */
  readonly guid?: string;
  /** The first of its local identifiers (LIDs). */
  readonly lid?: number;
}

/** An adapter of a host on its switch, with what the file says of the link. */
export interface FabricAdapter extends LinkSpeed {
  readonly router: number;
  /** Number of the port of the switch that it is cabled to, where ports have numbers. */
  readonly port?: number;
  /** Of the port of its adapter. */
  readonly address?: SubnetAddress;
  /** Which of the rails of its host it is, 0 where absent; adapters of one name are one rail on all hosts. */
  readonly rail?: number;
  /** As the file calls it, `mlx5_0`, where its host has several. */
  readonly adapter?: string;
}

/** A host by its first adapter, and the others by their rails. */
export interface FabricNode extends FabricAdapter {
  readonly name: string;
  readonly further?: readonly FabricAdapter[];
}

/** A cable between two switches, with what the file says of it: as much each way. */
export interface FabricCable extends LinkSpeed {
  readonly from: number;
  readonly to: number;
  /** Numbers of the ports at both ends, where ports have numbers. */
  readonly fromPort?: number;
  readonly toPort?: number;
}

export interface FabricWarning {
  readonly line?: number;
  readonly message: string;
}

/** `switches` and `40, from the leaves up 32, 8`: what was read of a fabric, for whoever imports it. */
export type PreviewRow = readonly [word: string, text: string];

/** A GPU or a network adapter inside a node. */
export interface NodeDevice {
  readonly kind: 'gpu' | 'nic';
  /** As the file calls it: `GPU0`, `mlx5_0`. */
  readonly name: string;
  /** Index of the socket that it is next to, and the cores there that it is next to, where the file says. */
  readonly socket?: number;
  readonly cores?: { readonly first: number; readonly count: number };
  /** On the PCI bus, `0000:10:1c.0`. */
  readonly address?: string;
  /** Where the GPUs of a node are of several makers, whose libraries number their own alone. */
  readonly maker?: GpuMaker;
}

/**
 * How two devices of a node reach each other, the nearest first: over NVLink, one PCI bridge, several, the host bridge,
 * host bridges of one NUMA node, between NUMA nodes. The words are those of NCCL and `nvidia-smi topo -m`.
 */
export interface DevicePath {
  /** Positions in `devices`, the lower first. */
  readonly from: number;
  readonly to: number;
  readonly kind: 'NV' | 'PIX' | 'PXB' | 'PHB' | 'NODE' | 'SYS';
  /** NVLinks side by side; absent on PCI. */
  readonly links?: number;
}

/** The inside of a compute node, from `node from "FILE"`. */
export interface NodeShape {
  /** Cores of each socket, or its processing units where the file knows no cores. */
  readonly coresOfSockets: readonly number[];
  /** The numbers that the system gives to the processing units of each core, socket by socket as `coresOfSockets`; absent where cores are not known. */
  readonly systemNumbers?: SystemNumbers;
  /** Whether processing units are counted, of which a core may have several. */
  readonly countsThreads?: true;
  /** Why the numbers of cores are not known, with the file and the line, and what to do: those of `coresOfSockets` are 0 then. */
  readonly coresUnknown?: string;
  readonly numaNodes: number;
  /** GPUs and NICs, and a path for each pair of them; absent where the format knows none. */
  readonly devices?: readonly NodeDevice[];
  readonly paths?: readonly DevicePath[];
  readonly warnings: readonly FabricWarning[];
}
