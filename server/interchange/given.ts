import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { GivenFile, GivenHosts, GivenJob, GivenPlacement } from '../model/given.ts';
import { NameBudget, expandHostlist } from '../model/hostlist.ts';
import { taskLimit } from '../model/job.ts';
import { formatNumber } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
import { readPlaces, readRankTable, readTaskMap, refuse, type RowFault } from './givenRows.ts';
import { at, lineOfValue, readJson } from './jsonText.ts';
import { linesOf, decodeText, faultOfBytes, withoutByteOrderMark, ending } from './reading.ts';

const code = 'bad-mapping-file';

/** Larger files name no hosts: a million ranks have 16 bytes each. */
const largestHostFile = 16 * 2 ** 20;

/**
 * Reads where tasks run, in the format that the content shows: numbers alone are the slot of each task; what begins
 * with a brace is our own JSON; the rest names hosts. Fails with `bad-mapping-file` and one sentence that begins with
 * the file's name and, where it has one, the line. O(bytes), but for hostlists that stand for many names.
 */
export function readGiven(
  content: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
): Result<GivenFile> {
  const bytes = withoutByteOrderMark(content);
  const fault = faultOfBytes(bytes);
  if (fault !== undefined) return fail(code, `${fileName}: ${fault}`);
  return ending(cancellation, () => {
    const isSmall = bytes.length <= largestHostFile;
    if (isNumbers(bytes)) {
      const places = isSmall ? readPlaces(new TextDecoder().decode(bytes), fileName) : undefined;
      return places === undefined ? readNumbers(bytes, fileName, cancellation) : placed(places, fileName);
    }
    if (!isSmall) {
      return fail(
        code,
        `${fileName}: The file names hosts and is larger than 16 MiB, the most that is read of such files.`,
      );
    }
    const text = decodeText(bytes);
    if (!text.ok) return fail(code, `${fileName}: ${text.failure}`);
    if (/^\s*\[\s*\[|^\s*\{\s*"(?:version|map)"\s*:/.test(text.value)) return readFlux(text.value, fileName);
    if (/^\s*\{/.test(text.value)) return readResults(text.value, fileName);
    const table = readRankTable(text.value);
    return table === undefined ? readHostLines(text.value, fileName, cancellation) : placed(table, fileName);
  });
}

/** What is wrong with rows stands behind the file and the line. */
function placed(places: Result<GivenFile, RowFault>, fileName: string): Result<GivenFile> {
  if (places.ok) return places;
  const { message, line } = places.failure;
  return fail(code, `${fileName}:${line === undefined ? '' : `${line}:`} ${message}`);
}

/** A task map as it is, or as the member `map` of an object. */
function readFlux(text: string, fileName: string): Result<GivenFile> {
  const parsed = readDocument(text, fileName);
  if (!parsed.ok) return parsed;
  const version = at(parsed.value, 'version') ?? 1;
  if (version !== 1) {
    const line = lineOfValue(text, ['version']);
    return placed(refuse(`Version ${quote(JSON.stringify(version))} of task maps of Flux is not read: 1 is.`, line), fileName); // prettier-ignore
  }
  const map = at(parsed.value, 'map');
  const path = map === undefined ? [] : ['map'];
  return placed(
    readTaskMap(map ?? parsed.value, (...way) => lineOfValue(text, [...path, ...way])),
    fileName,
  );
}

/** The one document of a text of JSON. */
function readDocument(text: string, fileName: string): Result<unknown> {
  const documents = readJson(text, fileName, code);
  if (!documents.ok) return documents;
  const [first, ...others] = documents.value;
  if (others.length === 0) return succeed(first);
  return fail(code, `${fileName}:1: The file holds ${others.length + 1} documents of JSON one after another: keep the one that says where tasks run.`); // prettier-ignore
}

const [newline, zero, nine, hash] = [10, 48, 57, 35];

/** Bytes between numbers. */
const isBetween = (byte: number): boolean =>
  byte === 32 || byte === 9 || byte === 13 || byte === newline || byte === 44 || byte === 59;

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;

/** Whether the first word is a number: then all are to be. */
function isNumbers(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === hash) {
      at = bytes.indexOf(newline, at);
      if (at < 0) return false;
    } else if (!isBetween(bytes[at]!))
      return /^[-+]?\d+(?:\.\d*|-\d+)?(?:[\s,;#]|$)/.test(new TextDecoder().decode(bytes.subarray(at, at + 40)));
  }
  return false;
}

/** Whole numbers, with blanks, commas or line breaks between them; `#` begins a comment. */
function readNumbers(bytes: Uint8Array, fileName: string, cancellation: Cancellation): Result<GivenFile> {
  const slots = new Int32Array(Math.min(taskLimit, (bytes.length >> 1) + 1));
  let count = 0;
  let line = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === newline && (line++ & 4095) === 0 && cancellation.isCancelled()) break;
    if (byte === hash) {
      const end = bytes.indexOf(newline, at);
      at = (end < 0 ? bytes.length : end) - 1;
    }
    if (byte === hash || isBetween(byte)) continue;
    const start = at;
    while (at < bytes.length && !isBetween(bytes[at]!) && bytes[at] !== hash) at++;
    const slot = at - start > 10 ? Number.NaN : numberIn(bytes, start, at);
    if (!(slot < 2 ** 31)) {
      const word = quote(new TextDecoder().decode(bytes.subarray(start, Math.min(at, start + 100))));
      return fail(code, `${fileName}:${line}: ${word} is not a whole number from 0 to ${2 ** 31 - 1}.`);
    }
    if (count === slots.length) {
      const most = formatNumber(taskLimit);
      return fail(
        code,
        `${fileName}:${line}: There are more than ${most} slots, one for each of the most tasks that a job has.`,
      );
    }
    slots[count++] = slot;
    at--;
  }
  return succeed({ kind: 'slots', slots: slots.slice(0, count) });
}

function numberIn(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at]!)) return Number.NaN;
    value = 10 * value + bytes[at]! - zero;
  }
  return value;
}

