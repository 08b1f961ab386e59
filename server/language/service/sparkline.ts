import type { ConvergencePoint } from '../../model/searchRecord.ts';

/** From the best value to the first. */
const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

const columns = 24;

/**
 * How the best value fell from the first evaluation to the last, as one line of blocks; undefined
 * where it never fell. The last point holds until the search ended.
 */
export function sparkline(convergence: readonly ConvergencePoint[], evaluations: number): string | undefined {
  const first = convergence[0];
  const last = convergence.at(-1);
  if (first === undefined || last === undefined || first.value <= last.value) return undefined;
  const height = first.value - last.value;
  const blocks = Array.from({ length: columns }, (_, column) => {
    const at = (column * evaluations) / (columns - 1);
    const point = convergence.findLast((candidate) => candidate.evaluations <= at) ?? first;
    return levels[Math.round(((levels.length - 1) * (point.value - last.value)) / height)];
  });
  return blocks.join('');
}
