import type { Device, PortCable } from './infiniband.ts';

/** An adapter on its cable to the network. */
export interface Attachment {
  readonly adapter: Device;
  /** The device at the other end. */
  readonly peer: Device;
  readonly port: number;
}

/** A host with all its adapters, the one that is used first. */
export interface Host {
  readonly name: string;
  readonly attachments: readonly Attachment[];
  /** Whether the name is the adapter's own id, because its description names no host. */
  readonly isNamedById: boolean;
}

/** SHARP's reduction engines: channel adapters inside switches, no hosts. */
export const isAggregationNode = ({ description }: Device): boolean => /\baggregation node$/i.test(description.trim());

/** The adapters' ends of cables, in the order of the file. */
export function attachmentsOf(cables: readonly PortCable[]): Attachment[] {
  const attachments: Attachment[] = [];
  for (const { from, to } of cables) {
    if (from.device.kind === 'adapter') attachments.push({ adapter: from.device, peer: to.device, port: from.port });
    if (to.device.kind === 'adapter') attachments.push({ adapter: to.device, peer: from.device, port: to.port });
  }
  return attachments;
}

/**
 * Node descriptions are `host adapter` (`node01 HCA-1`, `node01 mlx5_3`) once the host's daemon has
 * set them, one word in simulated fabrics, and the product's name before that. `localhost` is what
 * hosts call themselves that were never given a name. InfiniBand has room for 64 bytes.
 */
const longestDescription = 64;
const hostForm = /^([^\s'"]+)(?:\s+([a-z][\w.-]*\d[\w.-]*))?$/i;

function hostNameOf({ description }: Device): string | undefined {
  if (description.length > longestDescription) return undefined;
  const name = hostForm.exec(description.trim())?.[1];
  return name === undefined || /^localhost(?:\.|$)/i.test(name) ? undefined : name;
}

/**
 * Groups adapters by the host that their descriptions name. The adapters of a host (its rails) come
 * in the natural order of their names, so that every host is attached by the same rail. Where two
 * adapters have the very same description the name is no host's own, and each stands for itself.
 * Hosts are in the order in which the file first mentions the adapter that is used. O(n log n).
 */
export function groupHosts(attachments: readonly Attachment[]): Host[] {
  const ambiguous = repeatedDescriptions(attachments);
  const hosts = new Map<string, Attachment[]>();
  const named = new Set<string>();
  for (const attachment of attachments) {
    const { adapter } = attachment;
    const host = hostNameOf(adapter);
    const isNamed = host !== undefined && !ambiguous.has(adapter.description.trim());
    const name = isNamed ? host : adapter.id;
    if (isNamed) named.add(name);
    const others = hosts.get(name);
    if (others) others.push(attachment);
    else hosts.set(name, [attachment]);
  }
  const place = new Map(attachments.map((attachment, at) => [attachment, at]));
  return Array.from(hosts, ([name, own]) => ({
    name,
    attachments: own.toSorted(byAdapter),
    isNamedById: !named.has(name),
  })).sort((one, other) => place.get(one.attachments[0]!)! - place.get(other.attachments[0]!)!);
}

/** Descriptions that more than one adapter has. */
function repeatedDescriptions(attachments: readonly Attachment[]): Set<string> {
  const firstOf = new Map<string, Device>();
  const repeated = new Set<string>();
  for (const { adapter } of attachments) {
    const description = adapter.description.trim();
    const first = firstOf.get(description);
    if (first && first !== adapter) repeated.add(description);
    else firstOf.set(description, adapter);
  }
  return repeated;
}

const naturally = new Intl.Collator('en', { numeric: true });

const byAdapter = (one: Attachment, other: Attachment): number =>
  naturally.compare(one.adapter.description, other.adapter.description) || one.port - other.port;
