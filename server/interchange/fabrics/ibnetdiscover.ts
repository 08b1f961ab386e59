import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { addressOf, type Device, type DeviceKind, DeviceNetwork, deviceLimit, type PortEnd } from './devices.ts';
import { buildDeviceFabric } from './deviceFabric.ts';
import { textLines } from '../reading.ts';
import { badFabric } from './builder.ts';

/**
 * What ibnetdiscover of infiniband-diags prints: records of devices with their ports, which ibsim's net files are as
 * well, or, with `-p`, a row for each port. What devices and cables mean as a network says `devices.ts`.
 */

/** `Switch  36 "S-0002c90200417670"   # "description" base port 0 lid 18 lmc 0` */
const header = /^(switch|ca|hca|rt|router)\s+(\d+)\s+"([^"]*)"(.*)$/i;

/** `[7](guid)  "S-0008f10500108098"[34](guid)   # "description" lid 20 4xQDR`; `[ext 3]` after a port with -g. */
const portLine = /^\[(\d+)\](?:\[ext \d+\])?(?:\(([^)]*)\))?\s*"([^"]*)"\s*\[(\d+)\](?:\(([^)]*)\))?(.*)$/;

/** LIDs that stand before and behind the description of a line. */
function lidsIn(rest: string): readonly [string | undefined, string | undefined] {
  const [first, last] = [rest.indexOf('"'), rest.lastIndexOf('"')];
  if (first < 0) return [undefined, undefined];
  const lidOf = (text: string): string | undefined => /\blid\s+(\d{1,5})\b/i.exec(text)?.[1];
  return [lidOf(rest.slice(0, first)), lidOf(rest.slice(last + 1))];
}

/** GUIDs in brackets are written without leading zeros. */
const guidIn = (text: string | undefined): string | undefined => /^[0-9a-f]{1,16}$/i.exec(text ?? '')?.[0];

/** Lines that say nothing of cables: comments, GUIDs and numbers of a device, the words of `-g`, ibsim's console commands. */
const silent =
  /^(?:#|(?:vendid|devid|sysimgguid|switchguid|caguid|nodeguid|portguid|rtguid|module|type|nodedesc|baseguid|guidbase)\s*=|(?:non-)?chassis\b|(?:spine|line|slot|guid)\b|do\b)/i;

const speed = /\b(\d+x ?[A-Z]+\d*)\s*$|\bw\s*=\s*(\d+)/;

const kinds: Readonly<Record<string, DeviceKind>> = { switch: 'switch', ca: 'adapter', hca: 'adapter' };
const kindsOfPrefixes: Readonly<Record<string, DeviceKind>> = { S: 'switch', H: 'adapter', R: 'other' };

/** Two passes: the first learns what every id is, because ibsim's ids do not tell. O(text). */
function readIbnetdiscover(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const network = new DeviceNetwork();
  const kindOf = readHeaders(text);
  const passedOver = { lines: 0, first: 0 };
  let device: Device | undefined;
  let system: string | undefined;
  for (const { line, content } of textLines(text, cancellation)) {
    const trimmed = content.trim();
    if (trimmed === '') continue;
    system = systemIn(trimmed) ?? system;
    const head = header.exec(trimmed);
    if (head) {
      device = openRecord(network, head, line, system);
      system = undefined;
      if (network.excess !== undefined) return badFabric(fileName, line, network.excess);
    } else if (trimmed.startsWith('[')) {
      const fault = readPort(network, device, trimmed, kindOf, line);
      if (fault !== undefined) return badFabric(fileName, line, fault);
    } else if (/^include\b/i.test(trimmed)) {
      return badFabric(fileName, line, 'The file includes another file, which is not read. Merge the files.');
    } else if (device && !silent.test(trimmed)) {
      passedOver.lines++;
      passedOver.first ||= line;
    }
  }
  if (passedOver.lines > 0) {
    const lines = countOf(passedOver.lines, 'line');
    network.builder.warn(`${lines} without a record or a port, from this line on: skipped.`, passedOver.first);
  }
  return buildDeviceFabric(network, 'ibnetdiscover', fileName);
}

function readHeaders(text: string): ReadonlyMap<string, DeviceKind> {
  const found = new Map<string, DeviceKind>();
  for (const [, word = '', id = ''] of text.matchAll(/^[ \t]*(switch|ca|hca|rt|router)[ \t]+\d+[ \t]+"([^"\n]*)"/gim)) {
    found.set(id, kinds[word.toLowerCase()] ?? 'other');
    // So many are refused when their records are read.
    if (found.size > deviceLimit) break;
  }
  return found;
}

