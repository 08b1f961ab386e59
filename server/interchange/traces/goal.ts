import { fail } from '../../model/result.ts';
import { operationKind } from '../../model/workload.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { count, forEachLine, onlyFile, tag } from './lines.ts';
import { type GraphOperation, mostGraphOperations, tooManyOfGraph, writeTaskGraph } from './taskGraph.ts';
import { faultOfTaskCount, TraceWriter } from './writer.ts';

const unitsPerSecond = 1e9;

export const goal: TraceFormatEntry = {
  name: 'goal',
  summary: 'GOAL schedules of LogGOPSim, as text',
  source: 'Hoefler, Siebert and Lumsdaine 2009; LogGOPSim, goal.re',
  details:
    '`num_ranks N`, then `rank R { … }` with `LABEL: send SIZEb to R tag T`, `recv SIZEb from R tag T`, `calc NANOSECONDS`, `A requires B` (after its end) and `A irequires B` (after its beginning). A receive matches sender and tag, and the size if such a message exists. Operations without an order are independent. `cpu` and `nic` are ignored.',
  options: [],
  recognizes: (beginning) => /^(\s|\/\*[^]*?\*\/|\/\/.*\n)*num_ranks\s+\d+/.test(beginning),
  read(files, options, cancellation, sums) {
    const only = onlyFile(files, 'A GOAL schedule');
    if (!only.ok) return only;
    const file = only.value;
    const reader = new ScheduleReader((ranks) => new TraceWriter(ranks, options, sums));
    const done = forEachLine(file, cancellation, (text) => reader.read(text));
    if (!done.ok) return done;
    const fault = reader.faultAtEnd();
    return fault === undefined && reader.writer !== undefined
      ? reader.writer.finished('room-unordered', cancellation)
      : fail('bad-trace', `${file.name}:${done.value}: ${fault ?? 'The file ends before its first statement.'}`);
  },
};

const statement =
  /^(?:([A-Za-z_][\w.]*)\s*:\s*)?(send|recv|calc)\s+(\S+)(?:\s+(to|from)\s+(\S+))?((?:\s+(?:tag|cpu|nic)\s+\S+)*)$/;

/** A receive from anybody, where receives do not matter. */
const unnamedReceive: Operation = { kind: operationKind.receive, partner: 0, tag: 0, amount: 0 };

class ScheduleReader {
  readonly #start: (ranks: number) => TraceWriter;
  writer: TraceWriter | undefined;
  /** The rank whose block is open; −1 between blocks. */
  #rank = -1;
  readonly #done = new Set<number>();
  readonly #labels = new Map<string, number>();
  #operations: (GraphOperation & { readonly after: number[]; readonly afterBegin: number[] })[] = [];
  #isInComment = false;

  constructor(start: (ranks: number) => TraceWriter) {
    this.#start = start;
  }

