import { fail } from '../../model/result.ts';
import type { CollectiveOperation } from '../../simulation/workloads/collectives.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { amount, count, forEachLine, real, tag, wordsOf } from './lines.ts';
import { type Amounts, faultOfTaskCount, type Group, TraceWriter } from './writer.ts';

/** Bytes of the datatypes that actions name by number. */
const bytesOfDatatype = [8, 4, 1, 2, 8, 4, 1, 2, 4, 8, 1, 8, 4, 2, 1] as const;
const bytesOfDouble = 8;
/** Actions that say nothing of messages. */
const silent = new Set(['finalize', 'comm_size', 'comm_split', 'comm_dup', 'test', 'testall', 'iprobe', 'location']);

/** A receive that was announced and is waited for later. */
interface Request {
  readonly from: number;
  readonly tag: number;
  readonly bytes: number;
}

export const simgrid: TraceFormatEntry = {
  name: 'simgrid',
  summary: 'time-independent traces of SimGrid, one file or a list of one per rank',
  source: 'SimGrid 3, src/smpi/internals/smpi_replay.cpp',
  details:
    'Actions of all ranks; `compute` counts operations, of which the option `speed` are done in a second. `init` with an argument makes sizes count doubles, else bytes. `waitall` waits for all receives announced so far. Collective operations are expanded by the algorithms that the options name.',
  options: [],
  recognizes: (beginning) => /^\s*\d+[ \t]+init\b/i.test(beginning),
  read(files, options, cancellation, sums) {
    let ranks = 0;
    const speaking = new Set<number>();
    for (const file of files) {
      const counted = forEachLine(file, cancellation, (text) => {
        const [rank, action] = wordsOf(text);
        if (rank === undefined || rank.startsWith('#')) return undefined;
        const number = count(rank);
        if (number === undefined || action === undefined) return 'A line is `RANK ACTION …`.';
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
      const done = forEachLine(file, cancellation, (text) => reader.read(text));
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
  read(text: string): string | undefined {
    const [first, name = '', ...words] = wordsOf(text);
    if (first === undefined || first.startsWith('#')) return undefined;
    const rank = Number(first);
    const action = name.toLowerCase();
    this.#writer.touch(rank);
    if (silent.has(action) || (this.#writer.isSumming && action.startsWith('wait'))) return undefined;
    if (action === 'init') this.#elementBytes.set(rank, words.length > 0 ? bytesOfDouble : 1);
    else if (action === 'compute' || action === 'sleep') return this.#compute(rank, action, words);
    else if (['send', 'isend', 'recv', 'irecv'].includes(action)) return this.#message(rank, action, words);
    else if (action === 'wait') return this.#wait(rank, words);
    else if (action === 'waitall') return this.#waitForAll(rank);
    else return this.#collective(rank, action, words);
    return undefined;
  }

  #compute(rank: number, action: string, words: readonly string[]): string | undefined {
    const number = real(words[0]);
    if (number === undefined) return `Write \`${action} NUMBER\`, a number ≥ 0.`;
    this.#writer.compute(rank, action === 'sleep' ? number : number / this.#speed);
    return undefined;
  }

  #message(rank: number, action: string, words: readonly string[]): string | undefined {
    if (this.#writer.isSumming && action.endsWith('recv')) return undefined;
    const [partner, own, elements] = [count(words[0]), tag(words[1]), words[2] === undefined ? 0 : amount(words[2])];
    if (partner === undefined) return 'Messages from anybody cannot be replayed: name the rank of the partner.';
    if (own === undefined) return 'Messages with any tag cannot be replayed: write the tag, a whole number ≥ 0.';
    const bytes = this.#bytes(rank, elements, words[3]);
    if (bytes === undefined) return `Write \`${action} PARTNER TAG SIZE\`, with a datatype of 0 to ${bytesOfDatatype.length - 1} or none after it.`; // prettier-ignore
    if (this.#isOneAlone && partner >= this.#writer.taskCount)
      return `It has the actions of rank ${rank} alone, whose partner is rank ${partner}: name the files of all ranks, by a list of them, a pattern with \`*\`, or their folder.`;
    if (action.endsWith('send')) return this.#writer.send(rank, partner, bytes, own);
    if (action === 'recv') return this.#writer.receive(rank, partner, bytes, own);
    const requests = this.#requests.get(rank) ?? [];
    requests.push({ from: partner, tag: own, bytes });
    this.#requests.set(rank, requests);
    return this.#writer.faultOf(partner);
  }

  /** `wait FROM TO TAG`: for the first announced receive of that kind; a wait for a send is nothing. */
  #wait(rank: number, words: readonly string[]): string | undefined {
    const [from, to, own] = [count(words[0]), count(words[1]), tag(words[2])];
    if (from === undefined || to === undefined || own === undefined) return 'Write `wait FROM TO TAG`.';
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
    const read = collectiveActions[action];
    if (read === undefined) return `The action \`${action.slice(0, 40)}\` is not known.`;
    const { taskCount } = this.#writer;
    const bytes = (word: string | undefined, datatype?: string): number | undefined =>
      this.#bytes(rank, word === undefined ? undefined : amount(word), datatype);
    const found = read({ words, rank, size: taskCount, bytes });
    if (typeof found === 'string') return found;
    const { operation, size, amounts = {} } = found;
    if (size === undefined || Number.isNaN(size)) return `\`${action}\` lacks sizes, or one is no whole number ≥ 0.`;
    const root = amounts.root ?? 0;
    if (root >= taskCount) return this.#writer.faultOf(root);
    return this.#writer.collective(rank, this.#everybody, operation, size, amounts);
  }

  #bytes(rank: number, elements: number | undefined, datatype: string | undefined): number | undefined {
    const each = datatype === undefined ? (this.#elementBytes.get(rank) ?? 1) : bytesOfDatatype[Number(datatype)];
    if (elements === undefined || each === undefined) return undefined;
    const bytes = elements * each;
    return bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined;
  }
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
    if (root === undefined) return 'The root is a rank, a whole number ≥ 0.';
    return { operation, size: bytes(words[0], words[at + 1]), amounts: { root } };
  };

/** Sizes of each rank: `counts` of them from a word on. */
function sizesFrom({ words, size, bytes }: Arguments, at: number): number[] {
  return Array.from({ length: size }, (_, index) => bytes(words[at + index]) ?? Number.NaN);
}

const uneven = (operation: CollectiveOperation, sizes: readonly number[], root = 0): Call => ({
  operation,
  size: sizes.reduce((sum, bytes) => sum + bytes, 0),
  amounts: { root, part: (rank) => sizes[rank] ?? 0 },
});

const collectiveActions: Readonly<Record<string, (call: Arguments) => Call | string>> = {
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
  // Counts of all ranks, then operations.
  reducescatter: (call) => uneven('reduce-scatter', sizesFrom(call, 0)),
  // The own count, then those of all ranks; of the root alone in gathers and scatters.
  allgatherv: (call) => uneven('all-gather', sizesFrom(call, 1)),
  gatherv: (call) => uneven('gather', sizesFrom(call, 1), count(call.words[call.size + 1]) ?? 0),
  scatterv: (call) => uneven('scatter', sizesFrom(call, 0), count(call.words[call.size + 1]) ?? 0),
  // The room of the send buffer, what goes to each, the room of the receive buffer, what comes from each.
  alltoallv: (call) => {
    const [sent, received] = [sizesFrom(call, 1), sizesFrom(call, call.size + 2)];
    return {
      operation: 'all-to-all',
      size: [...sent, ...received].reduce((sum, bytes) => sum + bytes, 0),
      amounts: { between: (from, to) => (from === call.rank ? sent[to] : received[from]) ?? 0 },
    };
  },
};
