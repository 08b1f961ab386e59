import { fail } from '../../model/result.ts';
import { ownEntry } from '../reading.ts';
import type { CollectiveOperation } from '../../simulation/workloads/collectives.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { forEachLine } from './lines.ts';
import { type Amounts, faultOfTaskCount, type Group, TraceWriter } from './writer.ts';

/** Bytes of the datatypes of MPI that have a size of their own. */
const bytesOfDatatype: Readonly<Record<string, number>> = {
  ...{ MPI_CHAR: 1, MPI_SIGNED_CHAR: 1, MPI_UNSIGNED_CHAR: 1, MPI_BYTE: 1, MPI_PACKED: 1, MPI_CHARACTER: 1 },
  ...{ MPI_SHORT: 2, MPI_UNSIGNED_SHORT: 2, MPI_WCHAR: 4, MPI_INT: 4, MPI_UNSIGNED: 4, MPI_FLOAT: 4, MPI_INTEGER: 4 },
  ...{ MPI_LONG: 8, MPI_UNSIGNED_LONG: 8, MPI_DOUBLE: 8, MPI_LONG_LONG: 8, MPI_LONG_LONG_INT: 8, MPI_REAL: 4 },
  ...{ MPI_UNSIGNED_LONG_LONG: 8, MPI_LONG_DOUBLE: 16, MPI_DOUBLE_PRECISION: 8, MPI_COMPLEX: 8, MPI_LOGICAL: 4 },
  ...{ MPI_DOUBLE_COMPLEX: 16, MPI_INTEGER1: 1, MPI_INTEGER2: 2, MPI_INTEGER4: 4, MPI_INTEGER8: 8, MPI_REAL4: 4 },
  ...{ MPI_REAL8: 8, MPI_FLOAT_INT: 8, MPI_DOUBLE_INT: 12, MPI_LONG_INT: 12, MPI_2INT: 8, MPI_SHORT_INT: 6, MPI_UB: 0 },
  ...{ MPI_LB: 0, MPI_2REAL: 8, MPI_2DOUBLE_PRECISION: 16, MPI_2INTEGER: 8 },
};

/** Numbers that DUMPI gives to the communicators that are always there. */
const [noCommunicator, everybodysCommunicator, ownCommunicator] = [1, 2, 3];

const callLine = /^(MPI\w*) (entering|returning) at walltime (\d+(?:\.\d+)?),/;
const argumentLine = /^[\w ]+? (\w+)(?:\[\d+\])?=(.*)$/;

export const dumpi2ascii: TraceFormatEntry = {
  name: 'dumpi2ascii',
  summary: 'DUMPI traces (SST), as `dumpi2ascii` prints them: a file per rank, or a list of them',
  source: 'SST DUMPI 8: dumpi2ascii, docs/traceformat.dox',
  details:
    'A file has the calls of one rank. Name the files of all ranks with a list in rank order, a pattern with `*`, or their folder. Times are kept, also for open replays; tasks compute between calls. Sizes come from counts and datatypes; receives have the size of their message. Communicators split by colour, wildcard receives and persistent requests are rejected with their line.',
  options: [],
  recognizes: (beginning) => /^MPI\w* entering at walltime \d/m.test(beginning),
  read(files, options, cancellation, sums) {
    let ranks = files.length;
    for (const file of files) {
      let inSize = false;
      const surveyed = forEachLine(file, cancellation, (text) => {
        const call = callLine.exec(text);
        if (call !== null) inSize = call[1] === 'MPI_Comm_size' && call[2] === 'entering';
        if (!inSize) return undefined;
        if (text.startsWith('MPI_Comm comm=') && leadingNumber(text.slice(14)) !== everybodysCommunicator)
          inSize = false;
        else if (text.startsWith('int size=')) ranks = Math.max(ranks, leadingNumber(text.slice(9)) ?? 0);
        return faultOfTaskCount(ranks);
      });
      if (!surveyed.ok) return surveyed;
    }
    const writer = new TraceWriter(ranks, options, sums);
    for (const [rank, file] of files.entries()) {
      const reader = new RankReader(writer, files.length > 1 ? rank : undefined);
      const done = forEachLine(file, cancellation, (text, line) => reader.read(text, `${file.name}:${line}`));
      if (!done.ok) return done;
      if (reader.isInCall)
        return fail('bad-trace', `${file.name}:${done.value}: The last call does not return. The file is truncated.`);
      if (!reader.hasCalls)
        return fail('bad-trace', `${file.name}: The file has no calls. Use the output of dumpi2ascii.`);
    }
    return writer.finished('room', cancellation);
  },
};

