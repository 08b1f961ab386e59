import type { Fabric, FabricNode, SubnetAddress } from '../../model/fabric.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import type { LinkSpeed } from '../../model/machine.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import { FabricBuilder, faultOfCount, badFabric } from './builder.ts';
import { linkSpeedOf } from './linkSpeeds.ts';

/**
 * A fabric of devices with ports and cables between them, InfiniBand, Omni-Path or Ethernet, whatever file tells of it:
 * readers mention devices and connect ports of a {@link DeviceNetwork}, and `fabricOf` makes switches, hosts and cables.
 */

/** Several times what the largest machines have. */
export const deviceLimit = 2 ** 18;

export type DeviceKind = 'switch' | 'adapter' | 'other';

/** A switch, a channel adapter or another thing with ports. */
export interface Device {
  /** As the file calls it: `S-0002c90200417670`. */
  readonly id: string;
  readonly kind: DeviceKind;
  /** Node description: `node01 mlx5_0`; '' where the file gives none. */
  description: string;
  /** Of its own record; of the first that mentions it where it has none. */
  line: number;
  hasRecord: boolean;
  /** Ports that its record says it has; a device without a record has as many as are named. */
  portCount: number;
  /** What the file says of its ports; all of a switch are one, port 0. */
  readonly addresses: Map<number | string, SubnetAddress>;
}

/** One end of a cable. */
export interface PortEnd {
  readonly device: Device;
  /** Its number, or its name where ports have names: `swp1`. */
  readonly port: number | string;
}

/** A LID as files write it, which is 0 where a port has none. */
export const addressOf = (guid: string | undefined, lid: string | undefined): SubnetAddress => ({
  ...(guid !== undefined && Number.parseInt(guid, 16) > 0 && { guid: guid.toLowerCase().padStart(16, '0') }),
  ...(Number(lid) > 0 && Number(lid) <= largestLid && { lid: Number(lid) }),
});

/** LIDs above are those of multicast groups. */
export const largestLid = 0xbfff;

/** A cable with two ends, and the line that told of it first. */
interface PortCable {
  readonly from: PortEnd;
  readonly to: PortEnd;
  readonly line: number;
  /** As the file writes it: `4xQDR`; '' where it does not. */
  readonly speed: string;
}

/**
 * A fabric while its file is read. Most cables stand in a file twice, once at either
 * end: a cable is known by its two ports, so both tell of one, and either alone is enough.
 */
export class DeviceNetwork {
  readonly devices: Device[] = [];
  readonly cables: PortCable[] = [];
  readonly builder = new FabricBuilder();
  private readonly deviceOfKey = new Map<string, Device>();
  private readonly farEnd = new Map<string, string>();
  private readonly selfCabled = { ends: 0, line: 0 };

  /** The device known by `key`, made where it is new; `id` is what it is called where that is not the key. */
  mention(key: string, kind: DeviceKind, description: string, line: number, id = key): Device {
    const known = this.deviceOfKey.get(key);
    if (known) {
      if (known.description === '') known.description = description;
      return known;
    }
    const device = { id, kind, description, line, hasRecord: false, portCount: Infinity, addresses: new Map() };
    this.deviceOfKey.set(key, device);
    this.devices.push(device);
    return device;
  }

  /** Why no more can be read, as a sentence. A device takes a kilobyte. */
  get excess(): string | undefined {
    if (this.devices.length <= deviceLimit) return faultOfCount('cables', this.cables.length);
    return `The file has more than ${formatNumber(deviceLimit)} switches and adapters, the most that are read.`;
  }

  /** What is said of a port; the first that says something of it counts. */
  learn({ device, port }: PortEnd, told: SubnetAddress): void {
    if (told.guid === undefined && told.lid === undefined) return;
    const key = device.kind === 'switch' ? 0 : port;
    device.addresses.set(key, { ...told, ...device.addresses.get(key) });
  }

