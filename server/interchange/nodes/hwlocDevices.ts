/**
 * GPUs and network adapters in the XML of hwloc, and how they reach each other. A device of PCI is one of ours by its class or by
 * the devices of the system below it (`OSDev`), of which a GPU has one for each library that sees it.
 */
import { largestOf, leastOf } from '../../model/lists.ts';
import type { DevicePath, FabricWarning, NodeDevice } from '../../model/fabric.ts';
import type { GpuMaker } from '../../model/nodeInside.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import { elementsBelow, type XmlElement } from '../xmlElements.ts';

/** Where a processing unit is: socket and core, as they are counted. */
export interface CoreOfSocket {
  readonly socket: number;
  readonly core: number;
}

export const isOfType = ({ attributes }: XmlElement, type: string): boolean => attributes['type'] === type;

export const childObjects = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter(({ name }) => name === 'object');

/** An object and all objects below it, in the order of the file. */
export function* descend(root: XmlElement): Generator<XmlElement> {
  yield root;
  yield* elementsBelow(root, 'object');
}

/** Processing units below an object, by the numbers that the system gives them. O(objects). */
export const unitsBelow = (root: XmlElement): number[] =>
  Array.from(descend(root))
    .filter((item) => isOfType(item, 'PU'))
    .map(({ attributes }) => Number(attributes['os_index'] ?? 0));

/** What is wrong, and on which line. */
interface Fault {
  readonly line: number;
  readonly message: string;
}

const refuseDevice = (line: number, message: string): Result<never, Fault> => ({
  ok: false,
  failure: { line, message },
});

export interface FoundDevices {
  readonly devices: readonly NodeDevice[];
  readonly paths: readonly DevicePath[];
  readonly warnings: readonly FabricWarning[];
}

/** A device of PCI that is a GPU or a NIC. */
interface Placed {
  readonly element: XmlElement;
  readonly device: NodeDevice;
  /** The object that the bridges of PCI hang on: a socket, a NUMA node, a group of them, the machine. */
  readonly near: XmlElement;
  /** From the host bridge down. */
  readonly bridges: readonly XmlElement[];
}

/** Devices of more make a damaged file. */
const mostDevices = 1024;

/**
 * GPUs in the order of their PCI addresses, as the system management of NVIDIA and AMD counts its own, then NICs. O(objects + devices² + values
 * of matrices). Fails with the line and a sentence.
 */
export function devicesOfHwloc(
  topology: XmlElement,
  coreOfUnit: ReadonlyMap<number, CoreOfSocket>,
): Result<FoundDevices, Fault> {
  const onPci = new Map<string, PciDevice>();
  const fault = gatherPciDevices(topology, osDevicesOf(topology), onPci);
  if (fault !== undefined) return { ok: false, failure: fault };
  const all = Array.from(onPci.values()).toSorted((one, other) => one.order - other.order);
  const hasFabric = all.some(({ kinds }) => kinds.has('fabric'));
  const nicKind = hasFabric ? 'fabric' : 'net';
  const gpus = all.filter(({ isGpu }) => isGpu);
  const nics = all.filter(({ isGpu, kinds }) => !isGpu && kinds.has(nicKind));
  if (gpus.length + nics.length > mostDevices) {
    return refuseDevice(
      topology.line,
      `The node has ${gpus.length + nics.length} devices. The maximum is ${mostDevices}.`,
    );
  }
  const places = new Map<XmlElement, Pick<NodeDevice, 'socket' | 'cores'>>();
  const placeAt = (pci: PciDevice, kind: NodeDevice['kind'], name: string): Placed => {
    const place = places.get(pci.near) ?? socketAndCores(pci.near, coreOfUnit);
    places.set(pci.near, place);
    return { ...pci, device: { kind, name, ...place, address: pci.address } };
  };
  const seen = new Set(gpus.map(({ maker }) => maker));
  const gpuAt = (pci: PciDevice, index: number): Placed => {
    const gpu = placeAt(pci, 'gpu', `GPU${index}`);
    const { maker } = pci;
    return seen.size > 1 && maker !== undefined ? { ...gpu, device: { ...gpu.device, maker } } : gpu;
  };
  const placed = [
    ...gpus.map(gpuAt),
    ...nics.map((pci, index) => placeAt(pci, 'nic', pci.kinds.get(nicKind) ?? `NIC${index}`)),
  ];
  const links = linksOf(topology, placed);
  if (!links.ok) return links;
  const warnings = withoutDriver(all);
  if (links.value === undefined && gpus.length > 1) {
    warnings.push({
      message: `The file lists no NVLink or Infinity Fabric between its ${countOf(gpus.length, 'GPU')}. Their paths use PCI.`,
    });
  }
  return succeed({ devices: placed.map(({ device }) => device), paths: hwlocPaths(placed, links.value), warnings });
}

