/** Which nodes have free cores, and whether an allocation has enough of them for its job. */
import { fail, succeed, type Result } from '../model/result.ts';
import { adviceOfRoom, slotNoun } from '../model/nodeInside.ts';
import type { Allocation } from '../model/placement.ts';
import { adviceOfNeeds, needsText } from '../model/taskSlots.ts';
import type { AllocationRequest } from './contract.ts';
import { intAt } from '../numeric/elements.ts';

/** Nodes with a free core that `isCandidate` accepts, ascending. O(nodes). */
export function freeNodesOf(
  request: AllocationRequest,
  isCandidate: (node: number) => boolean = () => true,
): Int32Array {
  const { freeCores } = request;
  const found = new Int32Array(freeCores.length);
  let count = 0;
  freeCores.forEach((cores, node) => {
    if (cores > 0 && isCandidate(node)) found[count++] = node;
  });
  return found.slice(0, count);
}

function freeCoresOf(request: AllocationRequest, allocation: Allocation): number {
  let cores = 0;
  for (const node of allocation) cores += intAt(request.freeCores, node);
  return cores;
}

/**
 * The allocation, if its free cores hold the job; else `does-not-fit` with the numbers. `subject` begins the sentence.
 */
export function holdingAllocation(
  request: AllocationRequest,
  allocation: Allocation,
  subject: string,
): Result<Allocation> {
  const cores = freeCoresOf(request, allocation);
  if (cores >= request.taskCount) return succeed(allocation);
  const { needs } = request;
  if (needs !== undefined) {
    return fail(
      'does-not-fit',
      `${subject} can hold ${plainCountOf(cores, 'task')}${needsText(needs)}, and the job has ${request.taskCount}: ${waysToRoom(request)}.`,
    );
  }
  return fail(
    'does-not-fit',
    `${subject} has ${plainCountOf(cores, `free ${slotNoun(request.machine.inside.slots)}`)} on ${plainCountOf(allocation.length, 'node')}, and the job needs ` +
      `${request.taskCount}: ${waysToRoom(request)}.`,
  );
}

/** What to do where nodes have too little room: take more of them, or, where all together have too little, larger ones. O(nodes). */
function waysToRoom({ machine, freeCores, taskCount, needs }: AllocationRequest): string {
  const { inside, coresPerNode } = machine;
  let [free, nodes] = [0, 0];
  for (const cores of freeCores) {
    free += cores;
    if (cores > 0) nodes++;
  }
  if (free >= taskCount) return 'allocate more nodes or give the job fewer tasks';
  const advice = needs === undefined ? '' : adviceOfNeeds(needs);
  if (advice !== '') return `${advice}, or give the job fewer tasks`;
  if (nodes === 0) return 'take a larger machine or give the job fewer tasks';
  const each = coresPerNode + Math.ceil((taskCount - free) / nodes);
  return `${adviceOfRoom(inside, each)}, or give the job fewer tasks`;
}

/** "1 node", "2 nodes". */
export const plainCountOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
