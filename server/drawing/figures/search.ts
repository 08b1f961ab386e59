/**
 * How a search went: its value over the changes that it tried, with a peak at each start (Orduña et al. 2004, figure 7), and the best
 * so far. Of searches that tell no more than that, the best alone.
 */
import { largestOf, leastOf } from '../../model/lists.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import type { SearchRecord } from '../../model/searchRecord.ts';
import { bottomMargin, drawAxes, leftMarginOf, makeAxis, type Frame } from './axes.ts';
import { notesBelow } from './curves.ts';
import { curveColors, headHeight, figureHead, line, pageMargin, pageWidth, type Figure } from './figure.ts';

const plotHeight = 330;

interface Point {
  readonly evaluations: number;
  readonly value: number;
}

/** Values of a line that stays where it is until the next point. */
function stepPoints(points: readonly Point[], end: number): number[] {
  return points.flatMap(({ evaluations, value }, index) => {
    const next = points[index + 1]?.evaluations ?? end;
    return [evaluations, value, next, value];
  });
}

/** The number of the start that each point belongs to, from 1: the value of a search only rises where a new one begins. O(points). */
function startsOf(points: readonly Point[]): readonly number[] {
  let start = 1;
  return points.map(({ value }, index) => {
    const before = points[index - 1];
    if (before !== undefined && value > before.value) start++;
    return start;
  });
}

/** How many starts there were, and how many of them came to the best value. */
function startWords(points: readonly Point[], starts: readonly number[], best: number): string {
  const count = starts.at(-1) ?? 1;
  if (count === 1) return '';
  const reached = new Set(starts.filter((_, index) => points[index]?.value === best)).size;
  return ` ${formatNumber(reached)} of ${countOf(count, 'start')} reached it.`;
}

/** What the criteria of the catalogue measure, and in what; any other one is called by its name. */
const measured: Readonly<Record<string, readonly [name: string, unit: string]>> = {
  'hop-bytes': ['Hop-bytes', 'bytes'],
  distance: ['Distance', 'bytes'],
  'traffic-distribution': ['Traffic distribution', 'bytes with uneven axes'],
  equivalent: ['Mapping coefficient', 'bytes × equivalent distance'],
  'maximum-load': ['Maximum link load', 'bytes'],
};

/** `name` is of the placement and its job. O(points). */
export function drawSearch(name: string, search: SearchRecord): Figure {
  const { convergence, trace = convergence, evaluations, criterion, value } = search;
  const values = trace.map((point) => point.value);
  const starts = startsOf(trace);
  const bottom = headHeight + plotHeight;
  const [least, most] = [Math.min(value, leastOf(values)), Math.max(value, largestOf(values))];
  const [axisName, unit] = measured[criterion] ?? [criterion, ''];
  const y = makeAxis({
    name: axisName,
    unit,
    low: least,
    high: most,
    from: bottom,
    to: headHeight,
    spacing: 44,
  });
  const right = pageWidth - pageMargin;
  const frame: Frame = { left: pageMargin + leftMarginOf(y), top: headHeight, right, bottom };
  const end = Math.max(1, evaluations);
  const x = makeAxis({
    name: 'Moves tried',
    unit: '',
    low: 0,
    high: end,
    from: frame.left,
    to: right,
    spacing: 70,
    nice: false,
  });
  const placed = (points: readonly number[]): number[] =>
    points.map((one, index) => (index % 2 === 0 ? x.at(one) : y.at(one)));
  const bestFrom = stepPoints(convergence, end);
  const title = `${name}: search progress`;
  const subtitle = `${criterion}, ${countOf(evaluations, 'change')} tried`;
  const words = `Dashed: best so far (final ${formatNumber(value)}).${startWords(trace, starts, value)}`;
  const notes = notesBelow(bottom + bottomMargin, [words]);
  return {
    title,
    subtitle,
    description: `${title}, ${subtitle}. ${words}`,
    width: pageWidth,
    height: notes.bottom + pageMargin,
    shapes: [
      ...figureHead(title, subtitle),
      ...drawAxes(frame, x, y),
      line(placed(stepPoints(trace, end)), curveColors[0], 1.4),
      line(placed(bestFrom), 'ink', 1.2, [5, 4]),
      ...notes.shapes,
    ],
    table: {
      head: ['changes', 'value', 'start'],
      rows: trace.map((point, index) => [point.evaluations, point.value, starts[index] ?? null]),
    },
  };
}
