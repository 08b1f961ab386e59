import { itemAt } from '../../numeric/elements.ts';
import type { MappingProblem } from '../contract.ts';
import { nodeOfSlot } from '../../model/slots.ts';

/** Cores of each node promised to each job: `shares[job].get(node)`. */
export type Shares = readonly ReadonlyMap<number, number>[];

/** Either a way to hold all jobs at once, or the position of the first that finds no room, and what is left for it. */
type SharedRoom =
  | { readonly fits: true; readonly shares: Shares }
  | { readonly fits: false; readonly job: number; readonly room: number };

/** What one job may take of the cores that `idle` counts. */
interface Claim {
  readonly need: number;
  readonly nodes: readonly number[];
  readonly held: Map<number, number>;
  /** No node before this one has an idle core: nodes are filled and never emptied. */
  firstIdle: number;
}

/**
 * Can jobs whose nodes overlap all be held by the free cores? Augmenting paths from job to job: one
 * that finds its nodes full pushes another off to a node of that one's own. `isFree` tells free slots;
 * a node offers the same slots to all jobs that have it. O(jobs² · nodes) for each path.
 */
export function shareNodes(problems: readonly MappingProblem[], isFree: (slot: number) => boolean): SharedRoom {
  const idle = new Map<number, number>();
  const claims = problems.map((problem): Claim => {
    const own = freeCoresByNode(problem, isFree);
    for (const [node, cores] of own) idle.set(node, cores);
    return { need: problem.job.taskCount, nodes: [...own.keys()], held: new Map(), firstIdle: 0 };
  });
  for (const [job, claim] of claims.entries()) {
    let missing = claim.need;
    while (missing > 0) {
      const gained = augment(claims, idle, job, missing);
      if (gained === 0) return { fits: false, job, room: claim.need - missing };
      missing -= gained;
    }
  }
  return { fits: true, shares: claims.map(({ held }) => held) };
}

function freeCoresByNode({ machine, slots }: MappingProblem, isFree: (slot: number) => boolean): Map<number, number> {
  const cores = new Map<number, number>();
  for (const slot of slots) {
    if (!isFree(slot)) continue;
    const node = nodeOfSlot(machine, slot);
    cores.set(node, (cores.get(node) ?? 0) + 1);
  }
  return cores;
}

/** One job that was reached, through cores it holds on `node`, from the job `from`. */
interface Reached {
  readonly job: number;
  readonly node: number;
  readonly from: Reached | undefined;
}

/** Gives `job` at most `wanted` cores more, 0 where there are none to be had. Breadth first over the jobs. */
function augment(claims: readonly Claim[], idle: Map<number, number>, job: number, wanted: number): number {
  const queue: Reached[] = [{ job, node: -1, from: undefined }];
  const seen = new Set([job]);
  for (const reached of queue) {
    const free = nextIdle(itemAt(claims, reached.job), idle);
    if (free !== undefined) return shift(claims, idle, reached, free, wanted);
    const { nodes } = itemAt(claims, reached.job);
    for (const [other, { held }] of claims.entries()) {
      if (seen.has(other)) continue;
      const node = nodes.find((candidate) => (held.get(candidate) ?? 0) > 0);
      if (node === undefined) continue;
      seen.add(other);
      queue.push({ job: other, node, from: reached });
    }
  }
  return 0;
}

function nextIdle(claim: Claim, idle: ReadonlyMap<number, number>): number | undefined {
  while (claim.firstIdle < claim.nodes.length && idle.get(itemAt(claim.nodes, claim.firstIdle)) === 0)
    claim.firstIdle++;
  return claim.nodes[claim.firstIdle];
}

/** Moves as many cores as the path carries: the last job takes `free`, each before it takes what the next gives up. */
function shift(
  claims: readonly Claim[],
  idle: Map<number, number>,
  last: Reached,
  free: number,
  wanted: number,
): number {
  let amount = Math.min(wanted, idle.get(free)!);
  for (let step: Reached = last; step.from !== undefined; step = step.from) {
    amount = Math.min(amount, itemAt(claims, step.job).held.get(step.node)!);
  }
  idle.set(free, idle.get(free)! - amount);
  let gained = free;
  for (let step: Reached | undefined = last; step !== undefined; step = step.from) {
    const { held } = itemAt(claims, step.job);
    held.set(gained, (held.get(gained) ?? 0) + amount);
    if (step.from !== undefined) held.set(step.node, held.get(step.node)! - amount);
    gained = step.node;
  }
  return amount;
}
