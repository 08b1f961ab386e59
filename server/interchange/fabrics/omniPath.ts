import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { firstContentLine } from '../csv.ts';
import { textLines } from '../reading.ts';
import { badFabric } from './builder.ts';
import { type DeviceKind, DeviceNetwork, type PortEnd } from './devices.ts';
import { buildDeviceFabric } from './deviceFabric.ts';

/**
 * Links of an Omni-Path fabric as `opaextractsellinks` and `opaextractlids` of opa-ff write them, a link on each line:
 * its rate, fields that say nothing of where it goes, then port, type and name of either end. With GUIDs there are two
 * more fields, and a header where the tool was asked for one.
 */

const kinds: Readonly<Record<string, DeviceKind>> = { SW: 'switch', FI: 'adapter', CA: 'adapter', HFI: 'adapter' };

/** `01;SW;name` or `01;0xGUID;SW;name`: one end of a link, by the place of its type; or what is wrong with it. */
function endAt(network: DeviceNetwork, cells: readonly string[], type: number, line: number): PortEnd | string {
  const [word, name, guid] = [cells[type] ?? '', (cells[type + 1] ?? '').trim(), (cells[type - 1] ?? '').trim()];
  const hasGuid = /^0x[0-9a-f]{1,16}$/i.test(guid);
  const port = hasGuid ? (cells[type - 2] ?? '').trim() : guid;
  if (!/^\d{1,4}$/.test(port)) return `Invalid port number ${quote(port)}.`;
  if (name === '' && !hasGuid) return 'One end of the link has no name. The file may be truncated.';
  const kind = kinds[word.trim().toUpperCase()] ?? 'other';
  const device = network.mention(`${kind} ${hasGuid ? guid : name}`, kind, name, line, name || guid);
  device.hasRecord = true;
  return { device, port: Number(port) };
}

/** O(text). */
function readOmniPath(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const network = new DeviceNetwork();
  for (const { line, content } of textLines(text, cancellation)) {
    const trimmed = content.trim();
    if (trimmed === '' || trimmed.startsWith('#') || /^Rate;/i.test(trimmed)) continue;
    const fault = readLink(network, trimmed.split(';'), line) ?? network.excess;
    if (fault !== undefined) return badFabric(fileName, line, fault);
  }
  return buildDeviceFabric(network, 'omni-path', fileName, advice);
}

const advice = 'it lists links of hosts only, or is truncated. Export all links with `opaextractsellinks`.';

function readLink(network: DeviceNetwork, cells: readonly string[], line: number): string | undefined {
  const types = cells.flatMap((cell, at) => (kinds[cell.trim().toUpperCase()] === undefined ? [] : [at]));
  const [first, second] = types;
  if (first === undefined || second === undefined || first === 0) {
    return 'Expected two ends of a link, each as port, SW or FI, and name. The file may be truncated.';
  }
  const one = endAt(network, cells, first, line);
  if (typeof one === 'string') return one;
  const other = endAt(network, cells, second, line);
  if (typeof other === 'string') return other;
  const rate = /^\s*(\d{1,4}(?:\.\d+)?)\s*g(?:b(?:it|ps)?(?:\/s)?)?\s*$/i.exec(cells[0] ?? '')?.[1];
  network.connect(one, other, rate === undefined ? (cells[0] ?? '').trim().slice(0, 20) : `${rate}g`, line);
  return undefined;
}

export const omniPath: MachineFormatEntry = {
  name: 'omni-path',
  summary: 'links of an Omni-Path fabric, as `opaextractsellinks` writes them',
  source: 'cornelisnetworks/opa-ff, opaextractsellinks and opaxlattopology',
  details:
    'One link per line, separated by `;`. Fields are the rate, further fields, then port, `SW` or `FI`, and name ' +
    'for each end. A host is the first word of the name (`node01 hfi1_0`).',
  options: [],
  recognizes: (text) =>
    /^(?:Rate;|\d+(?:\.\d+)?g;).*;(?:SW|FI);/i.test(firstContentLine(text)) ||
    /^Rate;.*NodeType/i.test(firstContentLine(text)),
  largestText: 64 * 2 ** 20,
  read: readOmniPath,
};
