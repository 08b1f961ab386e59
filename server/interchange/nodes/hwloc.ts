/** Sockets, cores and NUMA nodes of a compute node in the XML of hwloc; its devices are read by `hwlocDevices.ts`. */
import type { NodeShape, FabricWarning } from '../../model/fabric.ts';
import type { SystemNumbers } from '../../model/nodeInside.ts';
import { quote, type Result, fail, succeed } from '../../model/result.ts';
import type { NodeFormatEntry } from '../contract.ts';
import { oneLine, UnknownNames } from '../reading.ts';
import { elementsBelow, type KnownElements, largestXml, unknownInXml, type XmlElement } from '../xmlElements.ts';
import { childObjects, descend, devicesOfHwloc, isOfType, unitsBelow, type CoreOfSocket } from './hwlocDevices.ts';

/** What is read; behind the bar, what else the library knows of objects, of memories and of itself. */
const knownElements: KnownElements = {
  topology: '| version',
  object:
    'type os_index gp_index cpuset nodeset name osdev_type subtype pci_busid pci_type bridge_type bridge_pci depth kind id | ' +
    'complete_cpuset online_cpuset allowed_cpuset complete_nodeset allowed_nodeset os_level local_memory page_size subkind dont_merge ' +
    'cache_size cache_linesize cache_associativity cache_type cache_inclusive pci_link_speed ' +
    'memory_kB huge_page_size_kB huge_page_free dmi_board_vendor dmi_board_name',
  ...Object.fromEntries(
    (
      'cpukind distances2 distances2hetero indexes u64values info page_type support distances latency userdata pci_locality ' +
      'memattr memattr_value memattr_target memtier'
    )
      .split(' ')
      .map((name) => [name, 'any']),
  ),
};

/** Types of objects of hwloc 1.x, 2.x and 3.x. */
const objectTypes: ReadonlySet<string> = new Set(
  (
    'System Machine Node NUMANode Socket Package Die Core PU Module Tile Cluster Group Misc Bridge PCIDev OSDev MemCache Cache ' +
    'L1Cache L2Cache L3Cache L4Cache L5Cache L1iCache L2iCache L3iCache'
  ).split(' '),
);

/** O(objects). */
function unknownTypes(root: XmlElement): NodeShape['warnings'] {
  const unknown = new UnknownNames();
  for (const { attributes, line } of elementsBelow(root, 'object'))
    if (!objectTypes.has(attributes['type'] ?? '')) unknown.add(quote(oneLine(attributes['type'] ?? '')), line);
  return unknown.warnings((type) => `Objects of the unknown type ${type}`);
}

/** Reads hwloc 1.x, 2.x and 3.x. O(text + devices² + values of distances). */
async function readHwloc(text: string, fileName: string): Promise<Result<NodeShape>> {
  if (text.length > largestXml)
    return fail('bad-node', `${fileName}: The file is larger than 4 MiB, the maximum for hwloc.`);
  const refuse = (line: number, message: string): Result<never> => fail('bad-node', `${fileName}:${line}: ${message}`);
  const { readXml } = await import('../xmlParser.ts');
  const document = readXml(text, ['topology']);
  if (!document.ok) return refuse(document.failure.line, `${document.failure.message} ${advice}`);
  const shape = readProcessors(document.value);
  if (!shape.ok) return refuse(document.value.line, shape.failure);
  const devices = devicesOfHwloc(document.value, shape.value.coreOfUnit);
  if (!devices.ok) return refuse(devices.failure.line, `${devices.failure.message} ${advice}`);
  const { coresOfSockets, systemNumbers, numaNodes } = shape.value;
  const warnings = [
    ...shape.value.warnings,
    ...unknownInXml(document.value, knownElements),
    ...unknownTypes(document.value),
  ];
  const found = devices.value;
  const cores = { coresOfSockets, systemNumbers, numaNodes };
  const { devices: listed, paths } = found;
  const all = [...warnings, ...found.warnings];
  return succeed({ ...cores, ...(listed.length > 0 && { devices: listed, paths }), warnings: all });
}

const advice = 'Write it again with `lstopo FILE.xml`.';

export const hwloc: NodeFormatEntry = {
  name: 'hwloc',
  summary: 'XML of hwloc, as `lstopo FILE.xml` writes it',
  source: 'Broquedis et al., hwloc, PDP 2010; hwloc 1.x, 2.x and 3.x',
  details:
    'Packages are sockets. A core counts if at least one of its processing units is allowed. Without packages the machine is one socket; without cores each processing unit is a core. GPUs are PCI devices of classes 0302, 0380 and 12xx, devices with a compute runtime (CUDA, OpenCL, …), and graphics cards (0300) with a driver, in PCI address order; board video chips do not count. NICs are OpenFabrics devices, or network devices if there are none. NVLinks and similar links come from the bandwidth matrices.',
  options: [],
  recognizes: (text) => /<topology[\s>]/.test(text),
  read: readHwloc,
};

/** What is counted of a tree of objects. */
interface Tally {
  /** Usable processing units of each usable core, per socket. */
  readonly coresOfSocket: number[][][];
  /** Usable processing units, per socket. */
  readonly unitsOfSocket: number[][];
  /** Cores without one. */
  idleCores: number;
  numaNodes: number;
  /** NUMA nodes without cores: memory of GPUs or of expansion cards. */
  bareMemories: number;
}

type Usable = (index: number) => boolean;

interface Processors {
  readonly coresOfSockets: readonly number[];
  readonly systemNumbers: SystemNumbers;
  readonly numaNodes: number;
  readonly warnings: readonly FabricWarning[];
  /** By the number that the system gives a processing unit, only of those that count. */
  readonly coreOfUnit: ReadonlyMap<number, CoreOfSocket>;
}

