import { countOf } from '../../model/quantities.ts';
import { fail, quote } from '../../model/result.ts';
import { operationKind } from '../../model/workload.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { count, forEachLine, onlyFile, refusedAt, splitWords } from './lines.ts';
import { type GraphOperation, mostGraphOperations, nothing, tooManyOfGraph, writeTaskGraph } from './taskGraph.ts';
import { faultOfTaskCount, type Group, TraceWriter } from './writer.ts';

const picosecondsPerSecond = 1e12;
/** Number of the one collective operation whose number is known. */
const allReduce = 2;
/** What a message waits for, in the low two bits of its dependence; 2 is a receive. The third bit says how it was sent. */
const [onNothing, onSending, onCollective] = [0, 1, 3];

export const vef: TraceFormatEntry = {
  name: 'vef',
  summary: 'VEF traces, with the dependencies of each message',
  source: 'Andújar et al. 2015, VEF traces and TraceLib',
  details:
    '`VEF3 RANKS MESSAGES COMMUNICATORS … CLOCK`, communicators `C0 RANKS…`, collectives `G0 C0 OPERATION RANK SENT RECEIVED DEPENDENCE TIME ON`, messages `ID FROM TO BYTES DEPENDENCE TIME ON`. A message waits for its send, receive or collective dependence, and then for its time in clock periods. `CLOCK` is the period in picoseconds. The only collective operation is number 2, allreduce.',
  options: [],
  recognizes: (beginning) => /^VEF\d\s/.test(beginning),
  read(files, options, cancellation, sums) {
    const only = onlyFile(files, 'A VEF trace');
    if (!only.ok) return only;
    const file = only.value;
    let reader: MessageReader | undefined;
    const done = forEachLine(file, cancellation, (text, line) => {
      if (reader !== undefined) return reader.read(text, line);
      const [name = '', ...numbers] = splitWords(text);
      const [ranks, messages, , collectives = 0] = numbers.map(count);
      const clock = count(numbers.at(-1));
      if (
        !/^VEF\d$/.test(name) ||
        ranks === undefined ||
        messages === undefined ||
        clock === undefined ||
        numbers.length < 4
      ) {
        return 'Expected `VEF3 RANKS MESSAGES COMMUNICATORS … CLOCK` at the beginning.';
      }
      const fault = faultOfTaskCount(ranks);
      if (fault !== undefined) return fault;
      if (sums === undefined && messages + collectives > mostGraphOperations) return tooManyOfGraph;
      reader = new MessageReader(
        new TraceWriter(ranks, options, sums),
        messages,
        picosecondsPerSecond / Math.max(clock, 1),
      );
      return undefined;
    });
    if (!done.ok) return done;
    if (reader === undefined) return fail('bad-trace', `${file.name}: The trace is empty.`);
    const missing = reader.faultAtEnd();
    if (missing !== undefined) return fail('bad-trace', `${file.name}:${done.value}: ${missing}`);
    const refused = sums === undefined ? reader.connect() : undefined;
    if (refused !== undefined) return refusedAt(file, refused.line, refused.reason);
    return reader.writer.finished('exact', cancellation);
  },
};

type Operation = GraphOperation & { readonly after: number[] };

/** Where something that can be waited for stands: on a rank, an operation of it. */
interface Point {
  readonly rank: number;
  readonly operation: number;
}

/** An operation that waits for what has another number, known when all lines are read. */
interface Dependence {
  readonly at: Point;
  readonly kind: number;
  readonly on: string;
  readonly line: number;
}

class MessageReader {
  readonly writer: TraceWriter;
  readonly #expected: number;
  readonly #clocksPerSecond: number;
  readonly #operations: readonly Operation[][];
  readonly #groups = new Map<string, Group>();
  /** By the number of a message. */
  readonly #sent = new Map<number, Point>();
  readonly #received = new Map<number, Point>();
  /** By the name of a collective and a rank. */
  readonly #collectives = new Map<string, Point>();
  readonly #dependences: Dependence[] = [];
  /** Operations of all ranks. */
  #size = 0;
  /** Messages read. */
  #count = 0;

  constructor(writer: TraceWriter, expected: number, clocksPerSecond: number) {
    this.writer = writer;
    this.#expected = expected;
    this.#clocksPerSecond = clocksPerSecond;
    this.#operations = Array.from({ length: writer.taskCount }, () => []);
  }

