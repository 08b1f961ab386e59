/**
 * Files that name hosts, line by line: rankfiles, host files of launchers, the output of a job that tells where it runs. They are read without
 * a text of the whole: seven million ranks have a quarter of a gigabyte.
 */
import { appendAll } from '../model/lists.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { GivenHosts } from '../model/given.ts';
import { NameBudget, expandHostlist } from '../model/hostlist.ts';
import { taskLimit } from '../model/job.ts';
import { formatNumber } from '../model/quantities.ts';
import { quote, type Result, succeed } from '../model/result.ts';
import { refuseRow, type RowFault } from './reading.ts';
import { textLines, linesOfBytes, oneLine, UnknownNames } from './reading.ts';

/** What one line says: some hosts, each with so many ranks; or the host of one rank. */
interface Entry {
  readonly hosts: readonly string[];
  readonly count?: number;
  readonly rank?: number;
  /** Ranks of the one host, from the first to the last of each pair. */
  readonly ranks?: readonly (readonly [first: number, last: number])[];
  readonly socket?: number;
  readonly core?: number;
  /** The first and the last of several cores in a row; of other cores the first twice. */
  readonly firstCore?: number;
  readonly lastCore?: number;
  /** Of each rank of a host its cores, counted through the node. */
  readonly bindings?: readonly (readonly number[])[];
  /** Keys of the line that no launcher is known to have. */
  readonly unknown?: readonly string[];
}

/** Answers what is wrong with a line, what it says, or undefined where it says nothing. */
type LineReader = (content: string, budget: NameBudget) => string | Entry | undefined;

/** O(bytes), but for hostlists that stand for many names. */
export function readHostLines(bytes: Uint8Array, cancellation: Cancellation): Result<GivenHosts, RowFault> {
  let reader: LineReader | undefined;
  const ranks = new Ranks();
  const budget = new NameBudget();
  const unknown = new UnknownNames();
  let lastLine = 1;
  const comments = new Comments();
  for (const { line, content } of linesOfBytes(bytes, cancellation)) {
    if (content.trim() !== '') lastLine = line;
    const bare = comments.without(content);
    if (bare === '') continue;
    reader ??= readerFor(bare, bytes);
    const entry = reader(bare, budget);
    const fault = typeof entry === 'string' ? entry : entry && ranks.add(entry, line);
    if (fault !== undefined) return refuseRow(fault, line);
    if (typeof entry === 'object') for (const key of entry.unknown ?? []) unknown.add(key, line);
  }
  const read = ranks.finish(lastLine);
  const warnings = unknown.warnings((key) => `Unknown key ${quote(oneLine(key))} of a host`);
  return read.ok && warnings.length > 0 ? succeed({ ...read.value, warnings }) : read;
}

/** `#` begins a comment; in a rankfile so does `//`, and there is a comment in `/*` and its end over several lines. */
class Comments {
  #isInside = false;