  connect(from: PortEnd, to: PortEnd, speed: string, line: number): void {
    if (from.device === to.device) {
      this.selfCabled.ends++;
      this.selfCabled.line ||= line;
      return;
    }
    const [here, there] = [nameOfEnd(from), nameOfEnd(to)];
    if (this.farEnd.get(here) === there && this.farEnd.get(there) === here) return;
    const taken = this.farEnd.has(here) ? from : this.farEnd.has(there) ? to : undefined;
    if (taken) {
      const other = this.farEnd.get(nameOfEnd(taken)) ?? '';
      const refused = taken === from ? there : here;
      this.builder.warn(
        `${nameOfEnd(taken)} is cabled to ${other} already; the cable to ${refused} is left out.`,
        line,
      );
      return;
    }
    this.farEnd.set(here, there);
    this.farEnd.set(there, here);
    this.cables.push({ from, to, line, speed });
  }

  /** Says once what was met many times; to be called when the whole file is read. */
  warnOfCables(): void {
    const { ends, line } = this.selfCabled;
    if (ends > 0) {
      const ports = countOf(ends, 'port');
      this.builder.warn(`${ports} of a device cabled to itself, from this line on: such cables are left out.`, line);
    }
    const speeds = new Map<string, number>();
    for (const { speed } of this.cables) if (speed !== '') speeds.set(speed, (speeds.get(speed) ?? 0) + 1);
    const listed = (known: boolean): string[] =>
      Array.from(speeds)
        .filter(([speed]) => (linkSpeedOf(speed).bandwidth !== undefined) === known)
        .map(([speed, cables]) => `${cables} of ${speed}`);
    const [known, unknown] = [listed(true), listed(false)];
    if (known.length > 1) {
      this.builder.warn(`Cables are of different widths or speeds (${known.join(', ')}): each counts with its own.`);
    }
    if (unknown.length > 0) {
      this.builder.warn(`Cables without a speed that is known (${unknown.join(', ')}): they count with the bandwidth of the machine.`); // prettier-ignore
    }
  }
}

const nameOfEnd = ({ device, port }: PortEnd): string => `port ${port} of ${quote(device.id)}`;

/**
 * Makes a fabric of all that a file told of: switches by ascending GUID, hosts with their rails
 * merged. Fails where there is no switch at all, at the line of the last device.
 */
export function fabricOf(
  network: DeviceNetwork,
  format: string,
  fileName: string,
  advice = 'it was cut off, or the fabric is two adapters on one cable. Run ibnetdiscover again, on a host that sees the whole fabric.',
): Result<Fabric> {
  const { builder, devices, cables } = network;
  const switches = byGuid(devices.filter(({ kind }) => kind === 'switch'));
  if (switches.length === 0) {
    const last = devices.at(-1);
    const seen = last ? ` after ${quote(last.id)}` : '';
    return badFabric(fileName, last?.line ?? 1, `The file names no switch${seen}: ${advice}`);
  }
  const routerOf = addSwitches(network, switches);
  for (const { from, to, speed } of cables) {
    const [one, other] = [routerOf.get(from.device), routerOf.get(to.device)];
    if (one === undefined || other === undefined) continue;
    const ports = { ...portOf('fromPort', from.port), ...portOf('toPort', to.port) };
    builder.addCable(one, other, { ...linkSpeedOf(speed), ...ports });
  }
  network.warnOfCables();
  warnOfStrangers(network);
  warnOfOthers(network);
  // With -p ports that are down stand there too.
  if (format === 'ibnetdiscover') warnOfLoneSwitches(network, switches);
  addHosts(network, routerOf);
  return succeed({
    ...builder.finish(format),
    ...addressesOf(switches),
    ...sparePortsOf(network, switches),
    ...speedsOf(cables),
  });
}

/** Numbers of ports; names of them say nothing to forwarding tables. */
const portOf = <Key extends string>(key: Key, port: number | string): Partial<Record<Key, number>> =>
  typeof port === 'number' ? ({ [key]: port } as Record<Key, number>) : {};

/** What the subnet manager calls the switches, where the file says of one. */
function addressesOf(switches: readonly Device[]): Pick<Fabric, 'addresses'> {
  const addresses = switches.map((device) => ({
    ...addressOf(guid.exec(device.id)?.[1], undefined),
    ...device.addresses.get(0),
  }));
  return addresses.some(({ guid, lid }) => guid !== undefined || lid !== undefined) ? { addresses } : {};
}

