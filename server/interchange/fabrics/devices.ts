import type { SubnetAddress } from '../../model/fabric.ts';
import { largestLid } from '../../model/forwarding.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import { quote } from '../../model/result.ts';
import { FabricBuilder, faultOfCount } from './builder.ts';
import { linkSpeedOf } from './linkSpeeds.ts';

/**
 * A fabric of devices with ports and cables between them, InfiniBand, Omni-Path or Ethernet, whatever file tells of it:
 * readers mention devices and connect ports of a {@link DeviceNetwork}, of which `deviceFabric.ts` makes switches, hosts and cables.
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
  /** GUID of the system that it is a part of, where the file says; adapters of one are in one host. */
  system?: string;
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

/** A cable with two ends, and the line that told of it first. */
export interface PortCable {
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
    return `The file has more than ${formatNumber(deviceLimit)} switches and NICs, the maximum.`;
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
      this.builder.warn(`${nameOfEnd(taken)} is already linked to ${other}. The link to ${refused} is skipped.`, line);
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
      this.builder.warn(`${ports} with a link to the same device, from this line on: skipped.`, line);
    }
    const speeds = new Map<string, number>();
    for (const { speed } of this.cables) if (speed !== '') speeds.set(speed, (speeds.get(speed) ?? 0) + 1);
    const listed = (known: boolean): string[] =>
      Array.from(speeds)
        .filter(([speed]) => (linkSpeedOf(speed).bandwidth !== undefined) === known)
        .map(([speed, cables]) => `${cables} with ${speed}`);
    const [known, unknown] = [listed(true), listed(false)];
    if (known.length > 1) {
      this.builder.warn(`Links have different widths or speeds (${known.join(', ')}). Each keeps its own.`);
    }
    if (unknown.length > 0) {
      this.builder.warn(`Links with unknown speed (${unknown.join(', ')}) use the bandwidth of the machine.`);
    }
  }
}

const nameOfEnd = ({ device, port }: PortEnd): string => `port ${port} of ${quote(device.id)}`;

/** Numbers of ports; names of them say nothing to forwarding tables. */
export const portOf = <Key extends string>(key: Key, port: number | string): Partial<Record<Key, number>> =>
  typeof port === 'number' ? ({ [key]: port } as Record<Key, number>) : {};