/** What one line says: some hosts, each with so many ranks; or the host of one rank. */
interface Entry {
  readonly hosts: readonly string[];
  readonly count?: number;
  readonly rank?: number;
  readonly socket?: number;
  readonly core?: number;
  /** The first of several cores. */
  readonly firstCore?: number;
  /** Of each rank of a host its cores, counted through the node. */
  readonly bindings?: readonly (readonly number[])[];
}

/** Answers what is wrong with a line, what it says, or undefined where it says nothing. */
type LineReader = (content: string, budget: NameBudget) => string | Entry | undefined;

function readHostLines(text: string, fileName: string, cancellation: Cancellation): Result<GivenFile> {
  let reader: LineReader | undefined;
  const ranks = new Ranks();
  const budget = new NameBudget();
  for (const { line, content } of linesOf(text, cancellation)) {
    const bare = withoutComment(content);
    if (bare === '') continue;
    reader ??= readerFor(bare, text);
    const entry = reader(bare, budget);
    const fault = typeof entry === 'string' ? entry : entry && ranks.add(entry, line);
    if (fault !== undefined) return fail(code, `${fileName}:${line}: ${fault}`);
  }
  return placed(ranks.finish(text.trimEnd().split(/\r\n|\n|\r/).length), fileName);
}

/** `#` begins a comment, and so does `//` in a rankfile. */
function withoutComment(content: string): string {
  const ends = [content.indexOf('#'), content.indexOf('//')].filter((at) => at >= 0);
  return content.slice(0, ends.length === 0 ? undefined : Math.min(...ends)).trim();
}

function readerFor(line: string, text: string): LineReader {
  if (/^rank\s+\d+\s*=/.test(line)) return readRankLine;
  if (labelled.test(line)) return readLabelledLine;
  if (affinityLine.test(line)) return readAffinityLine;
  return /^[ \t]*Data for node: /m.test(text) ? jobMapReader() : readHostLine;
}