/** Sockets, cores and NUMA nodes of a machine. O(objects). Fails with a sentence without its place. */
function readProcessors(topology: XmlElement): Result<Processors, string> {
  const machine = childObjects(topology)[0];
  if (!machine) return { ok: false, failure: 'The file has no object. It is truncated, or not an hwloc file.' };
  const { attributes } = machine;
  const allowed = readCpuset(attributes['allowed_cpuset']);
  const online = readCpuset(attributes['online_cpuset']);
  const tally: Tally = { coresOfSocket: [], unitsOfSocket: [], idleCores: 0, numaNodes: 0, bareMemories: 0 };
  const sockets = Array.from(descend(machine)).filter((item) => isOfType(item, 'Package') || isOfType(item, 'Socket'));
  for (const socket of sockets.length > 0 ? sockets : [machine]) {
    countUnits(socket, (index) => allowed(index) && online(index), tally);
  }
  countMemories(machine, tally);
  const shape = summarise(tally, sockets.length);
  if (!shape.ok) return shape;
  const warnings = [...shape.value.warnings];
  const kindsOfCores = topology.children.filter(({ name }) => name === 'cpukind').length;
  if (kindsOfCores > 1)
    warnings.push({ message: `Cores of ${kindsOfCores} kinds, as in a hybrid processor: all count alike.` });
  const hidden = sizeOfSet(attributes['complete_cpuset']) - sizeOfSet(attributes['cpuset']);
  if (hidden > 0) warnings.push({ message: `Processing units offline or hidden: ${hidden}; skipped.` });
  return succeed({ ...shape.value, warnings });
}

/** Adds the socket's cores and processing units to the tally. */
function countUnits(socket: XmlElement, usable: Usable, tally: Tally): void {
  const cores: number[][] = [];
  for (const item of descend(socket)) {
    if (!isOfType(item, 'Core')) continue;
    const units = unitsBelow(item).filter(usable);
    if (units.length > 0) cores.push(units);
    else tally.idleCores++;
  }
  tally.coresOfSocket.push(cores);
  tally.unitsOfSocket.push(unitsBelow(socket).filter(usable));
}

function countMemories(machine: XmlElement, tally: Tally): void {
  for (const item of descend(machine)) {
    if (!isOfType(item, 'NUMANode')) continue;
    if (isEmptySet(item.attributes['cpuset'] ?? '0x1')) tally.bareMemories++;
    else tally.numaNodes++;
  }
}

function summarise(tally: Tally, packages: number): Result<Processors, string> {
  const warnings: FabricWarning[] = [];
  const warn = (message: string): number => warnings.push({ message });
  const hasCores = tally.idleCores > 0 || tally.coresOfSocket.some((cores) => cores.length > 0);
  const all = hasCores ? tally.coresOfSocket : tally.unitsOfSocket.map((units) => units.map((unit) => [unit]));
  const sockets = all.filter((cores) => cores.length > 0);
  if (sockets.length === 0) {
    return {
      ok: false,
      failure: 'The machine has no usable core. A core needs a processing unit that is online and allowed.',
    };
  }
  if (packages === 0) warn('The file lists no package. The machine counts as one socket.');
  if (!hasCores) warn('The file lists no core. Every processing unit counts as one.');
  const empty = all.length - sockets.length;
  if (empty > 0) warn(`Sockets without a usable core: ${empty}; skipped.`);
  if (tally.idleCores > 0) warn(`Cores offline or not allowed: ${tally.idleCores}; skipped.`);
  if (tally.bareMemories > 0)
    warn(`NUMA nodes without cores (memory of GPUs or cards): ${tally.bareMemories}; skipped.`);
  const coreOfUnit = new Map<number, CoreOfSocket>();
  for (const [socket, cores] of sockets.entries()) {
    for (const [core, units] of cores.entries()) for (const unit of units) coreOfUnit.set(unit, { socket, core });
  }
  return succeed({
    coresOfSockets: sockets.map((cores) => cores.length),
    systemNumbers: sockets.map((cores) => cores.map((units) => units.toSorted((a, b) => a - b))),
    numaNodes: Math.max(1, tally.numaNodes),
    warnings,
    coreOfUnit,
  });
}

/**
 * A set of hwloc as its XML writes it: words of 32 bits in hexadecimal, the most significant first,
 * separated by commas; an empty word is 0 and a leading `0xf...f` stands for ones without end.
 */
export function readCpuset(text: string | undefined): (index: number) => boolean {
  if (text === undefined) return () => true;
  const endless = text.startsWith('0xf...f');
  const written = text.replace(/^0xf\.\.\.f,?/, '');
  const words = written === '' ? [] : written.split(',').map((word) => Number.parseInt(word, 16) || 0);
  words.reverse();
  return (index) => {
    const word = words[index >>> 5];
    return word === undefined ? endless : ((word >>> (index & 31)) & 1) === 1;
  };
}

/** Members of a set, 0 of one without end. */
function sizeOfSet(text: string | undefined): number {
  if (text === undefined || text.startsWith('0xf...f')) return 0;
  const digits = Array.from(text.replaceAll('0x', '').replaceAll(',', ''), (digit) => Number.parseInt(digit, 16) || 0);
  return digits.reduce((sum, digit) => sum + [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4][digit]!, 0);
}

/** Whether a set has no member. */
export const isEmptySet = (text: string): boolean => !/[1-9a-f]/i.test(text.replaceAll('0x', ''));
