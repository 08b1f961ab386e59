import { fail } from '../../model/result.ts';
import { ownEntry } from '../reading.ts';
import type { CollectiveOperation } from '../../simulation/workloads/collectives.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { count, forEachLine, onlyFile } from './lines.ts';
import { type Amounts, faultOfTaskCount, type Group, TraceWriter } from './writer.ts';

const eventLine = /^([A-Z][A-Z0-9_]+)\s+(\d+)\s+(\d+)(?:\s+(.*))?$/;
const messageText =
  /^(?:Receiver|Sender): (\S+) \((?:"[^"]*"|[^<]*)\s*<(\d+)>\), Communicator: (?:"[^"]*" )?<?(\d+)>?, Tag: (\S+), Length: (\d+)/;
const collectiveText =
  /^Operation: (\w+), Communicator: (?:"[^"]*" )?<?(\d+)>?, Root: (?:NONE|(?:(\d+)(?: \((?:"[^"]*"|[^<]*)\s*<(\d+)>\))?)|.*), Sent: (\d+), Received: (\d+)/;

/** What an operation is, and whether its sizes count every member of the communicator. */
const operations: Readonly<Record<string, CollectiveOperation>> = {
  BARRIER: 'barrier',
  BCAST: 'broadcast',
  GATHER: 'gather',
  SCATTER: 'scatter',
  ALLGATHER: 'all-gather',
  ALLTOALL: 'all-to-all',
  ALLREDUCE: 'all-reduce',
  REDUCE: 'reduce',
  REDUCE_SCATTER_BLOCK: 'reduce-scatter',
  SCAN: 'scan',
  EXSCAN: 'scan',
};

export const otf2Print: TraceFormatEntry = {
  name: 'otf2-print',
  summary: 'events of an OTF2 trace (Score-P), as `otf2-print` prints them',
  source: 'OTF2 3.0, otf2-print; Score-P',
  details:
    'Locations are ranks, sorted by number. A communicator has the locations that take part in its operations. ' +
    'Times are kept, also for open replays: `ticks` is the number of clock ticks per second. Tasks compute ' +
    'between two MPI calls. Collectives with uneven shares (`ALLTOALLV` and similar) are rejected, because the ' +
    'events do not give the share of each rank.',
  options: [],
  recognizes: (beginning) => beginning.includes('OTF2-PRINT'),
  read(files, options, cancellation, sums) {
    const only = onlyFile(files, 'An OTF2 trace');
    if (!only.ok) return only;
    const file = only.value;
    const survey = new Survey();
    const surveyed = forEachLine(file, cancellation, (text) => survey.read(text));
    if (!surveyed.ok) return surveyed;
    if (survey.locations.size === 0)
      return fail('bad-trace', `${file.name}: The file has no events. Use the output of otf2-print.`);
    const ranks = survey.ranks();
    const writer = new TraceWriter(ranks.size, options, sums);
    const reader = new EventReader(writer, ranks, survey.groups(ranks), Number(options['ticks'] ?? 1e9));
    const done = forEachLine(file, cancellation, (text, line) => reader.read(text, `${file.name}:${line}`));
    return done.ok ? writer.finished('room', cancellation) : done;
  },
};

/** Which locations there are, and which take part in the operations of each communicator. */
class Survey {
  readonly locations = new Set<number>();
  readonly #members = new Map<number, Set<number>>();
  /** Communicators in which locations name themselves as partner or root, and those in which they name others. */
  readonly #ofThemselves = new Set<number>();
  readonly #ofOthers = new Set<number>();

  read(text: string): string | undefined {
    const found = eventLine.exec(text);
    const location = count(found?.[2]);
    if (found === null || location === undefined) return undefined;
    this.locations.add(location);
    const [, event, , , attributes = ''] = found;
    if (event === 'MPI_COLLECTIVE_END') {
      const operation = collectiveText.exec(attributes);
      if (operation !== null) this.#add(Number(operation[2]), location, operation[4]);
    } else if (event?.startsWith('MPI_') === true) {
      const message = messageText.exec(attributes);
      if (message !== null) this.#name(Number(message[3]), location, message[2]);
    }
    return faultOfTaskCount(this.locations.size);
  }

