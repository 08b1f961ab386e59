/** Lists of whole numbers and of hosts: `[0..7, 9]`, `["n[01-16]"]`. */
import type { NumberList, RouterList } from '../../model/catalogue.ts';
import { countHostlist } from '../../model/hostlist.ts';
import { formatNumber } from '../../model/quantities.ts';
import { replace, type Fix } from '../codes.ts';
import type { ListRange, ListValue, NumberValue, QuantityValue, Span, StringValue, Value, Word } from '../tree.ts';
import { integerWithin, numberWithin, type Bounds } from './numbers.ts';
import { fractionValue } from './quantities.ts';
import { allOf, takesMessage, type Expectation, type Scope } from './scope.ts';

/** A part of a list: numbers without a gap, or a hostlist. */
interface Interval {
  readonly from: number;
  readonly to: number;
  readonly item: ListRange;
  readonly count: number;
  readonly isSound: boolean;
}

interface Hosts {
  readonly names: string;
  readonly count: number;
}

/** A list of whole numbers that was compared with every limit before it is written out. */
interface CheckedList {
  /** Of the numbers, and of what the names stand for. */
  readonly count: number;
  /** Without the names. */
  readonly numbers: NumberList;
  /** Numbers and hostlists in their order, where there are hostlists. */
  readonly items: readonly (number | string)[] | undefined;
}

/**
 * Checks bounds, the direction of ranges and repetitions without writing the ranges out;
 * O(items · log items).
 */
export function listValue(
  scope: Scope,
  list: ListValue,
  name: string,
  bounds: Bounds,
  takesNames = false,
): CheckedList | undefined {
  // Beside other numbers the nearest one that is possible may stand in the list already.
  const limits = list.items.length === 1 ? bounds : { ...bounds, instead: 'nothing' as const };
  const read = list.items.map((item) => {
    if (item.kind === 'range') return readInterval(scope, item, name, limits);
    if (takesNames) return hostsIn(scope, item);
    const message = `${name} takes whole numbers and ranges, as in \`[0..63, 70]\`. Names are not allowed here.`;
    scope.report(item, 'wrong-value', message);
    return undefined;
  });
  const parts = read.filter((part) => part !== undefined);
  const intervals = parts.filter((part) => 'from' in part);
  const isRepeated = reportRepetition(scope, list, intervals, { name, isSet: takesNames });
  if (isRepeated || parts.length < read.length || !intervals.every(({ isSound }) => isSound)) return undefined;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (intervals.length === parts.length) return { count, numbers: writeOut(intervals, count), items: undefined };
  const items = parts.flatMap((part): readonly (number | string)[] =>
    'from' in part ? Array.from(writeOut([part], part.count)) : [part.names],
  );
  return { count, numbers: [], items };
}

/** The numbers of an item; undefined where one cannot be. */
function readInterval(scope: Scope, item: ListRange, name: string, limits: Bounds): Interval | undefined {
  const hasShare = refusesShare(scope, item, name);
  const from = integerWithin(scope, item.from, name, limits);
  const to = item.to === undefined ? from : integerWithin(scope, item.to, name, limits);
  if (from === undefined || to === undefined) return undefined;
  if (from > to) reportBackwards(scope, item, from, to);
  const count = Math.abs(to - from) + 1;
  return { from: Math.min(from, to), to: Math.max(from, to), item, count, isSound: from <= to && !hasShare };
}

/** Whether an item has a unit or a share, which is reported. */
function refusesShare(scope: Scope, { from, unit, share }: ListRange, name: string): boolean {
  const end = share?.end ?? unit?.end;
  if (end === undefined) return false;
  const span = { start: from.end, end };
  scope.report(span, 'unexpected-text', `${name} takes numbers without shares. Remove this.`, {
    fix: replace(span, ''),
  });
  return true;
}

function reportBackwards(scope: Scope, { from: first, to: last }: ListRange, from: number, to: number): void {
  const span = { start: first.start, end: last?.end ?? first.end };
  scope.report(span, 'wrong-value', `The range descends. Write \`${to}..${from}\`.`, {
    fix: { title: 'Turn the range round', ...span, text: `${to}..${from}` },
  });
}

