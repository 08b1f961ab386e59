import type { ListValue, NumberValue } from '../tree.ts';
import { integerWithin, type Bounds } from './numbers.ts';
import { formatCount, type Scope } from './scope.ts';

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly node: NumberValue;
}

/** A list of whole numbers that was compared with every limit before it is written out. */
export interface CheckedList {
  readonly count: number;
  numbers(): readonly number[];
}

/**
 * Checks bounds, the direction of ranges and repetitions without writing the ranges out;
 * O(items · log items). `bounds.what` says what has these numbers: "Machine `m` has nodes".
 */
export function listValue(
  scope: Scope,
  list: ListValue,
  name: string,
  bounds: Bounds & { readonly what?: string | undefined },
): CheckedList | undefined {
  const intervals: Interval[] = [];
  let sound = true;
  for (const item of list.items) {
    const from = boundedInteger(scope, item.from, name, bounds);
    const to = item.to === undefined ? from : boundedInteger(scope, item.to, name, bounds);
    if (from === undefined || to === undefined) {
      sound = false;
      continue;
    }
    if (from > to) {
      const span = { start: item.from.start, end: item.to?.end ?? item.from.end };
      scope.report(span, 'wrong-value', `A range goes up: write \`${to}..${from}\`.`, {
        fix: { title: 'Turn the range round', ...span, text: `${to}..${from}` },
      });
      sound = false;
    }
    intervals.push({ from: Math.min(from, to), to: Math.max(from, to), node: item.from });
  }
  if (reportRepetition(scope, intervals, name) || !sound) return undefined;
  const count = intervals.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return { count, numbers: () => writeOut(intervals, count) };
}

function boundedInteger(
  scope: Scope,
  node: NumberValue,
  name: string,
  bounds: Bounds & { readonly what?: string | undefined },
): number | undefined {
  if (bounds.what === undefined || !Number.isInteger(node.value)) return integerWithin(scope, node, name, bounds);
  if (node.value >= bounds.minimum && node.value <= bounds.maximum) return node.value;
  const range = `${formatCount(bounds.minimum)} to ${formatCount(bounds.maximum)}`;
  scope.report(node, 'out-of-range', `${bounds.what} ${range}, not ${node.text}.`);
  return undefined;
}

function reportRepetition(scope: Scope, intervals: readonly Interval[], name: string): boolean {
  const sorted = [...intervals].sort((a, b) => a.from - b.from || a.node.start - b.node.start);
  let found = false;
  let reached = -Infinity;
  for (const { from, to, node } of sorted) {
    if (from <= reached) {
      scope.report(node, 'duplicate-number', `${name} may name each number once: ${from} stands twice.`);
      found = true;
    }
    reached = Math.max(reached, to);
  }
  return found;
}

function writeOut(intervals: readonly Interval[], count: number): readonly number[] {
  const numbers = new Array<number>(count);
  let at = 0;
  for (const { from, to } of intervals) {
    for (let value = from; value <= to; value++) numbers[at++] = value;
  }
  return numbers;
}
