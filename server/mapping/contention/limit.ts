import type { ClusterFigures } from '../../queueing/figures.ts';
import type { JobMessages, Contention } from '../../queueing/messages.ts';
import type { FreeCores } from './slotOccupancy.ts';
import { findThreshold, type Threshold } from '../../queueing/threshold.ts';

/** Most tasks of a job on a node, and what decided it. */
export type Limit =
  | { readonly reason: 'small' | 'severe'; readonly tasksPerNode: number }
  | { readonly reason: 'fits'; readonly tasksPerNode: number; readonly adjacency: number; readonly idle: number }
  | {
      readonly reason: 'threshold';
      /** The threshold, or the least limit above it at which the free cores hold the job. */
      readonly tasksPerNode: number;
      readonly threshold: Threshold;
      readonly adjacency: number;
      readonly idle: number;
    };

export interface LimitRequest {
  readonly taskCount: number;
  readonly messages: JobMessages;
  readonly contention: Contention;
  readonly coresPerNode: number;
  /** Nodes allocated to the job; those without an idle core count in the mean. */
  readonly nodeCount: number;
  readonly variation: number;
  readonly figures: ClusterFigures;
}

/** Figure 8 of Soryani et al. 2013, steps 2 and 2.3.2, for the cores that are idle now. O(nodes · log cores). */
export function limitOf(request: LimitRequest, room: FreeCores): Limit {
  const { taskCount, messages, contention, coresPerNode, nodeCount } = request;
  const { adjacency } = messages;
  if (messages.sizeClass === 'small') return { reason: 'small', tasksPerNode: coresPerNode };
  if (contention.severe) return { reason: 'severe', tasksPerNode: coresPerNode };
  const idle = room.idleCores / nodeCount;
  if (adjacency <= idle - 1) return { reason: 'fits', tasksPerNode: coresPerNode, adjacency, idle };
  const threshold = findThreshold({
    ...request,
    adjacency,
    nodesWithIdleCore: room.idle.reduce((count, cores) => count + (cores > 0 ? 1 : 0), 0),
    meanRate: messages.meanRate,
    meanBytes: messages.meanBytes,
  });
  const tasksPerNode = leastHolding(room.idle, taskCount, threshold.tasksPerNode, coresPerNode);
  return { reason: 'threshold', tasksPerNode, threshold, adjacency, idle };
}

/** The least limit from `from` to `to` at which the idle cores hold the tasks; they do at `to`. */
function leastHolding(idle: Int32Array, taskCount: number, from: number, to: number): number {
  const holds = (limit: number) => idle.reduce((sum, cores) => sum + Math.min(cores, limit), 0) >= taskCount;
  let least = from;
  let enough = Math.max(from, to);
  while (least < enough) {
    const middle = Math.floor((least + enough) / 2);
    if (holds(middle)) enough = middle;
    else least = middle + 1;
  }
  return least;
}
