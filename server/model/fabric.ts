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
  readonly nodes: readonly { readonly name: string; readonly router: number }[];
  /** Undirected cables between switches; parallel ones are repeated. */
  readonly cables: readonly { readonly from: number; readonly to: number }[];
  /** Tier of each switch where the file is a tree (0 at the leaves). */
  readonly tiers?: readonly number[];
  /** What was left out or read with a doubt, a sentence each, with its line where it has one. */
  readonly warnings: readonly FabricWarning[];
}

export interface FabricWarning {
  readonly line?: number;
  readonly message: string;
}

/** The inside of a compute node, from `node from "FILE"`. */
export interface NodeShape {
  readonly sockets: number;
  readonly coresPerSocket: number;
  readonly numaNodes: number;
  readonly warnings: readonly FabricWarning[];
}