  /** What a line says outside of comments. */
  without(content: string): string {
    let rest = content;
    let said = '';
    while (rest !== '') {
      const end = this.#isInside ? rest.indexOf('*/') : rest.search(/#|\/[/*]/);
      if (!this.#isInside) said += end < 0 ? rest : rest.slice(0, end);
      if (end < 0) break;
      if (!this.#isInside && rest.slice(end, end + 2) !== '/*') break;
      this.#isInside = !this.#isInside;
      rest = rest.slice(end + 2);
      said += ' ';
    }
    return said.trim();
  }
}

/** Bytes in which the job map of Open MPI has named a host. */
const beginningOfMap = 2 ** 16;

function readerFor(line: string, bytes: Uint8Array): LineReader {
  if (rankfileLine.test(line)) return readRankLine;
  if (bindingLine.test(line)) return readBindingLine;
  if (ranksOfHost.test(line)) return readRanksOfHost;
  if (labelled.test(line)) return readLabelledLine;
  if (affinityLine.test(line)) return readAffinityLine;
  const beginning = new TextDecoder().decode(bytes.subarray(0, beginningOfMap));
  return /^[ \t]*Data for node: /m.test(beginning) ? jobMapReader() : readHostLine;
}

const hostName = /^(?=.*[A-Za-z.:])[A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?$/;

/** Why a word is no host, as a sentence. */
const faultOfHost = (word: string): string | undefined =>
  hostName.test(word) ? undefined : `Invalid host name ${quote(word)}.`;

const rankfileLine = /^rank\s+\d+\s*=/;

/** Whether the first line that is not a comment is that of a rankfile. */
export function isRankfile(text: string): boolean {
  const comments = new Comments();
  for (const { content } of textLines(text)) {
    const bare = comments.without(content);
    if (bare !== '') return rankfileLine.test(bare);
  }
  return false;
}

/** `rank 3=n07 slot=0:1` of Open MPI; `+n3` is host 3 of the allocation, and without `slot` the core is open. */
const rankLine = /^rank\s+(\d{1,9})\s*=\s*([^\s=]+)(?:\s+slots?\s*=\s*(\S.*))?$/;

function readRankLine(content: string): string | Entry {
  const [, rank = '', host = '', slots] = rankLine.exec(content) ?? [];
  if (rank === '') return `Invalid line of a rankfile ${quote(content)}. Expected \`rank 0=host slot=0:1\`.`;
  const name = host.replace(/^[^@]*@/, '');
  const fault = /^\+n\d{1,7}$/.test(name) ? undefined : faultOfHost(name);
  if (fault !== undefined) return fault;
  const cores = slots === undefined ? {} : readCores(slots.trim());
  return typeof cores === 'string' ? cores : { hosts: [name], rank: Number(rank), ...cores };
}

type CoresOfEntry = Pick<Entry, 'socket' | 'core' | 'firstCore' | 'lastCore'>;

/** Cores of a node have no higher numbers in files. */
const endOfSocket = 10 ** 6;

/** `3`, `0:3`, `0:0-2`, `0-1,3`, `0:*`, `0:0,1;1:0`: cores on one socket, or counted through the node. */
function readCores(slots: string): string | CoresOfEntry {
  if (/^[ps]\d/i.test(slots)) {
    return (
      `${quote(slots)} names a package or a physical core. Their numbers depend on the Open MPI version. Write logical cores, ` +
      '`socket:core`.'
    );
  }
  if (!/^[\d*][\d:,;*\s-]*$/.test(slots))
    return `Invalid list of cores ${quote(slots)}. Examples: \`3\`, \`0:3\` and \`0:0-3\`.`;
  const sockets = new Set<string>();
  const cores: (readonly [number, number])[] = [];
  let own = '';
  for (const item of slots.split(/[\s,;]+/)) {
    const [, socket, first, last] = /^(?:(\d{1,6}):)?(?:(\d{1,6})(?:-(\d{1,6}))?|\*)$/.exec(item) ?? [];
    own = socket ?? own;
    sockets.add(own);
    if (first !== undefined) cores.push([Number(first), Number(last ?? first)]);
    else if (own !== '' && item.endsWith('*')) cores.push([0, endOfSocket]);
    else return {};
  }
  const [socket] = sockets;
  // Cores of several sockets leave open on which of them the rank is.
  if (sockets.size !== 1) return {};
  return { ...coresInRow(cores), ...(socket !== '' && { socket: Number(socket) }) };
}

/** One core, or several. */
function coresInRow(cores: readonly (readonly [first: number, last: number])[]): CoresOfEntry {
  const [begin] = cores;
  if (begin === undefined) return {};
  const [firstCore] = begin;
  let lastCore = firstCore - 1;
  for (const [first, last] of cores) {
    if (first !== lastCore + 1 || last < first) return { firstCore, lastCore: firstCore };
    lastCore = last;
  }
  return firstCore === lastCore ? { core: firstCore } : { firstCore, lastCore };
}

/** `node1: 0-3,8` of `flux job taskmap --to=hosts`. */
const ranksOfHost = /^([A-Za-z][^\s:]*):\s+(\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*)$/;

function readRanksOfHost(content: string): string | Entry {
  const [, host = '', list = ''] = ranksOfHost.exec(content) ?? [];
  if (host === '') return `Invalid line ${quote(content)}. Expected \`host: ranks\`, as in \`n01: 0-3,8\`.`;
  const ranks = list.split(',').map((item) => {
    const [first = 0, last = first] = item.split('-').map(Number);
    return [first, last] as const;
  });
  const odd = ranks.find(([first, last]) => last < first);
  if (odd !== undefined) return `The range '${odd.join('-')}' ends before it begins.`;
  return faultOfHost(host) ?? { hosts: [host], ranks };
}

/** What `mpirun --report-bindings` prints: Open MPI 4 `[n1:49718] MCW rank 0 bound to socket 0[core 0[hwt 0]]: [B/.]`, Open MPI 5 `[n1:7] Rank 0 bound to package[0][core:0-2]`. */
const bindingLine = /^\[([^\s\]]+):\d+\]\s+(?:MCW )?[Rr]ank (\d{1,9}) (?:is not bound|bound to)\b(.*)$/;

function readBindingLine(content: string): string | Entry {
  const [, host = '', rank = '', bound = ''] = bindingLine.exec(content) ?? [];
  if (host === '')
    return `Invalid line ${quote(content)}. Keep only lines of \`mpirun --report-bindings\` in the file.`;
  const four = Array.from(bound.matchAll(/\[core +(\d{1,6})\[/g), ([, core]) => [Number(core), Number(core)] as const);
  const five = Array.from(bound.matchAll(/\[core:([\d,-]{1,200})\]/g), ([, list = '']) => list.split(',')).flat();
  const listed = five.map((item) => {
    const [first = 0, last = first] = item.split('-').map(Number);
    return [first, last] as const;
  });
  // Cores count through the node.
  return faultOfHost(host) ?? { hosts: [host], rank: Number(rank), ...coresInRow(four.length > 0 ? four : listed) };
}

/** `n07 4,5` of LSF: the host of a rank, and its cores counted through the node; NUMA nodes and the policy of memory may follow, `n07 4,5 0 1`. */
const affinityLine = /^([A-Za-z]\S*|[\d.]+|\S*:\S*)\s+(\d{1,6}(?:,\d{1,6})*)(?:\s+\d{1,6}(?:,\d{1,6})*\s+\d)?$/;

function readAffinityLine(content: string): string | Entry {
  const [, host = '', cores = ''] = affinityLine.exec(content) ?? [];
  if (host === '')
    return `Invalid line ${quote(content)}. Expected \`host core,core\`, with optional NUMA nodes and memory policy.`;
  const fault = faultOfHost(host);
  return fault ?? { hosts: [host], bindings: [cores.split(',').map(Number)] };
}

/** `3: n07` of `srun -l hostname`, `[1,3]<stdout>: n07` of `mpirun --tag-output hostname`. */
const labelled = /^(?:(\d{1,9})|\[\d+,(\d{1,9})\]<stdout>):\s*(\S+)$/;

function readLabelledLine(content: string): string | Entry {
  const [, plain, tagged, host = ''] = labelled.exec(content) ?? [];
  if (host === '') return `Invalid line ${quote(content)}. Expected \`rank: host\`.`;
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
    const cores = Array.from(
      content.matchAll(/\[core +(\d{1,6})\[/g),
      ([, core]) => [Number(core), Number(core)] as const,
    );
    return { hosts: [host], rank: Number(rank), ...coresInRow(cores) };
  };
}

/**
 * Hostlists, each with a number of ranks where it has one: `n01`, `n[02-05]:4`, `n06*2`, `n07 slots=32 max_slots=32`.
 */
function readHostLine(content: string, budget: NameBudget): string | Entry {
  const hosts: string[] = [];
  let count: number | undefined;
  let bindings: Entry['bindings'];
  const unknown: string[] = [];
  for (const word of content.replace(/\s*=\s*/g, '=').split(/\s+/)) {
    const read = word.includes('=') ? readKey(word) : readHostWord(word, budget);
    if (typeof read === 'string') return read;
    count = read.count ?? count;
    bindings = read.bindings ?? bindings;
    appendAll(unknown, read.unknown ?? []);
    for (const host of read.hosts) hosts.push(host);
  }
  const ranks = (count ?? 1) * hosts.length;
  if (bindings !== undefined && bindings.length !== ranks)
    return `The line has ${ranks} ranks but cores for ${bindings.length}. Write cores for each rank.`;
  return {
    hosts: count === 0 ? [] : hosts,
    ...(count === undefined ? {} : { count }),
    ...(bindings === undefined ? {} : { bindings }),
    ...(unknown.length > 0 && { unknown }),
  };
}

const readKey = (word: string): string | Entry => (word.startsWith('binding=') ? readBinding(word) : readSlots(word));

/** `binding=user:0+1,4` of Hydra: the cores of each rank of the line; bindings of other kinds say nothing of cores. */
function readBinding(word: string): string | Entry {
  const list = /^binding=user:(.*)$/.exec(word)?.[1];
  if (list === undefined) return { hosts: [] };
  if (!/^\d{1,6}(?:\+\d{1,6})*(?:,\d{1,6}(?:\+\d{1,6})*)*$/.test(list))
    return `Invalid list of cores ${quote(word)}. Example: \`binding=user:0+1,2+3\`.`;
  return { hosts: [], bindings: list.split(',').map((cores) => cores.split('+').map(Number)) };
}

/** Keys of Open MPI, MPICH, Intel MPI and PBS that say nothing of where ranks are. */
const otherKeys = new Set([
  'max_slots',
  'max-slots',
  'slots_max',
  'username',
  'user',
  'port',
  'ifname',
  'mem',
  'ncpus',
  'mpiprocs',
  'ompthreads',
]);

/** `slots=32`; {@link otherKeys} are passed over. */
function readSlots(word: string): string | Entry {
  const [key = ''] = word.toLowerCase().split('=', 1);
  if (!['slots', 'count', 'cpu'].includes(key))
    return otherKeys.has(key) ? { hosts: [] } : { hosts: [], unknown: [key] };
  const count = /=(\d{1,7})$/.exec(word)?.[1];
  return count === undefined ? `Invalid number of slots ${quote(word)}.` : { hosts: [], count: Number(count) };
}

/** A hostlist, with `:32` or `*32` behind it where it has a count. What holds another colon is an address of IPv6. */
function readHostWord(word: string, budget: NameBudget): string | Entry {
  const [, list, repeats] = /^([^:]*[^:*])[:*](\d{1,7})$/.exec(word) ?? [];
  const names = expandHostlist((list ?? word).replace(/^[^@]*@/, ''), budget);
  if (!names.ok) return names.failure;
  for (const name of names.value) {
    const fault = faultOfHost(name);
    if (fault !== undefined) return `${fault} Expected hosts, as in \`n[01-04]\`, \`n07 slots=32\` or \`n07:32\`.`;
  }
  return { hosts: names.value, ...(repeats === undefined ? {} : { count: Number(repeats) }) };
}

/** Whole numbers in an array that doubles. */
class Numbers {
  #values = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index] ?? -1;
  }

  /** Where the array is used up it is the answer itself. */
  finish(): Int32Array {
    return this.length < 0.9 * this.#values.length
      ? this.#values.slice(0, this.length)
      : this.#values.subarray(0, this.length);
  }
}

const tooMany = `The file has more than ${formatNumber(taskLimit)} ranks, the maximum.`;

/** Gathers ranks in the order of the lines, or by the numbers that the lines give. */
class Ranks {
  readonly #hosts = new Map<string, number>();
  /** Of each rank in the order of the lines. */
  readonly #hostOf = new Numbers();
  readonly #socketOf = new Numbers();
  readonly #coreOf = new Numbers();
  readonly #firstCoreOf = new Numbers();
  readonly #lastCoreOf = new Numbers();
  readonly #lineOf = new Numbers();
  /** The numbers that the lines give. */
  readonly #rankOf = new Numbers();
  /** By rank one more than its place among the lines; of ranks that no job has in the other. */
  #placeOf = new Int32Array(1024);
  readonly #placeOfFar = new Map<number, number>();
  #isRoom = false;

  /** What is wrong with the entry, as a sentence. */
  add(entry: Entry, line: number): string | undefined {
    for (const [first, last] of entry.ranks ?? []) {
      if (this.#hostOf.length + last - first >= taskLimit) return tooMany;
      for (let rank = first; rank <= last; rank++) {
        const fault = this.#addLine({ hosts: entry.hosts, rank }, line);
        if (fault !== undefined) return fault;
      }
    }
    return entry.ranks === undefined ? this.#addLine(entry, line) : undefined;
  }

  #addLine(entry: Entry, line: number): string | undefined {
    const { hosts, count, rank } = entry;
    this.#isRoom ||= count !== undefined;
    if (rank !== undefined) {
      const first = this.#placeOfRank(rank);
      if (first !== undefined) return `Rank ${rank} is also on line ${this.#lineOf.at(first)}. Keep one of the two.`;
      this.#number(rank);
    }
    if (this.#hostOf.length + hosts.length * (count ?? 1) > taskLimit) {
      return tooMany;
    }
    let bound = 0;
    for (const name of hosts) {
      const host = this.#hosts.get(name) ?? this.#hosts.size;
      this.#hosts.set(name, host);
      for (let repeat = 0; repeat < (count ?? 1); repeat++) this.#push(host, entry, bound++, line);
    }
    return undefined;
  }

  #placeOfRank(rank: number): number | undefined {
    if (rank >= taskLimit) return this.#placeOfFar.get(rank);
    const place = this.#placeOf[rank] ?? 0;
    return place === 0 ? undefined : place - 1;
  }

  /** The next line is of this rank. */
  #number(rank: number): void {
    const place = this.#hostOf.length;
    this.#rankOf.push(rank);
    if (rank >= taskLimit) {
      this.#placeOfFar.set(rank, place);
      return;
    }
    if (rank >= this.#placeOf.length) {
      const longer = new Int32Array(2 ** Math.ceil(Math.log2(rank + 1)));
      longer.set(this.#placeOf);
      this.#placeOf = longer;
    }
    this.#placeOf[rank] = place + 1;
  }

  /** One rank: cores of its own where the line has some for each, else those that the line names. */
  #push(host: number, entry: Entry, at: number, line: number): void {
    const own = entry.bindings?.[at];
    const bound = own === undefined ? entry : coresInRow(own.map((one) => [one, one] as const));
    const { core = -1, firstCore = core, lastCore = firstCore } = bound;
    this.#hostOf.push(host);
    this.#socketOf.push(entry.socket ?? -1);
    this.#coreOf.push(core);
    this.#firstCoreOf.push(firstCore);
    this.#lastCoreOf.push(lastCore);
    this.#lineOf.push(line);
  }

  /** `lastLine`: of the file. */
  finish(lastLine: number): Result<GivenHosts, RowFault> {
    const count = this.#hostOf.length;
    if (count === 0)
      return refuseRow(
        'The file has no hosts, and not only numbers. Write one host per rank and line, or the slots.',
        lastLine,
      );
    const isNumbered = this.#rankOf.length > 0;
    for (let rank = 0; isNumbered && rank < count; rank++) {
      if (this.#placeOfRank(rank) !== undefined) continue;
      const row = this.#rankOf.finish().findIndex((known) => known > rank);
      return refuseRow(
        `Rank ${rank} is missing before rank ${this.#rankOf.at(row)}. Write the host of every rank from 0.`,
        this.#lineOf.at(row),
      );
    }
    const inOrder = (numbers: Numbers): Int32Array => {
      const values = numbers.finish();
      return isNumbered ? values.map((_, rank) => numbers.at((this.#placeOf[rank] ?? 0) - 1)) : values;
    };
    return succeed({
      kind: 'hosts',
      hosts: Array.from(this.#hosts.keys()),
      hostOfRank: inOrder(this.#hostOf),
      socketOfRank: inOrder(this.#socketOf),
      coreOfRank: inOrder(this.#coreOf),
      firstCoreOfRank: inOrder(this.#firstCoreOf),
      lastCoreOfRank: inOrder(this.#lastCoreOf),
      lineOfRank: inOrder(this.#lineOf),
      isRoom: this.#isRoom,
    });
  }
}
