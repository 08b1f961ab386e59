import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { type DeviceKind, InfinibandNetwork, type PortEnd } from './infiniband.ts';
import { fabricOf } from './infinibandFabric.ts';
import { complain, linesOf } from './lines.ts';

const name = 'ibnetdiscover-p';

/** `CA   134  1 0x7cfe9003003b4bde 4x EDR`, then a peer and descriptions, or this end's description. */
const row = /^(CA|SW|RT)\s+\d+\s+(\d+)\s+0x([0-9a-f]{16})\s+(\d+x)\s+(\S+)(.*)$/i;
/** `- SW  1719 10 0x7cfe9003009ce5b0 ( 'o0001 HCA-1' - 'ib-i1l1s01' )` */
const far = /^\s*-\s+(CA|SW|RT)\s+\d+\s+(\d+)\s+0x([0-9a-f]{16})\s*\((.*)\)\s*$/i;

const kinds: Readonly<Record<string, DeviceKind>> = { SW: 'switch', CA: 'adapter', RT: 'other' };

/** One row per port; rows without a peer are ports that are down. O(text). */
function readPorts(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const network = new InfinibandNetwork();
  let rows = 0;
  for (const { line, content } of linesOf(text, cancellation)) {
    const trimmed = content.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const found = row.exec(trimmed);
    // What the tool says on standard error may stand before the first row.
    if (!found && rows === 0) continue;
    if (!found) {
      return complain(fileName, line, `${quote(trimmed)} is no row of a port. Was the file cut off here?`);
    }
    rows++;
    const fault = readRow(network, found, line);
    if (fault !== undefined) return complain(fileName, line, fault);
  }
  return fabricOf(network, name, fileName);
}

function readRow(network: InfinibandNetwork, found: RegExpExecArray, line: number): string | undefined {
  const [, kind = '', port = '', guid = '', width = '', rate = '', rest = ''] = found;
  const peer = far.exec(rest);
  if (!peer) {
    if (/^\s*-\s/.test(rest)) return `${quote(rest.trim())} is no other end of a cable. Was the file cut off here?`;
    mention(network, { kind, port, guid, description: unquoted(rest) }, line).device.hasRecord = true;
    return network.excess;
  }
  const [, farKind = '', farPort = '', farGuid = '', names = ''] = peer;
  const [here, there] = descriptionsIn(names);
  const from = mention(network, { kind, port, guid, description: here }, line);
  from.device.hasRecord = true;
  const to = mention(network, { kind: farKind, port: farPort, guid: farGuid, description: there }, line);
  network.connect(from, to, `${width}${rate}`, line);
  return network.excess;
}

interface Row {
  readonly kind: string;
  readonly port: string;
  readonly guid: string;
  readonly description: string;
}

/**
 * Switches have one GUID, adapters one per port, which is the adapter's plus the port's number on
 * older hardware: so less its port, and with its description, it names the adapter.
 */
function mention(network: InfinibandNetwork, { kind, port, guid, description }: Row, line: number): PortEnd {
  const isSwitch = kind.toUpperCase() === 'SW';
  const adapter = (BigInt(`0x${guid}`) - BigInt(port)).toString(16);
  const id = isSwitch ? `S-${guid}` : `H-${guid}`;
  const key = isSwitch ? id : `${kind} ${adapter} ${description}`;
  const device = network.mention(key, kinds[kind.toUpperCase()] ?? 'other', description, line, id);
  return { device, port: Number(port) };
}

/** `'one' - 'other'`; a description may hold ` - ` itself, but hardly between quotes. */
function descriptionsIn(names: string): readonly [string, string] {
  const [one = '', ...others] = names.includes("' - '") ? names.split("' - '") : names.split(' - ');
  return [unquoted(one), unquoted(others.join(' - '))];
}

const unquoted = (text: string): string => text.trim().replace(/^'|'$/g, '').trim();

export const ibnetdiscoverPorts: MachineFormatEntry = {
  name,
  summary: 'ports of an InfiniBand fabric, as `ibnetdiscover -p` prints them',
  source: 'infiniband-diags, ibnetdiscover(8)',
  details: 'As `ibnetdiscover`. Ports without a peer are left out.',
  options: [],
  recognizes: (text) => /^(?:CA|SW|RT)[ \t]+\d+[ \t]+\d+[ \t]+0x[0-9a-f]+[ \t]+\d+x[ \t]/im.test(text),
  read: readPorts,
};