/** A receive that was announced. */
interface Request {
  readonly from: number;
  readonly tag: number;
  readonly bytes: number;
}

type Handler = (call: Call) => string | undefined;

/** The arguments of a call, by name. */
class Call {
  readonly name: string;
  /** Seconds. */
  readonly entered: number;
  readonly arguments = new Map<string, string>();

  constructor(name: string, entered: number) {
    this.name = name;
    this.entered = entered;
  }

  number(name: string): number {
    return leadingNumber(this.arguments.get(name)) ?? Number.NaN;
  }

  numbers(name: string): number[] {
    return bracketedNumbers(this.arguments.get(name) ?? '');
  }
}

class RankReader {
  readonly #writer: TraceWriter;
  /** Where the list says it; else what the first call tells. */
  readonly #expected: number | undefined;
  #rank: number;
  #call: Call | undefined;
  #left = Number.NaN;
  hasCalls = false;
  readonly #requests = new Map<number, Request>();
  readonly #communicators = new Map<number, Group>();
  readonly #groups = new Map<number, readonly number[]>();
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(writer: TraceWriter, rank: number | undefined) {
    this.#writer = writer;
    this.#expected = rank;
    this.#rank = rank ?? 0;
    const everybody = Array.from({ length: writer.taskCount }, (_, index) => index);
    this.#communicators.set(everybodysCommunicator, { id: 0, ranks: everybody });
    this.#handlers = this.#allHandlers();
  }

  get isInCall(): boolean {
    return this.#call !== undefined;
  }

  /** Why a line is refused, or undefined. */
  read(text: string, place: string): string | undefined {
    const found = callLine.exec(text);
    if (found !== null)
      return found[2] === 'entering'
        ? this.#enter(found[1] ?? '', Number(found[3]))
        : this.#leave(found[1] ?? '', Number(found[3]), place);
    const argument = this.#call === undefined ? null : argumentLine.exec(text);
    if (argument !== null) this.#call?.arguments.set(argument[1] ?? '', argument[2] ?? '');
    return undefined;
  }

  #enter(name: string, time: number): string | undefined {
    if (this.#call !== undefined) return `\`${this.#call.name}\` has not returned.`;
    this.#call = new Call(name, time);
    return undefined;
  }

