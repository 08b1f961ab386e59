/** The fabric that devices with ports and cables between them are: switches by GUID, their cables, hosts with their adapters. */
import type { Fabric } from '../../model/fabric.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import { badFabric } from './builder.ts';
import { addressOf, type Device, type DeviceNetwork, type PortCable, portOf } from './devices.ts';
import { addHosts } from './hosts.ts';
import { linkSpeedOf } from './linkSpeeds.ts';

/**
 * Makes a fabric of all that a file told of: switches by ascending GUID, hosts with their rails
 * merged. Fails where there is no switch at all, at the line of the last device.
 */
export function buildDeviceFabric(
  network: DeviceNetwork,
  format: string,
  fileName: string,
  advice = 'it may be truncated, or list two directly linked NICs. Run ibnetdiscover again on a host that sees the whole fabric.',
): Result<Fabric> {
  const { builder, devices, cables } = network;
  const switches = byGuid(devices.filter(({ kind }) => kind === 'switch'));
  if (switches.length === 0) {
    const last = devices.at(-1);
    const seen = last ? ` after ${quote(last.id)}` : '';
    return badFabric(fileName, last?.line ?? 1, `The file contains no switch${seen}: ${advice}`);
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
    ...cableSpeeds(cables),
  });
}

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
function cableSpeeds(cables: readonly PortCable[]): Pick<Fabric, 'speeds'> {
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

/** Devices that others are cabled to and that have no record of their own: the file may be cut off. */
function warnOfStrangers({ builder, devices }: DeviceNetwork): void {
  const strangers = devices.filter(({ hasRecord }) => !hasRecord);
  const first = strangers[0];
  if (!first) return;
  builder.warn(
    `${countOf(strangers.length, 'device')} without a record, the first ${quote(first.id)}: known only from their links. The file may be truncated.`,
    first.line,
  );
}

/** Routers between subnets have ports and carry no traffic that is counted here. */
function warnOfOthers({ builder, devices }: DeviceNetwork): void {
  const others = devices.filter(({ kind, hasRecord }) => kind === 'other' && hasRecord);
  const first = others[0];
  if (!first) return;
  builder.warn(
    `${countOf(others.length, 'router')} between subnets (Rt), the first ${quote(first.id)}: skipped with their links.`,
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
    `${countOf(lone.length, 'switch', 'switches')} without a link, the first ${quote(first.id)}. The file may be truncated.`,
    first.line,
  );
}
