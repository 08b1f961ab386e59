import type { Mapping } from '../../model/placement.ts';
import type { GridPoints } from './gridPoints.ts';

/** The mapping of the k-th task of one order to the k-th rank of another; orders are of indices into the points. O(n). */
export function pairedOrders(
  tasks: GridPoints,
  taskOrder: Int32Array,
  ranks: GridPoints,
  rankOrder: Int32Array,
): Mapping {
  const mapping = new Int32Array(taskOrder.length);
  for (let index = 0; index < mapping.length; index++) {
    mapping[tasks.ids[taskOrder[index]!]!] = ranks.ids[rankOrder[index]!]!;
  }
  return mapping;
}