/** `sysimgguid=0xe09d730300857b50`, which stands before the record that it is of. */
const systemIn = (line: string): string | undefined =>
  /^sysimgguid\s*=\s*0x([0-9a-f]{1,16})$/i.exec(line)?.[1]?.toLowerCase();

function openRecord(
  network: DeviceNetwork,
  [, word = '', ports = '', id = '', rest = '']: RegExpExecArray,
  line: number,
  system: string | undefined,
): Device {
  const device = network.mention(id, kinds[word.toLowerCase()] ?? 'other', describedIn(rest), line);
  device.hasRecord = true;
  device.line = line;
  if (system !== undefined) device.system = system;
  device.portCount = Number(ports);
  if (device.kind === 'switch') network.learn({ device, port: 0 }, addressOf(undefined, lidsIn(rest)[1]));
  return device;
}

/** What is wrong with the line, if anything. */
function readPort(
  network: DeviceNetwork,
  device: Device | undefined,
  text: string,
  kindOf: ReadonlyMap<string, DeviceKind>,
  line: number,
): string | undefined {
  if (!device) return 'Port before the first switch or NIC. The beginning of the file is missing.';
  const found = portLine.exec(text);
  if (!found) {
    return `Invalid port line ${quote(text)}. Expected \`[port] "device"[port]\`. The file may be truncated.`;
  }
  const [, port = '', guid, id = '', farPort = '', farGuid, rest = ''] = found;
  if (Number(port) > device.portCount) {
    return `${quote(device.id)} has ${countOf(device.portCount, 'port')} in its record but a link on port ${port}. Correct one of them.`;
  }
  const kind = kindOf.get(id) ?? kindsOfPrefixes[/^([SHR])-/.exec(id)?.[1] ?? ''];
  if (!kind) return `${quote(id)} has no record in the file. Add one; the file may be truncated.`;
  // The description on a line is of the far device where this one is a switch, and of the switch otherwise: always of
  // the far one.
  const peer = network.mention(id, kind, describedIn(rest), line);
  const [, told, width] = speed.exec(rest) ?? [];
  const rate = told ?? (width === undefined ? '' : `${width}x`);
  const [own, other] = [
    { device, port: Number(port) },
    { device: peer, port: Number(farPort) },
  ] as const;
  // In the record of an adapter its own LID stands before the description of the switch, and that of the switch behind it.
  const [ownLid, otherLid] = lidsIn(rest);
  network.learn(own, addressOf(guidIn(guid), ownLid));
  network.learn(other, addressOf(guidIn(farGuid), otherLid));
  network.connect(own, other, rate, line);
  return network.excess;
}

/** What stands between quotes after `#`: a description may itself hold quotes and `#`. */
function describedIn(rest: string): string {
  const first = rest.indexOf('"', Math.max(rest.indexOf('#'), 0));
  const last = rest.lastIndexOf('"');
  return first >= 0 && last > first ? rest.slice(first + 1, last) : '';
}

export const ibnetdiscover: MachineFormatEntry = {
  name: 'ibnetdiscover',
  summary: 'InfiniBand fabric, as `ibnetdiscover` prints it, and net files of ibsim',
  source: 'infiniband-diags, ibnetdiscover(8); linux-rdma/ibsim',
  details:
    'Switches are sorted by GUID, as OpenSM breaks ties in up/down routing. A host is the first word of a node description (`node01 mlx5_0`), and each of its NICs is a rail. NICs with the same name are one rail on all hosts. NICs without a host name are one host if they share a system GUID, or the same port number on leaves with shared hosts. Otherwise each is a host named by its id. SHARP aggregation nodes are not hosts. A link may be listed at one end only.',
  options: [],
  recognizes: (text) => /^[ \t]*(?:switch|ca|hca|rt)[ \t]+\d+[ \t]+"/im.test(text),
  read: readIbnetdiscover,
};

