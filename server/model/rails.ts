/**
 * Nodes with several network adapters. A *rail* is the adapter of one number on every node; a *port* is one adapter of one
 * node with its link: ports 0 … nodes − 1 are the first adapters of the nodes, further ones stand behind them, by node and rail.
 * The links of port p are `routerLinkCount + 2·p` from the node and the next one back.
 */
export interface Rails {
  /** Rails that nodes have at most. */
  readonly count: number;
  /** Router of each port; as many entries as ports, the first of them those of `routerOfNode`. */
  readonly routerOfPort: Int32Array;
  readonly nodeOfPort: Int32Array;
  readonly railOfPort: Int32Array;
  /** At node · count + rail: its port, −1 where the node has no such rail. */
  readonly portOfRail: Int32Array;
  /** What a file calls the adapters, by port: `mlx5_0`; '' where it gives no name. */
  readonly adapters?: readonly string[];
}

/** How many adapters each node has. */
export interface RailDescription {
  readonly count: number;
  /** Rail r of the nodes of a block of `count` leaves is on leaf r of the block; else all rails of a node are on its switch. */
  readonly optimised?: true;
  /** Rail r of all nodes is on the r-th of `count` copies of the network, which no cable joins. */
  readonly separate?: true;
}

/** Rails that a machine may have: more are a mistake, no machine has so many. */
export const mostRails = 64;

/** How the tasks of a placement use the rails of their nodes. */
export type RailUse =
  /** Every message is split evenly over the rails that both nodes have. */
  | { readonly kind: 'stripe' }
  /** A task sends and receives over the rail next to its core or GPU: core c of C over rail ⌊c · rails / C⌋. */
  | { readonly kind: 'own' }
  /** All tasks use one rail; nodes that do not have it their first one. */
  | { readonly kind: 'only'; readonly rail: number };

/** Rails of ports that are given by node and rail; undefined where every node has one. O(ports). */
export function railsOf(
  routerOfNode: Int32Array,
  first: readonly number[] | undefined,
  further: readonly { readonly node: number; readonly rail: number; readonly router: number }[],
  adapters?: readonly string[],
): Rails | undefined {
  if (further.length === 0) return undefined;
  const nodes = routerOfNode.length;
  const ports = nodes + further.length;
  const count =
    1 +
    further.reduce(
      (most, { rail }) => Math.max(most, rail),
      first?.reduce((most, rail) => Math.max(most, rail), 0) ?? 0,
    );
  const routerOfPort = new Int32Array(ports);
  const nodeOfPort = new Int32Array(ports);
  const railOfPort = new Int32Array(ports);
  const portOfRail = new Int32Array(nodes * count).fill(-1);
  for (let port = 0; port < ports; port++) {
    const { node, rail, router } =
      port < nodes
        ? { node: port, rail: first?.[port] ?? 0, router: routerOfNode[port] ?? 0 }
        : (further[port - nodes] ?? { node: 0, rail: 0, router: 0 });
    nodeOfPort[port] = node;
    railOfPort[port] = rail;
    routerOfPort[port] = router;
    portOfRail[node * count + rail] = port;
  }
  return { count, routerOfPort, nodeOfPort, railOfPort, portOfRail, ...(adapters && { adapters }) };
}

/** Ports of a node by their rails, ascending. O(rails). */
export function portsOfNode({ count, portOfRail }: Rails, node: number): readonly number[] {
  const ports: number[] = [];
  for (let rail = 0; rail < count; rail++) {
    const port = portOfRail[node * count + rail] ?? -1;
    if (port >= 0) ports.push(port);
  }
  return ports;
}
