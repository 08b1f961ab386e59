/**
 * The hosts of a fabric of devices, and which adapters are theirs: `addHosts`. Adapters are of one host where their descriptions name the
 * same one (`node01 mlx5_0`, `node01 mlx5_1`), or else where they say that they are of one system; of those that say neither, where they
 * are on the same port of leaves of one block, one leaf for each rail, on which hosts with names stand so.
 */
import type { FabricAdapter } from '../../model/fabric.ts';
import { mostRails } from '../../model/rails.ts';
import { countOf } from '../../model/quantities.ts';
import { quote } from '../../model/result.ts';
import { type Device, type DeviceNetwork, type PortCable, portOf } from './devices.ts';
import { linkSpeedOf } from './linkSpeeds.ts';

/** Adds the hosts to the network's builder, those of the cable that the file names first before others. */
export function addHosts({ builder, devices, cables }: DeviceNetwork, routerOf: ReadonlyMap<Device, number>): void {
  const adapters = devices.filter(({ kind }) => kind === 'adapter');
  const engines = new Set(adapters.filter(isAggregationNode));
  const attachments = attachmentsOf(cables).filter(({ adapter, peer }) => !engines.has(adapter) && routerOf.has(peer));
  const attached = new Set(attachments.map(({ adapter }) => adapter));
  const idle = adapters.filter((adapter) => !engines.has(adapter) && !attached.has(adapter));
  const hosts = groupHosts(attachments);
  const railOf = railNumbers(hosts);
  for (const { name, attachments: own } of hosts) {
    const rails = railOf(own);
    const [first, ...further] = own
      .map((attachment, at) => adapterOf(attachment, routerOf.get(attachment.peer)!, rails[at]!, own.length > 1))
      .sort((one, other) => (one.rail ?? 0) - (other.rail ?? 0));
    if (first === undefined) continue;
    const { router, ...link } = first;
    builder.addHost(name, router, { ...link, ...(further.length > 0 && { further }) });
  }

  if (engines.size > 0) {
    builder.warn(
      `${countOf(engines.size, 'adapter')} for SHARP inside switches ("Aggregation Node"): skipped, not hosts.`,
    );
  }
  if (idle.length > 0) {
    builder.warn(
      `${countOf(idle.length, 'adapter')} without a link to a switch, from this line on: skipped.`,
      idle[0]!.line,
    );
  }
  warnOfRails(builder, hosts);
  warnOfNames(builder, hosts);
}

/** What is known of one adapter of a host; its name where the host has several. */
function adapterOf(attachment: Attachment, router: number, rail: number, isOneOfSeveral: boolean): FabricAdapter {
  const { adapter, port, peerPort, speed } = attachment;
  const address = adapter.addresses.get(port);
  return {
    router,
    ...linkSpeedOf(speed),
    ...portOf('port', peerPort),
    ...(address && { address }),
    ...(rail > 0 && { rail }),
    ...(isOneOfSeveral && { adapter: adapterName(attachment) || adapter.id }),
  };
}

type Warner = DeviceNetwork['builder'];

/** How many hosts have how many rails: `6 hosts with 4 adapters, 66 with 8`; unequal numbers are worth a warning. */
function warnOfRails(builder: Warner, hosts: readonly Host[]): void {
  const hostsOf = new Map<number, number>();
  for (const { attachments } of hosts) hostsOf.set(attachments.length, (hostsOf.get(attachments.length) ?? 0) + 1);
  const sorted = Array.from(hostsOf).sort(([one], [other]) => one - other);
  const grouped = hosts.filter(({ isByPosition }) => isByPosition);
  if (sorted.length > 1) {
    const counts = sorted.map(([value, bearers]) => `${countOf(bearers, 'host')} with ${value}`).join(', ');
    builder.warn(`Hosts have different numbers of NICs (${counts}). Each is one node with as many rails.`);
  }
  const first = grouped[0]?.attachments[0]?.adapter;
  if (first !== undefined) {
    const adapters = grouped.reduce((sum, { attachments }) => sum + attachments.length, 0);
    builder.warn(
      `NICs without a host name: ${adapters}. They use the same ports of leaves with shared hosts and count as ${countOf(grouped.length, 'host')}.`,
      first.line,
    );
  }
}

function warnOfNames(builder: Warner, hosts: readonly Host[]): void {
  const unnamed = hosts.filter(
    ({ isNamedById, isByPosition, attachments }) =>
      isNamedById && !isByPosition && attachments[0]!.adapter.description !== '',
  );
  const first = unnamed[0]?.attachments[0]!.adapter;
  if (!first) return;
  builder.warn(
    `NICs that count as a host each, named by id: ${unnamed.length}. Descriptions like ${quote(first.description)} contain no host name.`,
    first.line,
  );
}