/** `CA   134  1 0x7cfe9003003b4bde 4x EDR`, then a peer and descriptions, or this end's description. */
const row = /^(CA|SW|RT)\s+(\d+)\s+(\d+)\s+0x([0-9a-f]{16})\s+(\d+x)\s+(\S+)(.*)$/i;
/** `- SW  1719 10 0x7cfe9003009ce5b0 ( 'o0001 HCA-1' - 'ib-i1l1s01' )` */
const far = /^\s*-\s+(CA|SW|RT)\s+(\d+)\s+(\d+)\s+0x([0-9a-f]{16})\s*\((.*)\)\s*$/i;

const kindsOfRows: Readonly<Record<string, DeviceKind>> = { SW: 'switch', CA: 'adapter', RT: 'other' };

/** One row per port; rows without a peer are ports that are down. O(text). */
function readPorts(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const network = new DeviceNetwork();
  let rows = 0;
  for (const { line, content } of textLines(text, cancellation)) {
    const trimmed = content.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const found = row.exec(trimmed);
    // What the tool says on standard error may stand before the first row.
    if (!found && rows === 0) continue;
    if (!found) {
      return badFabric(fileName, line, `Invalid port line ${quote(trimmed)}. The file may be truncated.`);
    }
    rows++;
    const fault = readRow(network, found, line);
    if (fault !== undefined) return badFabric(fileName, line, fault);
  }
  return buildDeviceFabric(network, 'ibnetdiscover-p', fileName);
}

function readRow(network: DeviceNetwork, found: RegExpExecArray, line: number): string | undefined {
  const [, kind = '', lid = '', port = '', guid = '', width = '', rate = '', rest = ''] = found;
  const peer = far.exec(rest);
  if (!peer) {
    if (/^\s*-\s/.test(rest)) return `Invalid far end of a link ${quote(rest.trim())}. The file may be truncated.`;
    mentionPort(network, { kind, lid, port, guid, description: unquoted(rest) }, line).device.hasRecord = true;
    return network.excess;
  }
  const [, farKind = '', farLid = '', farPort = '', farGuid = '', names = ''] = peer;
  const [here, there] = descriptionsIn(names);
  const from = mentionPort(network, { kind, lid, port, guid, description: here }, line);
  from.device.hasRecord = true;
  const to = mentionPort(
    network,
    { kind: farKind, lid: farLid, port: farPort, guid: farGuid, description: there },
    line,
  );
  network.connect(from, to, `${width}${rate}`, line);
  return network.excess;
}

interface PortRow {
  readonly kind: string;
  readonly lid: string;
  readonly port: string;
  readonly guid: string;
  readonly description: string;
}

/**
 * Switches have one GUID, adapters one per port, which is the adapter's plus the port's number on
 * older hardware: so less its port, and with its description, it names the adapter.
 */
export function mentionPort(
  network: DeviceNetwork,
  { kind, lid, port, guid, description }: PortRow,
  line: number,
): PortEnd {
  const isSwitch = kind.toUpperCase() === 'SW';
  const adapter = (BigInt(`0x${guid}`) - BigInt(port)).toString(16);
  const id = isSwitch ? `S-${guid}` : `H-${guid}`;
  const key = isSwitch ? id : `${kind} ${adapter} ${description}`;
  const device = network.mention(key, kindsOfRows[kind.toUpperCase()] ?? 'other', description, line, id);
  const end = { device, port: Number(port) };
  network.learn(end, addressOf(guid, lid));
  return end;
}

/** `'one' - 'other'`; a description may hold ` - ` itself, but hardly between quotes. */
function descriptionsIn(names: string): readonly [string, string] {
  const [one = '', ...others] = names.includes("' - '") ? names.split("' - '") : names.split(' - ');
  return [unquoted(one), unquoted(others.join(' - '))];
}

const unquoted = (text: string): string => text.trim().replace(/^'|'$/g, '').trim();

export const ibnetdiscoverPorts: MachineFormatEntry = {
  name: 'ibnetdiscover-p',
  summary: 'ports of an InfiniBand fabric, as `ibnetdiscover -p` prints them',
  source: 'infiniband-diags, ibnetdiscover(8)',
  details: 'Like `ibnetdiscover`. Ports without a peer are skipped.',
  options: [],
  recognizes: (text) => /^(?:CA|SW|RT)[ \t]+\d+[ \t]+\d+[ \t]+0x[0-9a-f]+[ \t]+\d+x[ \t]/im.test(text),
  read: readPorts,
};
