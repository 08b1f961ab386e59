import { itemAt } from '../../numeric/elements.ts';
import { axisName } from '../../model/shape.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { Mapping } from '../../model/placement.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { alignJob, type AlignedJob } from '../stencils/alignment.ts';
import { totalHops, writtenAverage, rotateOption, unrotated } from '../stencils/rotation.ts';
import { columnFirst, longestAxes, subsetAxisLimit } from './linearOrder.ts';
import { rankPoints, taskPoints, pairedOrders, linearOrder, type Reversed } from '../stencils/gridPoints.ts';

export const ordered: MapperEntry = {
  name: 'ordered',
  summary: 'Tries row- and column-major orders with every flip and keeps the fewest average hops',
  source: 'Bunde et al. 2014, section 3 (ORDERED)',
  details:
    'Row and column major, each with every set of axes traversed backwards: 16 orders in three dimensions. The ranks are ' +
    'traversed backwards and the tasks are not; the paper leaves that open, and for a symmetric stencil it is the same ' +
    'to traverse both so. The first of equally good orders is kept, row major before column major and fewer flips of ' +
    'later axes first. Average hops are those of the routing, and count pairs, not bytes. Axes along which the ranks do not extend are not flipped, ' +
    `nor, of more than ${subsetAxisLimit} axes, any but the longest.`,
  options: [rotateOption],
  complexity: 'O(2^d n (log n + degree))',
  scaling: 'linear',
  map: (problem, context) => {
    const aligned = alignJob(problem, context);
    return aligned.ok ? bestOrder(problem, aligned.value, context) : aligned;
  },
};

interface Order {
  readonly name: string;
  /** From the fastest axis to the slowest. */
  readonly axes: readonly number[];
  readonly reversed: Reversed;
}

function bestOrder(problem: MappingProblem, job: AlignedJob, { cancellation }: MappingContext): Result<MappingAnswer> {
  const tasks = taskPoints(job);
  const ranks = rankPoints(job);
  let best: { readonly total: number; readonly order: Order; readonly mapping: Mapping } | undefined;
  for (const order of ordersFor(ranks.highest)) {
    if (cancellation.isCancelled()) return cancelled();
    const taskOrder = linearOrder(tasks, order.axes, []);
    const mapping = pairedOrders(tasks, taskOrder, ranks, linearOrder(ranks, order.axes, order.reversed));
    const total = totalHops(problem, mapping, cancellation);
    if (total === undefined) return cancelled();
    if (best === undefined || total < best.total) best = { total, order, mapping };
  }
  if (best === undefined) throw new Error('There is at least one order.');
  const average = writtenAverage(best.total, problem.job.traffic);
  return succeed({
    mapping: best.mapping,
    notes: [`ordered took ${describe(best.order)}: ${average} average hops.`],
  });
}

function* ordersFor(lengths: readonly number[]): Iterable<Order> {
  const dimensions = lengths.length;
  const flippable = longestAxes(lengths, subsetAxisLimit).filter((axis) => itemAt(lengths, axis) > 0);
  const majors = [
    { name: 'row major', axes: unrotated(dimensions) },
    { name: 'column major', axes: columnFirst(dimensions) },
  ];
  for (const { name, axes } of dimensions < 2 ? majors.slice(0, 1) : majors) {
    for (let flips = 0; flips < 2 ** flippable.length; flips++) {
      const reversed = lengths.map(() => false);
      flippable.forEach((axis, bit) => (reversed[axis] = ((flips >> bit) & 1) === 1));
      yield { name, axes, reversed };
    }
  }
}

function describe({ name, reversed }: Order): string {
  const backwards = reversed.flatMap((isReversed, axis) => (isReversed ? [axisName(axis)] : []));
  return backwards.length === 0 ? name : `${name} with ${backwards.join(', ')} backwards`;
}
