import { intAt, realAt } from '../numeric/elements.ts';
import { inStretches, neverCancelled, WorkMeter } from '../model/cancellation.ts';
import { cancelled, fail, succeed, type Failure, type Result } from '../model/result.ts';
import { formatShape, volumeOf, type Shape } from '../model/shape.ts';
import type { TableEntries, Traffic } from '../model/traffic.ts';
import type { AddPair, PatternEntry, PatternRequest, Stencil } from './contract.ts';
import { addPair, assembleTraffic, checkPairCount, createPairList, largestTotal } from './pairs.ts';
import { addStencilPairs, stencilRows } from './stencils.ts';

/** Sums of whole bytes are exact up to here, rounded beyond. */
const largestExactTotal = 2 ** 53;

/**
 * Traffic of a stencil on a grid: every task sends weight × `bytesPerPair` to the task at each
 * offset. The border of the grid cuts offsets off, a periodic grid wraps them; wrapped offsets
 * that meet add up, and one that leads back to the task itself is dropped.
 * Looks at `cancellation` every so often.
 * Fails with `stencil-dimensions`, `too-many-pairs`, `invalid-amount`, `amounts-too-large`.
 * O(tasks · offsets · dimensions).
 */
export function stencilTraffic(
  stencil: Stencil,
  grid: Shape,
  periodic: boolean,
  bytesPerPair: number,
  cancellation = neverCancelled,
): Result<Traffic> {
  if (stencil.dimensions !== grid.length) {
    return fail(
      'stencil-dimensions',
      `Stencil \`${stencil.name}\` needs ${stencil.dimensions} dimensions; grid ${formatShape(grid)} has ${grid.length}. Use a grid of ${stencil.dimensions} dimensions, or another stencil.`,
    );
  }
  const taskCount = volumeOf(grid);
  const bound = taskCount * stencil.offsets.length;
  const what = `Stencil \`${stencil.name}\` on ${formatShape(grid)}`;
  const checked = checkPairCount(bound, what);
  if (!checked.ok) return checked;
  if (!periodic && hasPlainRows(stencil, bound, bytesPerPair)) {
    const traffic = stencilRows(stencil, grid, bytesPerPair, cancellation);
    return traffic === undefined ? cancelled() : succeed(traffic);
  }
  const list = createPairList(bound, what);
  if (!list.ok) return list;
  const add: AddPair = (from, to, weight) => {
    addPair(list.value, from, to, weight * bytesPerPair);
  };
  if (!addStencilPairs(stencil, grid, periodic, add, cancellation)) return cancelled();
  return assembleTraffic(taskCount, list.value, cancellation);
}

/** Whether every offset of a stencil is another task with an amount that counts, so that its pairs are the rows as they stand. */
function hasPlainRows({ offsets }: Stencil, bound: number, bytesPerPair: number): boolean {
  const names = new Set(offsets.map(({ offset }) => offset.join()));
  const amounts = offsets.map(({ weight }) => weight * bytesPerPair);
  return (
    names.size === offsets.length &&
    offsets.every(({ offset }) => offset.some((steps) => steps !== 0)) &&
    amounts.every((amount) => amount > 0 && amount * bound <= largestTotal)
  );
}

/**
 * Traffic of a pattern of the catalogue: each pair carries weight × `bytesPerPair`.
 * Fails with `too-many-pairs`, `amounts-too-large`, or what the pattern says of the task count. O(pairs).
 */
export function patternTraffic(entry: PatternEntry, request: PatternRequest, bytesPerPair: number): Result<Traffic> {
  const { cancellation = neverCancelled } = request;
  const list = createPairList(entry.pairBound(request), `Pattern \`${entry.name}\` of ${request.taskCount} tasks`);
  if (!list.ok) return list;
  const generated = entry.generate(request, (from, to, weight) => {
    addPair(list.value, from, to, weight * bytesPerPair);
  });
  return generated.ok ? assembleTraffic(request.taskCount, list.value, cancellation) : generated;
}

/**
 * Traffic of a table: each entry carries amount × `factor` bytes; repeated entries add up, the
 * diagonal and zeros are dropped. Fails with `task-out-of-range`, `too-many-pairs`,
 * `invalid-amount`, `amounts-too-large`. O(entries + tasks).
 */
export function tableTraffic(
  entries: TableEntries,
  taskCount: number,
  factor: number,
  cancellation = neverCancelled,
): Result<Traffic> {
  const { from, to, amount } = entries;
  const checked = checkPairCount(from.length, 'The table');
  if (!checked.ok) return checked;
  const meter = new WorkMeter(cancellation);
  for (let entry = 0; entry < from.length; entry++) {
    if (meter.isCancelledAfter(1)) return cancelled();
    const sender = intAt(from, entry);
    const receiver = intAt(to, entry);
    if (Math.min(sender, receiver) < 0 || Math.max(sender, receiver) >= taskCount) {
      return fail(
        'task-out-of-range',
        `Traffic entry ${sender} -> ${receiver} exceeds the tasks 0 to ${taskCount - 1}. Add tasks, or correct the table.`,
      );
    }
  }
  const bytes = factor === 1 ? amount : new Float64Array(amount.length);
  const multiplied = inStretches(factor === 1 ? 0 : amount.length, cancellation, (begin, end) => {
    for (let entry = begin; entry < end; entry++) bytes[entry] = realAt(amount, entry) * factor;
  });
  if (!multiplied) return cancelled();
  return assembleTraffic(taskCount, { from, to, bytes, count: from.length }, cancellation);
}

/** A warning where a job's `total` bytes are more than can be summed exactly, else undefined. */
export function inexactSums(total: number): Failure | undefined {
  if (total <= largestExactTotal) return undefined;
  return {
    code: 'inexact-sums',
    message: `Total traffic is ${total.toPrecision(3)} bytes; sums above 2^53 are rounded. Check the amounts.`,
  };
}
