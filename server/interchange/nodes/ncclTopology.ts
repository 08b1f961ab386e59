import type { DevicePath, NodeDevice, NodeShape } from '../../model/fabric.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../../model/result.ts';
import type { NodeFormatEntry } from '../contract.ts';
import { elementsBelow, type KnownElements, largestXml, unknownInXml, type XmlElement } from '../xmlElements.ts';
import { badNode, type DeviceBeside, pathOverPci, shapeOfUnits, shapeWithoutCores } from './nodeDevices.ts';

/**
 * The inside of a node as NCCL sees it: `NCCL_TOPO_DUMP_FILE` of a running job, or the files that cloud providers hand
 * to `NCCL_TOPO_FILE`. Each `<cpu>` is a NUMA node with the tree of PCI below it.
 */

/** A device with the PCI bridges above it, from the outside in. */
interface Placed extends DeviceBeside {
  /** Position of the `<cpu>` that it stands below. */
  readonly numa: number;
  readonly bridges: readonly XmlElement[];
}

/** By the first digits of PCI's class: displays and 3D controllers are GPUs, Ethernet and InfiniBand controllers are NICs. */
const kindOfClass = (text: string): NodeDevice['kind'] | undefined =>
  /^0x03|^0x12/i.test(text) ? 'gpu' : /^0x02/i.test(text) ? 'nic' : undefined;

/** What is read, and behind the bar what is passed over; links of a processor to its GPUs (`c2c`) and of PCI switches to each other (`pcilink`) are. */
const knownElements: KnownElements = {
  system: '| version name',
  cpu: 'numaid affinity | arch vendor familyid modelid host_hash',
  pci: 'busid class vendor device link_speed link_width | subsystem_vendor subsystem_device',
  gpu: 'dev | sm gcn arch rank gdr',
  nic: '',
  net: 'name dev | speed port latency guid maxconn gdr coll keep',
  nvlink: 'target count | tclass',
  xgmi: 'target count | tclass',
  c2c: 'any',
  pcilink: 'any',
};

/** O(text + devices²). */
async function readNccl(text: string, fileName: string): Promise<Result<NodeShape>> {
  if (text.length > largestXml)
    return fail('bad-node', `${fileName}: The file is larger than 4 MiB, the maximum for NCCL.`);
  const { readXml } = await import('../xmlParser.ts');
  const document = readXml(text, ['system', 'graphs']);
  if (!document.ok) return badNode(fileName, document.failure.line, document.failure.message);
  if (document.value.name === 'graphs') {
    return badNode(
      fileName,
      document.value.line,
      'This is the NCCL graph of rings and trees, not the node. Use the file from NCCL_TOPO_DUMP_FILE.',
    );
  }
  const processors = document.value.children.filter(({ name }) => name === 'cpu');
  if (processors.length === 0)
    return badNode(fileName, document.value.line, 'The system has no <cpu>. It does not describe a node.');
  const units: number[][] = [];
  const placed: Placed[] = [];
  let coresUnknown: string | undefined;
  for (const [numa, cpu] of processors.entries()) {
    const affinity = cpu.attributes['affinity'] ?? '';
    if (affinity === '') {
      coresUnknown ??= `${fileName}:${cpu.line}: The <cpu> has no \`affinity\`, so the number of cores is unknown. Write \`cores\` in the machine.`;
    } else if (!/^[0-9a-f,]{1,4096}$/i.test(affinity))
      return badNode(
        fileName,
        cpu.line,
        `Invalid set of processing units ${quote(affinity)}. Expected hexadecimal digits.`,
      );
    units.push(unitsInMask(affinity));
    gatherDevices(cpu, numa, placed);
  }
  const directLinks = linkNames.flatMap((name) => Array.from(elementsBelow(document.value, name)));
  const fault = faultOfDevices(placed.length, directLinks, document.value.line);
  if (fault !== undefined) return badNode(fileName, fault.line, fault.message);
  const linked = directLinks.length;
  const found = [placed, ncclPaths(placed, document.value)] as const;
  const shape =
    coresUnknown === undefined
      ? shapeOfUnits(units, processors.length, ...found)
      : succeed(shapeWithoutCores(coresUnknown, processors.length, ...found));
  if (!shape.ok) return badNode(fileName, processors[0]!.line, shape.failure);
  const gpus = placed.filter(({ device }) => device.kind === 'gpu').length;
  const unknown = unknownInXml(document.value, knownElements);
  if (linked > 0 || gpus < 2) return succeed({ ...shape.value, warnings: [...shape.value.warnings, ...unknown] });
  const message = `The file lists no NVLink or Infinity Fabric between its ${countOf(gpus, 'GPU')}. Their paths use PCI.`;
  return succeed({ ...shape.value, warnings: [...shape.value.warnings, { message }, ...unknown] });
}