  #leave(name: string, time: number, place: string): string | undefined {
    const call = this.#call;
    if (call?.name !== name) return `\`${name}\` returns without a call.`;
    this.#call = undefined;
    // What comes before it says of which rank it is, where no list does, is of none.
    const unknown = name === 'MPI_Comm_rank' ? this.#identify(call) : undefined;
    if (unknown !== undefined) return unknown;
    // Only calls that say something of messages end a time of computing.
    if (call.entered > this.#left) this.#writer.compute(this.#rank, call.entered - this.#left);
    this.#left = time;
    const handler = ownEntry(this.#handlers, name);
    if (handler !== undefined || this.#expected !== undefined) this.#writer.touch(this.#rank);
    const fault = handler?.(call) ?? this.#refusal(name);
    if (handler === undefined && ownEntry(refusedCalls, name) === undefined && !silentCalls.test(name))
      this.#writer.unknown(`Unknown call \`${name.slice(0, 60)}\``, place);
    this.hasCalls = true;
    return fault;
  }

  /** Of sums a call that is not read is missing; a replay would not be that of the trace. */
  #refusal(name: string): string | undefined {
    const refusal = ownEntry(refusedCalls, name);
    if (refusal === undefined || !this.#writer.isSumming) return refusal;
    this.#writer.warn(`${refusal} The sent data is missing.`);
    return undefined;
  }

  #allHandlers(): Readonly<Record<string, Handler>> {
    const send: Handler = (call) => this.#send(call, 'dest', 'count', 'datatype', 'tag');
    const whole =
      (operation: CollectiveOperation): Handler =>
      (call) =>
        this.#collective(call, operation, this.#bytes(call, 'count', 'datatype'));
    const wait =
      (names: (call: Call) => readonly number[]): Handler =>
      (call) =>
        this.#complete(names(call));
    const some: Handler = (call) => {
      const requests = call.numbers('requests');
      return this.#complete(
        call
          .numbers('indices')
          .slice(0, call.number('outcount'))
          .map((index) => requests[index] ?? -1),
      );
    };
    const any: Handler = (call) => this.#complete([call.numbers('requests')[call.number('index')] ?? -1]);
    const ifFlagged =
      (handler: Handler): Handler =>
      (call) =>
        call.number('flag') === 1 ? handler(call) : undefined;
    const one = wait((call) => [call.number('request')].concat(call.numbers('request')));
    return {
      ...{ MPI_Send: send, MPI_Isend: send, MPI_Ssend: send, MPI_Issend: send, MPI_Bsend: send, MPI_Ibsend: send },
      ...{ MPI_Rsend: send, MPI_Irsend: send },
      MPI_Recv: (call) => this.#receive(call, 'source', 'count', 'datatype', 'tag'),
      MPI_Irecv: (call) => this.#announce(call),
      MPI_Sendrecv: (call) =>
        this.#send(call, 'dest', 'sendcount', 'sendtype', 'sendtag') ??
        this.#receive(call, 'source', 'recvcount', 'recvtype', 'recvtag'),
      ...{ MPI_Wait: one, MPI_Waitall: wait((call) => call.numbers('requests')), MPI_Waitsome: some, MPI_Waitany: any },
      ...{ MPI_Test: ifFlagged(one), MPI_Testsome: some, MPI_Testany: ifFlagged(any) },
      MPI_Testall: ifFlagged(wait((call) => call.numbers('requests'))),
      MPI_Barrier: (call) => this.#collective(call, 'barrier', 0),
      ...{ MPI_Bcast: whole('broadcast'), MPI_Reduce: whole('reduce'), MPI_Allreduce: whole('all-reduce') },
      ...{ MPI_Scan: whole('scan'), MPI_Exscan: whole('scan') },
      MPI_Gather: (call) => this.#collective(call, 'gather', this.#bytes(call, 'sendcount', 'sendtype')),
      MPI_Scatter: (call) => this.#collective(call, 'scatter', this.#bytes(call, 'recvcount', 'recvtype')),
      MPI_Allgather: (call) => this.#collective(call, 'all-gather', this.#bytes(call, 'sendcount', 'sendtype')),
      MPI_Alltoall: (call) => this.#collective(call, 'all-to-all', this.#bytes(call, 'sendcount', 'sendtype')),
      MPI_Allgatherv: (call) => this.#parts(call, 'all-gather', 'recvcounts', 'recvtype'),
      MPI_Reduce_scatter: (call) => this.#parts(call, 'reduce-scatter', 'recvcounts', 'datatype'),
      MPI_Alltoallv: (call) => this.#uneven(call),
      MPI_Comm_rank: (call) => this.#identify(call),
      MPI_Comm_group: (call) => {
        this.#setGroup(call, this.#communicators.get(call.number('comm'))?.ranks);
      },
      MPI_Group_incl: (call) => {
        this.#include(call);
      },
      MPI_Comm_create: (call) => {
        this.#create(call, this.#groups.get(call.number('group')));
      },
      MPI_Comm_dup: (call) => {
        this.#create(
          call,
          this.#communicators.get(call.number(call.arguments.has('oldcomm') ? 'oldcomm' : 'comm'))?.ranks,
        );
      },
    };
  }

  #identify(call: Call): string | undefined {
    if (call.number('comm') !== everybodysCommunicator) return undefined;
    const rank = call.number('rank');
    if (Number.isNaN(rank)) return `\`${call.name}\` needs the argument \`rank\`, a number.`;
    if (this.#expected !== undefined && rank !== this.#expected)
      return `The file belongs to rank ${rank}, but is listed for rank ${this.#expected}. Reorder the list.`;
    this.#rank = rank;
    return this.#writer.faultOf(rank);
  }

  /** The communicator of a call; why messages of it cannot be told apart where that is so. */
  #communicator(call: Call): Group | string {
    const number = call.number('comm');
    if (number === ownCommunicator) return { id: 0, ranks: [this.#rank] };
    const group = this.#communicators.get(number);
    return group ?? `The trace does not list the ranks of communicator ${Number.isNaN(number) ? '?' : number}.`;
  }

  #partner(call: Call, name: string): { readonly rank: number; readonly group: Group } | string | undefined {
    const number = call.number(name);
    if (call.arguments.get(name)?.includes('MPI_PROC_NULL') === true) return undefined;
    if (!(number >= 0))
      return 'Wildcard receives (MPI_ANY_SOURCE) cannot be replayed. The trace does not give the source.';
    const group = this.#communicator(call);
    if (typeof group === 'string') return group;
    const rank = group.ranks[number];
    return rank === undefined
      ? `Rank ${number} exceeds the ${group.ranks.length} ranks of the communicator.`
      : { rank, group };
  }

  #tag(call: Call, name: string, group: Group): number | string {
    const tag = call.number(name);
    if (!(tag >= 0 && tag < 2 ** 31))
      return 'Wildcard receives (MPI_ANY_TAG) cannot be replayed. The trace does not give the tag.';
    return this.#writer.tagIn(group.id, tag);
  }

  #send(call: Call, partner: string, count: string, datatype: string, tag: string): string | undefined {
    const found = this.#partner(call, partner);
    if (found === undefined || typeof found === 'string') return found;
    const own = this.#tag(call, tag, found.group);
    const bytes = this.#bytes(call, count, datatype);
    if (typeof own === 'string') return own;
    if (typeof bytes === 'string') return bytes;
    return this.#writer.send(this.#rank, found.rank, bytes, own, call.entered);
  }

  #receive(call: Call, partner: string, count: string, datatype: string, tag: string): string | undefined {
    if (this.#writer.isSumming) return undefined;
    const request = this.#request(call, partner, count, datatype, tag);
    if (request === undefined || typeof request === 'string') return request;
    return this.#writer.receive(this.#rank, request.from, request.bytes, request.tag);
  }

  #request(call: Call, partner: string, count: string, datatype: string, tag: string): Request | string | undefined {
    const found = this.#partner(call, partner);
    if (found === undefined || typeof found === 'string') return found;
    const own = this.#tag(call, tag, found.group);
    const bytes = this.#bytes(call, count, datatype);
    if (typeof own === 'string') return own;
    return typeof bytes === 'string' ? bytes : { from: found.rank, tag: own, bytes };
  }

  #announce(call: Call): string | undefined {
    if (this.#writer.isSumming) return undefined;
    const request = this.#request(call, 'source', 'count', 'datatype', 'tag');
    if (typeof request === 'string') return request;
    const [number] = call.numbers('request');
    if (number !== undefined && request !== undefined) this.#requests.set(number, request);
    return undefined;
  }

  #complete(numbers: readonly number[]): string | undefined {
    for (const number of numbers) {
      const request = this.#requests.get(number);
      if (request === undefined) continue;
      this.#requests.delete(number);
      this.#writer.receive(this.#rank, request.from, request.bytes, request.tag);
    }
    return undefined;
  }

  #bytes(call: Call, count: string, datatype: string): number | string {
    const elements = call.number(count);
    if (!(elements >= 0)) return `\`${call.name}\` needs the argument \`${count}\`.`;
    if (elements >= 2 ** 31)
      return `Invalid \`${count}\` ${elements} of \`${call.name}\`. Expected a whole number below 2^31.`;
    const [, name = call.arguments.get(datatype) ?? '?'] = /\(([^)]*)\)/.exec(call.arguments.get(datatype) ?? '') ?? [];
    const each = ownEntry(bytesOfDatatype, name);
    if (each === undefined)
      this.#writer.warn(
        `The trace does not give the size of datatype ${name.slice(0, 40)}. Its elements count as one byte.`,
      );
    return elements * (each ?? 1);
  }

  #collective(
    call: Call,
    operation: CollectiveOperation,
    bytes: number | string,
    amounts: Amounts = {},
  ): string | undefined {
    const group = this.#communicator(call);
    if (typeof group === 'string') return group;
    if (typeof bytes === 'string') return bytes;
    const root = call.arguments.has('root') ? call.number('root') : 0;
    if (!(root >= 0 && root < group.ranks.length)) return 'The root is not in the communicator.';
    return this.#writer.collective(this.#rank, group, operation, bytes, { root, ...amounts }, call.entered);
  }

  #parts(call: Call, operation: CollectiveOperation, counts: string, datatype: string): string | undefined {
    const group = this.#communicator(call);
    if (typeof group === 'string') return group;
    const sizes = this.#sizes(call, counts, datatype, group.ranks.length);
    if (typeof sizes === 'string') return sizes;
    return this.#collective(call, operation, 0, { part: (rank) => sizes[rank] ?? 0 });
  }

  #uneven(call: Call): string | undefined {
    const group = this.#communicator(call);
    if (typeof group === 'string') return group;
    const sent = this.#sizes(call, 'sendcounts', 'sendtype', group.ranks.length);
    const received = this.#sizes(call, 'recvcounts', 'recvtype', group.ranks.length);
    if (typeof sent === 'string') return sent;
    if (typeof received === 'string') return received;
    const own = group.ranks.indexOf(this.#rank);
    const between = (from: number, to: number): number => (from === own ? sent[to] : received[from]) ?? 0;
    return this.#collective(call, 'all-to-all', 0, { between });
  }

  #sizes(call: Call, counts: string, datatype: string, length: number): number[] | string {
    const elements = call.numbers(counts);
    if (elements.length !== length || elements.some((one) => !(one >= 0)))
      return `\`${call.name}\` needs ${length} \`${counts}\`, one per rank.`;
    call.arguments.set('1', '1');
    const each = this.#bytes(call, '1', datatype);
    return typeof each === 'string' ? each : elements.map((one) => one * each);
  }

  #setGroup(call: Call, ranks: readonly number[] | undefined): undefined {
    if (ranks !== undefined) this.#groups.set(call.number('group'), ranks);
  }

  #include(call: Call): undefined {
    const ranks = this.#groups.get(call.number('group'));
    const chosen = call.numbers('ranks').map((index) => ranks?.[index]);
    const known = chosen.filter((rank) => rank !== undefined);
    if (known.length === chosen.length) this.#groups.set(call.number('newgroup'), known);
    else this.#groups.delete(call.number('newgroup'));
  }

  #create(call: Call, ranks: readonly number[] | undefined): undefined {
    const number = call.number('newcomm');
    if (number === noCommunicator || Number.isNaN(number)) return;
    // Members make the number: ranks may count their communicators differently.
    if (ranks === undefined) this.#communicators.delete(number);
    else this.#communicators.set(number, { id: this.#writer.numberOf(ranks), ranks });
  }
}