  /** Rank of each location. */
  ranks(): ReadonlyMap<number, number> {
    return new Map([...this.locations].sort((a, b) => a - b).map((location, rank) => [location, rank]));
  }

  /** Communicators that each location has for itself (`MPI_COMM_SELF`) have one number and no members here. */
  groups(ranks: ReadonlyMap<number, number>): ReadonlyMap<number, Group> {
    const groups = new Map<number, Group>();
    for (const [id, members] of this.#members) {
      const isOwn = this.#ofThemselves.has(id) && !this.#ofOthers.has(id) && members.size > 1;
      const own = isOwn ? [] : [...members].map((location) => ranks.get(location) ?? -1);
      groups.set(id, { id, ranks: own.sort((a, b) => a - b) });
    }
    return groups;
  }

  #add(communicator: number, location: number, named: string | undefined): void {
    const members = this.#members.get(communicator) ?? new Set<number>();
    this.#members.set(communicator, members.add(location));
    this.#name(communicator, location, named);
  }

  #name(communicator: number, location: number, named: string | undefined): void {
    if (named !== undefined) (Number(named) === location ? this.#ofThemselves : this.#ofOthers).add(communicator);
  }
}

const handles = new Set(['CREATE_HANDLE', 'DESTROY_HANDLE', 'ALLOCATE', 'DEALLOCATE']);

/** Events of OTF2 3.0 that say nothing of messages, or of what other events say. */
const silent = new RegExp(
  '^(?:ENTER|LEAVE|BUFFER_FLUSH|MEASUREMENT_ON_OFF|METRIC|PARAMETER_\\w+|OMP_\\w+|THREAD_\\w+|CALLING_CONTEXT_\\w+|IO_\\w+|PROGRAM_\\w+|' +
    'MPI_ISEND_COMPLETE|MPI_IRECV_REQUEST|MPI_REQUEST_TEST|MPI_REQUEST_CANCELLED|MPI_COLLECTIVE_BEGIN|' +
    'NON_BLOCKING_COLLECTIVE_REQUEST|COMM_CREATE|COMM_DESTROY|RMA_(?:WIN|GROUP|SYNC|OP_COMPLETE|LOCK|REQUEST|TRY|ACQUIRE|RELEASE|WAIT|COLLECTIVE_BEGIN)\\w*)$',
);

/** Lines round the events: headings of the tool and what it adds to an event. */
const heading = /^(?:===|---|Event\s+Location|ADDITIONAL ATTRIBUTES|$)/;

class EventReader {
  readonly #writer: TraceWriter;
  readonly #ranks: ReadonlyMap<number, number>;
  readonly #groups: ReadonlyMap<number, Group>;
  readonly #ticks: number;
  /** Of each rank, when its last call of MPI ended and its operation with all began, in ticks. */
  readonly #left: Float64Array;
  readonly #began: Float64Array;
  #isInEvents = false;
  /** The first time of all: differences are exact where times are not. */
  #first: number | undefined;

  constructor(
    writer: TraceWriter,
    ranks: ReadonlyMap<number, number>,
    groups: ReadonlyMap<number, Group>,
    ticks: number,
  ) {
    this.#writer = writer;
    this.#ranks = ranks;
    this.#groups = groups;
    this.#ticks = ticks;
    this.#left = new Float64Array(writer.taskCount).fill(Number.NaN);
    this.#began = new Float64Array(writer.taskCount);
  }

  /** Why a line is refused, or undefined; headings and lines of attributes are none of events. */
  read(text: string, place: string): string | undefined {
    const found = eventLine.exec(text);
    if (found === null) {
      // Other sections of the tool's output stand before that of the events.
      this.#isInEvents ||= text.startsWith('=== Events');
      if (this.#isInEvents && !heading.test(text.trim())) this.#writer.unknown('Line without an event', place);
      return undefined;
    }
    const [, event = '', location, ticks, attributes = ''] = found;
    const rank = this.#ranks.get(Number(location)) ?? -1;
    this.#first ??= Number(ticks);
    const time = Number(ticks) - this.#first;
    this.#writer.touch(rank);
    if (event === 'ENTER' || event === 'LEAVE') this.#region(rank, event === 'ENTER', attributes, time);
    else if (event === 'MPI_COLLECTIVE_BEGIN') this.#began[rank] = time;
    else if (event === 'MPI_COLLECTIVE_END') return this.#collective(rank, attributes);
    else if (['MPI_SEND', 'MPI_ISEND', 'MPI_RECV', 'MPI_IRECV'].includes(event))
      return this.#message(rank, event, attributes, time);
    else if (!silent.test(event)) this.#writer.unknown(`Unknown event \`${event.slice(0, 60)}\``, place);
    return undefined;
  }

  #region(rank: number, enters: boolean, attributes: string, time: number): void {
    if (!attributes.startsWith('Region: "MPI_')) return;
    const left = this.#left[rank] ?? Number.NaN;
    if (enters && time > left) this.#writer.compute(rank, (time - left) / this.#ticks);
    this.#left[rank] = enters ? Number.NaN : time;
  }

