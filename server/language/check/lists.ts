import { countHostlist } from '../../model/hostlist.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { ListRange, ListValue, NumberValue, StringValue } from '../tree.ts';
import { fixesOfNumber, integerWithin, type Bounds } from './numbers.ts';
import type { Scope } from './scope.ts';

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly node: NumberValue;
}

/** A list of whole numbers that was compared with every limit before it is written out. */
export interface CheckedList {
  /** Of the numbers, and of what the names stand for. */
  readonly count: number;
  /** Without the names. */
  numbers(): readonly number[];
  /** Numbers and hostlists in their order, where there are some. */
  items(): readonly (number | string)[] | undefined;
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
  takesNames = false,
): CheckedList | undefined {
  const intervals: Interval[] = [];
  const parts: (Interval | string)[] = [];
  let sound = true;
  let named = 0;
  for (const item of list.items) {
    if (item.kind === 'string') {
      const count = takesNames ? namesIn(scope, item) : refusedNames(scope, item, name);
      if (count === undefined) sound = false;
      parts.push(item.text);
      named += count ?? 0;
      continue;
    }
    // Beside other numbers the nearest one that is possible may stand in the list already.
    const limits = list.items.length === 1 ? bounds : { ...bounds, instead: 'nothing' as const };
    const from = boundedInteger(scope, item.from, name, limits);
    const to = item.to === undefined ? from : boundedInteger(scope, item.to, name, limits);
    if (from === undefined || to === undefined) {
      sound = false;
      continue;
    }
    if (from > to) {
      reportBackwards(scope, item, from, to);
      sound = false;
    }
    const interval = { from: Math.min(from, to), to: Math.max(from, to), node: item.from };
    intervals.push(interval);
    parts.push(interval);
  }
  if (reportRepetition(scope, intervals, name) || !sound) return undefined;
  const count = intervals.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const items = (): readonly (number | string)[] | undefined =>
    parts.length === intervals.length
      ? undefined
      : parts.flatMap((part): readonly (number | string)[] =>
          typeof part === 'string' ? [part] : writeOut([part], part.to - part.from + 1),
        );
  return { count: count + named, numbers: () => writeOut(intervals, count), items };
}

function reportBackwards(scope: Scope, { from: first, to: last }: ListRange, from: number, to: number): void {
  const span = { start: first.start, end: last?.end ?? first.end };
  scope.report(span, 'wrong-value', `A range goes up: write \`${to}..${from}\`.`, {
    fix: { title: 'Turn the range round', ...span, text: `${to}..${from}` },
  });
}

/** How many hosts a hostlist of Slurm names; reports what is wrong with it. */
function namesIn(scope: Scope, value: StringValue): number | undefined {
  const count = countHostlist(value.text);
  if (count.ok && count.value > 0) return count.value;
  const message = count.ok ? 'Name a host in the double quotes, or several: `"n[01-04],n07"`.' : count.failure;
  scope.report(value, 'wrong-value', message);
  return undefined;
}

function refusedNames(scope: Scope, value: StringValue, name: string): number | undefined {
  scope.report(value, 'wrong-value', `${name} takes whole numbers and ranges here, no names: \`[0..63, 70]\`.`);
  return undefined;
}

function boundedInteger(
  scope: Scope,
  node: NumberValue,
  name: string,
  bounds: Bounds & { readonly what?: string | undefined },
): number | undefined {
  if (bounds.what === undefined || !Number.isInteger(node.value)) return integerWithin(scope, node, name, bounds);
  if (node.value >= bounds.minimum && node.value <= bounds.maximum) return node.value;
  const range = `${formatNumber(bounds.minimum)} to ${formatNumber(bounds.maximum)}`;
  const nearest = Math.min(bounds.maximum, Math.max(bounds.minimum, node.value));
  scope.report(node, 'out-of-range', `${bounds.what} ${range}, not ${node.text}.`, {
    otherFixes: fixesOfNumber(node, bounds, nearest),
  });
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

/** Numbers that a fix writes out. */
const writtenLimit = 4096;

/**
 * `[0..7, 9]` with exactly `length` numbers: cut at the end, or with the lowest below `limit` that it does not
 * have. Undefined where there are none, or too many to write.
 */
export function listOfLength(numbers: readonly number[], length: number, limit: number): string | undefined {
  if (length > writtenLimit || numbers.length > writtenLimit || length < 1) return undefined;
  const resized = numbers.slice(0, length);
  const used = new Set(resized);
  for (let next = 0; resized.length < length && next < limit; next++) if (!used.has(next)) resized.push(next);
  return resized.length < length ? undefined : `[${rangesOf(resized, '..').join(', ')}]`;
}

/** Runs of numbers that go up by one, each as `0..7` or `9`, in the order of the numbers. */
export function rangesOf(numbers: readonly number[], dots: string): string[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}${dots}${to}`));
}
