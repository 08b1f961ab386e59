import { fail, quote } from '../../model/result.ts';
import type { CollectiveOperation } from '../../simulation/workloads/collectives.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { count, forEachLine, onlyFile, real } from './lines.ts';
import { faultOfTaskCount, type Group, TraceWriter } from './writer.ts';

/** By the number of a global operation; those of uneven shares are taken as even. */
const operations: readonly CollectiveOperation[] = [
  'barrier',
  'broadcast',
  'gather',
  'gather',
  'scatter',
  'scatter',
  'all-gather',
  'all-gather',
  'all-to-all',
  'all-to-all',
  'reduce',
  'all-reduce',
  'reduce-scatter',
  'scan',
];

/** Of a receive record: the call that only announces it. */
const announcesReceive = 1;

export const dimemas: TraceFormatEntry = {
  name: 'dimemas',
  summary: 'Dimemas traces',
  source: 'Barcelona Supercomputing Center, Dimemas: dimemas_generator.c',
  details:
    'Records `1` (computation, in seconds), `2` (send), `3` (receive) and `10` (global operation) of the first ' +
    'thread of each task. The receiver’s thread is optional. Other records are skipped. Sizes of global ' +
    'operations are those in the record.',
  options: [],
  recognizes: (beginning) => beginning.startsWith('#DIMEMAS:'),
  read(files, options, cancellation, sums) {
    const only = onlyFile(files, 'A Dimemas trace');
    if (!only.ok) return only;
    const file = only.value;
    let writer: TraceWriter | undefined;
    const groups = new Map<number, Group>();
    const done = forEachLine(file, cancellation, (text, line) => {
      if (line === 1) {
        const ranks = ranksOfHeader(text);
        if (ranks === undefined) return 'Expected `#DIMEMAS:NAME:OFFSETS:TASKS(…)` at the beginning.';
        const fault = faultOfTaskCount(ranks);
        if (fault === undefined) writer = new TraceWriter(ranks, options, sums);
        return fault;
      }
      if (writer === undefined || text.trim() === '' || text.startsWith('#') || text.startsWith('s:')) return undefined;
      const place = `${file.name}:${line}`;
      return text.startsWith('d:') ? define(text, groups, writer, place) : record(text, groups, writer, place);
    });
    if (!done.ok) return done;
    return writer === undefined
      ? fail('bad-trace', `${file.name}: The trace is empty.`)
      : writer.finished('room', cancellation);
  },
};

/** `#DIMEMAS:"name":1,0000123:4(1,1,1,1),2`: the number before the parenthesis. */
function ranksOfHeader(text: string): number | undefined {
  const found =
    /^#DIMEMAS:(?:"[^"]*"|[^:]*):[^:()]*:(\d+)\s*\(/.exec(text) ?? /^#DIMEMAS:(?:"[^"]*"|[^:]*):(\d+)\s*\(/.exec(text);
  return count(found?.[1]);
}

/** `d:1:COMMUNICATOR:COUNT:RANK:RANK…`; definitions of files (`d:2`) and windows (`d:3`) are passed over. */
function define(text: string, groups: Map<number, Group>, writer: TraceWriter, place: string): string | undefined {
  const [, kind = '', ...numbers] = text.trim().split(':');
  if (kind !== '1') {
    if (!/^[23]$/.test(kind)) writer.unknown(`Unknown definition \`d:${kind.slice(0, 20)}\``, place);
    return undefined;
  }
  const [id, size, ...ranks] = numbers.map(count);
  if (id === undefined || size === undefined || ranks.length !== size || ranks.includes(undefined)) {
    return 'Expected `d:1:NUMBER:RANKS:RANK:…`, with the declared number of ranks.';
  }
  const known = ranks.filter((rank) => rank !== undefined);
  for (const rank of known) {
    const fault = writer.faultOf(rank);
    if (fault !== undefined) return fault;
  }
  groups.set(id, { id, ranks: known });
  return undefined;
}

