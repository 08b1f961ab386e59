import type { Folding } from './foldings.ts';
import type { GridPositions } from './gridProduct.ts';

/** Position of every task on each axis of the box. O(tasks · digits). */
export function foldTasks(grid: GridPositions, { digits }: Folding, boxAxes: number): Int32Array[] {
  const taskCount = grid.positions[0]?.length ?? 0;
  const folded = Array.from({ length: boxAxes }, () => new Int32Array(taskCount));
  for (const [taskAxis, positions] of grid.positions.entries()) {
    const rest = positions.slice();
    for (const digit of digits) {
      if (digit.taskAxis !== taskAxis) continue;
      const { radix, stride } = digit;
      const along = folded[digit.boxAxis]!;
      for (let task = 0; task < taskCount; task++) {
        const quotient = Math.floor(rest[task]! / radix);
        const value = rest[task]! - quotient * radix;
        // Every second run goes back, so that the step between runs stays on the spot here.
        along[task]! += stride * (quotient % 2 === 0 ? value : radix - 1 - value);
        rest[task] = quotient;
      }
    }
  }
  return folded;
}
