import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { badFabric, fabricLimits, faultOfCount, withWarnings } from './builder.ts';
import type { DeviceKind } from './devices.ts';
import {
  at,
  itemsOf,
  largestJson,
  lineOfWord,
  membersOf,
  readJson,
  scalarText,
  type KnownMembers,
  passedOver,
  unknownInJson,
} from '../jsonText.ts';
import { LinkList } from './linkList.ts';

/**
 * Neighbours as lldpd tells them: `lldpctl -f json` of each device, which does not name the device that was asked.
 * So files are joined with the names: as an object by name, as a list of objects with `host`, or one after another,
 * each behind `lldpcli -f json show chassis` of the same device.
 */

/** What one device told of itself. */
interface Told {
  readonly name: string;
  readonly kind: DeviceKind | undefined;
  readonly lldp: unknown;
}

/** Switches say `Bridge` or `Router`; hosts with virtual bridges say so as well, and `Station`. */
function deviceKind(chassis: unknown): DeviceKind | undefined {
  const enabled = new Set<string>();
  for (const capability of itemsOf(at(chassis, 'capability'))) {
    if (at(capability, 'enabled') === true) enabled.add(scalarText(at(capability, 'type')).toLowerCase());
  }
  if (enabled.has('station')) return 'adapter';
  return enabled.has('bridge') || enabled.has('router') ? 'switch' : undefined;
}

/** A value as `json` writes it, or in the list of one object that `json0` makes of it. */
const lldpValue = (value: unknown): string => {
  const [first] = itemsOf(value);
  return scalarText(first) || scalarText(at(first, 'value'));
};

/** The name of a chassis and what it says: under its name, or, where it has none, with its id. */
function chassisOf(value: unknown): { readonly name: string; readonly chassis: unknown } {
  const [first] = itemsOf(value);
  const members = membersOf(first);
  const [name] = Object.keys(members);
  if (Object.hasOwn(members, 'name')) return { name: lldpValue(members['name']), chassis: first };
  if (Object.hasOwn(members, 'id')) return { name: lldpValue(members['id']), chassis: first };
  return { name: name ?? '', chassis: name === undefined ? undefined : members[name] };
}

/** What each device told, in the order of the file. */
function tellersOf(documents: readonly unknown[], fileName: string): Told[] {
  const told: Told[] = [];
  let local: { readonly name: string; readonly chassis: unknown } | undefined;
  const stem = fileName.replace(/\.[^.]*$/, '');
  for (const document of documents) {
    for (const item of itemsOf(document)) {
      const chassis = at(itemsOf(at(item, 'local-chassis'))[0], 'chassis');
      if (chassis !== undefined) local = chassisOf(chassis);
      const lldp = at(item, 'lldp');
      if (lldp !== undefined) {
        const given = ['host', 'hostname', 'name', 'device']
          .map((key) => scalarText(at(item, key)))
          .find((name) => name !== '');
        told.push({ name: given ?? local?.name ?? stem, kind: deviceKind(local?.chassis), lldp });
        local = undefined;
        continue;
      }
      for (const [name, value] of Object.entries(membersOf(item))) {
        const inside = at(value, 'lldp');
        if (inside !== undefined) told.push({ name, kind: undefined, lldp: inside });
      }
    }
  }
  return told;
}

/** Interfaces by name: a list of objects with one key each, one object, or `json0`'s with `name`. */
function* interfacesOf(lldp: unknown): Generator<readonly [string, unknown]> {
  for (const part of itemsOf(lldp)) {
    for (const item of itemsOf(at(part, 'interface'))) {
      const name = at(item, 'name');
      if (typeof name === 'string') yield [name, item];
      else for (const [key, value] of Object.entries(membersOf(item))) yield [key, value];
    }
  }
}

/** Members of a device and of a port that the reader passes over. These keys are never the name of a device. */
const chassis: KnownMembers = {
  ...passedOver('id', 'name', 'descr'),
  capability: passedOver('type', 'enabled'),
  ...passedOver('mgmt-ip', 'mgmt-iface'),
};
const port: KnownMembers = {
  ...passedOver('id', 'descr', 'ttl', 'mfs', 'auto-negotiation', 'aggregation', 'power', 'status'),
};
const neighbour: KnownMembers = {
  chassis: { ...chassis, '*': chassis },
  port,
  name: 'any',
  ...passedOver('via', 'rid', 'age', 'vlan', 'pvid', 'ppvid', 'pi', 'lldp-med', 'unknown-tlvs', 'dot3', 'power'),
};
const answer: KnownMembers = { interface: { ...neighbour, '*': neighbour } };
const known: KnownMembers = {
  ...passedOver('host', 'hostname', 'name', 'device'),
  'local-chassis': { chassis: { ...chassis, '*': chassis } },
  lldp: answer,
  '*': { lldp: answer },
};

/** O(text). */
function readLldp(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const documents = readJson(text, fileName);
  if (!documents.ok) return documents;
  const links = new LinkList();
  const tellers = tellersOf(documents.value, fileName);
  if (tellers.length === 0)
    return badFabric(fileName, 1, 'Expected `lldp` with `interface`; the file has no neighbours of a device.');
  for (const { name, kind, lldp } of tellers) {
    if (cancellation.isCancelled()) break;
    links.mention(name, kind, lineOfWord(text, name));
    for (const [port, item] of interfacesOf(lldp)) {
      const { name: peer, chassis } = chassisOf(at(item, 'chassis'));
      const [neighbour] = itemsOf(at(item, 'port'));
      const peerPort = lldpValue(at(neighbour, 'id')) || lldpValue(at(neighbour, 'descr'));
      if (peer === '') {
        return badFabric(
          fileName,
          lineOfWord(text, port),
          `The neighbour on ${quote(port)} of ${quote(name)} has neither a name nor an id. Add one.`,
        );
      }
      links.mention(peer, deviceKind(chassis), 1);
      links.link({ name, port }, { name: peer, port: peerPort }, '', 1);
      const excess = links.size > 2 * fabricLimits.cables ? faultOfCount('cables', links.size) : undefined;
      if (excess !== undefined) return badFabric(fileName, 1, excess);
    }
  }
  if (links.size === 0)
    return badFabric(fileName, 1, 'The list `interface` of `lldp` is empty. Add the neighbours of the device.');
  const fabric = links.fabric(
    'lldp',
    fileName,
    'merge the output of the switches, each under its name: {"leaf1": {"lldp": …}, …}.',
  );
  return withWarnings(fabric, unknownInJson(text, documents.value, known));
}

export const lldp: MachineFormatEntry = {
  name: 'lldp',
  summary: 'neighbours of Ethernet devices, as `lldpctl -f json` prints them',
  source: 'lldpd, lldpcli(8)',
  details:
    'Contains the output of several devices. It is an object by device name, a list of objects with `host`, or ' +
    'one after another, each behind `lldpcli -f json show chassis`. A single output belongs to the device in the ' +
    'file name. Devices with `Bridge` or `Router` but not `Station` are switches.',
  options: [],
  recognizes: (text) => /^\s*[[{]/.test(text) && /"lldp"\s*:/.test(text),
  largestText: largestJson,
  read: readLldp,
};
