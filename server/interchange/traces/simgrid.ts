import { fail } from '../../model/result.ts';
import type { CollectiveOperation } from '../../simulation/workloads/collectives.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { amount, count, forEachLine, real, tag, splitWords } from './lines.ts';
import { type Amounts, faultOfTaskCount, type Group, TraceWriter } from './writer.ts';

/**
 * Bytes of the datatypes that actions name by number, from 0 on: what `MPI_Type_size` says of them under SMPI 3.32
 * (src/smpi/mpi/smpi_datatype.cpp); test/judges/simgrid asks the real library. Older versions have other ones above 50.
 */
const bytesOfDatatype: readonly number[] = [
  ...[8, 4, 1, 2, 8, 4, 1], // double, int, char, short, long, float, byte
  ...[8, 1, 1, 2, 4, 8, 8, 16], // long long, signed and unsigned char, unsigned short to long long, long double
  ...[4, 1, 1, 2, 4, 8, 1, 2, 4, 8], // wide character, C's truth value, integers of 8 to 64 bits with and without a sign
  ...[8, 16, 32, 8, 8], // complex numbers of C, address, offset
  ...[8, 16, 16, 8, 8, 8, 16, 16], // float, long, double and short with an int; two of int, float, double, long
  ...[4, 4, 8, 16, 8, 16, 16], // Fortran: real, real of 4, 8 and 16 bytes, complex
  ...[4, 2, 4, 8, 16], // Fortran: integers
  ...[32, 1, 8, 16, 32], // long double with an int, C++'s truth value and complex numbers
  ...[0, 0, 1, 8, 8], // upper and lower bound, packed, pointer, count
];
const bytesOfDouble = 8;
/** Of exchanges, whose tags are not recorded. */
const exchangeTag = 0;
const adviceOfAllRanks = 'use the files of all ranks: a list, a pattern with `*`, or their folder.';
/** Actions that say nothing of messages. */
const silent = new Set(['finalize', 'comm_size', 'comm_split', 'comm_dup', 'test', 'testall', 'iprobe', 'location']);

/** Words behind actions of a fixed form. */
const mostWords = new Map(
  Object.entries({ init: 1, compute: 1, sleep: 1, send: 4, isend: 4, recv: 4, irecv: 4, sendrecv: 6, wait: 3 }),
);

/** A receive that was announced and is waited for later. */
interface Request {
  readonly from: number;
  readonly tag: number;
  readonly bytes: number;
}

export const simgridTrace: TraceFormatEntry = {
  name: 'simgrid',
  summary: 'time-independent traces of SimGrid, one file or a list with one per rank',
  source: 'SimGrid 3, src/smpi/internals/smpi_replay.cpp',
  details:
    'Actions of all ranks. `compute` counts operations; the option `speed` is operations per second. With an argument to `init`, sizes count doubles, else bytes. `waitall` waits for all receives posted so far. Collective operations are expanded with the algorithms in the options.',
  options: [],
  recognizes: (beginning) => /^\s*\d+[ \t]+init\b/i.test(beginning),
  read(files, options, cancellation, sums) {
    let ranks = 0;
    const speaking = new Set<number>();
    for (const file of files) {
      const counted = forEachLine(file, cancellation, (text) => {
        const [rank, action] = splitWords(text);
        if (rank === undefined || rank.startsWith('#')) return undefined;
        const number = count(rank);
        if (number === undefined || action === undefined) return 'Expected `RANK ACTION …`.';
        ranks = Math.max(ranks, number + 1);
        speaking.add(number);
        return faultOfTaskCount(ranks);
      });
      if (!counted.ok) return counted;
    }
    if (ranks === 0) return fail('bad-trace', `${files[0]?.name ?? ''}: The trace has no actions.`);
    const writer = new TraceWriter(ranks, options, sums);
    const reader = new ActionReader(writer, Number(options['speed'] ?? 1e9), speaking.size === 1);
    for (const file of files) {
      const done = forEachLine(file, cancellation, (text, line) => reader.read(text, `${file.name}:${line}`));
      if (!done.ok) return done;
    }
    return writer.finished('room', cancellation);
  },
};

