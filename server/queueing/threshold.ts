import { type ClusterFigures, waitingTime } from './servers.ts';

/** What the threshold of a job depends on; rates per second, sizes in bytes. */
export interface ThresholdRequest {
  /** P. */
  readonly taskCount: number;
  readonly coresPerNode: number;
  /** Nodes of the job that have an idle core. */
  readonly nodesWithIdleCore: number;
  /** ADJ_avg. */
  readonly adjacency: number;
  /** λ_avg: messages per second from a task to each of its partners. */
  readonly meanRate: number;
  /** Mean size of a message. */
  readonly meanBytes: number;
  readonly variation: number;
  readonly figures: ClusterFigures;
}

export interface Threshold {
  /** Equation 22: at most so many tasks of the job on a node. */
  readonly tasksPerNode: number;
  /** n_opt. */
  readonly nodes: number;
  /**
   * What chose the number of nodes: the least waiting time at interface and memory (equation 14), or,
   * where every number of nodes saturates one of them, the lowest rate of arrivals (equation 23).
   */
  readonly equation: 14 | 23;
  /** W in seconds, or λ in messages per second. */
  readonly value: number;
}

/** Arrivals at the interface and at the memory of a node, messages per second. */
export interface Arrivals {
  readonly interface: number;
  readonly memory: number;
}

/** τ: times that a message within a node goes through its memory. */
const copiesWithinNode = 2;

/** Equations 15 to 21 of Soryani et al. 2013, for a job spread over `nodes`. O(1). */
export function arrivalsAt({ taskCount, adjacency, meanRate }: ThresholdRequest, nodes: number): Arrivals {
  const perNode = Math.floor(taskCount / nodes);
  const within = Math.min(adjacency, perNode - 1);
  const outside = Math.max(0, adjacency - (perNode - 1));
  const out = perNode * outside * meanRate;
  const intra = perNode * within * meanRate * copiesWithinNode;
  const incoming = taskCount > 1 ? (taskCount - perNode) * (adjacency / (taskCount - 1)) * perNode * meanRate : 0;
  return { interface: out, memory: intra + out + incoming };
}

/** Equation 14: seconds a message waits at interface and memory; infinite where one is saturated. O(1). */
export function waitingOnNodes(request: ThresholdRequest, nodes: number): number {
  const { meanBytes, variation, figures } = request;
  const arrivals = arrivalsAt(request, nodes);
  const port = meanBytes / figures.interface;
  const memory = meanBytes / figures.memory;
  return (
    waitingTime(arrivals.interface * port, port, variation) + waitingTime(arrivals.memory * memory, memory, variation)
  );
}

/**
 * The number of nodes with the least waiting time, and from it the threshold (equations 14 to 23).
 * n runs from ⌈P/cores⌉ to the nodes with an idle core, at most P; numbers that saturate a server
 * are left out. What is minimised depends on ⌊P/n⌋ alone: of equal ones the most nodes are taken,
 * which gives the lowest threshold. O(nodes).
 */
export function findThreshold(request: ThresholdRequest): Threshold {
  const { taskCount, coresPerNode, nodesWithIdleCore } = request;
  const most = Math.max(1, Math.min(nodesWithIdleCore, taskCount));
  const fewest = Math.min(most, Math.ceil(taskCount / coresPerNode));
  const byWaiting = leastOverNodes(fewest, most, (nodes) => waitingOnNodes(request, nodes));
  const byArrivals = () =>
    leastOverNodes(fewest, most, (nodes) => {
      const arrivals = arrivalsAt(request, nodes);
      return arrivals.interface + arrivals.memory;
    });
  const waits = Number.isFinite(byWaiting.value);
  const { nodes, value } = waits ? byWaiting : byArrivals();
  return { tasksPerNode: Math.ceil(taskCount / nodes), nodes, equation: waits ? 14 : 23, value };
}

/** The number from `fewest` to `most` with the least value, the largest of equal ones. */
function leastOverNodes(
  fewest: number,
  most: number,
  valueOf: (nodes: number) => number,
): { nodes: number; value: number } {
  let best = { nodes: most, value: valueOf(most) };
  for (let nodes = most - 1; nodes >= fewest; nodes--) {
    const value = valueOf(nodes);
    if (value < best.value) best = { nodes, value };
  }
  return best;
}
