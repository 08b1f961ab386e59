import { XMLParser } from 'fast-xml-parser';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { NodeShape, FabricWarning } from '../model/fabric.ts';
import { type Result, fail, succeed } from '../model/result.ts';
import type { NodeFormatEntry } from './contract.ts';
import { ncclTopology } from './ncclTopology.ts';
import { nvidiaSmi } from './nvidiaSmi.ts';
import { decodeText, ending, calling } from './reading.ts';

/**
 * Reads the inside of a compute node: `node from "FILE"`. Fails with `bad-node` and
 * one sentence that begins with the file's name and, where it has one, the line. O(bytes).
 */
export function readNodeShape(
  bytes: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
): Result<NodeShape> {
  const text = decodeText(bytes);
  if (!text.ok) return fail('bad-node', `${fileName}: ${text.failure}`);
  const format = nodeFormats.find((entry) => entry.recognizes(text.value));
  if (format !== undefined) return ending(cancellation, () => format.read(text.value, fileName));
  const formats = nodeFormats.map(({ name, summary }) => `${name} (${summary})`).join(', ');
  return fail('bad-node', `${fileName}: The file does not describe a node; read is ${formats}.`);
}

/**
 * Letters of the largest file that is read: real ones are below a megabyte; the parser's objects take sixty times the
 * text.
 */
const largestText = 4 * 2 ** 20;

/** Attributes as `@name`; entities are not expanded and nothing is fetched. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  processEntities: false,
  isArray: (tag) => tag === 'object' || tag === 'cpukind',
});

/** Reads hwloc 1.x, 2.x and 3.x. O(text). */
function readHwloc(text: string, fileName: string): Result<NodeShape> {
  if (text.length > largestText)
    return fail('bad-node', `${fileName}: The file is larger than 4 MiB, the most that is read of hwloc.`);
  const document = parse(text);
  if (!document.ok) return fail('bad-node', `${fileName}:${document.failure}`);
  const { object = [], cpukind = [] } = document.value.topology ?? {};
  const shape = shapeOf(object, cpukind.length);
  return shape.ok ? shape : fail('bad-node', `${fileName}: ${shape.failure}`);
}

interface Document {
  readonly topology?: {
    readonly object?: readonly HwlocObject[];
    /** Kinds of cores: of a hybrid processor there are several. */
    readonly cpukind?: readonly { readonly '@cpuset'?: string }[];
  };
}

/** Fails with the line, where it is known, and a sentence. */
function parse(text: string): Result<Document, string> {
  const fault = faultOfEnd(text);
  if (fault !== undefined) return { ok: false, failure: fault };
  // The parser throws where tags do not close, or are nested too deep.
  const document = calling(() => parser.parse(text) as Document, ' The XML is damaged');
  return document.ok ? document : { ok: false, failure: `${document.failure} ${advice}` };
}

const advice = 'Write it again with `lstopo FILE.xml`.';

/** The parser takes a file that was cut off for a whole one, so its end and its tags are checked first. */
function faultOfEnd(text: string): string | undefined {
  if (!text.trimEnd().endsWith('</topology>')) {
    const lines = text.trimEnd().split('\n').length;
    return `${lines}: The file ends before </topology>: it was cut off. ${advice}`;
  }
  let open = 0;
  for (const [, slash, body = ''] of text.matchAll(/<(\/?)object\b([^<>]*)>/g)) {
    if (slash) open--;
    else if (!body.endsWith('/')) open++;
  }
  return open === 0 ? undefined : ` The XML is damaged: <object> and </object> do not pair up. ${advice}`;
}

const hwloc: NodeFormatEntry = {
  name: 'hwloc',
  summary: 'XML of hwloc, as `lstopo FILE.xml` writes it',
  source: 'Broquedis et al., hwloc, PDP 2010; hwloc 1.x, 2.x and 3.x',
  details:
    'Packages are sockets; cores are counted where at least one processing unit is allowed. A machine without packages is one socket, one without cores has a core per processing unit.',
  options: [],
  recognizes: (text) => /<topology[\s>]/.test(text),
  read: readHwloc,
};

/** Formats that the inside of a node is read from. */
export const nodeFormats: readonly NodeFormatEntry[] = [hwloc, ncclTopology, nvidiaSmi];

/** An element `object` of hwloc's XML; `Socket` is the word of hwloc 1 for `Package`. */
interface HwlocObject {
  readonly '@type'?: string;
  readonly '@os_index'?: string;
  readonly '@cpuset'?: string;
  readonly '@complete_cpuset'?: string;
  readonly '@allowed_cpuset'?: string;
  readonly '@online_cpuset'?: string;
  readonly object?: readonly HwlocObject[];
}