class ActionReader {
  readonly #writer: TraceWriter;
  readonly #speed: number;
  /** Whether one rank has all actions, as in one file of many. */
  readonly #isOneAlone: boolean;
  readonly #everybody: Group;
  /** Bytes of an element of each rank, as its `init` says. */
  readonly #elementBytes = new Map<number, number>();
  readonly #requests = new Map<number, Request[]>();

  constructor(writer: TraceWriter, speed: number, isOneAlone: boolean) {
    this.#writer = writer;
    this.#speed = speed;
    this.#isOneAlone = isOneAlone;
    this.#everybody = { id: 0, ranks: Array.from({ length: writer.taskCount }, (_, rank) => rank) };
  }

  /** Why the line is refused, or undefined. */
  read(text: string, place: string): string | undefined {
    const [first, name = '', ...words] = splitWords(text);
    if (first === undefined || first.startsWith('#')) return undefined;
    const rank = Number(first);
    const action = name.toLowerCase();
    this.#writer.touch(rank);
    if (words.length > (mostWords.get(action) ?? Infinity))
      this.#writer.unknown(`Extra words after \`${action}\``, place);
    return silent.has(action) ? undefined : this.#act(rank, action, words);
  }

  #act(rank: number, action: string, words: readonly string[]): string | undefined {
    if (this.#writer.isSumming && action.startsWith('wait')) return undefined;
    if (action === 'init') this.#elementBytes.set(rank, words.length > 0 ? bytesOfDouble : 1);
    else if (action === 'compute' || action === 'sleep') return this.#compute(rank, action, words);
    else if (['send', 'isend', 'recv', 'irecv'].includes(action)) return this.#message(rank, action, words);
    else if (action === 'sendrecv') return this.#exchange(rank, words);
    else if (action === 'wait') return this.#wait(rank, words);
    else if (action === 'waitall') return this.#waitForAll(rank);
    else return this.#collective(rank, action, words);
    return undefined;
  }