/** Graphics cards of the class VGA that no driver has taken: whether they compute is not in the file. */
function withoutDriver(all: readonly PciDevice[]): FabricWarning[] {
  const cards = all.filter(({ isGpu, element }) => !isGpu && mayBeGpu(element.attributes['pci_type'] ?? ''));
  if (cards.length === 0) return [];
  const [first] = cards.map(({ address }) => address);
  const message = `${countOf(cards.length, 'graphics card')} without a driver: not counted as GPUs. The first is ${first ?? ''}.`;
  return [{ message }];
}

/** What a device of the system is to us. `graphics` is a device of the kernel's graphics drivers (DRM). */
type OsKind = 'compute' | 'net' | 'fabric' | 'graphics';

/**
 * How a file says what a device of the system is: hwloc 1 and 2 count the types, hwloc 3 has a bit for each, of which a device may have several
 * (`hwloc_obj_osdev_type_t` of hwloc.h: GPU 1 and 4, network 2 and 16, OpenFabrics 3 and 32, coprocessor 5 and 8). What the
 * system management of NVIDIA or AMD sees is a GPU that computes as well, where hwloc 1 and 2 do not say so.
 */
function osDevicesOf({ attributes }: XmlElement): (type: number, name: string) => OsKind | undefined {
  const major = Number(/^(\d{1,3})\./.exec(attributes['version'] ?? '')?.[1] ?? 1);
  const graphics = (name: string): OsKind | undefined => (/^(?:card|renderD)\d/.test(name) ? 'graphics' : undefined);
  if (major < 3) {
    const kinds = new Map<number, OsKind>([
      [2, 'net'],
      [3, 'fabric'],
      [5, 'compute'],
    ]);
    return (type, name) => {
      if (type !== 1) return kinds.get(type);
      return /^(?:nvml|rsmi)\d/.test(name) ? 'compute' : graphics(name);
    };
  }
  const bits: readonly (readonly [number, OsKind])[] = [
    [8, 'compute'],
    [32, 'fabric'],
    [16, 'net'],
  ];
  return (type, name) => bits.find(([bit]) => (type & bit) !== 0)?.[1] ?? (type & 4 ? graphics(name) : undefined);
}

interface PciDevice extends Omit<Placed, 'device'> {
  readonly address: string;
  /** The address as a number. */
  readonly order: number;
  readonly isGpu: boolean;
  readonly maker: GpuMaker | undefined;
  /** Kinds of devices of the system below it, with the name of the first of each. */
  readonly kinds: ReadonlyMap<OsKind, string>;
}

/** Classes of PCI: 3D controllers, other display controllers as AMD's Instinct, processing accelerators. */
const gpuClass = /^(?:0302|0380|12[0-9a-f]{2})/i;
/**
 * Cards of the class VGA may be GPUs: GeForce, Radeon, and AMD's Instinct where its firmware says so. With a graphics driver they are, but for the
 * video chips of boards (ASPEED, Matrox, Rage XL, Radeon 7000, ES1000) and of virtual machines (QEMU, VMware, virtio, Red Hat, Hyper-V).
 */