/** An adapter on its cable to the network. */
interface Attachment {
  readonly adapter: Device;
  /** The device at the other end. */
  readonly peer: Device;
  readonly peerPort: number | string;
  readonly port: number | string;
  readonly speed: string;
}

/** A host with all its adapters by name. */
interface Host {
  readonly name: string;
  readonly attachments: readonly Attachment[];
  /** Whether the name is the adapter's own id, because its description names no host. */
  readonly isNamedById: boolean;
  /** Whether its adapters were found by the ports that they are on. */
  readonly isByPosition: boolean;
}

/** SHARP's reduction engines: channel adapters inside switches, no hosts. */
const isAggregationNode = ({ description }: Device): boolean => /\baggregation node$/i.test(description.trim());

/** The adapters' ends of cables, in the order of the file. */
function attachmentsOf(cables: readonly PortCable[]): Attachment[] {
  const attachments: Attachment[] = [];
  for (const { from, to, speed } of cables) {
    for (const [own, { device: peer, port: peerPort }] of [
      [from, to],
      [to, from],
    ] as const) {
      if (own.device.kind === 'adapter')
        attachments.push({ adapter: own.device, peer, peerPort, port: own.port, speed });
    }
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

/** `mlx5_3` of `node01 mlx5_3`, with the port where it is not the first: `mlx5_3:2`; '' where the description has none. */
function adapterName({ adapter, port }: Attachment): string {
  const word = hostForm.exec(adapter.description.trim())?.[2] ?? '';
  return word === '' || String(port) === '1' || port === '' ? word : `${word}:${port}`;
}

/**
 * Adapters by host, those of a host in the natural order of their names. Where two adapters have the very same description the
 * name is no host's own, and it says nothing. Hosts are in the order in which the file first mentions their first
 * adapter. O(n log n).
 */
function groupHosts(attachments: readonly Attachment[]): Host[] {
  const ambiguous = repeatedDescriptions(attachments);
  const nameOf = ({ adapter }: Attachment): string | undefined =>
    ambiguous.has(adapter.description.trim()) ? undefined : hostNameOf(adapter);
  const byPosition = positionKeys(attachments, nameOf);
  const systems = repeatedSystems(attachments);
  const hosts = new Map<string, { own: Attachment[]; isNamedById: boolean; isByPosition: boolean }>();
  for (const attachment of attachments) {
    const { adapter } = attachment;
    const named = nameOf(attachment);
    const system = adapter.system !== undefined && systems.has(adapter.system) ? adapter.system : undefined;
    const place = system === undefined ? byPosition.get(attachment) : undefined;
    const key = named ?? (system === undefined ? (place ?? adapter.id) : `system ${system}`);
    const known = hosts.get(key);
    if (known) known.own.push(attachment);
    else {
      const isByPosition = named === undefined && place !== undefined;
      hosts.set(key, { own: [attachment], isNamedById: named === undefined, isByPosition });
    }
  }
  const place = new Map(attachments.map((attachment, at) => [attachment, at]));
  return Array.from(hosts, ([key, { own, isNamedById, isByPosition }]) => {
    const sorted = own.toSorted(byAdapter);
    const name = isNamedById ? sorted[0]!.adapter.id : key;
    return { name, attachments: sorted, isNamedById, isByPosition };
  }).sort((one, other) => place.get(one.attachments[0]!)! - place.get(other.attachments[0]!)!);
}

/** Systems of which several adapters say that they are a part. */
function repeatedSystems(attachments: readonly Attachment[]): ReadonlySet<string> {
  const adapters = new Map<string, Set<Device>>();
  for (const { adapter } of attachments) {
    if (adapter.system === undefined) continue;
    const own = adapters.get(adapter.system) ?? new Set();
    adapters.set(adapter.system, own.add(adapter));
  }
  return new Set(Array.from(adapters).flatMap(([system, own]) => (own.size > 1 ? [system] : [])));
}

/** Adapters of hosts with names, by host. */
type NamedHosts = ReadonlyMap<string, readonly Attachment[]>;

/**
 * A key for each adapter without a name that is on the same port as others of leaves of its block; only where most hosts of several
 * leaves are on one port of all of them, as in rail-optimised fabrics, which are cabled so. O(n).
 */
function positionKeys(
  attachments: readonly Attachment[],
  nameOf: (attachment: Attachment) => string | undefined,
): ReadonlyMap<Attachment, string> {
  const named = new Map<string, Attachment[]>();
  for (const attachment of attachments) {
    const name = nameOf(attachment);
    if (name !== undefined) listForKey(named, name).push(attachment);
  }
  if (!standByPort(named)) return new Map();
  const blockOf = blocksOfLeaves(named);
  const groups = new Map<string, Attachment[]>();
  for (const attachment of attachments) {
    const block = nameOf(attachment) === undefined ? blockOf.get(attachment.peer) : undefined;
    if (block !== undefined) listForKey(groups, `port ${attachment.peerPort} of ${block.id}`).push(attachment);
  }
  const isOneHost = (own: readonly Attachment[]): boolean =>
    own.length > 1 && new Set(own.map(({ peer }) => peer)).size === own.length;
  return new Map(
    Array.from(groups).flatMap(([key, own]) => (isOneHost(own) ? own.map((each) => [each, key] as const) : [])),
  );
}

/** The list of a key, made where it is new. */
function listForKey<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const known = lists.get(key) ?? [];
  if (known.length === 0) lists.set(key, known);
  return known;
}

/** Whether most hosts on several leaves are on the same port of each. */
function standByPort(named: NamedHosts): boolean {
  const several = Array.from(named.values()).filter((own) => new Set(own.map(({ peer }) => peer)).size > 1);
  const aligned = several.filter((own) => new Set(own.map(({ peerPort }) => peerPort)).size === 1);
  return 2 * aligned.length > several.length;
}

/** Blocks of leaves, each by its first: those of which most hosts of either are on both. */
function blocksOfLeaves(named: NamedHosts): ReadonlyMap<Device, Device> {
  const hostsOf = new Map<Device, string[]>();
  for (const [name, own] of named)
    for (const peer of new Set(own.map((each) => each.peer))) listForKey(hostsOf, peer).push(name);
  const blockOf = new Map<Device, Device>();
  for (const [leaf, names] of hostsOf) {
    const shared = new Map<Device, number>();
    for (const name of names) {
      for (const peer of new Set(named.get(name)?.map((each) => each.peer)))
        shared.set(peer, (shared.get(peer) ?? 0) + 1);
    }
    const isSibling = ([other, count]: readonly [Device, number]): boolean =>
      2 * count > Math.max(names.length, hostsOf.get(other)?.length ?? 0);
    const siblings = Array.from(shared).filter(isSibling);
    const known = siblings.map(([other]) => blockOf.get(other)).find((block) => block !== undefined);
    blockOf.set(leaf, known ?? leaf);
  }
  return blockOf;
}

/**
 * Rails of the adapters of hosts. Adapters of one name are one rail on all hosts: `HCA-1`, `HCA-2`, `HCA-5`, `HCA-6` are rails 0 to 3, and so
 * are `mlx5_0`, `mlx5_1`, `mlx5_4`, `mlx5_5`. An adapter without a name has the rail of those with names on its switch; where that
 * does not tell the adapters of a host apart they are numbered as they stand. O(n log n).
 */
function railNumbers(hosts: readonly Host[]): (own: readonly Attachment[]) => readonly number[] {
  const families = new Map<string, Set<string>>();
  const familyOf = (name: string): string => name.replace(/\d+.*$/, '');
  for (const { attachments } of hosts) {
    if (attachments.length < 2) continue;
    for (const name of attachments.map(adapterName)) {
      if (name !== '') families.set(familyOf(name), (families.get(familyOf(name)) ?? new Set()).add(name));
    }
  }
  const railOfName = new Map<string, number>();
  for (const names of families.values())
    [...names].sort((one, other) => naturally.compare(one, other)).forEach((name, rail) => railOfName.set(name, rail));
  const railOfSwitch = new Map<Device, number>();
  for (const { attachments } of hosts) {
    for (const attachment of attachments) {
      const rail = railOfName.get(adapterName(attachment));
      if (rail !== undefined && !railOfSwitch.has(attachment.peer)) railOfSwitch.set(attachment.peer, rail);
    }
  }
  return (own) => {
    if (own.length === 1) return [0];
    const rails = own.map((each) => railOfName.get(adapterName(each)) ?? railOfSwitch.get(each.peer) ?? -1);
    const areTold = rails.every((rail) => rail >= 0 && rail < mostRails) && new Set(rails).size === own.length;
    return areTold ? rails : own.map((_, at) => at);
  };
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
  naturally.compare(one.adapter.description, other.adapter.description) ||
  naturally.compare(String(one.port), String(other.port));