  #compute(rank: number, action: string, words: readonly string[]): string | undefined {
    const number = real(words[0]);
    if (number === undefined) return `Expected \`${action} NUMBER\`, a number ≥ 0.`;
    this.#writer.compute(rank, action === 'sleep' ? number : number / this.#speed);
    return undefined;
  }

  #message(rank: number, action: string, words: readonly string[]): string | undefined {
    if (this.#writer.isSumming && action.endsWith('recv')) return undefined;
    const [partner, own, elements] = [count(words[0]), tag(words[1]), words[2] === undefined ? 0 : amount(words[2])];
    if (partner === undefined) return 'Wildcard receives (MPI_ANY_SOURCE) cannot be replayed. Name the source rank.';
    if (own === undefined)
      return 'Wildcard receives (MPI_ANY_TAG) cannot be replayed. Write the tag, a whole number ≥ 0.';
    const bytes = this.#bytes(rank, elements, words[3]);
    if (bytes === undefined)
      return (
        faultOfDatatype(words[3]) ??
        `Expected \`${action} PARTNER TAG SIZE\`, with an optional datatype. A message has at most 2^53 bytes.`
      );
    const alone = this.#faultOfOneAlone(rank, partner);
    if (alone !== undefined) return alone;
    if (action.endsWith('send')) return this.#writer.send(rank, partner, bytes, own);
    if (action === 'recv') return this.#writer.receive(rank, partner, bytes, own);
    const requests = this.#requests.get(rank) ?? [];
    requests.push({ from: partner, tag: own, bytes });
    this.#requests.set(rank, requests);
    return this.#writer.faultOf(partner);
  }

  /** `sendRecv SIZE TO ROOM FROM [DATATYPE [DATATYPE]]`: sends and receives at once. */
  #exchange(rank: number, words: readonly string[]): string | undefined {
    const [to, from] = [count(words[1]), count(words[3])];
    const sent = this.#bytes(rank, amount(words[0]), words[4]);
    const room = this.#bytes(rank, amount(words[2]), words[5]);
    if (to === undefined || from === undefined || sent === undefined || room === undefined) {
      const fault = faultOfDatatype(words[4]) ?? faultOfDatatype(words[5]);
      return fault ?? 'Expected `sendRecv SIZE TO ROOM FROM`, with two optional datatypes.';
    }
    const fault = this.#faultOfOneAlone(rank, Math.max(to, from)) ?? this.#writer.send(rank, to, sent, exchangeTag);
    return fault ?? (this.#writer.isSumming ? undefined : this.#writer.receive(rank, from, room, exchangeTag));
  }

  /** Why one file of many is not read by itself, or undefined. */
  #faultOfOneAlone(rank: number, partner: number): string | undefined {
    if (!this.#isOneAlone || partner < this.#writer.taskCount) return undefined;
    return `The file has only actions of rank ${rank}, with partner rank ${partner}: ${adviceOfAllRanks}`;
  }

  /** `wait FROM TO TAG`: for the first announced receive of that kind; a wait for a send is nothing. */
  #wait(rank: number, words: readonly string[]): string | undefined {
    const [from, to, own] = [count(words[0]), count(words[1]), tag(words[2])];
    if (from === undefined || to === undefined || own === undefined) return 'Expected `wait FROM TO TAG`.';
    if (to !== rank) return undefined;
    const requests = this.#requests.get(rank) ?? [];
    const at = requests.findIndex((request) => request.from === from && request.tag === own);
    const [request] = at < 0 ? [] : requests.splice(at, 1);
    return request === undefined ? undefined : this.#writer.receive(rank, request.from, request.bytes, request.tag);
  }

  #waitForAll(rank: number): string | undefined {
    for (const { from, bytes, tag: own } of this.#requests.get(rank) ?? [])
      this.#writer.receive(rank, from, bytes, own);
    this.#requests.delete(rank);
    return undefined;
  }

  #collective(rank: number, action: string, words: readonly string[]): string | undefined {
    const read = collectiveActions.get(action);
    if (read === undefined) return `Unknown action \`${action.slice(0, 40)}\`.`;
    const { taskCount } = this.#writer;
    let fault: string | undefined;
    const bytes = (word: string | undefined, datatype?: string): number | undefined => {
      fault ??= faultOfDatatype(datatype);
      return this.#bytes(rank, word === undefined ? undefined : amount(word), datatype);
    };
    const found = read({ words, rank, size: taskCount, bytes });
    if (typeof found === 'string') return found;
    // Whoever counts fewer ranks than the action does takes a size for the datatype.
    if (fault !== undefined && this.#isOneAlone)
      return `The file has only actions of rank ${rank}, but \`${action}\` has sizes for more ranks: ${adviceOfAllRanks}`;
    if (fault !== undefined) return fault;
    const { operation, size, amounts = {} } = found;
    if (size === undefined || Number.isNaN(size)) return `\`${action}\` needs sizes that are whole numbers ≥ 0.`;
    const root = amounts.root ?? 0;
    if (root >= taskCount) return this.#writer.faultOf(root);
    return this.#writer.collective(rank, this.#everybody, operation, size, amounts);
  }

  #bytes(rank: number, elements: number | undefined, datatype: string | undefined): number | undefined {
    const each = datatype === undefined ? (this.#elementBytes.get(rank) ?? 1) : datatypeBytes(datatype);
    if (elements === undefined || each === undefined) return undefined;
    const bytes = elements * each;
    return bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined;
  }
}

const datatypeBytes = (datatype: string): number | undefined => bytesOfDatatype[count(datatype) ?? -1];

/** Why the number of a datatype is refused, or undefined. */
function faultOfDatatype(datatype: string | undefined): string | undefined {
  if (datatype === undefined || datatypeBytes(datatype) !== undefined) return undefined;
  return `Unknown datatype \`${datatype.slice(0, 40)}\`. SMPI numbers its own from 0 to ${bytesOfDatatype.length - 1}.`;
}

