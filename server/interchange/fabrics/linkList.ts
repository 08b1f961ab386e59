import type { Fabric } from '../../model/fabric.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result } from '../../model/result.ts';
import { type Device, type DeviceKind, DeviceNetwork } from './devices.ts';
import { buildDeviceFabric } from './deviceFabric.ts';

/** What a file says of a device. */
interface Known {
  readonly name: string;
  readonly line: number;
  kind: DeviceKind | undefined;
  readonly ports: Set<string>;
  readonly neighbours: Set<Known>;
}

/** One end of a link; '' where the file names no port. */
export interface LinkEnd {
  readonly name: string;
  readonly port: string;
}

interface Link {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  readonly speed: string;
  readonly line: number;
}

/** How Ethernet switches call their ports; hosts have `eth0`, `ens4f0`, `enp3s0`, `mlx5_0`. */
const switchPort = /^(?:swp|ethernet\d|et-|xe-|ge-|qsfp)/i;
const hostPort = /^(?:eth\d|en[opsx]|ib\d|ibp|mlx|bond|hfi|rdma)/i;
const switchName = /spine|leaf|core\b|\btor|switch|^sw\d|router/i;
const hostName = /server|host|node|compute|gpu|worker/i;

/**
 * Links between devices by their names, as Ethernet's tools tell of them. Where the file does not say what is a switch,
 * names of ports tell, then names of devices, then the number of neighbours.
 */
export class LinkList {
  private readonly devices = new Map<string, Known>();
  private readonly links: Link[] = [];

  /** Why no more can be read, as a sentence. */
  excess: string | undefined;

  mention(name: string, kind: DeviceKind | undefined, line: number): void {
    const known = this.devices.get(name);
    if (known) known.kind ??= kind;
    else this.devices.set(name, { name, line, kind, ports: new Set(), neighbours: new Set() });
  }

  link(from: LinkEnd, to: LinkEnd, speed: string, line: number): void {
    for (const { name } of [from, to]) this.mention(name, undefined, line);
    const [one, other] = [this.devices.get(from.name)!, this.devices.get(to.name)!];
    if (from.port !== '') one.ports.add(from.port);
    if (to.port !== '') other.ports.add(to.port);
    one.neighbours.add(other);
    other.neighbours.add(one);
    this.links.push({ from, to, speed, line });
  }

  /** How many links there are. */
  get size(): number {
    return this.links.length;
  }

  /** Fails where there is no switch among them. O(links). */
  fabric(format: string, fileName: string, advice: string): Result<Fabric> {
    const network = new DeviceNetwork();
    const guessed = this.guess();
    const devices = new Map<string, Device>();
    for (const { name, kind = 'other', line } of this.devices.values()) {
      const description = /^\S{1,64}$/.test(name) ? name : '';
      const device = network.mention(name, kind, description, line);
      device.hasRecord = true;
      devices.set(name, device);
    }
    // A link without ports stands on ports of its own, unless it was told of from its other end.
    const counts = new Map<string, number>();
    for (const { from, to, speed, line } of this.links) {
      const key = JSON.stringify([from.name, to.name]);
      const count = (counts.get(key) ?? 0) + 1;
      if (from.port === '' || to.port === '') counts.set(key, count);
      const [low, high] = from.name < to.name ? [from.name, to.name] : [to.name, from.name];
      const own = `link ${count} of ${low} and ${high}`;
      const [near, distant] = [devices.get(from.name)!, devices.get(to.name)!];
      network.connect({ device: near, port: from.port || own }, { device: distant, port: to.port || own }, speed, line);
    }
    if (guessed.length > 0) {
      const listed = guessed
        .slice(0, 4)
        .map(({ name, kind }) => `${quote(name)} a ${kind === 'switch' ? 'switch' : 'host'}`);
      const more = guessed.length > listed.length ? ' …' : '';
      network.builder.warn(
        `${countOf(guessed.length, 'device')} of unknown kind (switch or host): inferred from ports, names and neighbours (${listed.join(', ')}${more}).`,
        guessed[0]!.line,
      );
    }
    return buildDeviceFabric(network, format, fileName, advice);
  }

  /** Gives a kind to those that have none, and returns them. */
  private guess(): Known[] {
    const unknown = Array.from(this.devices.values()).filter(({ kind }) => kind === undefined);
    for (const device of unknown) {
      const { name, ports } = device;
      const byPorts = ports.size > 0 && Array.from(ports).every((port) => switchPort.test(port));
      if (byPorts || (switchName.test(name) && !hostName.test(name))) device.kind = 'switch';
      else if (Array.from(ports).some((port) => hostPort.test(port)) || hostName.test(name)) device.kind = 'adapter';
    }
    const left = unknown.filter(({ kind }) => kind === undefined);
    for (const device of left) {
      const reaches = Array.from(device.neighbours).some(
        ({ kind, neighbours }) => kind === 'adapter' || neighbours.size === 1,
      );
      device.kind = device.neighbours.size > 2 || (reaches && device.neighbours.size > 1) ? 'switch' : 'adapter';
    }
    // Two devices on one cable: either may be the switch.
    if (left.length > 0 && !Array.from(this.devices.values()).some(({ kind }) => kind === 'switch'))
      left[0]!.kind = 'switch';
    return unknown;
  }
}
