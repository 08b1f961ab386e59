import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { textLines } from '../reading.ts';
import { badFabric } from './builder.ts';
import { addressOf, type Device, type DeviceKind, DeviceNetwork, deviceLimit, type PortEnd } from './devices.ts';
import { buildDeviceFabric } from './deviceFabric.ts';
import { mentionPort } from './ibnetdiscover.ts';

/**
 * What iblinkinfo of infiniband-diags prints of every port: `-l` on one line with both GUIDs, otherwise below a header
 * for each device, where the other end is known by its LID and its description.
 */

/** `Switch: 0x0002c90200417670 ib-leaf1:` or `CA: node01 mlx5_0:`. */
const header = /^(Switch|CA|Router|Rt):\s*(?:0x([0-9a-f]{1,16})\s)?\s*(.*):$/i;

/** `0xGUID "   description"`, or the GUID alone at the ports of adapters; then LID, port and what it is linked to. */
const portLine =
  /^(?:0x([0-9a-f]{1,16})\s+(?:"\s*([^"]*?)\s*"\s+)?)?(\d{1,9})\s+(\d{1,9})\[[ \d]*\]\s+==\((.*?)\)==>\s*(.*)$/i;

/** `0xGUID  LID  port[  ] "description" ( Could be 4X )`; without the GUID below a header; `[  ] "" ( )` of a port that is down. */
const far = /^(?:0x([0-9a-f]{1,16})\s+)?(\d{1,9})\s+(\d{1,9})\[[ \d]*\]\s+"\s*(.*?)\s*"\s*(?:\(.*)?$/i;

/** `4X  14.0625 Gbps`: lanes, and the signals of each in gigabits per second; behind `10.0 Gbps` the name if it is `(FDR10)`. */
const rate = /^\s*(\d{1,2})X\s+([\d.]+(?: Gbps)?(?: or [^A]*)?|[A-Z]+\d*)\s(?:\s*\(([A-Z]+\d*)\))?/i;

/** Names of speeds by the signals of a lane. */
const names: Readonly<Record<string, string>> = {
  '2.5': 'SDR',
  '5': 'DDR',
  '10': 'QDR',
  '10.3125': 'FDR10',
  '14.0625': 'FDR',
  '25.78125': 'EDR',
  '53.125': 'HDR',
  '106.25': 'NDR',
  '212.5': 'XDR',
};

const kinds: Readonly<Record<string, DeviceKind>> = { switch: 'switch', ca: 'adapter' };

/** What one line says of a port. */
interface PortLine {
  readonly guid: string | undefined;
  readonly description: string;
  readonly lid: string;
  readonly port: number;
  readonly link: string;
  readonly rest: string;
  /** Whether the line itself says of which device the port is. */
  readonly named: boolean;
}

function readPortLine(text: string): PortLine | undefined {
  const found = portLine.exec(text);
  if (!found) return undefined;
  const [, guid, description, lid = '', port = '', link = '', rest = ''] = found;
  const named = description !== undefined;
  return { guid, description: description ?? '', lid, port: Number(port), link, rest, named };
}

/** O(text). */
function readIblinkinfo(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const network = new DeviceNetwork();
  const ends = new Ends(text, network, cancellation);
  let device: Device | undefined;
  let hasRows = false;
  for (const { line, content } of textLines(text, cancellation)) {
    const trimmed = content.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const head = header.exec(trimmed);
    if (head) {
      device = ends.open(head, line);
      hasRows = true;
      continue;
    }
    const row = readPortLine(trimmed);
    // What the tool says on standard error may stand before the first row.
    if (!row && !hasRows) continue;
    if (!row) return badFabric(fileName, line, `Invalid port line ${quote(trimmed)}. The file may be truncated.`);
    hasRows = true;
    const fault = ends.join(row, device, line) ?? network.excess;
    if (fault !== undefined) return badFabric(fileName, line, fault);
  }
  return buildDeviceFabric(network, 'iblinkinfo', fileName, advice);
}

const advice =
  'it may be truncated, or printed with `--cas-only`. Run `iblinkinfo -l` again on a host that sees the whole fabric.';

/** Finds the devices at both ends of rows. */
class Ends {
  private readonly network: DeviceNetwork;
  /** Ports that were printed under one GUID and one LID: all of a switch have its LID, those of adapters their own. */
  private readonly portsOf = new Map<string, number>();
  private readonly deviceOfLid = new Map<string, Device>();

  /** Looks at the whole text first: the other end of a link may be told of later. */
  constructor(text: string, network: DeviceNetwork, cancellation: Cancellation) {
    this.network = network;
    const rows: (PortLine & { readonly line: number; readonly device?: Device | undefined })[] = [];
    let above: Device | undefined;
    for (const { line, content } of textLines(text, cancellation)) {
      const trimmed = content.trim();
      const head = header.exec(trimmed);
      if (head) above = this.open(head, line);
      const row = head ? undefined : readPortLine(trimmed);
      if (!row) continue;
      const key = `${row.guid ?? ''} ${row.lid}`;
      this.portsOf.set(key, (this.portsOf.get(key) ?? 0) + 1);
      // All ports of a switch tell of one device.
      if (this.portsOf.get(key) === 1 && row.lid !== '0') rows.push({ ...row, line, device: above });
      if (network.excess !== undefined || rows.length > deviceLimit) return;
    }
    for (const row of rows) {
      const device = row.named ? this.byGuid(row, row.line) : row.device;
      if (device && !this.deviceOfLid.has(row.lid)) this.deviceOfLid.set(row.lid, device);
    }
  }

  /** The device of a header; adapters have no GUID there and go by their description. */
  open([, word = '', guid, description = '']: RegExpExecArray, line: number): Device {
    const kind = kinds[word.toLowerCase()] ?? 'other';
    const key = guid === undefined ? `${word} ${description}` : `S-${guid}`;
    const device = this.network.mention(key, kind, description, line, guid === undefined ? description : key);
    device.hasRecord = true;
    return device;
  }

  /** What is wrong with the row, if anything. */
  join(row: PortLine, above: Device | undefined, line: number): string | undefined {
    const own = row.named ? (this.deviceOfLid.get(row.lid) ?? this.byGuid(row, line)) : above;
    if (!own) return 'Port before the first switch or NIC. The beginning of the file is missing.';
    own.hasRecord = true;
    const peer = far.exec(row.rest);
    if (!peer) {
      const isIdle = /^\[[ \d]*\]\s*""/.test(row.rest) || /\b(?:down|init|disabled|polling)\b/i.test(row.link);
      return isIdle ? undefined : `Invalid far end of a link ${quote(row.rest)}. The file may be truncated.`;
    }
    const [, guid, lid = '', port = '', description = ''] = peer;
    const device = this.deviceOfLid.get(lid) ?? this.byGuid({ guid, lid, port: Number(port), description }, line);
    const here: PortEnd = { device: own, port: row.port };
    const end: PortEnd = { device, port: Number(port) };
    this.network.learn(here, addressOf(row.guid, row.lid));
    this.network.learn(end, addressOf(guid, lid));
    this.network.connect(here, end, speedName(row.link), line);
    return undefined;
  }

  private byGuid(
    { guid, lid, port, description }: Pick<PortLine, 'guid' | 'lid' | 'port' | 'description'>,
    line: number,
  ): Device {
    const isSwitch = looksLikeSwitch(port, description);
    if (guid === undefined) {
      const id = description || `lid ${lid}`;
      return this.network.mention(`lid ${lid}`, isSwitch ? 'switch' : 'adapter', description, line, id);
    }
    const kind = isSwitch || (this.portsOf.get(`${guid} ${lid}`) ?? 0) > 1 ? 'SW' : 'CA';
    return mentionPort(this.network, { kind, lid, port: String(port), guid, description }, line).device;
  }
}

/** Adapters have no more ports. */
const mostPortsOfAdapter = 4;

/** How switches describe themselves: managed ones by `MF0;`, others by their chip. */
const switchDescription = /^(?:MF0;|(?:Infiniscale|SwitchX|Switch-IB|Quantum)\b.*Mellanox)/i;

/** How drivers describe adapters: `node3 HCA-2`, `node3 mlx5_0`, `node3 hfi1_0`. */
const adapterDescription = /\b(?:HCA-\d|[a-z]+\d_\d)/i;

/** Whether the far end of a link is a switch that the file has no rows of, as with `-S GUID`. */
const looksLikeSwitch = (port: number, description: string): boolean =>
  switchDescription.test(description) || (port > mostPortsOfAdapter && !adapterDescription.test(description));

/** `4xFDR` of `4X 14.0625 Gbps`; '' where the port does not say. */
function speedName(link: string): string {
  const [, lanes, signals = '', named] = rate.exec(`${link} `) ?? [];
  if (lanes === undefined) return '';
  const number = Number.parseFloat(signals);
  const name = named ?? (Number.isNaN(number) ? signals : names[String(number)]);
  return `${lanes}x${name?.toUpperCase() ?? signals.trim()}`;
}

export const iblinkinfo: MachineFormatEntry = {
  name: 'iblinkinfo',
  summary: 'links of an InfiniBand fabric with their speeds, as `iblinkinfo` prints them',
  source: 'infiniband-diags, iblinkinfo(8)',
  details:
    'Like `ibnetdiscover`, with or without `-l`. Ports without a peer are skipped. With `-l`, a device whose ports share one LID is a switch. A device found only at the far end of links is a switch if its description is a switch description. It is also a switch if its port is above 4 and its description is not a NIC description.',
  options: [],
  recognizes: (text) => /==\([^\n]{0,200}?\)==>/.test(text),
  largestText: 64 * 2 ** 20,
  read: readIblinkinfo,
};