interface Arguments {
  readonly words: readonly string[];
  readonly rank: number;
  readonly size: number;
  readonly bytes: (word: string | undefined, datatype?: string) => number | undefined;
}

interface Call {
  readonly operation: CollectiveOperation;
  /** NaN or undefined where a size is none. */
  readonly size: number | undefined;
  readonly amounts?: Amounts;
}

/** `SIZE [ROOT [DATATYPE]]`, or with a count of operations between: `SIZE OPERATIONS [ROOT [DATATYPE]]`. */
const rooted =
  (operation: CollectiveOperation, at: number): ((call: Arguments) => Call | string) =>
  ({ words, bytes }) => {
    const root = words[at] === undefined ? 0 : count(words[at]);
    if (root === undefined) return 'Expected a rank as root, a whole number ≥ 0.';
    return { operation, size: bytes(words[0], words[at + 1]), amounts: { root } };
  };

/** Sizes of each rank: as many as there are ranks from a word on, of the datatype that another word names. */
function sizesFrom({ words, size, bytes }: Arguments, at: number, datatypeAt: number): number[] {
  return Array.from({ length: size }, (_, index) => bytes(words[at + index], words[datatypeAt]) ?? Number.NaN);
}

const uneven = (operation: CollectiveOperation, sizes: readonly number[], root = 0): Call => ({
  operation,
  size: sizes.reduce((sum, bytes) => sum + bytes, 0),
  amounts: { root, part: (rank) => sizes[rank] ?? 0 },
});

const collectiveActions: ReadonlyMap<string, (call: Arguments) => Call | string> = new Map(
  Object.entries({
    barrier: () => ({ operation: 'barrier', size: 0 }),
    bcast: rooted('broadcast', 1),
    reduce: rooted('reduce', 2),
    gather: rooted('gather', 2),
    scatter: rooted('scatter', 2),
    allreduce: ({ words, bytes }) => ({ operation: 'all-reduce', size: bytes(words[0], words[2]) }),
    allgather: ({ words, bytes }) => ({ operation: 'all-gather', size: bytes(words[0], words[2]) }),
    alltoall: ({ words, bytes }) => ({ operation: 'all-to-all', size: bytes(words[0], words[2]) }),
    scan: ({ words, bytes }) => ({ operation: 'scan', size: bytes(words[0], words[2]) }),
    exscan: ({ words, bytes }) => ({ operation: 'scan', size: bytes(words[0], words[2]) }),
    // Counts of all ranks, operations, the datatype.
    reducescatter: (call) => uneven('reduce-scatter', sizesFrom(call, 0, call.size + 1)),
    // The own count, those of all ranks, the datatype.
    allgatherv: (call) => uneven('all-gather', sizesFrom(call, 1, call.size + 1)),
    // The own count, those of all ranks, the root, the datatype of senders and that of the root.
    gatherv: (call) => {
      const ofRoot = call.words[call.size + 3] === undefined ? call.size + 2 : call.size + 3;
      return uneven('gather', sizesFrom(call, 1, ofRoot), count(call.words[call.size + 1]) ?? 0);
    },
    // The counts of all ranks, the own one, the root, the datatype of the root and that of receivers.
    scatterv: (call) => uneven('scatter', sizesFrom(call, 0, call.size + 2), count(call.words[call.size + 1]) ?? 0),
    // The room of the send buffer, what goes to each, the room of the receive buffer, what comes from each, both datatypes.
    alltoallv: (call) => {
      const datatypesAt = 2 * call.size + 2;
      const sent = sizesFrom(call, 1, datatypesAt);
      const received = sizesFrom(call, call.size + 2, datatypesAt + 1);
      return {
        operation: 'all-to-all',
        size: [...sent, ...received].reduce((sum, bytes) => sum + bytes, 0),
        amounts: { between: (from, to) => (from === call.rank ? sent[to] : received[from]) ?? 0 },
      };
    },
  } satisfies Record<string, (call: Arguments) => Call | string>),
);