  #message(rank: number, event: string, attributes: string, time: number): string | undefined {
    const found = messageText.exec(attributes);
    if (found === null) return `Expected partner, communicator, tag and length after \`${event}\`.`;
    const [partner, communicator, tag, bytes] = [count(found[2]), count(found[3]), count(found[4]), count(found[5])];
    const other = partner === undefined ? undefined : this.#ranks.get(partner);
    if (other === undefined) return `The partner location <${found[2] ?? ''}> has no events.`;
    if (tag === undefined || tag >= 2 ** 31 || bytes === undefined || communicator === undefined)
      return 'The tag and the length must be whole numbers ≥ 0.';
    const own = this.#writer.tagIn(this.#isEverybody(communicator) ? 0 : communicator + 1, tag);
    if (event.endsWith('SEND')) return this.#writer.send(rank, other, bytes, own, time / this.#ticks);
    return this.#writer.receive(rank, other, bytes, own);
  }

  #isEverybody(communicator: number): boolean {
    return this.#groups.get(communicator)?.ranks.length === this.#writer.taskCount;
  }

  #collective(rank: number, attributes: string): string | undefined {
    const found = collectiveText.exec(attributes);
    if (found === null) return 'Expected operation, communicator, root and sizes after `MPI_COLLECTIVE_END`.';
    const [, name = '', communicator, rootRank, rootLocation, sentWord, receivedWord] = found;
    const operation = ownEntry(operations, name);
    const group = this.#groups.get(Number(communicator));
    if (handles.has(name) || group?.ranks.length === 0) return undefined;
    if (operation === undefined) {
      if (!this.#writer.isSumming)
        return `\`${name.slice(0, 60)}\` cannot be replayed. The event does not give the share of each rank.`;
      this.#writer.warn(
        `The data of \`${name.slice(0, 60)}\` is missing. The event does not give the share of each rank.`,
      );
      return undefined;
    }
    if (group === undefined) return `Communicator <${communicator ?? ''}> does not exist.`;
    const [sent, received] = [Number(sentWord), Number(receivedWord)];
    if (!Number.isSafeInteger(sent) || !Number.isSafeInteger(received)) return 'A size exceeds 2^53, the maximum.';
    const root = this.#root(group, rootRank, rootLocation);
    if (root < 0 || root >= group.ranks.length) return 'The root is not in the communicator.';
    const isRoot = group.ranks[root] === rank;
    const bytes = memberShare(operation, sent, received, isRoot, group.ranks.length);
    const amounts: Amounts = { root };
    return this.#writer.collective(rank, group, operation, bytes, amounts, (this.#began[rank] ?? 0) / this.#ticks);
  }

  #root(group: Group, rank: string | undefined, location: string | undefined): number {
    if (location === undefined) return Number(rank ?? 0);
    return group.ranks.indexOf(this.#ranks.get(Number(location)) ?? -1);
  }
}

/** Bytes of one member: Score-P counts those of all where everybody or the root has to do with all. */
function memberShare(
  operation: CollectiveOperation,
  sent: number,
  received: number,
  isRoot: boolean,
  size: number,
): number {
  if (operation === 'broadcast' || operation === 'scatter') return isRoot ? Math.floor(sent / size) : received;
  if (operation === 'reduce' || operation === 'gather') return isRoot ? Math.floor(received / size) : sent;
  if (operation === 'barrier') return 0;
  return Math.floor(Math.max(sent, received) / size);
}