/** The hosts of a hostlist of Slurm; reports what is wrong with it. */
function hostsIn(scope: Scope, value: StringValue): Hosts | undefined {
  const count = countHostlist(value.text);
  if (count.ok && count.value > 0) return { names: value.text, count: count.value };
  const message = count.ok ? 'Expected one or more host names, as in `"n[01-04],n07"`.' : count.failure;
  scope.report(value, 'wrong-value', message);
  return undefined;
}

/** `isSet`: the list may be shorter by a number, as one of nodes may and one of the slots of tasks may not. */
function reportRepetition(
  scope: Scope,
  list: ListValue,
  intervals: readonly Interval[],
  { name, isSet }: { readonly name: string; readonly isSet: boolean },
): boolean {
  const sorted = [...intervals].sort((a, b) => a.from - b.from || a.item.from.start - b.item.from.start);
  let found = false;
  let reached = -Infinity;
  for (const { from, to, item } of sorted) {
    if (from <= reached) {
      const message = `${name} may list each number once: ${from} is listed twice.`;
      const otherFixes = isSet ? [withoutRepeated(list, item, reached < to ? reached + 1 : undefined, to)] : [];
      scope.report(item.from, 'duplicate-number', message, { otherFixes });
      found = true;
    }
    reached = Math.max(reached, to);
  }
  return found;
}

/** Takes an item out of a list with its comma, or leaves of it what stands nowhere else: from `first` to `last`. */
function withoutRepeated({ items }: ListValue, item: ListRange, first: number | undefined, last: number): Fix {
  const span = spanOfItem(item);
  if (first !== undefined) return replace(span, first === last ? String(last) : `${first}..${last}`);
  const at = items.indexOf(item);
  const [before, after] = [items[at - 1], items[at + 1]];
  if (before !== undefined) return replace({ start: spanOfItem(before).end, end: span.end }, '');
  return replace({ start: span.start, end: after === undefined ? span.end : spanOfItem(after).start }, '');
}

const spanOfItem = (item: ListRange | StringValue): Span =>
  item.kind === 'string' ? item : { start: item.from.start, end: (item.to ?? item.from).end };

function writeOut(intervals: readonly Interval[], count: number): NumberList {
  const numbers = count > manyNumbers ? new Int32Array(count) : new Array<number>(count);
  let at = 0;
  for (const { from, to } of intervals) {
    for (let value = from; value <= to; value++) numbers[at++] = value;
  }
  return numbers;
}

/** More stand in a typed array; all are below 2^31. */
const manyNumbers = 4096;

/** Numbers that a fix writes out. */
const writtenLimit = 4096;

/**
 * `[0..7, 9]` with exactly `length` numbers: cut at the end, or with the lowest below `limit` that it does not
 * have. Undefined where there are none, or too many to write.
 */
export function listOfLength(numbers: NumberList, length: number, limit: number): string | undefined {
  if (length > writtenLimit || numbers.length > writtenLimit || length < 1) return undefined;
  const resized = Array.from(numbers.slice(0, length));
  const used = new Set(resized);
  for (let next = 0; resized.length < length && next < limit; next++) if (!used.has(next)) resized.push(next);
  return resized.length < length ? undefined : `[${numberRanges(resized, '..').join(', ')}]`;
}

