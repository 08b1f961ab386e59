/**
 * What launchers of training jobs have in common: they number the ranks of one node one after the other, node by node, and let rank k of a
 * node compute on the k-th GPU that it is shown.
 */
import { countOf } from '../../model/quantities.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { gpuNumbers } from './gpus.ts';
import { hostOfRank, isBound, nodeRuns, type NamedLaunch } from './launch.ts';

/** All ranks of a node, which follow one another. */
export interface NodeBlock {
  readonly host: string;
  readonly count: number;
  /** Of its ranks in their order; absent where ranks run on cores. */
  readonly gpus?: readonly number[];
}

/**
 * The nodes in the order of their ranks. Fails with `scattered-ranks` where the ranks of a node do not follow one another: no order of nodes makes
 * a launcher number them so. O(ranks).
 */
export function nodeBlocksOf(launch: NamedLaunch, launcher: string): Result<readonly NodeBlock[]> {
  const runs = nodeRuns(launch);
  const seen = new Set<number>();
  const again = runs.find(({ node }) => seen.size === seen.add(node).size);
  if (again !== undefined) {
    const host = hostOfRank(launch, again.first);
    const before = hostOfRank(launch, again.first - 1);
    return fail(
      'scattered-ranks',
      `${launcher} needs consecutive ranks per node; rank ${again.first} is on ${host} again, after rank ${again.first - 1} on ${before}. Use the format \`pytorch\` with \`srun\` or \`mpirun\`.`,
    );
  }
  const numbers = gpuNumbers(launch);
  const blocks = runs.map(({ first, count }) => ({
    host: hostOfRank(launch, first),
    count,
    ...(numbers && { gpus: Array.from(numbers.subarray(first, first + count)) }),
  }));
  return succeed(blocks);
}

/** Why the launcher cannot start so many ranks on each node, as a sentence; undefined where all have as many. O(nodes). */
export function faultOfBlocks(blocks: readonly NodeBlock[], launcher: string): string | undefined {
  const [first] = blocks;
  const odd = blocks.find(({ count }) => count !== first?.count);
  if (first === undefined || odd === undefined) return undefined;
  return `${launcher} needs equal ranks per node; ${first.host} has ${first.count}, ${odd.host} has ${odd.count}. Place ${countOf(first.count, 'rank')} on every node, or use \`deepspeed\` or \`pytorch\`.`;
}

/** Ranks on cores are on the right nodes alone. */
export const doubtOfCores = (launch: NamedLaunch, launcher: string): readonly string[] =>
  launch.gpuOfRank === undefined && isBound(launch)
    ? [`${launcher} does not bind ranks to cores. Nodes are right; the operating system chooses the cores.`]
    : [];
