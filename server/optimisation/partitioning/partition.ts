import { byteAt, intAt, itemAt } from '../../numeric/elements.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { halve, patienceFor, refineHalving } from './halving.ts';
import { type WeightedGraph, subgraph, unitGraph, quotientGraph } from './weightedGraph.ts';

/**
 * The part of each task, with little weight between parts: part p has exactly `sizes[p]` tasks, 0 or
 * more; together they are all tasks. Recursive multilevel bisection, then refinement of all pairs of
 * parts that communicate. Karypis and Kumar 1998 coarsen once for all parts, to some twenty vertices for
 * each; parts are nodes with a few cores here, for which that is the graph itself. Undefined where it
 * was cancelled. O(edges · log n · log parts).
 */
export function partition(
  graph: TaskGraph,
  sizes: Int32Array,
  random: RandomSource,
  cancellation: Cancellation,
): Int32Array | undefined {
  const tasks = unitGraph(graph);
  const members = Int32Array.from(tasks.size, (_, task) => task);
  const bisection = {
    tasks,
    sizes,
    members,
    localOf: new Int32Array(graph.taskCount).fill(-1),
    random,
    cancellation,
    work: new WorkMeter(cancellation),
  };
  if (!bisectParts(bisection, 0, sizes.length, 0, graph.taskCount)) return undefined;
  const partOfTask = new Int32Array(graph.taskCount);
  let next = 0;
  for (let part = 0; part < sizes.length; part++) {
    for (let index = 0; index < intAt(sizes, part); index++) partOfTask[intAt(members, next++)] = part;
  }
  return refinePartition(tasks, partOfTask, sizes.length, cancellation) ? partOfTask : undefined;
}

interface Bisection {
  readonly tasks: WeightedGraph;
  readonly sizes: Int32Array;
  /** All tasks, those of one part after those of the other. */
  readonly members: Int32Array;
  readonly localOf: Int32Array;
  readonly random: RandomSource;
  readonly cancellation: Cancellation;
  readonly work: WorkMeter;
}

/** Deals `members[start … end)` to the parts from `first` up to `last`. False if cancelled. */
function bisectParts(bisection: Bisection, first: number, last: number, start: number, end: number): boolean {
  if (last - first < 2 || start === end) return true;
  const { tasks, sizes, members, localOf, random, cancellation } = bisection;
  const middle = (first + last) >> 1;
  let size = 0;
  for (let part = first; part < middle; part++) size += intAt(sizes, part);
  const graph = subgraph(tasks, members, start, end, localOf, bisection.work);
  if (graph === undefined) return false;
  const halving = { graph, pull: new Float64Array(end - start), minimum: size, maximum: size };
  const side = halve(halving, random, cancellation);
  if (side === undefined) return false;
  const own = members.slice(start, end);
  let one = start;
  let other = start + size;
  for (let index = 0; index < own.length; index++) members[side[index] === 0 ? one++ : other++] = intAt(own, index);
  return (
    bisectParts(bisection, first, middle, start, start + size) &&
    bisectParts(bisection, middle, last, start + size, end)
  );
}

/**
 * Refines every pair of parts that communicate as if they were two halves, again where one of them has
 * changed, until none has; sizes are kept, and `partOfTask` is changed in place. False if cancelled.
 * O(edges · parts that communicate with one) a sweep.
 */
function refinePartition(
  graph: WeightedGraph,
  partOfTask: Int32Array,
  partCount: number,
  cancellation: Cancellation,
): boolean {
  const members = partMembers(partOfTask, partCount);
  const localOf = new Int32Array(graph.vertexCount).fill(-1);
  const work = new WorkMeter(cancellation);
  let changed = new Uint8Array(partCount).fill(1);
  while (changed.includes(1)) {
    const before = changed;
    changed = new Uint8Array(partCount);
    const tasks = {
      taskCount: graph.vertexCount,
      rowStart: graph.rowStart,
      partner: graph.neighbour,
      weight: graph.weight,
    };
    const quotient = quotientGraph(tasks, partOfTask, partCount, work);
    if (quotient === undefined) return false;
    const { rowStart, partner } = quotient;
    for (let one = 0; one < partCount; one++) {
      if (cancellation.isCancelled()) return false;
      for (let edge = intAt(rowStart, one); edge < intAt(rowStart, one + 1); edge++) {
        const other = intAt(partner, edge);
        if (
          other < one ||
          byteAt(before, one) + byteAt(before, other) + byteAt(changed, one) + byteAt(changed, other) === 0
        )
          continue;
        const isRefined = refinePair({ graph, members, localOf, work, cancellation }, one, other);
        if (isRefined === undefined) return false;
        if (!isRefined) continue;
        changed[one] = 1;
        changed[other] = 1;
        enter(partOfTask, itemAt(members, one), one);
        enter(partOfTask, itemAt(members, other), other);
      }
    }
  }
  return !cancellation.isCancelled();
}

function enter(partOfTask: Int32Array, tasks: Int32Array, part: number): void {
  for (const task of tasks) partOfTask[task] = part;
}

function partMembers(partOfTask: Int32Array, partCount: number): Int32Array[] {
  const size = new Int32Array(partCount);
  for (const part of partOfTask) size[part]!++;
  const members = Array.from(size, (count) => new Int32Array(count));
  for (let task = partOfTask.length - 1; task >= 0; task--) {
    const part = intAt(partOfTask, task);
    itemAt(members, part)[--size[part]!] = task;
  }
  return members;
}

interface Refinement {
  readonly graph: WeightedGraph;
  /** Tasks of each part; changed. */
  readonly members: Int32Array[];
  /** Scratch: one cell per task, all −1 in between. */
  readonly localOf: Int32Array;
  readonly work: WorkMeter;
  readonly cancellation: Cancellation;
}

/** Whether tasks were exchanged; undefined if cancelled. */
function refinePair(
  { graph, members, localOf, work, cancellation }: Refinement,
  one: number,
  other: number,
): boolean | undefined {
  const first = itemAt(members, one);
  const both = new Int32Array(first.length + itemAt(members, other).length);
  both.set(first);
  both.set(itemAt(members, other), first.length);
  const between = subgraph(graph, both, 0, both.length, localOf, work);
  if (between === undefined) return undefined;
  const halving = {
    graph: between,
    pull: new Float64Array(both.length),
    minimum: first.length,
    maximum: first.length,
  };
  const side = new Uint8Array(both.length).fill(1, first.length);
  refineHalving(halving, side, patienceFor(both.length), cancellation);
  if (side.indexOf(1) >= first.length) return false;
  members[one] = both.filter((_, index) => side[index] === 0);
  members[other] = both.filter((_, index) => side[index] === 1);
  return true;
}