/** Ports of the switches that no cable is in, where records say how many a switch has. */
function sparePortsOf({ cables }: DeviceNetwork, switches: readonly Device[]): Pick<Fabric, 'sparePorts'> {
  if (switches.every(({ portCount }) => portCount === Infinity)) return {};
  const taken = new Map<Device, number>();
  for (const { from, to } of cables) {
    for (const { device } of [from, to]) taken.set(device, (taken.get(device) ?? 0) + 1);
  }
  const spare = (device: Device): number =>
    device.portCount === Infinity ? -1 : Math.max(0, device.portCount - (taken.get(device) ?? 0));
  return { sparePorts: switches.map(spare) };
}

/** Cables of each width and speed, most first. */
function speedsOf(cables: readonly PortCable[]): Pick<Fabric, 'speeds'> {
  const counts = new Map<string, number>();
  for (const { speed } of cables) if (speed !== '') counts.set(speed, (counts.get(speed) ?? 0) + 1);
  if (counts.size === 0) return {};
  return {
    speeds: Array.from(counts, ([speed, count]) => ({ speed, cables: count })).sort((a, b) => b.cables - a.cables),
  };
}

/** `S-0002c90200417670` of ibnetdiscover, `0x0002c90200417670` of `-p`. */
const guid = /^(?:S-|0x)([0-9a-f]+)$/i;

/**
 * Ascending GUIDs, so that up/down routing breaks its ties as OpenSM does: there the smaller GUID is
 * up, here the lower id. Files with names of their own (ibsim's) keep their order, in which ibsim
 * hands out GUIDs.
 */
function byGuid(switches: readonly Device[]): readonly Device[] {
  const keyed = switches.map((device) => ({ device, key: guid.exec(device.id)?.[1] }));
  if (keyed.some(({ key }) => key === undefined)) return switches;
  const padded = keyed.map(({ device, key = '' }) => ({ device, key: key.toLowerCase().padStart(16, '0') }));
  padded.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  return padded.map(({ device }) => device);
}

/** Managed switches describe themselves as `MF0;NAME:MODEL/U1`, parts of large ones as `MF0;NAME:MODEL/L03/U1`. */
function switchName({ description }: Device): string {
  const [, name, part = ''] = /^MF0;([^:;]+):[^/]*(\/.*)$/.exec(description.trim()) ?? [];
  if (name === undefined) return description.trim();
  return part === '/U1' ? name : name + part;
}

/** A switch goes by the name in its description where no other has the same, else by its id. */
function addSwitches({ builder }: DeviceNetwork, switches: readonly Device[]): Map<Device, number> {
  const bearers = new Map<string, number>();
  for (const device of switches) bearers.set(switchName(device), (bearers.get(switchName(device)) ?? 0) + 1);
  return new Map(
    switches.map((device) => {
      const name = switchName(device);
      return [device, builder.addRouter(name !== '' && bearers.get(name) === 1 ? name : device.id)];
    }),
  );
}

function addHosts({ builder, devices, cables }: DeviceNetwork, routerOf: ReadonlyMap<Device, number>): void {
  const adapters = devices.filter(({ kind }) => kind === 'adapter');
  const engines = new Set(adapters.filter(isAggregationNode));
  const attachments = attachmentsOf(cables).filter(({ adapter, peer }) => !engines.has(adapter) && routerOf.has(peer));
  const attached = new Set(attachments.map(({ adapter }) => adapter));
  const idle = adapters.filter((adapter) => !engines.has(adapter) && !attached.has(adapter));
  const hosts = groupHosts(attachments);
  for (const { name, attachments: own } of hosts) {
    builder.addHost(name, routerOf.get(own[0]!.peer)!, linkOf(own[0]!));
  }

  if (engines.size > 0) {
    builder.warn(
      `${countOf(engines.size, 'adapter')} of SHARP inside switches ("Aggregation Node") left out: no hosts.`,
    );
  }
  if (idle.length > 0) {
    builder.warn(
      `${countOf(idle.length, 'adapter')} without a cable to a switch, from this line on: left out.`,
      idle[0]!.line,
    );
  }
  warnOfRails(builder, hosts);
  warnOfNames(builder, hosts);
}