function record(
  text: string,
  groups: ReadonlyMap<number, Group>,
  writer: TraceWriter,
  place: string,
): string | undefined {
  const fields = text.trim().split(':');
  const [kind, rankWord, threadWord] = fields;
  const wanted = ['1', '2', '3', '10'].includes(kind ?? '');
  const rank = count(rankWord);
  if (!wanted) return otherRecord(kind ?? '', writer, place);
  if (rank === undefined || count(threadWord) === undefined) return 'Expected `KIND:TASK:THREAD:…`.';
  const fault = writer.faultOf(rank);
  if (fault !== undefined) return fault;
  if (threadWord !== '0') {
    writer.warn('Records of further threads of a task are skipped.');
    return undefined;
  }
  if (kind === '10') return globalOperation(fields.slice(3), rank, groups, writer);
  if (kind === '1') {
    const seconds = real(fields[3]);
    if (seconds === undefined) return 'Expected `1:TASK:THREAD:SECONDS` for a computation.';
    writer.compute(rank, seconds);
    return undefined;
  }
  return message(fields.slice(3), kind === '2', rank, writer);
}

/** Records that say nothing of messages: events (`20`), work of a GPU (`11`) and of files (`40` to `49`). */
const silent = /^(?:11|20|4\d)$/;

function otherRecord(kind: string, writer: TraceWriter, place: string): string | undefined {
  if (!/^\d+$/.test(kind)) return 'Expected a record number at the beginning.';
  if (!silent.test(kind)) writer.unknown(`Unknown record \`${kind.slice(0, 20)}\``, place);
  return undefined;
}

/** `PARTNER[:THREAD]:BYTES:TAG:COMMUNICATOR:TYPE` */
function message(fields: readonly string[], isSend: boolean, rank: number, writer: TraceWriter): string | undefined {
  const usual = fields.length === 6 ? [fields[0], ...fields.slice(2)] : fields;
  const [partner, bytes, tag, communicator, type] = usual.map(count);
  if (usual.length !== 5 || bytes === undefined || tag === undefined || communicator === undefined) {
    return 'Expected `KIND:TASK:THREAD:PARTNER:BYTES:TAG:COMMUNICATOR:TYPE`, with whole numbers ≥ 0.';
  }
  if (partner === undefined) return 'Wildcard receives (MPI_ANY_SOURCE) cannot be replayed. Name the source rank.';
  // Messages are told apart by their communicator as well; the first one has all tasks.
  const own = writer.tagIn(communicator > 1 ? communicator : 0, tag);
  if (isSend) return writer.send(rank, partner, bytes, own);
  return type === announcesReceive ? writer.faultOf(partner) : writer.receive(rank, partner, bytes, own);
}

/** `OPERATION:COMMUNICATOR:ROOT:ROOT_THREAD:SENT:RECEIVED` */
function globalOperation(
  fields: readonly string[],
  rank: number,
  groups: ReadonlyMap<number, Group>,
  writer: TraceWriter,
): string | undefined {
  const [number = -1, communicator = -1, root, , sent, received] = fields.map(count);
  const operation = operations[number];
  if (operation === undefined)
    return `Invalid global operation ${quote(fields[0] ?? '')}. Expected 0 to ${operations.length - 1}.`;
  if (sent === undefined || received === undefined)
    return 'Expected bytes sent and received at the end of a global operation.';
  const group = groups.get(communicator) ?? everybody(writer);
  if (!groups.has(communicator)) writer.warn('Undefined communicators are assumed to contain all tasks.');
  const at = group.ranks.indexOf(root ?? 0);
  if (!group.ranks.includes(rank)) return `Task ${rank} is not in communicator ${communicator}.`;
  return writer.collective(rank, group, operation, Math.max(sent, received), { root: Math.max(at, 0) });
}

const everybody = ({ taskCount }: TraceWriter): Group => ({
  id: 0,
  ranks: Array.from({ length: taskCount }, (_, rank) => rank),
});