/** Too many devices, or a number of links that is none. */
function faultOfDevices(
  count: number,
  directLinks: readonly XmlElement[],
  line: number,
): { readonly line: number; readonly message: string } | undefined {
  if (count > mostDevices) return { line, message: `The node has ${count} devices. The maximum is ${mostDevices}.` };
  const wrong = directLinks.find(({ attributes }) => !/^\d{1,3}$/.test(attributes['count'] ?? '1'));
  return (
    wrong && { line: wrong.line, message: `Invalid number of direct links ${quote(wrong.attributes['count'] ?? '')}.` }
  );
}

const mostDevices = 1024;

/** Words of 32 bits, the most significant first. */
function unitsInMask(affinity: string): number[] {
  const units: number[] = [];
  for (const [at, word] of affinity.split(',').reverse().entries()) {
    const bits = Number.parseInt(word, 16) || 0;
    for (let bit = 0; bit < 32; bit++) if ((Math.floor(bits / 2 ** bit) & 1) === 1) units.push(32 * at + bit);
  }
  return units;
}

/** Devices below a CPU with their bridges; as deep as the file. */
function gatherDevices(cpu: XmlElement, numa: number, placed: Placed[]): void {
  const visit = (element: XmlElement, bridges: readonly XmlElement[]): void => {
    for (const child of element.children) {
      if (child.name !== 'pci') {
        visit(child, bridges);
        continue;
      }
      const { busid = '' } = child.attributes;
      const given = child.children.find(({ name }) => name === 'gpu' || name === 'nic');
      const kind = (given?.name as NodeDevice['kind'] | undefined) ?? kindOfClass(child.attributes['class'] ?? '');
      if (kind !== undefined) {
        const inside = given?.children.find(({ name }) => name === 'net')?.attributes['name'];
        const number = placed.filter(({ device }) => device.kind === kind).length;
        const dev = given?.attributes['dev'] ?? String(number);
        const name = kind === 'gpu' ? `GPU${dev}` : (inside ?? `NIC${number}`);
        placed.push({ device: { kind, name, address: busid }, beside: numa, numa, bridges });
      } else visit(child, [...bridges, child]);
    }
  };
  visit(cpu, []);
}

/** How two devices reach each other, by NCCL's words (graph/topo.h): the nearest of NVLink and PCI. */
function ncclPaths(placed: readonly Placed[], system: XmlElement): DevicePath[] {
  const linksBetween = directLinksOf(system);
  const paths: DevicePath[] = [];
  for (const [from, one] of placed.entries()) {
    for (let to = from + 1; to < placed.length; to++) {
      const other = placed[to]!;
      const links = linksBetween(one.device.address ?? '', other.device.address ?? '');
      paths.push(links > 0 ? { from, to, kind: 'NV', links } : { from, to, kind: pathOverPci(one, other) });
    }
  }
  return paths;
}

/** Direct links between GPUs: NVLink, and Infinity Fabric in the files of RCCL. */
const linkNames = ['nvlink', 'xgmi'];

/** Direct links between two GPUs by their addresses: cabled to each other, or both to switches of NVLink. O(elements). */
function directLinksOf(system: XmlElement): (one: string, other: string) => number {
  const direct = new Map<string, number>();
  const toSwitches = new Map<string, number>();
  const add = (sums: Map<string, number>, key: string, count: number): void => {
    sums.set(key, (sums.get(key) ?? 0) + count);
  };
  for (const pci of elementsBelow(system, 'pci')) {
    const gpu = pci.children.find(({ name }) => name === 'gpu');
    const address = pci.attributes['busid'] ?? '';
    for (const { name, attributes } of gpu?.children ?? []) {
      if (!linkNames.includes(name)) continue;
      const { target = '', tclass = '', count = '1' } = attributes;
      const number = Number(count);
      if (/^0x0680/i.test(tclass)) add(toSwitches, address, number);
      else add(direct, `${address} ${target}`, number);
    }
  }
  // Either GPU tells of the links between them.
  return (one, other) =>
    Math.max(direct.get(`${one} ${other}`) ?? 0, direct.get(`${other} ${one}`) ?? 0) ||
    Math.min(toSwitches.get(one) ?? 0, toSwitches.get(other) ?? 0);
}

export const ncclTopology: NodeFormatEntry = {
  name: 'nccl',
  summary: 'topology of NCCL in XML, as NCCL_TOPO_DUMP_FILE writes it',
  source: 'NVIDIA/nccl, src/graph/xml.cc and topo.h',
  details:
    'Each `<cpu>` is a NUMA node. It counts as a socket with one core per processing unit in its `affinity`. GPUs and NICs are read with the paths between them: NV (NVLink, or `<xgmi>` of RCCL), PIX, PXB, PHB, SYS.',
  options: [],
  recognizes: (text) => /<(?:system|graphs)[\s>]/.test(text),
  read: readNccl,
};
