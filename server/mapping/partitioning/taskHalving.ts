import type { WorkMeter } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import type { Domain, Whereabouts } from './domains.ts';
import { costScale, roundedCost } from './domains.ts';
import type { Halving } from './halving.ts';

/**
 * How `tasks` are best split between two domains. An edge costs the mean cost within its domain, or
 * between the two where it is cut; that it costs more in one domain than in the other pulls both its
 * ends by half of it. Partners elsewhere pull to the domain that is nearer to theirs. `localOf` is a
 * scratch array of one cell per task of the graph, all −1, and is left so. Undefined where it was cancelled.
 * O(edges of the tasks).
 */
export function taskHalving(
  graph: TaskGraph,
  whereabouts: Whereabouts,
  tasks: Int32Array,
  first: Domain,
  second: Domain,
  localOf: Int32Array,
  work: WorkMeter,
): Halving | undefined {
  const { rowStart, partner, weight } = graph;
  const withinFirst = whereabouts.between(first, first);
  const withinSecond = whereabouts.between(second, second);
  // Positive even where costs are all alike: of two splits that cost the same the one that cuts less is better.
  const cutCost = Math.max(
    1 / costScale,
    roundedCost(whereabouts.between(first, second) - (withinFirst + withinSecond) / 2),
  );
  const endPull = roundedCost((withinSecond - withinFirst) / 2);
  let capacity = 0;
  for (let local = 0; local < tasks.length; local++) {
    localOf[tasks[local]!] = local;
    capacity += rowStart[tasks[local]! + 1]! - rowStart[tasks[local]!]!;
  }
  const pull = new Float64Array(tasks.length);
  const localStart = new Int32Array(tasks.length + 1);
  const neighbour = new Int32Array(capacity);
  const cut = new Float64Array(capacity);
  let edgeCount = 0;
  whereabouts.compare(first, second);
  for (let local = 0; local < tasks.length; local++) {
    const end = rowStart[tasks[local]! + 1]!;
    let pulled = 0;
    for (let edge = rowStart[tasks[local]!]!; edge < end; edge++) {
      const other = localOf[partner[edge]!]!;
      if (other < 0) {
        pulled += weight[edge]! * whereabouts.difference(partner[edge]!);
        continue;
      }
      pulled += weight[edge]! * endPull;
      neighbour[edgeCount] = other;
      cut[edgeCount++] = weight[edge]! * cutCost;
    }
    pull[local] = pulled;
    localStart[local + 1] = edgeCount;
    if (work.isCancelledAfter(1 + end - rowStart[tasks[local]!]!)) return undefined;
  }
  for (const task of tasks) localOf[task] = -1;
  return {
    graph: {
      vertexCount: tasks.length,
      rowStart: localStart,
      neighbour: neighbour.subarray(0, edgeCount),
      weight: cut.subarray(0, edgeCount),
      size: new Int32Array(tasks.length).fill(1),
    },
    pull,
    minimum: Math.max(0, tasks.length - second.room),
    maximum: Math.min(tasks.length, first.room),
  };
}