/** What is counted of a tree of objects. */
interface Tally {
  /** Cores with a usable processing unit, per socket. */
  readonly coresOfSocket: number[];
  /** Usable processing units, per socket. */
  readonly unitsOfSocket: number[];
  /** Cores without one. */
  idleCores: number;
  numaNodes: number;
  /** NUMA nodes without cores: memory of GPUs or of expansion cards. */
  bareMemories: number;
}

type Usable = (index: number) => boolean;

/** Sockets, cores and NUMA nodes of a machine. O(objects). Fails with a sentence without its place. */
function shapeOf(roots: readonly HwlocObject[], kindsOfCores: number): Result<NodeShape, string> {
  const machine = roots[0];
  if (!machine) return { ok: false, failure: 'The file has no object: it was cut off, or is no hwloc file.' };
  const allowed = readCpuset(machine['@allowed_cpuset']);
  const online = readCpuset(machine['@online_cpuset']);
  const tally: Tally = { coresOfSocket: [], unitsOfSocket: [], idleCores: 0, numaNodes: 0, bareMemories: 0 };
  const sockets = socketsOf(machine);
  for (const socket of sockets.length > 0 ? sockets : [machine]) {
    const units = countUnits(socket, (index) => allowed(index) && online(index), tally);
    tally.unitsOfSocket.push(units);
  }
  countMemories(machine, tally);
  const shape = summarise(tally, sockets.length);
  if (!shape.ok) return shape;
  const warnings = [...shape.value.warnings];
  if (kindsOfCores > 1) warnings.push({ message: `Cores are of ${kindsOfCores} kinds, as of a hybrid processor: all count alike.` }); // prettier-ignore
  const hidden = sizeOfSet(machine['@complete_cpuset']) - sizeOfSet(machine['@cpuset']);
  if (hidden > 0) warnings.push({ message: `Processing units that are offline or hidden: ${hidden}; left out.` });
  return succeed({ ...shape.value, warnings });
}

/** All objects below one and itself, in the order of the file. */
function* descend(root: HwlocObject): Generator<HwlocObject> {
  const open = [root];
  for (let item = open.pop(); item; item = open.pop()) {
    yield item;
    for (const child of item.object?.toReversed() ?? []) open.push(child);
  }
}

function socketsOf(machine: HwlocObject): HwlocObject[] {
  return Array.from(descend(machine)).filter((item) => item['@type'] === 'Package' || item['@type'] === 'Socket');
}

/** Adds the socket's cores to the tally; returns its usable processing units. */
function countUnits(socket: HwlocObject, usable: Usable, tally: Tally): number {
  let cores = 0;
  for (const item of descend(socket)) {
    if (item['@type'] !== 'Core') continue;
    if (usableUnits(item, usable) > 0) cores++;
    else tally.idleCores++;
  }
  tally.coresOfSocket.push(cores);
  return usableUnits(socket, usable);
}

function usableUnits(root: HwlocObject, usable: Usable): number {
  let units = 0;
  for (const item of descend(root)) {
    if (item['@type'] === 'PU' && usable(Number(item['@os_index'] ?? 0))) units++;
  }
  return units;
}

function countMemories(machine: HwlocObject, tally: Tally): void {
  for (const item of descend(machine)) {
    if (item['@type'] !== 'NUMANode') continue;
    if (isEmptySet(item['@cpuset'] ?? '0x1')) tally.bareMemories++;
    else tally.numaNodes++;
  }
}

function summarise(tally: Tally, packages: number): Result<NodeShape, string> {
  const warnings: FabricWarning[] = [];
  const warn = (message: string): number => warnings.push({ message });
  const hasCores = tally.idleCores > 0 || tally.coresOfSocket.some((cores) => cores > 0);
  const counts = (hasCores ? tally.coresOfSocket : tally.unitsOfSocket).filter((cores) => cores > 0);
  if (counts.length === 0) {
    return { ok: false, failure: 'The machine has no core with a processing unit that is online and allowed.' };
  }
  if (packages === 0) warn('No package is listed: the machine counts as one socket.');
  if (!hasCores) warn('No core is listed: every processing unit counts as one.');
  const empty = tally.coresOfSocket.length - counts.length;
  if (empty > 0) warn(`Sockets without a usable core: ${empty}; left out.`);
  if (tally.idleCores > 0) warn(`Cores that are offline or not allowed: ${tally.idleCores}; left out.`);
  if (tally.bareMemories > 0)
    warn(`NUMA nodes without cores (memory of GPUs or cards): ${tally.bareMemories}; left out.`);
  return succeed({
    coresOfSockets: counts,
    numaNodes: Math.max(1, tally.numaNodes),
    warnings,
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
