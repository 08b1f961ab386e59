import type { PlacedJob } from '../../model/placement.ts';
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
