/** What does not work in a machine, which keeps its numbers, coordinates and names all the same. */
import { countOf } from './quantities.ts';

/** What is out of order in a topology. */
export interface TopologyFaults {
  /** 1 for each router, by RouterId, that is out of order or that no working node reaches: it has no links. */
  readonly routers: Uint8Array;
  /** 1 for each node, by NodeId, that runs nothing. */
  readonly nodes: Uint8Array;
  /** Cables between routers that are missing, those of broken routers among them. */
  readonly cables: number;
  /** Cables that are missing of links that stand for several and still have some: each way, by LinkId, and all together. */
  readonly thinned?: { readonly of: Int32Array; readonly cables: number };
  /**
   * Of each link between routers the number of the last of its cables that is left, from 1, as those between its two routers were
   * counted when none was missing; absent where there never were several.
   */
  readonly lastCables?: Int32Array;
}

/** How much of a machine does not work. */
export type FaultCounts = Readonly<Record<'routers' | 'nodes' | 'cables', number>>;

/** O(routers + nodes). */
export const faultCounts = ({ routers, nodes, cables }: TopologyFaults): FaultCounts => ({
  routers: flaggedCount(routers),
  nodes: flaggedCount(nodes),
  cables,
});

const flaggedCount = (flags: Uint8Array): number => flags.reduce((sum, flag) => sum + flag, 0);

/** `1 switch, 4 nodes, 5 cables`. */
export const faultWords = ({ routers, nodes, cables }: FaultCounts): string =>
  [
    ...(routers > 0 ? [countOf(routers, 'switch', 'switches')] : []),
    ...(nodes > 0 ? [countOf(nodes, 'node')] : []),
    ...(cables > 0 ? [countOf(cables, 'cable')] : []),
  ].join(', ');
