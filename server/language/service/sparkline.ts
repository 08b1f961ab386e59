import type { SearchRecord } from '../../model/searchRecord.ts';

/** From the best value to the first. */
const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

const columns = 24;

/**
 * How the best value fell from the first answer to the last, as one line of blocks from the least value to the greatest;
 * undefined where it never fell. Each column takes as many times the time of the one before: most of the fall comes
 * early, and would be one step at the left edge otherwise. The last point holds until the search ended.
 */
export function sparkline({
  convergence,
  milliseconds,
}: Pick<SearchRecord, 'convergence' | 'milliseconds'>): string | undefined {
  const first = convergence[0];
  const last = convergence.at(-1);
  if (first === undefined || last === undefined || first.value <= last.value) return undefined;
  const height = first.value - last.value;
  const start = Math.log1p(first.milliseconds);
  const end = Math.log1p(Math.max(milliseconds, last.milliseconds));
  const blocks = Array.from({ length: columns }, (_, column) => {
    const at = Math.expm1(start + ((end - start) * column) / (columns - 1)) + 1e-9;
    const point = column === 0 ? first : (convergence.findLast((candidate) => candidate.milliseconds <= at) ?? first);
    return levels[Math.round(((levels.length - 1) * (point.value - last.value)) / height)];
  });
  return blocks.join('');
}