/** What is known of the link of a host. */
function linkOf({ adapter, port, peerPort, speed }: Attachment): LinkSpeed & Pick<FabricNode, 'port' | 'address'> {
  const address = adapter.addresses.get(port);
  return { ...linkSpeedOf(speed), ...portOf('port', peerPort), ...(address && { address }) };
}

type Warner = DeviceNetwork['builder'];

/** One sentence for all hosts with several adapters: `6 hosts with 4 adapters, 66 with 8`. */
function warnOfRails(builder: Warner, hosts: readonly Host[]): void {
  const adaptersOf = (own: readonly Attachment[]): number => new Set(own.map(({ adapter }) => adapter)).size;
  const perCount = (counts: readonly number[]): string => {
    const hostsOf = new Map<number, number>();
    for (const value of counts) if (value > 1) hostsOf.set(value, (hostsOf.get(value) ?? 0) + 1);
    const sorted = Array.from(hostsOf).sort(([one], [other]) => one - other);
    return sorted.map(([value, bearers]) => `${countOf(bearers, 'host')} with ${value}`).join(', ');
  };
  const rails = perCount(hosts.map(({ attachments }) => adaptersOf(attachments)));
  if (rails !== '') {
    builder.warn(
      `Hosts with several adapters (${rails}): each is one node, attached by the first of its adapters by name.`,
    );
  }
  const single = hosts.filter(({ attachments }) => adaptersOf(attachments) === 1);
  const ports = perCount(single.map(({ attachments }) => attachments.length));
  if (ports !== '') {
    builder.warn(`Hosts with several ports cabled (${ports}): each is one node, attached by the lowest port.`);
  }
}

function warnOfNames(builder: Warner, hosts: readonly Host[]): void {
  const unnamed = hosts.filter(
    ({ isNamedById, attachments }) => isNamedById && attachments[0]!.adapter.description !== '',
  );
  const first = unnamed[0]?.attachments[0]!.adapter;
  if (!first) return;
  builder.warn(
    `Adapters that count as a host each, under their own ids: ${unnamed.length}. Descriptions like ${quote(first.description)} name no host.`,
    first.line,
  );
}

/** Devices that others are cabled to and that have no record of their own: the file may be cut off. */
function warnOfStrangers({ builder, devices }: DeviceNetwork): void {
  const strangers = devices.filter(({ hasRecord }) => !hasRecord);
  const first = strangers[0];
  if (!first) return;
  builder.warn(
    `${countOf(strangers.length, 'device')} without a record, the first ${quote(first.id)}: known from the other ends of their cables. The file may be cut off.`,
    first.line,
  );
}

/** Routers between subnets have ports and carry no traffic that is counted here. */
function warnOfOthers({ builder, devices }: DeviceNetwork): void {
  const others = devices.filter(({ kind, hasRecord }) => kind === 'other' && hasRecord);
  const first = others[0];
  if (!first) return;
  builder.warn(
    `${countOf(others.length, 'router')} between subnets (Rt), the first ${quote(first.id)}: left out with their cables.`,
    first.line,
  );
}

/** A switch whose record tells of no cable, which the tool would not have found. */
function warnOfLoneSwitches({ builder, cables }: DeviceNetwork, switches: readonly Device[]): void {
  const cabled = new Set(cables.flatMap(({ from, to }) => [from.device, to.device]));
  const lone = switches.filter((device) => device.hasRecord && !cabled.has(device));
  const first = lone[0];
  if (!first) return;
  builder.warn(
    `${countOf(lone.length, 'switch', 'switches')} without a cable, the first ${quote(first.id)}. The file may be cut off.`,
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

/** A host with all its adapters, the one that is used first. */
interface Host {
  readonly name: string;
  readonly attachments: readonly Attachment[];
  /** Whether the name is the adapter's own id, because its description names no host. */
  readonly isNamedById: boolean;
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

/**
 * Groups adapters by the host that their descriptions name. The adapters of a host (its rails) come
 * in the natural order of their names, so that every host is attached by the same rail. Where two
 * adapters have the very same description the name is no host's own, and each stands for itself.
 * Hosts are in the order in which the file first mentions the adapter that is used. O(n log n).
 */
function groupHosts(attachments: readonly Attachment[]): Host[] {
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
  naturally.compare(one.adapter.description, other.adapter.description) ||
  naturally.compare(String(one.port), String(other.port));
