import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import type { PlacementReport } from '../../model/report.ts';
import { type Result, fail, succeed } from '../../model/result.ts';
import { quote } from '../amounts.ts';

/** `node0000`, `node0001`, …: as wide as the last needs, at least four digits, so that they sort. */
export function placeholderHosts(nodeCount: number): string[] {
  const width = Math.max(4, String(nodeCount - 1).length);
  return Array.from({ length: nodeCount }, (_, node) => `node${String(node).padStart(width, '0')}`);
}

/** A name or address that every launcher reads as one word. */
const hostName = /^[A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?$/;

/**
 * Reads host names, one per line in the order of the node ids; `#` begins a comment. Fails with
 * `bad-hosts` and the line.
 */
export function readHosts(text: string): Result<string[]> {
  const hosts: string[] = [];
  for (const [at, content] of text
    .replace(/^\u{feff}/u, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const name = content.split('#', 1)[0]!.trim();
    if (name === '') continue;
    if (!hostName.test(name)) {
      return fail(
        'bad-hosts',
        `Line ${at + 1}: ${quote(name)} is not one host name; write one per line, nothing else.`,
      );
    }
    hosts.push(name);
  }
  return succeed(hosts);
}

/** The host names of a placement's nodes, and where they come from. */
export interface ChosenHosts {
  readonly names: readonly string[];
  readonly origin: 'given' | 'fabric' | 'placeholders';
  /** Why the names of the machine's fabric are not used, as a sentence. */
  readonly doubt?: string;
}

/**
 * Host names of all nodes: those given; else those of the fabric the machine was read from, where
 * they can be host names and tell the nodes of the placement apart; else placeholders.
 */
export function chooseHosts({ machine, jobs }: PlacementReport, given: readonly string[] | undefined): ChosenHosts {
  if (given !== undefined) return { names: given, origin: 'given' };
  const placeholders = { names: placeholderHosts(machine.nodeCount), origin: 'placeholders' } as const;
  const names = fabricHosts(machine);
  if (names === undefined) return placeholders;
  const stranger = names.find((name) => !hostName.test(name));
  if (stranger !== undefined) return { ...placeholders, doubt: `The fabric calls a host ${quote(stranger)}.` };
  const doubt = faultOfHosts(names, jobs, machine.coresPerNode);
  return doubt === undefined ? { names, origin: 'fabric' } : { ...placeholders, doubt };
}

/** What a file calls its hosts; undefined where it names none, and they are only counted on its switches. */
function fabricHosts({ topology: { names, routerOfNode } }: Machine): readonly string[] | undefined {
  const isCounted = names?.nodes.every((name, node) => name.startsWith(`${names.routers[routerOfNode[node]!]}:`));
  return isCounted === true ? undefined : names?.nodes;
}

/** Why host names do not serve a placement, as a sentence; undefined where they do. */
export function faultOfHosts(
  hosts: readonly string[],
  jobs: readonly PlacedJob[],
  coresPerNode: number,
): string | undefined {
  const nodeOfHost = new Map<string, number>();
  for (const { mapping } of jobs) {
    for (const slot of mapping) {
      const node = Math.floor(slot / coresPerNode);
      const host = hosts[node];
      if (host === undefined) {
        return `The placement uses node ${node}, but only ${hosts.length} host names are given; the first is node 0.`;
      }
      const other = nodeOfHost.get(host) ?? node;
      if (other !== node)
        return `Nodes ${other} and ${node} are both called ${host}: give every node a host of its own.`;
      nodeOfHost.set(host, node);
    }
  }
  return undefined;
}
