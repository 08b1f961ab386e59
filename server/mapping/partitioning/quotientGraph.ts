import { neverCancelled, WorkMeter } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';

/**
 * Parts as vertices: the weight between two is that of all edges between their tasks. Partners
 * ascend. Undefined where `work` is cancelled. O(edges + quotient edges · log).
 */
export function quotientGraph(graph: TaskGraph, partOfTask: Int32Array, partCount: number): TaskGraph;
export function quotientGraph(
  graph: TaskGraph,
  partOfTask: Int32Array,
  partCount: number,
  work: WorkMeter,
): TaskGraph | undefined;
export function quotientGraph(
  { rowStart, partner, weight }: TaskGraph,
  partOfTask: Int32Array,
  partCount: number,
  work = new WorkMeter(neverCancelled),
): TaskGraph | undefined {
  const { start, members } = tasksByPart(partOfTask, partCount);
  const partStart = new Int32Array(partCount + 1);
  // No part has more partners than its tasks have together, or than there are others.
  let capacity = 0;
  for (let part = 0; part < partCount; part++) {
    let edges = 0;
    for (let index = start[part]!; index < start[part + 1]!; index++) {
      edges += rowStart[members[index]! + 1]! - rowStart[members[index]!]!;
    }
    capacity += Math.min(edges, partCount - 1);
  }
  const partners = new Int32Array(capacity);
  const weights = new Float64Array(capacity);
  /** Weight between the part at hand and each other one, and for which part that was last written. */
  const sums = new Float64Array(partCount);
  const writtenFor = new Int32Array(partCount).fill(-1);
  let count = 0;
  for (let part = 0; part < partCount; part++) {
    const first = count;
    writtenFor[part] = part;
    for (let index = start[part]!; index < start[part + 1]!; index++) {
      const task = members[index]!;
      for (let edge = rowStart[task]!; edge < rowStart[task + 1]!; edge++) {
        const other = partOfTask[partner[edge]!]!;
        if (other === part) continue;
        if (writtenFor[other] !== part) {
          writtenFor[other] = part;
          sums[other] = 0;
          partners[count++] = other;
        }
        sums[other]! += weight[edge]!;
      }
      if (work.isCancelledAfter(1 + rowStart[task + 1]! - rowStart[task]!)) return undefined;
    }
    partners.subarray(first, count).sort();
    for (let index = first; index < count; index++) weights[index] = sums[partners[index]!]!;
    partStart[part + 1] = count;
  }
  const isFull = count === capacity;
  return {
    taskCount: partCount,
    rowStart: partStart,
    partner: isFull ? partners : partners.slice(0, count),
    weight: isFull ? weights : weights.slice(0, count),
  };
}

/** The tasks of part p are `members[start[p] … start[p + 1])`, ascending. O(tasks + parts). */
function tasksByPart(partOfTask: Int32Array, partCount: number): { start: Int32Array; members: Int32Array } {
  const start = new Int32Array(partCount + 1);
  for (const part of partOfTask) start[part + 1]!++;
  for (let part = 0; part < partCount; part++) start[part + 1]! += start[part]!;
  const next = start.slice();
  const members = new Int32Array(partOfTask.length);
  for (let task = 0; task < partOfTask.length; task++) members[next[partOfTask[task]!]!++] = task;
  return { start, members };
}
