/**
 * Files of other tools, read in the format that is named or in the first of the catalogue that recognises the content. Whatever the
 * bytes are, a reader ends with a value or one sentence that begins with the file's name and, where it has one, the line.
 */
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import { findEntry, type OptionValues } from '../model/catalogue.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { ForwardingDump } from '../model/forwarding.ts';
import type { GivenFile } from '../model/given.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import {
  fabricFormats,
  forwardingFormats,
  mappingFormats,
  nodeFormats,
  tableFormats,
  traceFormats,
} from './catalogue.ts';
import type { ExportOptions, MachineFormatEntry, Trace, TraceFile } from './contract.ts';
import { csvMatrix } from './csv.ts';
import { faultOfCount } from './fabrics/builder.ts';
import { readForwardingTables } from './forwarding.ts';
import { decodeText, ending, endingLater, faultOfBytes, faultOfSignature, withoutByteOrderMark } from './reading.ts';
import { fileBytes } from './wholeFile.ts';

const joinedNames = (entries: readonly { readonly name: string }[]): string =>
  entries.map(({ name }) => name).join(', ');

/**
 * Reads a network. A fabric may be without hosts or in several parts: that is for the topology to say. Fails with `bad-fabric`.
 * O(bytes), but for names that stand for many.
 */
export async function readFabric(
  bytes: Uint8Array,
  fileName: string,
  format: string | undefined,
  cancellation: Cancellation = neverCancelled,
): Promise<Result<Fabric>> {
  const text = decodeText(bytes);
  if (!text.ok) return fail('bad-fabric', `${fileName}: ${text.failure}`);
  const entry = findFormat(text.value, format);
  if (!entry.ok) return fail('bad-fabric', `${fileName}: ${entry.failure}`);
  const { name, largestText = Infinity, read } = entry.value;
  if (text.value.length > largestText) {
    const most = formatNumber(largestText / 2 ** 10, 0);
    return fail('bad-fabric', `${fileName}: The file is larger than ${most} KiB, the maximum for \`${name}\`.`);
  }
  return endingLater(cancellation, async () => {
    const fabric = await read(text.value, fileName, cancellation);
    if (!fabric.ok) return fabric;
    const excess = fabricExcess(fabric.value);
    return excess === undefined ? fabric : fail('bad-fabric', `${fileName}: ${excess}`);
  });
}

function findFormat(text: string, format: string | undefined): Result<MachineFormatEntry, string> {
  const refuse = (failure: string): Result<MachineFormatEntry, string> => ({ ok: false, failure });
  const formats = joinedNames(fabricFormats);
  if (format !== undefined) {
    const named = findEntry(fabricFormats, format);
    if (named !== undefined) return { ok: true, value: named };
    return refuse(`Unknown network format ${quote(format)}. Expected one of ${formats}.`);
  }
  const found = fabricFormats.find((entry) => entry.recognizes(text));
  if (found !== undefined) return { ok: true, value: found };
  const advice = adviceOnOtherFiles(text);
  if (advice !== undefined) return refuse(advice);
  return refuse(`Unknown network format. Supported: ${formats}. Write \`as FORMAT\` to select one.`);
}

const fabricExcess = ({ nodes, routers, cables }: Fabric): string | undefined =>
  faultOfCount('switches', routers.length) ??
  faultOfCount('hosts', nodes.length) ??
  faultOfCount('cables', cables.length);

