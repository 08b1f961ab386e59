import type { JobMessages } from './messages.ts';
import { sizeClasses } from './messages.ts';

/** What the jobs of a workload make of each other (rule 6 of Soryani et al. 2013). */
export interface Contention {
  /** WL_ADJ_avg: mean of the jobs' adjacencies; jobs of small messages do not count. 0 where no job counts. */
  readonly meanAdjacency: number;
  /** Every task has partners beyond its node, whatever is done: no threshold is set. */
  readonly severe: boolean;
}

/**
 * Compares the integer part of WL_ADJ_avg with the cores of a node: the paper takes 16.49 for not
 * severe on 16 cores. One job alone has no other to get in the way of, however many partners its
 * tasks have: the paper, which compares all the same, only looks at workloads of several. O(jobs).
 */
export function contentionOf(jobs: readonly JobMessages[], coresPerNode: number): Contention {
  const counted = jobs.filter(({ sizeClass }) => sizeClass !== 'small');
  const sum = counted.reduce((total, { adjacency }) => total + adjacency, 0);
  const meanAdjacency = counted.length === 0 ? 0 : sum / counted.length;
  return { meanAdjacency, severe: jobs.length > 1 && Math.floor(meanAdjacency) > coresPerNode };
}

/**
 * Positions of the jobs in the order in which they are mapped: large messages before medium before
 * small, then the higher adjacency, then the higher demand, then as given. O(jobs · tasks).
 */
export function mappingOrder(jobs: readonly JobMessages[]): readonly number[] {
  const demands = jobs.map(({ demand }) => demand.reduce((sum, value) => sum + value, 0));
  const rank = ({ sizeClass }: JobMessages) => sizeClasses.indexOf(sizeClass);
  return [...jobs.keys()].sort((a, b) => {
    const [one, other] = [jobs[a]!, jobs[b]!];
    return rank(one) - rank(other) || other.adjacency - one.adjacency || demands[b]! - demands[a]! || a - b;
  });
}