/** Runs of numbers that go up by one, each as `0..7` or `9`, in the order of the numbers. */
export function numberRanges(numbers: readonly number[], dots: string): string[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}${dots}${to}`));
}

/** A list of numbers, whole or not, in any order; reports what is none. O(items). */
export const numbersValue = (
  scope: Scope,
  value: Value,
  expected: Expectation,
  bounds: Bounds,
): readonly number[] | undefined =>
  eachOf(scope, value, expected, {
    surplus: ({ to, unit, share }) => to ?? share ?? unit,
    read: ({ from }) => numberWithin(scope, from, `A number of ${expected.name}`, bounds),
  });

/** A list of routers: numbers, ranges, and names in double quotes as hostlists. O(items · log items). */
export function routersValue(scope: Scope, value: Value, expected: Expectation): RouterList | undefined {
  if (value.kind !== 'list' || value.items.length === 0) {
    const isLone = value.kind === 'number' || value.kind === 'string';
    const fix = isLone ? replace(value, `[${scope.text.slice(value.start, value.end)}]`) : undefined;
    scope.report(value, 'wrong-value', takesMessage(expected), { fix });
    return undefined;
  }
  const list = listValue(scope, value, expected.name, { minimum: 0, maximum: 2 ** 22 - 1 }, true);
  return list && { kind: 'routers', items: list.items ?? Array.from(list.numbers) };
}

/** A list of shares that add up to 1: `[40 %, 0.6]` as [0.4, 0.6]. O(items). */
export function sharesValue(scope: Scope, value: Value, expected: Expectation): readonly number[] | undefined {
  const shares = eachOf(scope, value, expected, {
    surplus: ({ to, share }) => to ?? share,
    read: ({ from, unit }) => shareValue(scope, unit === undefined ? from : quantityOf(from, unit), expected),
  });
  return shares && addUp(scope, value, shares, expected) ? shares : undefined;
}

/** Values with their shares: `[2: 40 %, 4: 60 %]`. O(items). */
export function weightsValue(
  scope: Scope,
  value: Value,
  expected: Expectation,
  bounds: Bounds,
): { readonly values: readonly number[]; readonly shares: readonly number[] } | undefined {
  const pairs = eachOf(scope, value, expected, {
    surplus: ({ from, to, unit, share }) => to ?? unit ?? (share === undefined ? from : undefined),
    read: ({ from, share }) => {
      const number = numberWithin(scope, from, `A value of ${expected.name}`, bounds);
      const part = share && shareValue(scope, share, expected);
      return number === undefined || part === undefined ? undefined : { number, part };
    },
  });
  if (pairs === undefined) return undefined;
  const [values, shares] = [pairs.map(({ number }) => number), pairs.map(({ part }) => part)];
  return addUp(scope, value, shares, expected) ? { values, shares } : undefined;
}

/** What each number of a list says, if all can be read; there must be one, and names are refused. */
function eachOf<Item extends number | object>(
  scope: Scope,
  value: Value,
  expected: Expectation,
  {
    surplus,
    read,
  }: {
    readonly surplus: (item: ListRange) => Span | undefined;
    readonly read: (item: ListRange) => Item | undefined;
  },
): readonly Item[] | undefined {
  const items = value.kind === 'list' ? value.items.flatMap((item) => (item.kind === 'range' ? [item] : [])) : [];
  if (value.kind !== 'list' || items.length === 0 || items.length < value.items.length) {
    scope.report(value, 'wrong-value', takesMessage(expected));
    return undefined;
  }
  return allOf(
    items.map((item) => {
      const wrong = surplus(item);
      if (wrong === undefined) return read(item);
      scope.report(wrong, 'wrong-value', takesMessage(expected));
      return undefined;
    }),
  );
}

const quantityOf = (number: NumberValue, unit: Word): QuantityValue => ({
  kind: 'quantity',
  number,
  unit,
  start: number.start,
  end: unit.end,
});

const shareValue = (scope: Scope, value: NumberValue | QuantityValue, { name }: Expectation): number | undefined =>
  fractionValue(
    scope,
    value,
    { name: `A share of ${name}`, takes: 'a share such as `20%` or `0.2`' },
    { minimum: 0, maximum: 1 },
  );

/** Whether shares add up to the whole, up to what is lost in writing them with six digits. */
function addUp(scope: Scope, span: Span, shares: readonly number[], { name }: Expectation): boolean {
  const sum = shares.reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 1) < 1e-5) return true;
  const message = `The shares of ${name} add up to ${formatNumber(sum * 100)} %, and must to 100 %.`;
  scope.report(span, 'wrong-shares', message);
  return false;
}