  /** Why the line is refused, or undefined. A `}` may stand at its end, several statements may not stand on one. */
  read(text: string): string | undefined {
    const line = this.#withoutComments(text).trim().replace(/;$/, '').trim();
    if (line === '') return undefined;
    if (this.writer === undefined) return this.#header(line);
    if (this.#rank < 0) return this.#open(line);
    if (!line.endsWith('}')) return this.#statement(line);
    const before = line.slice(0, -1).trim();
    return (before === '' ? undefined : this.#statement(before)) ?? this.#close();
  }

  faultAtEnd(): string | undefined {
    if (this.#rank >= 0) return `The block of rank ${this.#rank} has no end. The file is truncated.`;
    if (this.#isInComment) return 'A comment has no end. Close it with `*/`.';
    return this.writer === undefined ? 'The file is empty.' : undefined;
  }

  #withoutComments(text: string): string {
    let line = text;
    if (this.#isInComment) {
      const end = line.indexOf('*/');
      if (end < 0) return '';
      this.#isInComment = false;
      line = line.slice(end + 2);
    }
    line = line.replace(/\/\*.*?\*\//g, ' ').replace(/\/\/.*$/, '');
    const begin = line.indexOf('/*');
    if (begin < 0) return line;
    this.#isInComment = true;
    return line.slice(0, begin);
  }

  #header(line: string): string | undefined {
    const ranks = count(/^num_ranks\s+(\d+)$/.exec(line)?.[1]);
    if (ranks === undefined) return 'Expected `num_ranks N` at the beginning.';
    const fault = faultOfTaskCount(ranks);
    if (fault === undefined) this.writer = this.#start(ranks);
    return fault;
  }

  #open(line: string): string | undefined {
    const rank = count(/^rank\s+(\d+)\s*\{$/.exec(line)?.[1]);
    if (rank === undefined) return 'Expected `rank R {` between blocks.';
    const fault = this.writer?.faultOf(rank);
    if (fault !== undefined) return fault;
    if (this.#done.has(rank)) return `Rank ${rank} already has a block. Merge the two.`;
    this.#done.add(rank);
    this.#rank = rank;
    return undefined;
  }

  #close(): string | undefined {
    const writer = this.writer;
    if (writer === undefined) return undefined;
    writer.touch(this.#rank);
    if (writer.isSumming) {
      this.#rank = -1;
      return undefined;
    }
    const circle = writeTaskGraph(writer.builder, this.#rank, this.#operations);
    if (circle !== undefined) {
      const [label] = [...this.#labels].find(([, at]) => at === circle) ?? ['?'];
      return `Operations of rank ${this.#rank} form a cycle that includes \`${label}\`. Remove one \`requires\`.`;
    }
    this.#rank = -1;
    this.#labels.clear();
    this.#operations = [];
    return undefined;
  }

  #statement(line: string): string | undefined {
    const dependence = /^(\S+)\s+(requires|irequires)\s+(\S+)$/.exec(line);
    if (dependence !== null) return this.#depend(dependence[1] ?? '', dependence[2] ?? '', dependence[3] ?? '');
    const found = statement.exec(line);
    if (found === null)
      return 'Invalid statement. Expected `[LABEL:] send SIZEb to R [tag T]`, `recv SIZEb from R [tag T]`, `calc T`, or `A requires B`.';
    if (this.#operations.length >= mostGraphOperations) return tooManyOfGraph;
    const [, label, verb, size, way, partner, rest] = found;
    const operation = verb === 'calc' ? this.#computing(size) : this.#message(verb, size, way, partner, rest ?? '');
    if (typeof operation === 'string') return operation;
    // Of sums the order does not matter, so that no more than a line is held.
    if (this.writer?.isSumming === true) {
      const isSend = operation.kind === operationKind.send;
      return isSend ? this.writer.send(this.#rank, operation.partner, operation.amount, 0) : undefined;
    }
    if (label !== undefined) {
      if (this.#labels.has(label)) return `The label \`${label.slice(0, 40)}\` is already used.`;
      this.#labels.set(label, this.#operations.length);
    }
    this.#operations.push({ ...operation, after: [], afterBegin: [] });
    return undefined;
  }

  #depend(later: string, word: string, earlier: string): string | undefined {
    if (this.writer?.isSumming === true) return undefined;
    const [at, on] = [this.#labels.get(later), this.#labels.get(earlier)];
    const unknown = at === undefined ? later : earlier;
    if (at === undefined || on === undefined)
      return `The operation \`${unknown.slice(0, 40)}\` is not defined above in the block.`;
    const operation = this.#operations[at];
    (word === 'requires' ? operation?.after : operation?.afterBegin)?.push(on);
    return undefined;
  }

  #computing(time: string | undefined): Operation | string {
    const units = count(time);
    if (units === undefined) return 'Expected `calc NANOSECONDS`, a whole number ≥ 0.';
    const isKept = this.writer?.keepsComputing === true;
    return { kind: operationKind.compute, partner: 0, tag: 0, amount: isKept ? units / unitsPerSecond : 0 };
  }

  /** Of sums a receive does not matter; of a replay it is not known which message it got. */
  #fromAnybody(isSend: boolean): Operation | string {
    if (!isSend && this.writer?.isSumming === true) return unnamedReceive;
    return 'Wildcard receives (MPI_ANY_SOURCE) cannot be replayed. Name the source rank.';
  }

  #message(
    verb: string | undefined,
    size: string | undefined,
    way: string | undefined,
    partnerWord: string | undefined,
    rest: string,
  ): Operation | string {
    const isSend = verb === 'send';
    const bytes = count(size?.replace(/b$/, ''));
    const partner = count(partnerWord);
    const own = /\btag\s+(\S+)/.exec(rest)?.[1] ?? '0';
    if (bytes === undefined || way !== (isSend ? 'to' : 'from'))
      return `Expected \`${isSend ? 'send SIZEb to' : 'recv SIZEb from'} RANK\`, with a whole number ≥ 0 as size.`;
    if (partner === undefined) return this.#fromAnybody(isSend);
    const number = tag(own);
    if (number === undefined)
      return 'Expected a tag from 0 to 2^31 - 1. Wildcard receives (MPI_ANY_TAG) cannot be replayed.';
    const fault = this.writer?.faultOf(partner);
    if (fault !== undefined) return fault;
    return { kind: isSend ? operationKind.send : operationKind.receive, partner, tag: number, amount: bytes };
  }
}

type Operation = Omit<GraphOperation, 'after' | 'afterBegin'>;
