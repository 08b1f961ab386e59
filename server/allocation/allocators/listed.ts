import { fail, succeed, type Result } from '../../model/result.ts';
import type { Allocation } from '../../model/placement.ts';

/** Node ids as listed, in that order. Fails with `no-such-node` or `duplicate-node` at the first wrong one. */
export function listedNodes(listed: ArrayLike<number>, nodeCount: number): Result<Allocation> {
  const seen = new Uint8Array(nodeCount);
  for (let index = 0; index < listed.length; index++) {
    const node = listed[index]!;
    if (!Number.isInteger(node) || node < 0 || node >= nodeCount) {
      return fail('no-such-node', `There is no node ${node}: the machine has the nodes 0 to ${nodeCount - 1}.`);
    }
    if (seen[node] === 1) return fail('duplicate-node', `Node ${node} is listed twice: list each node once.`);
    seen[node] = 1;
  }
  return succeed(Int32Array.from(listed));
}
