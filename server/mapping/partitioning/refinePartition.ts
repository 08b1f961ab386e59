import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { patienceFor } from './halve.ts';
import { quotientGraph } from './quotientGraph.ts';
import { refineHalving } from './refineHalving.ts';
import type { WeightedGraph } from './weightedGraph.ts';
import { subgraph } from './weightedGraph.ts';

const mostSweeps = 4;

/**
 * Refines every pair of parts that talk as if they were two halves, again where one of them has
 * changed, sizes kept: `partOfTask` is changed in place. False where it was cancelled.
 * O(edges · parts that talk to one) a sweep.
 */
export function refinePartition(
  graph: WeightedGraph,
  partOfTask: Int32Array,
  partCount: number,
  cancellation: Cancellation,
): boolean {
  const members = membersOf(partOfTask, partCount);
  const localOf = new Int32Array(graph.vertexCount).fill(-1);
  const work = new WorkMeter(cancellation);
  let changed = new Uint8Array(partCount).fill(1);
  for (let sweep = 0; sweep < mostSweeps && changed.includes(1); sweep++) {
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
      for (let edge = rowStart[one]!; edge < rowStart[one + 1]!; edge++) {
        const other = partner[edge]!;
        if (other < one || before[one]! + before[other]! + changed[one]! + changed[other]! === 0) continue;
        const isRefined = refinePair(graph, members, one, other, localOf, work, cancellation);
        if (isRefined === undefined) return false;
        if (!isRefined) continue;
        changed[one] = 1;
        changed[other] = 1;
        enter(partOfTask, members[one]!, one);
        enter(partOfTask, members[other]!, other);
      }
    }
  }
  return !cancellation.isCancelled();
}

function enter(partOfTask: Int32Array, tasks: Int32Array, part: number): void {
  for (const task of tasks) partOfTask[task] = part;
}

function membersOf(partOfTask: Int32Array, partCount: number): Int32Array[] {
  const size = new Int32Array(partCount);
  for (const part of partOfTask) size[part]!++;
  const members = Array.from(size, (count) => new Int32Array(count));
  for (let task = partOfTask.length - 1; task >= 0; task--) {
    const part = partOfTask[task]!;
    members[part]![--size[part]!] = task;
  }
  return members;
}

/** Whether tasks were exchanged; undefined where it was cancelled. */
function refinePair(
  graph: WeightedGraph,
  members: Int32Array[],
  one: number,
  other: number,
  localOf: Int32Array,
  work: WorkMeter,
  cancellation: Cancellation,
): boolean | undefined {
  const first = members[one]!;
  const both = new Int32Array(first.length + members[other]!.length);
  both.set(first);
  both.set(members[other]!, first.length);
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