const refusedCalls: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['MPI_Send_init', 'MPI_Recv_init', 'MPI_Bsend_init', 'MPI_Ssend_init', 'MPI_Rsend_init'],
    ...['MPI_Gatherv', 'MPI_Scatterv', 'MPI_Alltoallw', 'MPI_Sendrecv_replace', 'MPI_Put', 'MPI_Get', 'MPI_Accumulate'],
    ...['MPI_Get_accumulate', 'MPI_Fetch_and_op', 'MPI_Compare_and_swap', 'MPI_Rput', 'MPI_Rget', 'MPI_Raccumulate'],
    ...[
      'MPI_Ibcast',
      'MPI_Ireduce',
      'MPI_Iallreduce',
      'MPI_Igather',
      'MPI_Iscatter',
      'MPI_Iallgather',
      'MPI_Ialltoall',
    ],
    ...['MPI_Igatherv', 'MPI_Iscatterv', 'MPI_Iallgatherv', 'MPI_Ialltoallv', 'MPI_Ialltoallw', 'MPI_Ireduce_scatter'],
    ...['MPI_Reduce_scatter_block', 'MPI_Ireduce_scatter_block', 'MPI_Iscan', 'MPI_Iexscan'],
    ...['MPI_Neighbor_allgather', 'MPI_Neighbor_allgatherv', 'MPI_Neighbor_alltoall', 'MPI_Neighbor_alltoallv'],
    ...['MPI_Ineighbor_allgather', 'MPI_Ineighbor_alltoall', 'MPI_Ineighbor_alltoallv', 'MPI_Mrecv', 'MPI_Imrecv'],
  ].map((name) => [name, `\`${name}\` is not read.`]),
);