  /** Why a line is refused, or undefined. */
  read(text: string, line: number): string | undefined {
    if (this.#size > mostGraphOperations) return tooManyOfGraph;
    const words = splitWords(text);
    const [first] = words;
    if (first === undefined) return undefined;
    if (first.startsWith('C')) return this.#communicator(first, words.slice(1).map(count));
    return first.startsWith('G') ? this.#collective(first, words, line) : this.#message(words, line);
  }

  faultAtEnd(): string | undefined {
    const found = this.#count;
    if (found === this.#expected) return undefined;
    return `The trace has ${countOf(found, 'message')}, but its first line declares ${this.#expected}. It is truncated or merged.`;
  }

  /** Adds what was waited for, and writes the ranks; the line of a dependence that cannot be. */
  connect(): { readonly line: number; readonly reason: string } | undefined {
    for (const { at, kind, on, line } of this.#dependences) {
      const point = this.#pointOf(kind, on, at.rank);
      if (point === undefined)
        return {
          line,
          reason: `The dependence ${on.slice(0, 40)} does not exist. Use the id of a message or collective operation.`,
        };
      if (point.rank !== at.rank)
        return { line, reason: `Rank ${at.rank} cannot wait for ${on}, which is on rank ${point.rank}.` };
      this.#operations[at.rank]?.[at.operation]?.after.push(point.operation);
    }
    for (const [rank, operations] of this.#operations.entries()) {
      this.writer.touch(rank);
      const circle = writeTaskGraph(this.writer.builder, rank, operations);
      const waits = this.#dependences.find(({ at }) => at.rank === rank);
      if (circle !== undefined)
        return { line: waits?.line ?? 1, reason: `Messages of rank ${rank} have a cyclic dependence.` };
    }
    return undefined;
  }

  #pointOf(kind: number, on: string, rank: number): Point | undefined {
    if (kind === onCollective) return this.#collectives.get(`${on} ${rank}`);
    return (kind === onSending ? this.#sent : this.#received).get(count(on) ?? -1);
  }

  #communicator(name: string, ranks: readonly (number | undefined)[]): string | undefined {
    const known = ranks.filter((rank) => rank !== undefined);
    if (known.length === 0 || known.length < ranks.length) return 'Expected `C0 RANK RANK …` for a communicator.';
    const id = this.#groups.size;
    this.#groups.set(name, { id, ranks: known });
    return known.map((rank) => this.writer.faultOf(rank)).find((fault) => fault !== undefined);
  }

  /** `ID FROM TO BYTES DEPENDENCE TIME ON` */
  #message(words: readonly string[], line: number): string | undefined {
    const [id, from, to, bytes, dependence, time] = words.map(count);
    if (
      id === undefined ||
      id >= 2 ** 31 ||
      from === undefined ||
      to === undefined ||
      bytes === undefined ||
      words.length !== 7
    ) {
      return 'Expected `ID FROM TO BYTES DEPENDENCE TIME ON`, all but the last whole numbers ≥ 0.';
    }
    const fault = this.writer.faultOf(from) ?? this.writer.faultOf(to);
    if (fault !== undefined) return fault;
    if (this.writer.isSumming) {
      this.#count++;
      this.writer.touch(to);
      return this.writer.send(from, to, bytes, 0);
    }
    if (this.#sent.has(id)) return `Message ${id} is already defined.`;
    const begin = this.#wait(from, dependence, time, words[6] ?? '', line);
    if (typeof begin === 'string') return begin;
    // A message to oneself is nothing but a point in time.
    const isOwn = from === to;
    const kind = isOwn ? nothing : operationKind.send;
    const sent = this.#add(from, { kind, partner: to, tag: id, amount: bytes, after: [begin.operation] });
    this.#sent.set(id, sent);
    this.#count++;
    const received = isOwn
      ? sent
      : this.#add(to, { kind: operationKind.receive, partner: from, tag: id, amount: bytes, after: [] });
    this.#received.set(id, received);
    return undefined;
  }

  /** `G0 COMMUNICATOR OPERATION RANK SENT RECEIVED DEPENDENCE TIME ON` */
  #collective(name: string, words: readonly string[], line: number): string | undefined {
    const group = this.#groups.get(words[1] ?? '');
    const [operation, rank, sent, , dependence, time] = words.slice(2, 8).map(count);
    if (group === undefined || rank === undefined || sent === undefined || words.length !== 9) {
      return 'Expected `G0 COMMUNICATOR OPERATION RANK SENT RECEIVED DEPENDENCE TIME ON`, with a declared communicator.';
    }
    if (operation !== allReduce)
      return `Collective operation ${quote(words[2] ?? '')} is not supported. Use ${allReduce}, allreduce.`;
    if (!group.ranks.includes(rank)) return `Rank ${rank} is not in the communicator.`;
    if (this.writer.isSumming) {
      this.writer.touch(rank);
      return this.writer.collective(rank, group, 'all-reduce', sent);
    }
    if (this.#collectives.has(`${name} ${rank}`)) return `Rank ${rank} already takes part in ${name}.`;
    const begin = this.#wait(rank, dependence, time, words[8] ?? '', line);
    if (typeof begin === 'string') return begin;
    let last = begin;
    this.writer.expand(rank, group, 'all-reduce', sent, {}, (kind, partner, bytes, tag) => {
      last = this.#add(rank, { kind, partner, tag, amount: bytes, after: [last.operation] });
    });
    this.#collectives.set(`${name} ${rank}`, last);
    return undefined;
  }

  /** The time that passes before something, after what it waits for. */
  #wait(
    rank: number,
    dependence: number | undefined,
    time: number | undefined,
    on: string,
    line: number,
  ): Point | string {
    if (dependence === undefined || dependence > 7 || time === undefined)
      return 'Expected a dependence from 0 to 7 and a time as a whole number ≥ 0.';
    const seconds = this.writer.keepsComputing ? time / this.#clocksPerSecond : 0;
    const at = this.#add(rank, { kind: operationKind.compute, partner: 0, tag: 0, amount: seconds, after: [] });
    const kind = dependence & 3;
    if (kind !== onNothing) this.#dependences.push({ at, kind, on, line });
    return at;
  }

  #add(rank: number, operation: Operation): Point {
    const operations = this.#operations[rank] ?? [];
    operations.push(operation);
    this.#size++;
    return { rank, operation: operations.length - 1 };
  }
}
