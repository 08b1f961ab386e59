import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { firstContentLine } from '../csv.ts';
import { FabricBuilder, faultOfCount, badFabric } from './builder.ts';
import { textLines, withoutComment } from '../reading.ts';

const name = 'anynet';

/** What a file tells of, by the numbers that it gives. */
interface Listing {
  readonly routers: Set<number>;
  readonly nodes: Map<number, { readonly router: number; readonly line: number }>;
  /** The higher ends by the lower one; BookSim knows no parallel links. */
  readonly cables: Map<number, Set<number>>;
  /** Of all sets of `cables` together. */
  cableCount: number;
  /** Links with a latency other than one cycle. */
  slowLinks: number;
  selfCabled: { links: number; line: number };
}

interface Item {
  readonly kind: 'router' | 'node';
  readonly id: number;
}

/** Lines `router 0 node 0 router 1 10`: a link may stand at one end only. O(text). */
function readAnynet(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const listing: Listing = {
    routers: new Set(),
    nodes: new Map(),
    cables: new Map(),
    cableCount: 0,
    slowLinks: 0,
    selfCabled: { links: 0, line: 0 },
  };
  for (const { line, content } of textLines(text, cancellation)) {
    const words = withoutComment(content).trim().split(/\s+/);
    if (words[0] === '') continue;
    const fault = readAnynetLine(listing, words, line);
    if (fault !== undefined) return badFabric(fileName, line, fault);
  }
  return succeed(buildListingFabric(listing));
}

function readAnynetLine(listing: Listing, words: readonly string[], line: number): string | undefined {
  let head: Item | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const item = readItem(words, at);
    if (typeof item === 'string') return item;
    if (item.kind === 'router') listing.routers.add(item.id);
    const excess = faultOfCount('switches', listing.routers.size);
    if (excess !== undefined) return excess;
    if (!head) {
      head = item;
      continue;
    }
    const fault = joinItems(listing, head, item, line);
    if (fault !== undefined) return fault;
    const latency = words[at + 2];
    if (latency === undefined || !/^\d+$/.test(latency)) continue;
    if (Number(latency) !== 1) listing.slowLinks++;
    at++;
  }
  return undefined;
}

function readItem(words: readonly string[], at: number): Item | string {
  const [kind = '', id = ''] = [words[at]?.toLowerCase(), words[at + 1]];
  if (kind !== 'router' && kind !== 'node') {
    return `Expected \`router\` or \`node\`, found ${quote(words[at] ?? '')}.`;
  }
  if (!/^\d{1,9}$/.test(id))
    return `Expected a number after \`${kind}\`, found ${quote(id)}. The file may be truncated.`;
  return { kind, id: Number(id) };
}

function joinItems(listing: Listing, one: Item, other: Item, line: number): string | undefined {
  if (one.kind === 'node' && other.kind === 'node') return 'Link between two nodes. Connect each node to a router.';
  if (one.kind === 'router' && other.kind === 'router') {
    if (one.id === other.id) {
      listing.selfCabled.links++;
      listing.selfCabled.line ||= line;
      return undefined;
    }
    const [low, high] = [Math.min(one.id, other.id), Math.max(one.id, other.id)];
    const ends = listing.cables.get(low) ?? new Set<number>();
    if (!ends.has(high)) listing.cableCount++;
    listing.cables.set(low, ends.add(high));
    return faultOfCount('cables', listing.cableCount);
  }
  const [node, router] = one.kind === 'node' ? [one.id, other.id] : [other.id, one.id];
  const before = listing.nodes.get(node);
  if (before && before.router !== router) {
    return `Node ${node} is linked to routers ${router} and ${before.router} (line ${before.line}). A node needs exactly one router.`;
  }
  if (!before) listing.nodes.set(node, { router, line });
  return faultOfCount('hosts', listing.nodes.size);
}

function buildListingFabric({ routers, nodes, cables, slowLinks, selfCabled }: Listing): Fabric {
  const builder = new FabricBuilder();
  const ids = Array.from(routers).sort((one, other) => one - other);
  const routerOf = new Map(ids.map((id) => [id, builder.addRouter(`router${id}`)]));
  for (const [id, { router }] of nodes) builder.addHost(`node${id}`, routerOf.get(router)!);
  for (const [low, ends] of cables) {
    for (const high of ends) builder.addCable(routerOf.get(low)!, routerOf.get(high)!);
  }
  if (selfCabled.links > 0) {
    const links = countOf(selfCabled.links, 'router');
    builder.warn(`${links} with a link to itself, the first here: these links are skipped.`, selfCabled.line);
  }
  if (slowLinks > 0) {
    builder.warn(
      `Links with a latency other than one cycle: ${slowLinks}. Latencies are not read; all links count alike.`,
    );
  }
  return builder.finish(name);
}

export const anynet: MachineFormatEntry = {
  name,
  summary: 'network file of BookSim',
  source: 'Jiang et al., BookSim 2, ISPASS 2013; anynet',
  details:
    'Routers are sorted by number; nodes of a router are in file order. Names are `router3` and `node7`. A link may be listed at one end only. Parallel links and latencies are not read.',
  options: [],
  recognizes: (text) => /^(?:router|node)\s+\d+\s+(?:router|node)\s+\d/i.test(firstContentLine(text)),
  largestText: 16 * 2 ** 20,
  read: readAnynet,
};
