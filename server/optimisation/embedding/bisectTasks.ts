import { byteAt, intAt, itemAt } from '../../numeric/elements.ts';
import type { Coordinates } from './coordinates.ts';
import { selectByKey } from '../../numeric/selection.ts';
import type { SiteTree } from './siteTree.ts';

/** Arrays that many bisections share, so that none allocates. */
export interface Bisection {
  readonly tree: SiteTree;
  /** Tasks; after a bisection the task at index i goes to `tree.placeOrder[i]`. */
  readonly order: Int32Array;
}

export const bisectionOf = (tree: SiteTree): Bisection => ({ tree, order: new Int32Array(tree.placeOrder.length) });

/**
 * Recursive coordinate bisection of tasks along with sites: wherever the sites are cut along an
 * axis, so are the tasks, into parts as large as the sites have places. Writes the place of each
 * task. O(n log n). Berger and Bokhari 1987; Bunde et al. 2014, section 3 (RCB), for both sides.
 */
export function bisectTasks({ tree, order }: Bisection, tasks: Coordinates, placeOfTask: Int32Array): void {
  for (let task = 0; task < order.length; task++) order[task] = task;
  const leafCount = tree.firstPlace.length - 1;
  if (tasks.length > 0) bisectPart(tree, order, tasks, 0, leafCount, 0);
  for (let index = 0; index < order.length; index++) placeOfTask[intAt(order, index)] = intAt(tree.placeOrder, index);
}

/** The part of the leaves `start … end − 1`; inner node `node` is its root. */
function bisectPart(
  tree: SiteTree,
  order: Int32Array,
  tasks: Coordinates,
  start: number,
  end: number,
  node: number,
): void {
  if (end - start < 2) return;
  const middle = intAt(tree.middle, node);
  const first = intAt(tree.firstPlace, start);
  selectByKey(
    order,
    itemAt(tasks, byteAt(tree.axis, node)),
    first,
    intAt(tree.firstPlace, end),
    intAt(tree.firstPlace, middle) - first,
  );
  bisectPart(tree, order, tasks, start, middle, node + 1);
  bisectPart(tree, order, tasks, middle, end, node + (middle - start));
}
