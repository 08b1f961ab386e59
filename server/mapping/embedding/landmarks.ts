import type { Cancellation } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';

/**
 * Distances in edges from some tasks of one component, each as far from those before it as there is
 * one (farthest-point landmarks, de Silva and Tenenbaum 2004), the first at an end of the component.
 * One array per landmark, in the order of `members`; `distance` is scratch with an entry per task of
 * the graph. Undefined where it was cancelled.
 * O(landmarks · edges).
 */
export function landmarkDistances(
  graph: TaskGraph,
  members: Int32Array,
  landmarkCount: number,
  distance: Int32Array,
  cancellation: Cancellation,
): Float64Array[] | undefined {
  const search: Search = { graph, distance, queue: new Int32Array(members.length) };
  const nearest = new Float64Array(members.length).fill(Infinity);
  const distances: Float64Array[] = [];
  let landmark = farthestFrom(search, members, members[0]!);
  while (distances.length < Math.min(landmarkCount, members.length)) {
    if (cancellation.isCancelled()) return undefined;
    farthestFrom(search, members, landmark);
    const own = Float64Array.from(members, (task) => search.distance[task]!);
    distances.push(own);
    let farthest = 0;
    for (let index = 0; index < own.length; index++) {
      nearest[index] = Math.min(nearest[index]!, own[index]!);
      if (nearest[index]! > nearest[farthest]!) farthest = index;
    }
    landmark = members[farthest]!;
  }
  return distances;
}

interface Search {
  readonly graph: TaskGraph;
  /** By TaskId; of the members of the component that was searched last. */
  readonly distance: Int32Array;
  readonly queue: Int32Array;
}

/** Breadth-first search of a component: fills in the distances from `root` and returns a task at the end. */
function farthestFrom({ graph, distance, queue }: Search, members: Int32Array, root: number): number {
  const { rowStart, partner } = graph;
  for (const task of members) distance[task] = -1;
  distance[root] = 0;
  queue[0] = root;
  let filled = 1;
  for (let next = 0; next < filled; next++) {
    const task = queue[next]!;
    const beyond = distance[task]! + 1;
    const end = rowStart[task + 1]!;
    for (let edge = rowStart[task]!; edge < end; edge++) {
      const other = partner[edge]!;
      if (distance[other]! >= 0) continue;
      distance[other] = beyond;
      queue[filled++] = other;
    }
  }
  return queue[filled - 1]!;
}
