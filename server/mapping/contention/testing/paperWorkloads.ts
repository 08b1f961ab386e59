import type { Job } from '../../../model/job.ts';
import type { Machine } from '../../../model/machine.ts';
import type { MappingProblem } from '../../../optimisation/problem/searchProblem.ts';
import type { MappingContext } from '../../contract.ts';
import { contextFor } from '../../testing/problems.ts';
import { contentionFree, mapJobs } from '../contentionFree.ts';

/** Maps jobs that fit. */
export function mapTogether(problems: readonly MappingProblem[], overrides: Partial<MappingContext> = {}) {
  const together = mapJobs(problems, contextFor(contentionFree, overrides));
  if (!together.ok) throw new Error(together.failure.message);
  return together.value;
}

/** Jobs that share all free slots of the nodes, `nodes` of all where it is given. */
export function problemsOf(machine: Machine, jobs: readonly Job[], nodes?: readonly number[]): MappingProblem[] {
  const allocation = Int32Array.from(nodes ?? Array.from({ length: machine.nodeCount }, (_, node) => node));
  const slots = Int32Array.from([...allocation].flatMap((node) => slotsOf(machine, node)));
  return jobs.map((job) => ({ machine, job, allocation, slots }));
}

const slotsOf = ({ coresPerNode }: Machine, node: number): readonly number[] =>
  Array.from({ length: coresPerNode }, (_, core) => node * coresPerNode + core);

/** Tasks on each node. */
export function tasksPerNode({ coresPerNode, nodeCount }: Machine, mapping: Int32Array): number[] {
  const counts = new Array<number>(nodeCount).fill(0);
  for (const slot of mapping) counts[Math.floor(slot / coresPerNode)]! += 1;
  return counts;
}