const vgaClass = /^0300/;
const boardVideo = /^\S+\s+\[(?:1a03:|102b:|1002:(?:4752|5159|515e|5969)|1234:|15ad:|1af4:|1b36:|1414:)/i;
const isGraphicsCard = (type: string): boolean => vgaClass.test(type) && !boardVideo.test(type);
const mayBeGpu = (type: string): boolean => isGraphicsCard(type) && makerOf(type) !== undefined;
/** Makers of GPUs by their number on PCI, the first of `0302 [10de:1db1] [10de:1212]`. */
const makerPattern = /^\S+\s+\[(10de|1002|8086):/i;
const makers: ReadonlyMap<string, GpuMaker> = new Map([
  ['10de', 'nvidia'],
  ['1002', 'amd'],
  ['8086', 'intel'],
]);
const makerOf = (type: string): GpuMaker | undefined => makers.get(makerPattern.exec(type)?.[1]?.toLowerCase() ?? '');
const classPattern = /^[0-9a-f]{4}(?:\s|$)/i;
const addressPattern = /^([0-9a-f]{4,8}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$/i;

/** Adds the PCI devices of a file by their addresses; returns what is wrong with one. As deep as the file, O(objects). */
function gatherPciDevices(
  topology: XmlElement,
  kindOf: (type: number, name: string) => OsKind | undefined,
  found: Map<string, PciDevice>,
): Fault | undefined {
  const visit = (parent: XmlElement, near: XmlElement, bridges: readonly XmlElement[]): Fault | undefined => {
    for (const item of childObjects(parent)) {
      const fault = isOfType(item, 'PCIDev')
        ? take(item, near, bridges)
        : isOfType(item, 'Bridge')
          ? visit(item, near, [...bridges, item])
          : visit(item, item, []);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const take = (element: XmlElement, near: XmlElement, bridges: readonly XmlElement[]): Fault | undefined => {
    const { line, attributes } = element;
    const { pci_busid: address = '', pci_type: type = '' } = attributes;
    const [, ...digits] = addressPattern.exec(address) ?? [];
    if (digits.length === 0) return { line, message: `Invalid PCI address ${quote(address)}. Example: 0000:3b:00.0.` };
    if (!classPattern.test(type))
      return { line, message: `The PCI device ${address} has no class in its \`pci_type\` ${quote(type)}.` };
    const other = found.get(address);
    if (other !== undefined)
      return {
        line,
        message: `The PCI address ${address} is also on line ${other.element.line}. Keep one of the two.`,
      };
    const kinds = kindsBelow(element, kindOf);
    if (!kinds.ok) return kinds.failure;
    const [domain = '0', bus = '0', slot = '0', part = '0'] = digits;
    const order =
      Number.parseInt(domain, 16) * 2 ** 19 +
      Number.parseInt(bus, 16) * 2 ** 11 +
      Number.parseInt(slot, 16) * 8 +
      Number(part);
    const isGpu =
      gpuClass.test(type) || kinds.value.has('compute') || (isGraphicsCard(type) && kinds.value.has('graphics'));
    const maker = makerOf(type);
    found.set(address, { element, near, bridges, address, order, isGpu, maker, kinds: kinds.value });
    return undefined;
  };
  return visit(topology, topology, []);
}

/** Kinds of the system's devices below one of PCI, with the name of the first of each. */
function kindsBelow(
  element: XmlElement,
  kindOf: (type: number, name: string) => OsKind | undefined,
): Result<ReadonlyMap<OsKind, string>, Fault> {
  const kinds = new Map<OsKind, string>();
  for (const below of elementsBelow(element, 'object')) {
    if (!isOfType(below, 'OSDev')) continue;
    const { osdev_type: number = '', name = '' } = below.attributes;
    if (!/^\d{1,9}$/.test(number)) return refuseDevice(below.line, `Invalid device type ${quote(number)}.`);
    const kind = kindOf(Number(number), name);
    if (kind !== undefined && !kinds.has(kind)) kinds.set(kind, name);
  }
  return succeed(kinds);
}

/** The socket of an object, and the cores there that it has, where they stand side by side; nothing where it spans several sockets. */
function socketAndCores(
  near: XmlElement,
  coreOfUnit: ReadonlyMap<number, CoreOfSocket>,
): Pick<NodeDevice, 'socket' | 'cores'> {
  const own = unitsBelow(near).flatMap((unit) => coreOfUnit.get(unit) ?? []);
  const [first] = own;
  if (first === undefined || own.some(({ socket }) => socket !== first.socket)) return {};
  const cores = new Set(own.map(({ core }) => core));
  const [least, most] = [leastOf(cores), largestOf(cores)];
  const { socket } = first;
  return most - least + 1 === cores.size ? { socket, cores: { first: least, count: cores.size } } : { socket };
}

/** Links side by side between two devices, by their positions; undefined where no matrix says anything. */
type Links = ReadonlyMap<number, number> | undefined;

/** Matrices of what GPUs reach each other by: of NVIDIA, of AMD, of Intel. */
const linkMatrices = ['NVLinkBandwidth', 'XGMIBandwidth', 'XeLinkBandwidth'];

/** Objects of a matrix: GPUs, switches, sockets. */
const mostObjects = 4096;

/**
 * Links between GPUs from hwloc's matrices of bandwidths in MB/s. An NVLink of the first generation has 20,000, later ones 25,000 (hwloc,
 * topology-nvml.c). GPUs that are linked to switches reach all others that are: switches are one fabric, as NCCL has it.
 */
function linksOf(topology: XmlElement, placed: readonly Placed[]): Result<Links, Fault> {
  const positions = new Map(placed.map(({ element }, at) => [element, at]));
  const objects = new Map<string, XmlElement>();
  const owners = new Map<XmlElement, XmlElement>();
  for (const item of elementsBelow(topology, 'object')) {
    const { type = '', gp_index: index } = item.attributes;
    if (index !== undefined) objects.set(`${type}:${index}`, item);
    if (type === 'PCIDev') for (const below of elementsBelow(item, 'object')) owners.set(below, item);
  }
  const links = new Map<number, number>();
  let isTold = false;
  for (const element of topology.children) {
    const { name = '', type } = element.attributes;
    if (!element.name.startsWith('distances2') || !linkMatrices.includes(name)) continue;
    const matrix = readDistanceMatrix(element, type);
    if (!matrix.ok) return matrix;
    isTold = true;
    const { keys, values } = matrix.value;
    const unknown = keys.find((key) => !objects.has(key));
    if (unknown !== undefined)
      return refuseDevice(element.line, `The matrix ${name} names the unknown object ${quote(unknown)}.`);
    const owned = keys.map((key) => {
      const item = objects.get(key)!;
      return owners.get(item) ?? item;
    });
    addLinks(owned, values, positions, links, placed.length);
  }
  return succeed(isTold ? links : undefined);
}

/** Keys like `OSDev:332` and as many values squared, row by row. */
function readDistanceMatrix(
  element: XmlElement,
  type: string | undefined,
): Result<{ readonly keys: readonly string[]; readonly values: readonly number[] }, Fault> {
  const { line, attributes } = element;
  const { nbobjs = '', name = '' } = attributes;
  const count = /^\d{1,5}$/.test(nbobjs) ? Number(nbobjs) : 0;
  if (count < 1 || count > mostObjects) {
    return refuseDevice(line, `The matrix ${name} has ${quote(nbobjs)} objects. Expected 1 to ${mostObjects}.`);
  }
  const wordsOf = (tag: string): string[] =>
    element.children
      .filter(({ name: own }) => own === tag)
      .flatMap(({ text }) => text.split(/\s+/))
      .filter((word) => word !== '');
  const indexes = wordsOf('indexes');
  if (indexes.length !== count)
    return refuseDevice(line, `The matrix ${name} lists ${countOf(indexes.length, 'object')} but declares ${count}.`);
  const values = wordsOf('u64values');
  if (values.length !== count ** 2) {
    return refuseDevice(
      line,
      `The matrix ${name} with ${countOf(count, 'object')} has ${countOf(values.length, 'value')}, not ${count ** 2}. The file may be truncated.`,
    );
  }
  const wrong = values.find((value) => !/^\d{1,15}$/.test(value));
  if (wrong !== undefined)
    return refuseDevice(line, `Invalid bandwidth ${quote(wrong)} in the matrix ${name}. Expected a number of MB/s.`);
  // Of objects of one type the matrix says the type once.
  return succeed({
    keys: indexes.map((index) => (type === undefined ? index : `${type}:${index}`)),
    values: values.map(Number),
  });
}

/** Adds the links of one matrix, at lower position · devices + higher. O(objects² + GPUs²). */
function addLinks(
  owned: readonly XmlElement[],
  values: readonly number[],
  positions: ReadonlyMap<XmlElement, number>,
  links: Map<number, number>,
  devices: number,
): void {
  const count = owned.length;
  const between = (one: number, other: number): number => (one === other ? 0 : (values[one * count + other] ?? 0));
  const rest = Array.from(values.entries()).filter(([at, value]) => value > 0 && Math.floor(at / count) !== at % count);
  const oneLink = rest.every(([, value]) => value % 25_000 === 0) ? 25_000 : 20_000;
  const linksAt = (bandwidth: number): number => (bandwidth === 0 ? 0 : Math.max(1, Math.round(bandwidth / oneLink)));
  // What is no GPU is a switch where it is on PCI, else a socket: hwloc names IBM's sockets, which GPUs do not talk through.
  const switches = Array.from(owned.keys()).filter(
    (at) => !positions.has(owned[at]!) && isOfType(owned[at]!, 'PCIDev'),
  );
  const toSwitches = owned.map((_, one) => switches.reduce((sum, other) => sum + linksAt(between(one, other)), 0));
  for (let one = 0; one < count; one++) {
    const from = positions.get(owned[one]!);
    if (from === undefined) continue;
    for (let other = 0; other < count; other++) {
      const to = positions.get(owned[other]!);
      if (to === undefined || to <= from) continue;
      const direct = linksAt(Math.max(between(one, other), between(other, one)));
      const number = direct || Math.min(toSwitches[one] ?? 0, toSwitches[other] ?? 0);
      if (number > 0) links.set(from * devices + to, number);
    }
  }
}

/** Of all pairs, the nearest of direct links and PCI. O(devices² · bridges). */
function hwlocPaths(placed: readonly Placed[], links: Links): DevicePath[] {
  const paths: DevicePath[] = [];
  for (let from = 0; from < placed.length; from++) {
    for (let to = from + 1; to < placed.length; to++) {
      const direct = links?.get(from * placed.length + to);
      if (direct !== undefined) paths.push({ from, to, kind: 'NV', links: direct });
      else paths.push({ from, to, kind: overBridges(placed[from]!, placed[to]!) });
    }
  }
  return paths;
}

/**
 * How two devices reach each other over PCI, by the words of `nvidia-smi topo -m`. A switch of PCI is a bridge with one more below it for each of its
 * ports, so that what is one bridge below the last that is shared hangs on the same switch.
 */
function overBridges(one: Placed, other: Placed): Exclude<DevicePath['kind'], 'NV'> {
  let shared = 0;
  while (shared < one.bridges.length && one.bridges[shared] === other.bridges[shared]) shared++;
  const [last] = one.bridges.slice(shared - 1, shared);
  if (shared === 0 || last === undefined) return isAlike(one.near, other.near) ? 'NODE' : 'SYS';
  if (last.attributes['bridge_type']?.startsWith('0-') === true) return 'PHB';
  return Math.max(one.bridges.length, other.bridges.length) - shared <= 1 ? 'PIX' : 'PXB';
}

/** Whether two objects have the same NUMA nodes. */
const isAlike = (one: XmlElement, other: XmlElement): boolean =>
  one === other ||
  (one.attributes['nodeset'] !== undefined && one.attributes['nodeset'] === other.attributes['nodeset']);