const hostName = /^(?=.*[A-Za-z.:])[A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?$/;

/** Why a word is no host, as a sentence. */
function faultOfHost(word: string): string | undefined {
  if (/^\+n\d+$/.test(word)) {
    return `${quote(word)} counts hosts of an allocation that the file does not name: write their names.`;
  }
  return hostName.test(word) ? undefined : `${quote(word)} is no name of a host.`;
}

/** `rank 3=n07 slot=0:1` of Open MPI. */
const rankLine = /^rank\s+(\d{1,9})\s*=\s*(\S+?)\s+slots?\s*=\s*(\S.*)$/;

function readRankLine(content: string): string | Entry {
  const [, rank = '', host = '', slots = ''] = rankLine.exec(content) ?? [];
  if (rank === '') return `${quote(content)} is no line of a rankfile: \`rank 0=host slot=0:1\` is expected.`;
  const name = host.replace(/^[^@]*@/, '');
  const fault = faultOfHost(name);
  if (fault !== undefined) return fault;
  if (/^[ps]\d/i.test(slots)) {
    return `${quote(slots)} names a package or a physical core, which differ between versions of Open MPI: write logical cores, \`socket:core\`.`;
  }
  if (!/^[\d*][\d:,;*\s-]*$/.test(slots))
    return `${quote(slots)} is no list of cores: \`3\`, \`0:3\` and \`0:0-3\` are.`;
  const [, socket, core, last] = /^(?:(\d{1,6}):)?(\d{1,6})(?:-(\d{1,6}))?$/.exec(slots.trim()) ?? [];
  return {
    hosts: [name],
    rank: Number(rank),
    ...(core === undefined ? {} : { [last === undefined ? 'core' : 'firstCore']: Number(core) }),
    ...(core === undefined || socket === undefined ? {} : { socket: Number(socket) }),
  };
}

/** `n07 4,5` of LSF: the host of a rank, and its cores counted through the node; NUMA nodes and the policy of memory may follow, `n07 4,5 0 1`. */
const affinityLine = /^([A-Za-z]\S*|[\d.]+|\S*:\S*)\s+(\d{1,6}(?:,\d{1,6})*)(?:\s+\d{1,6}(?:,\d{1,6})*\s+\d)?$/;

function readAffinityLine(content: string): string | Entry {
  const [, host = '', cores = ''] = affinityLine.exec(content) ?? [];
  if (host === '')
    return `${quote(content)} is no line \`host core,core\`, behind which NUMA nodes and a policy of memory may stand.`;
  const fault = faultOfHost(host);
  return fault ?? { hosts: [host], bindings: [cores.split(',').map(Number)] };
}

/** `3: n07` of `srun -l hostname`, `[1,3]<stdout>: n07` of `mpirun --tag-output hostname`. */
const labelled = /^(?:(\d{1,9})|\[\d+,(\d{1,9})\]<stdout>):\s*(\S+)$/;

function readLabelledLine(content: string): string | Entry {
  const [, plain, tagged, host = ''] = labelled.exec(content) ?? [];
  if (host === '') return `${quote(content)} is no line \`rank: host\`.`;
  return faultOfHost(host) ?? { hosts: [host], rank: Number(plain ?? tagged) };
}

/** The job map that `mpirun --display-map` prints: hosts, and below each its processes. */
function jobMapReader(): LineReader {
  let host: string | undefined;
  return (content) => {
    const node = /^Data for node:\s*(\S+)/.exec(content)?.[1];
    if (node !== undefined) {
      host = node;
      return faultOfHost(node);
    }
    const rank = /\bProcess rank:\s*(\d{1,9})\b/.exec(content)?.[1];
    if (rank === undefined || host === undefined) return undefined;
    // Of Open MPI 4, whose cores count through the node; one core where the rank is bound to one.
    const cores = Array.from(content.matchAll(/\[core +(\d{1,6})\[/g), ([, core]) => Number(core));
    return { hosts: [host], rank: Number(rank), ...(cores.length === 1 ? { core: cores[0]! } : {}) };
  };
}

/**
 * Hostlists, each with a number of ranks where it has one: `n01`, `n[02-05]:4`, `n06*2`, `n07 slots=32 max_slots=32`.
 */
function readHostLine(content: string, budget: NameBudget): string | Entry {
  const hosts: string[] = [];
  let count: number | undefined;
  let bindings: Entry['bindings'];
  for (const word of content.replace(/\s*=\s*/g, '=').split(/\s+/)) {
    const read = word.startsWith('binding=')
      ? readBinding(word)
      : word.includes('=')
        ? readSlots(word)
        : readHostWord(word, budget);
    if (typeof read === 'string') return read;
    count = read.count ?? count;
    bindings = read.bindings ?? bindings;
    for (const host of read.hosts) hosts.push(host);
  }
  if (bindings !== undefined && bindings.length !== (count ?? 1) * hosts.length) {
    return `The line has ${(count ?? 1) * hosts.length} ranks and cores for ${bindings.length} of them.`;
  }
  return {
    hosts: count === 0 ? [] : hosts,
    ...(count === undefined ? {} : { count }),
    ...(bindings === undefined ? {} : { bindings }),
  };
}

/** `binding=user:0+1,4` of Hydra: the cores of each rank of the line; bindings of other kinds say nothing of cores. */
function readBinding(word: string): string | Entry {
  const list = /^binding=user:(.*)$/.exec(word)?.[1];
  if (list === undefined) return { hosts: [] };
  if (!/^\d{1,6}(?:\+\d{1,6})*(?:,\d{1,6}(?:\+\d{1,6})*)*$/.test(list)) return `${quote(word)} is no list of cores: \`binding=user:0+1,2+3\` is one.`; // prettier-ignore
  return { hosts: [], bindings: list.split(',').map((cores) => cores.split('+').map(Number)) };
}

/** `slots=32`; other keys, as `max_slots=64`, say nothing of where ranks are. */
function readSlots(word: string): string | Entry {
  if (!/^(?:slots|count|cpu)=/i.test(word)) return { hosts: [] };
  const count = /=(\d{1,7})$/.exec(word)?.[1];
  return count === undefined ? `${quote(word)} gives no number of slots.` : { hosts: [], count: Number(count) };
}

/** A hostlist, with `:32` or `*32` behind it where it has a count. What holds another colon is an address of IPv6. */
function readHostWord(word: string, budget: NameBudget): string | Entry {
  const [, list, repeats] = /^([^:]*[^:*])[:*](\d{1,7})$/.exec(word) ?? [];
  const names = expandHostlist((list ?? word).replace(/^[^@]*@/, ''), budget);
  if (!names.ok) return names.failure;
  for (const name of names.value) {
    const fault = faultOfHost(name);
    if (fault !== undefined) return `${fault} A line holds hosts, as in \`n[01-04]\`, \`n07 slots=32\` or \`n07:32\`.`;
  }
  return { hosts: names.value, ...(repeats === undefined ? {} : { count: Number(repeats) }) };
}

/** Gathers ranks in the order of the lines, or by the numbers that the lines give. */
class Ranks {
  private readonly hosts = new Map<string, number>();
  /** Of each rank in the order of the lines. */
  private readonly hostOf: number[] = [];
  private readonly socketOf: number[] = [];
  private readonly coreOf: number[] = [];
  private readonly firstCoreOf: number[] = [];
  private readonly lineOf: number[] = [];
  private readonly numbered = new Map<number, number>();
  private isRoom = false;

  /** What is wrong with the entry, as a sentence. */
  add(entry: Entry, line: number): string | undefined {
    const { hosts, count, rank } = entry;
    this.isRoom ||= count !== undefined;
    if (rank !== undefined) {
      const first = this.numbered.get(rank);
      if (first !== undefined) return `Rank ${rank} stands on line ${this.lineOf[first]!} already.`;
      this.numbered.set(rank, this.hostOf.length);
    }
    if (this.hostOf.length + hosts.length * (count ?? 1) > taskLimit) {
      return `There are more than ${formatNumber(taskLimit)} ranks, the most that are possible.`;
    }
    let bound = 0;
    for (const name of hosts) {
      const host = this.hosts.get(name) ?? this.hosts.size;
      this.hosts.set(name, host);
      for (let repeat = 0; repeat < (count ?? 1); repeat++) this.push(host, entry, bound++, line);
    }
    return undefined;
  }

  /** One rank: cores of its own where the line has some for each, else those that the line names. */
  private push(
    host: number,
    { bindings, socket = -1, core = -1, firstCore = core }: Entry,
    at: number,
    line: number,
  ): void {
    const cores = bindings?.[at];
    this.hostOf.push(host);
    this.socketOf.push(socket);
    this.coreOf.push(cores?.length === 1 ? cores[0]! : core);
    this.firstCoreOf.push(cores?.[0] ?? firstCore);
    this.lineOf.push(line);
  }

  /** `lastLine`: of the file. */
  finish(lastLine: number): Result<GivenHosts, RowFault> {
    const { numbered } = this;
    const count = this.hostOf.length;
    if (count === 0) return refuse('The file names no host and holds no number up to its end: give a host of each rank on a line, or the slots.', lastLine); // prettier-ignore
    for (let rank = 0; numbered.size > 0 && rank < count; rank++) {
      if (numbered.has(rank)) continue;
      const [other = 0, row = 0] = Array.from(numbered).find(([later]) => later > rank) ?? [];
      return refuse(`Rank ${rank} is missing, but here is rank ${other}: give the host of every rank from 0.`, this.lineOf[row]); // prettier-ignore
    }
    const inOrder = (values: readonly number[]): Int32Array =>
      numbered.size === 0
        ? Int32Array.from(values)
        : Int32Array.from(values, (_, rank) => values[numbered.get(rank)!]!);
    return succeed({
      kind: 'hosts',
      hosts: Array.from(this.hosts.keys()),
      hostOfRank: inOrder(this.hostOf),
      socketOfRank: inOrder(this.socketOf),
      coreOfRank: inOrder(this.coreOf),
      firstCoreOfRank: inOrder(this.firstCoreOf),
      lineOfRank: inOrder(this.lineOf),
      isRoom: this.isRoom,
    });
  }
}

/** Nodes and mappings of the JSON that `run --json` and `export --format json` write; the rest is passed over. */
function readResults(text: string, fileName: string): Result<GivenFile> {
  const parsed = readDocument(text, fileName);
  if (!parsed.ok) return parsed;
  const written = at(parsed.value, 'placements');
  const refused = (message: string, ...path: readonly (string | number)[]): Result<never> => {
    const way = written === undefined ? path.slice(2) : path;
    return fail(code, `${fileName}:${lineOfValue(text, way)}: ${message}`);
  };
  const listed = written ?? [parsed.value];
  if (!Array.isArray(listed)) return refused('`placements` is no list.', 'placements');
  const placements: GivenPlacement[] = [];
  for (const [index, placement] of (listed as readonly unknown[]).entries()) {
    const read = readPlacement(placement);
    if (!read.ok) return refused(read.failure.message, 'placements', index, ...read.failure.path);
    placements.push(read.value);
  }
  return placements.length === 0
    ? refused('The file holds no placement: write it anew with `placewright run --json` or `export --format json`.', 'placements') // prettier-ignore
    : succeed({ kind: 'results', placements });
}

/** What is wrong with a value of JSON, and the way to it. */
interface ValueFault {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

const wrong = (message: string, ...path: readonly (string | number)[]): { readonly ok: false; readonly failure: ValueFault } => ({ ok: false, failure: { message, path } }); // prettier-ignore

function readPlacement(value: unknown): Result<GivenPlacement, ValueFault> {
  const [name, jobs] = [at(value, 'name'), at(value, 'jobs')];
  if (typeof name !== 'string' || !Array.isArray(jobs)) {
    return wrong(
      'The JSON is not of `placewright run --json` or `export --format json`: a placement has `name` and `jobs`.',
    );
  }
  const read: GivenJob[] = [];
  for (const [index, job] of (jobs as readonly unknown[]).entries()) {
    const own = at(job, 'name');
    if (typeof own !== 'string') return wrong('A job of the JSON has a `name`.', 'jobs', index, 'name');
    const nodes = numbersOf(job, 'nodes');
    if (!nodes.ok) return wrong(nodes.failure.message, 'jobs', index, ...nodes.failure.path);
    const mapping = numbersOf(job, 'mapping');
    if (!mapping.ok) return wrong(mapping.failure.message, 'jobs', index, ...mapping.failure.path);
    read.push({ kind: 'job', name: own, nodes: nodes.value, mapping: mapping.value });
  }
  return succeed({ name, jobs: read });
}

function numbersOf(job: unknown, key: string): Result<Int32Array, ValueFault> {
  const value = at(job, key);
  if (!Array.isArray(value)) return wrong('A job of the JSON has `nodes` and `mapping`, lists of whole numbers.', key);
  if (value.length > taskLimit) return wrong(`\`${key}\` has more than ${formatNumber(taskLimit)} numbers, the most that are possible.`, key); // prettier-ignore
  const isNumber = (item: unknown): boolean =>
    Number.isInteger(item) && (item as number) >= 0 && (item as number) < 2 ** 31;
  const odd = value.findIndex((item) => !isNumber(item));
  return odd < 0
    ? succeed(Int32Array.from(value as number[]))
    : wrong(`${quote(JSON.stringify(value[odd]))} in \`${key}\` is not a whole number from 0 to ${2 ** 31 - 1}.`, key, odd); // prettier-ignore
}
