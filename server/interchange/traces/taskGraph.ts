/**
 * What one rank does where a trace says of each operation which others it comes after, and no order. It becomes lists:
 * an operation goes on with the list of one that it waits for, where that ends with it; all others tell it by a message
 * of no bytes to their own task.
 */
import { formatNumber } from '../../model/quantities.ts';
import { operationKind, type WorkloadBuilder } from '../../model/workload.ts';

export interface GraphOperation {
  /** Of {@link operationKind}: a send, a receive or computing; `nothing` only waits. */
  readonly kind: number;
  readonly partner: number;
  readonly tag: number;
  /** Bytes, or seconds of computing. */
  readonly amount: number;
  /** Operations that must have ended before it begins, and that must have begun. */
  readonly after: readonly number[];
  readonly afterBegin?: readonly number[];
}

/** Operations that are held as a graph at once, about 300 MB: of a rank where ranks come one after the other. */
export const mostGraphOperations = 2 ** 21;

/** Of the line that says or has the first one too many. */
export const tooManyOfGraph = `The trace has more than ${formatNumber(mostGraphOperations)} operations, the maximum for ordering. Use fewer iterations, or a table of sums (\`table NAME from "FILE"\`).`;

/** Kind of an operation that does nothing. */
export const nothing = -1;

/** Where the operations of lists stand: each list is a chain of operations. */
interface Chains {
  readonly lists: readonly (readonly number[])[];
  /** Of each operation, the one before it in its list; −1 where it is the first. */
  readonly before: Int32Array;
}

/**
 * Writes the operations of a task as lists. Returns an operation that waits for itself, or undefined. O(operations +
 * dependences).
 */
export function writeTaskGraph(
  builder: Pick<WorkloadBuilder, 'list' | 'send' | 'receive' | 'compute'>,
  task: number,
  operations: readonly GraphOperation[],
): number | undefined {
  const order = topologicalOrder(operations);
  if (typeof order === 'number') return order;
  const { lists, before } = chainsOf(operations, order);
  /** Tags of the messages that go out when an operation begins and ends, and that it waits for. */
  const [atBegin, atEnd, waits] = signals(operations, before);
  for (const list of lists) {
    builder.list(task);
    for (const at of list) {
      for (const tag of waits.get(at) ?? []) builder.receive(task, 0, tag);
      for (const tag of atBegin.get(at) ?? []) builder.send(task, 0, tag);
      const { kind, partner, tag, amount } = operations[at] ?? { kind: nothing, partner: 0, tag: 0, amount: 0 };
      if (kind === operationKind.send) builder.send(partner, amount, tag);
      else if (kind === operationKind.receive) builder.receive(partner, amount, tag);
      else if (kind === operationKind.compute) builder.compute(amount);
      for (const own of atEnd.get(at) ?? []) builder.send(task, 0, own);
    }
  }
  return undefined;
}

/** Each operation after those that it comes after; an operation of a circle where there is one. */
function topologicalOrder(operations: readonly GraphOperation[]): readonly number[] | number {
  const missing = new Int32Array(operations.length);
  const next: number[][] = operations.map(() => []);
  for (const [at, { after, afterBegin = [] }] of operations.entries()) {
    for (const earlier of [...after, ...afterBegin]) {
      next[earlier]?.push(at);
      missing[at] = (missing[at] ?? 0) + 1;
    }
  }
  const order: number[] = [];
  for (const [at, count] of missing.entries()) if (count === 0) order.push(at);
  for (let done = 0; done < order.length; done++) {
    for (const later of next[order[done] ?? 0] ?? []) {
      const left = (missing[later] ?? 0) - 1;
      missing[later] = left;
      if (left === 0) order.push(later);
    }
  }
  return order.length === operations.length ? order : missing.findIndex((count) => count > 0);
}

function chainsOf(operations: readonly GraphOperation[], order: readonly number[]): Chains {
  const before = new Int32Array(operations.length).fill(-1);
  const listOf = new Int32Array(operations.length).fill(-1);
  const lists: number[][] = [];
  for (const at of order) {
    const tail = operations[at]?.after.find((earlier) => lists[listOf[earlier] ?? -1]?.at(-1) === earlier);
    if (tail === undefined) {
      listOf[at] = lists.length;
      lists.push([at]);
    } else {
      listOf[at] = listOf[tail] ?? 0;
      lists[listOf[tail] ?? 0]?.push(at);
      before[at] = tail;
    }
  }
  return { lists, before };
}

/** Tags are below zero, one for each dependence that a list does not keep by itself. */
function signals(operations: readonly GraphOperation[], before: Int32Array): readonly [Tags, Tags, Tags] {
  const [atBegin, atEnd, waits] = [
    new Map<number, number[]>(),
    new Map<number, number[]>(),
    new Map<number, number[]>(),
  ];
  let tag = 0;
  const push = (tags: Tags, at: number): void => {
    const known = tags.get(at);
    if (known === undefined) tags.set(at, [tag]);
    else known.push(tag);
  };
  const connect = (from: Tags, earlier: number, later: number): void => {
    tag--;
    push(from, earlier);
    push(waits, later);
  };
  for (const [at, { after, afterBegin = [] }] of operations.entries()) {
    for (const earlier of after) if (before[at] !== earlier) connect(atEnd, earlier, at);
    for (const earlier of afterBegin) if (before[at] !== earlier) connect(atBegin, earlier, at);
  }
  return [atBegin, atEnd, waits];
}

type Tags = Map<number, number[]>;
