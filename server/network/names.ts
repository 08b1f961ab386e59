import type { NodeId, RouterId } from '../model/identifiers.ts';
import type { Machine } from '../model/machine.ts';
import type { LinkEnd } from '../model/report.ts';
import { asNodeId, asRouterId } from '../model/identifiers.ts';

type Named = Pick<Machine, 'topology'>;

/** What users call a router: its name in the fabric's file, else its number. `leaf-3` or `12`. */
export const routerName = ({ topology }: Named, router: RouterId): string =>
  topology.names?.routers[router] ?? String(router);

/** What users call a node: its name in the fabric's file, else its number. */
export const nodeName = ({ topology }: Named, node: NodeId): string => topology.names?.nodes[node] ?? String(node);

/** What users call the end of a link: `leaf-3` or `12` for a router, `node 7` or a host's own name for a node. */
export function endName(machine: Named, end: LinkEnd): string {
  if (typeof end === 'number') return routerName(machine, asRouterId(end));
  const name = nodeName(machine, asNodeId(end.host));
  return machine.topology.names ? name : `node ${name}`;
}