/** Files that stand beside those that describe networks, and what to do instead. */
const others: readonly { readonly shape: RegExp; readonly advice: string }[] = [
  {
    shape: /^[ \t]*Unicast lids \[|^[ \t]*(?:\w+:[ \t]*)?Switch 0x[0-9a-f]+[ \t]*$/im,
    advice:
      'This file has forwarding tables. Write `routing from "FILE"`; use ibnetdiscover output for `topology from`.',
  },
  {
    shape: /<topology[\s>]/,
    advice: 'This is an hwloc file, which describes a node. Write `node from "FILE"` instead.',
  },
  {
    shape: /<graphml[\s>]/,
    advice: 'GraphML is not read. List the links as CSV: `from,to` per line, below that header.',
  },
  {
    shape: /^\s*topology\s*=\s*\w+\s*;|^\s*(?:LPGROUPS|PARAMS)\b|^topology:[ \t]*\[|^\s*schema_version:/m,
    advice: 'This is a simulator configuration with network parameters. Write them as `topology` in the machine.',
  },
  {
    shape: /<system[\s>]|<graphs[\s>]/,
    advice: 'This is an NCCL topology, which describes a node. Write `node from "FILE"` instead.',
  },
  {
    shape: /^apiVersion:|^kind:[ \t]*(?:List|Node)\b/m,
    advice: 'This is Kubernetes YAML; JSON is expected. Use `kubectl get nodes -o json`.',
  },
  {
    shape: /^\s*[[{]/,
    advice: 'Unknown kind of JSON. List the links as CSV: `from,to` per line, below that header.',
  },
];

/** What to do with a file of a kind that is known and not read; undefined for any other. */
const adviceOnOtherFiles = (text: string): string | undefined => others.find(({ shape }) => shape.test(text))?.advice;

/** Reads the inside of a compute node: `node from "FILE"`. Fails with `bad-node`. O(bytes). */
export async function readNodeShape(
  bytes: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
): Promise<Result<NodeShape>> {
  const text = decodeText(bytes);
  if (!text.ok) return fail('bad-node', `${fileName}: ${text.failure}`);
  const format = nodeFormats.find((entry) => entry.recognizes(text.value));
  if (format !== undefined)
    return endingLater(cancellation, async () => withDoubts(await format.read(text.value, fileName)));
  const formats = nodeFormats.map(({ name, summary }) => `${name} (${summary})`).join(', ');
  return fail('bad-node', `${fileName}: The file does not describe a node. Supported: ${formats}.`);
}

/** Adds a warning if the file does not give the socket of a GPU. */
function withDoubts(shape: Result<NodeShape>): Result<NodeShape> {
  if (!shape.ok || shape.value.coresOfSockets.length === 1) return shape;
  const { devices = [], warnings } = shape.value;
  const adrift = devices.filter(({ kind, socket }) => kind === 'gpu' && socket === undefined);
  const [first] = adrift;
  if (first === undefined) return shape;
  const message = `The file does not give the sockets of ${countOf(adrift.length, 'GPU')}, the first ${quote(first.name)}. They are assigned to the sockets in order.`;
  return succeed({ ...shape.value, warnings: [...warnings, { message }] });
}

/** Reads forwarding tables. Fails with `bad-forwarding`. O(bytes). */
export function readForwarding(
  bytes: Uint8Array,
  fileName: string,
  format: string | undefined,
  cancellation: Cancellation = neverCancelled,
): Result<ForwardingDump> {
  const text = decodeText(bytes);
  if (!text.ok) return fail('bad-forwarding', `${fileName}: ${text.failure}`);
  const entry = forwardingFormats.find(
    ({ name, recognizes }) => (format === undefined || name === format) && recognizes(text.value),
  );
  if (entry === undefined) return fail('bad-forwarding', `${fileName}: ${adviceOnForwarding(text.value, format)}`);
  return ending(cancellation, () => readForwardingTables(text.value, fileName, entry, cancellation));
}

/** What is said of a file that holds no forwarding tables. */
function adviceOnForwarding(text: string, format: string | undefined): string {
  const found = forwardingFormats.find(({ recognizes }) => recognizes(text));
  if (found !== undefined)
    return `The file has the format ${quote(found.name)}, not ${quote(format ?? '')}. Remove \`as\`; the format is detected.`;
  if (/^[ \t]*(?:switch|ca|hca)[ \t]+\d+[ \t]+"/im.test(text) || /==\([^)\n]*\)==>/.test(text))
    return 'This is the fabric, not its forwarding tables. Write `topology from "FILE"`; create the tables with `dump_fts`.';
  if (/^Multicast mlids/m.test(text))
    return 'These are tables of multicast groups. Dump the host tables, without `-M`.';
  const formats = joinedNames(forwardingFormats);
  return `The file has no known forwarding tables (${formats}). Create them with \`dump_fts\`.`;
}

/** Names of the formats that a file fits, by its beginning, that which reads it first; the fallback only where there is no other. */
export function formatsThatFit(file: TraceFile): readonly string[] {
  const beginning = withoutByteOrderMark(fileBytes(file, beginningLength));
  const found = tableFormats.flatMap(({ name, recognizes }) =>
    name !== csvMatrix.name && recognizes(beginning) ? [name] : [],
  );
  return found.length === 0 ? [csvMatrix.name] : found;
}

/**
 * Reads a table of traffic, found by its content, or in the format that is named. Amounts are
 * finite, ≥ 0 and at most 2^53; zeros are dropped, the diagonal is kept.
 * Fails with `bad-table` and one sentence that begins with the file's name and line. O(bytes).
 */
export const readTable = (
  content: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
  format?: string,
): Result<TableEntries> => readTableFiles([{ name: fileName, chunks: () => [content] }], format, cancellation);

/** As {@link readTable}, of several files where each rank wrote one; they are gone through piece by piece. */
export function readTableFiles(
  files: readonly TraceFile[],
  format: string | undefined,
  cancellation: Cancellation = neverCancelled,
): Result<TableEntries> {
  const [first] = files;
  if (first === undefined) return fail('bad-table', 'The table has no files.');
  return ending(cancellation, () => {
    const beginning = withoutByteOrderMark(fileBytes(first, beginningLength));
    const entry =
      format === undefined
        ? tableFormats.find(({ recognizes }) => recognizes(beginning))
        : findEntry(tableFormats, format);
    if (entry === undefined) {
      const names = joinedNames(tableFormats);
      return fail('bad-table', `${first.name}: Unknown table format \`${format ?? ''}\`. Expected one of ${names}.`);
    }
    const fault = entry.isBinary === true ? undefined : faultOfSignature(beginning);
    if (fault !== undefined) return fail('bad-table', `${first.name}: ${fault}`);
    if (entry.isBinary === true && !entry.recognizes(beginning)) {
      return fail(
        'bad-table',
        `${first.name}: byte 0: The file does not have the format \`${entry.name}\`. Remove \`as ${entry.name}\`; the format is detected.`,
      );
    }
    return entry.read(files, cancellation);
  });
}

const wholeCodes = ['bad-workload', 'workload-too-large'];

/** So much of a file is looked at to find its format. */
const beginningLength = 65_536;

/**
 * Reads a trace of all ranks: `files` is the one that the user named, or those that it lists, in order. `format` is a name
 * of the catalogue; without one the beginning of the first file decides. Fails with `bad-trace` and one sentence that begins
 * with the file's name, with `workload-too-large` where it has more operations than are kept.
 */
export function readTrace(
  files: readonly TraceFile[],
  format: string | undefined,
  options: OptionValues,
  cancellation: Cancellation = neverCancelled,
): Result<Trace> {
  const [first] = files;
  if (first === undefined) return fail('bad-trace', 'The list of the trace has no files.');
  return ending(cancellation, () => {
    const bytes = withoutByteOrderMark(fileBytes(first, beginningLength));
    const beginning = new TextDecoder().decode(bytes);
    const entry =
      format === undefined
        ? traceFormats.find(({ recognizes }) => recognizes(beginning))
        : findEntry(traceFormats, format);
    if (entry !== undefined) {
      const trace = entry.read(files, options, cancellation);
      if (trace.ok || !wholeCodes.includes(trace.failure.code)) return trace;
      const { code, message } = trace.failure;
      // What only shows in the whole program has no line, and nothing of a file before it.
      if (files.some(({ name }) => message.startsWith(`${name}:`))) return trace;
      return fail(code === 'bad-workload' ? 'bad-trace' : code, `${first.name}: ${message}`);
    }
    const fault = faultOfSignature(bytes);
    if (fault !== undefined) return fail('bad-trace', `${first.name}: ${fault}`);
    if (beginning.trim() === '') return fail('bad-trace', `${first.name}: The file is empty.`);
    const names = joinedNames(traceFormats);
    return fail('bad-trace', `${first.name}: Unknown trace format. Write \`as\` with one of ${names}.`);
  });
}

/**
 * The files that a list names, one per rank in the order of ranks, relative to the list; undefined where a file is no
 * list but a trace. Each line of a list is one name: it has a letter, a dot and no blanks.
 */
export function namesInList(bytes: Uint8Array): readonly string[] | undefined {
  if (faultOfSignature(bytes) !== undefined) return undefined;
  const lines = new TextDecoder().decode(withoutByteOrderMark(bytes)).split(/\r?\n/);
  const names = lines.map((line) => line.trim()).filter((line) => line !== '');
  const isName = (line: string): boolean => /^[^\s:{}#]*[A-Za-z][^\s:{}#]*$/.test(line) && line.includes('.');
  return names.length > 0 && names.every(isName) ? names : undefined;
}

/** Larger files of mappings are read where that needs no text of the whole: slots, our own JSON, and hosts line by line. */
const largestText = 16 * 2 ** 20;

/**
 * Reads where tasks run. Fails with `bad-mapping-file`. O(bytes), but for hostlists that stand for many names.
 */
export function readGiven(
  content: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
  format?: string,
): Result<GivenFile> {
  const bytes = withoutByteOrderMark(content);
  const refuse = (message: string): Result<never> => fail('bad-mapping-file', `${fileName}: ${message}`);
  return ending(cancellation, () => {
    const fault = faultOfBytes(bytes, cancellation);
    if (fault !== undefined) return refuse(fault);
    const isComplete = bytes.length <= largestText;
    const text = new TextDecoder().decode(isComplete ? bytes : wholeLines(bytes.subarray(0, beginningLength)));
    if (isComplete && text.trim() === '') return refuse('The file is empty.');
    const file = { fileName, bytes, text, isComplete, cancellation };
    const named = format === undefined ? undefined : findEntry(mappingFormats, format);
    const entry = named ?? mappingFormats.find(({ recognizes }) => recognizes(file));
    if (entry === undefined) return refuse(`Unknown mapping format. Supported: ${joinedNames(mappingFormats)}.`);
    if (isComplete || entry.isWhole === undefined) return entry.read(file);
    const what = named === undefined ? entry.isWhole : `is read as \`${named.name}\``;
    return refuse(`The file ${what} and exceeds 16 MiB. Use slots, a rankfile or JSON of \`placewright export\`.`);
  });
}

/** As much of the beginning of a file as ends with a line; all of it where that is one line. */
function wholeLines(beginning: Uint8Array): Uint8Array {
  const end = beginning.lastIndexOf(0x0a);
  return end < 0 ? beginning : beginning.subarray(0, end);
}

/**
 * Reads the host names of `--hosts FILE`, each once, in their order: one per line, hostlists of Slurm, a hostfile of
 * Open MPI or MPICH; `#` begins a comment. Where it says how many slots hosts have, or names some more than once, these are known
 * too. Fails with `bad-hosts` and a sentence that begins with the file's name.
 */
export function readHosts(bytes: Uint8Array, fileName: string): Result<Pick<ExportOptions, 'hosts' | 'slotsOfHosts'>> {
  const file = readGiven(bytes, fileName);
  if (!file.ok) return fail('bad-hosts', file.failure.message);
  if (file.value.kind !== 'hosts') {
    return fail(
      'bad-hosts',
      `${fileName}: The file has no hosts. Write one per line, or a host list such as n[01-33].`,
    );
  }
  const { hosts, hostOfRank, isRoom } = file.value;
  const counted = hosts.find((host) => host.startsWith('+'));
  if (counted !== undefined) {
    return fail('bad-hosts', `${fileName}: ${quote(counted)} counts hosts in an allocation. Write the host names.`);
  }
  if (!isRoom && hostOfRank.length === hosts.length) return succeed({ hosts });
  const slots = new Int32Array(hosts.length);
  for (const host of hostOfRank) slots[host] = (slots[host] ?? 0) + 1;
  return succeed({ hosts, slotsOfHosts: new Map(hosts.map((host, at) => [host, slots[at] ?? 0])) });
}