/**
 * Calls that move nothing between ranks: of the library itself, communicators, groups, datatypes, operations, windows, files, errors, and those that look whether
 * something has arrived. `MPI_Ibarrier` moves nothing either.
 */
const silentCalls = new RegExp(
  '^MPI(?:X|O|_T)?_(?:Init\\w*|Finalize\\w*|Abort|Pcontrol|Wtime|Wtick|Get_\\w+|Query_thread|Is_thread_main|Address|Buffer_\\w+|' +
    'Comm_\\w+|Group_\\w+|Intercomm_\\w+|Cart\\w*|Graph\\w*|Dist_graph_\\w+|Topo_test|Dims_create|Type_\\w+|Pack\\w*|Unpack\\w*|Op_\\w+|' +
    'Win_\\w+|File_\\w+|Register_datarep|Error\\w*|Errhandler_\\w+|Add_error_\\w+|Info_\\w+|Attr_\\w+|Keyval_\\w+|Alloc_mem|Free_mem|' +
    'Probe|Iprobe|Mprobe|Improbe|Request_\\w+|Cancel|Test_cancelled|Status_\\w+|Grequest_\\w+|Ibarrier|Start|Startall|Aint_\\w+)$',
);

/** `3`, `3 (NAME)`, `-1`; undefined where it begins otherwise. */
function leadingNumber(text: string | undefined): number | undefined {
  const found = /^-?\d{1,15}/.exec(text ?? '');
  return found === null ? undefined : Number(found[0]);
}

/** `[1, 2, 3]` */
function bracketedNumbers(text: string): number[] {
  const inside = /^\[([-\d, ]*)\]/.exec(text)?.[1] ?? '';
  return inside.trim() === '' ? [] : inside.split(',').map(Number);
}
