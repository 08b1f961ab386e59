import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { halve } from './halve.ts';
import { refinePartition } from './refinePartition.ts';
import type { WeightedGraph } from './weightedGraph.ts';
import { subgraph, unitGraph } from './weightedGraph.ts';

/**
 * The part of each task, with little weight between parts: part p has exactly `sizes[p]` tasks, 0 or
 * more; together they are all tasks. Recursive multilevel bisection, then refinement of all pairs of
 * parts that talk. Karypis and Kumar 1998 coarsen once for all parts, to some twenty vertices for
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
    for (let index = 0; index < sizes[part]!; index++) partOfTask[members[next++]!] = part;
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

/** Deals `members[start … end)` to the parts from `first` up to `last`. False where it was cancelled. */
function bisectParts(bisection: Bisection, first: number, last: number, start: number, end: number): boolean {
  if (last - first < 2 || start === end) return true;
  const { tasks, sizes, members, localOf, random, cancellation } = bisection;
  const middle = (first + last) >> 1;
  let size = 0;
  for (let part = first; part < middle; part++) size += sizes[part]!;
  const graph = subgraph(tasks, members, start, end, localOf, bisection.work);
  if (graph === undefined) return false;
  const halving = { graph, pull: new Float64Array(end - start), minimum: size, maximum: size };
  const side = halve(halving, random, cancellation);
  if (side === undefined) return false;
  const own = members.slice(start, end);
  let one = start;
  let other = start + size;
  for (let index = 0; index < own.length; index++) members[side[index] === 0 ? one++ : other++] = own[index]!;
  return (
    bisectParts(bisection, first, middle, start, start + size) &&
    bisectParts(bisection, middle, last, start + size, end)
  );
}
