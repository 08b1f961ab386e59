import { formatNumber } from '../../model/quantities.ts';
import { volumeOf, type Shape } from '../../model/shape.ts';
import { replace, type Fix } from '../codes.ts';
import { countLimit, dimensionLimit } from '../propertyForms.ts';
import type { NumberValue, Value } from '../tree.ts';
import { takesMessage, type Expectation, type Scope } from './scope.ts';

/**
 * Numbers without units, and shapes, which are several of them: each function gives what was written, or reports why
 * it cannot be and gives undefined. Quantities with units stand in `quantities.ts`.
 */

/** The least and the greatest number that may be written. */
export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  /** What a fix writes for a number that cannot be: the nearest one that can where this is left out, or nothing. */
  readonly instead?: number | 'nothing' | undefined;
  /** What has the whole numbers between them, for messages: "Machine `m` has nodes". */
  readonly what?: string | undefined;
}

/** The fix of a number that is outside of its bounds, or not whole: the nearest one to `wanted` that can be. */
function fixesOfNumber(node: NumberValue, { minimum, maximum, instead }: Bounds, wanted: number): readonly Fix[] {
  const nearest = Math.min(maximum, Math.max(minimum, wanted));
  // The limit of all counts is no advice: a machine or a job of so many is refused next.
  if (instead === 'nothing' || (instead === undefined && nearest >= countLimit)) return [];
  return [replace(node, String(instead ?? nearest))];
}

/** A plain number without a unit; reports anything else. */
function plainNumber(scope: Scope, value: Value, expected: Expectation): NumberValue | undefined {
  if (value.kind === 'number') return value;
  if (value.kind === 'quantity') {
    const { number, unit } = value;
    const message = `${expected.name} takes ${expected.takes} without a unit: remove \`${unit.text}\`.`;
    scope.report(unit, 'wrong-unit', message, { fix: replace({ start: number.end, end: unit.end }, '') });
    return undefined;
  }
  scope.report(value, 'wrong-value', takesMessage(expected));
  return undefined;
}

/** The number where it is finite and within bounds, else a report that names the bound. */
export function numberWithin(scope: Scope, node: NumberValue, name: string, bounds: Bounds): number | undefined {
  const { value, text } = node;
  const isTooSmall = value < bounds.minimum;
  if (!isTooSmall && value <= bounds.maximum) return value;
  const limit = isTooSmall ? bounds.minimum : bounds.maximum;
  const message = `${name} must be at ${isTooSmall ? 'least' : 'most'} ${formatNumber(limit)}, not ${text}.`;
  scope.report(node, isTooSmall ? 'out-of-range' : 'too-large', message, {
    otherFixes: fixesOfNumber(node, bounds, value),
  });
  return undefined;
}

/** A whole number within bounds. */
export function integerWithin(scope: Scope, node: NumberValue, name: string, bounds: Bounds): number | undefined {
  const { minimum, maximum, what } = bounds;
  if (what !== undefined && Number.isInteger(node.value)) {
    if (node.value >= minimum && node.value <= maximum) return node.value;
    const message = `${what} ${formatNumber(minimum)} to ${formatNumber(maximum)}, not ${node.text}.`;
    scope.report(node, 'out-of-range', message, { otherFixes: fixesOfNumber(node, bounds, node.value) });
    return undefined;
  }
  const value = numberWithin(scope, node, name, bounds);
  if (value === undefined) return undefined;
  if (Number.isInteger(value)) return isExact(scope, node, name) ? value : undefined;
  scope.report(node, 'wrong-value', `${name} must be a whole number, not ${node.text}.`, {
    otherFixes: fixesOfNumber(node, bounds, Math.round(value)),
  });
  return undefined;
}

/** The number of one of `count` things, from 0 on; reports one that there is not. */
export function numberOfOne(
  scope: Scope,
  node: NumberValue,
  what: string,
  {
    count,
    most,
    are = 'there are',
  }: { readonly count: number | undefined; readonly most: number; readonly are?: string },
): { readonly value: number; readonly isThere: boolean } | undefined {
  const value = integerWithin(scope, node, `The number of a ${what}`, { minimum: 0, maximum: most });
  if (value === undefined) return undefined;
  if (count === undefined || value < count) return { value, isThere: true };
  const message = `Unknown ${what} ${node.text}: ${are} 0 to ${formatNumber(count - 1)}.`;
  scope.report(node, 'out-of-range', message, { otherFixes: [replace(node, String(count - 1))] });
  return { value, isThere: false };
}

/** Whether a whole number is held digit for digit: 9007199254740993 would silently become another one. */
function isExact(scope: Scope, node: NumberValue, name: string): boolean {
  const { value, text } = node;
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text) || BigInt(text) === BigInt(value)) return true;
  const message = `${name} is too large to be exact: ${text} becomes ${BigInt(value)}. Write that, or a smaller number.`;
  scope.report(node, 'too-large', message, { fix: replace(node, String(BigInt(value))) });
  return false;
}

/** A value that must be a whole number within bounds. */
export function integerValue(scope: Scope, value: Value, expected: Expectation, bounds: Bounds): number | undefined {
  const node = plainNumber(scope, value, expected);
  return node && integerWithin(scope, node, expected.name, bounds);
}

/** A value that must be a number within bounds. */
export function numberValue(scope: Scope, value: Value, expected: Expectation, bounds: Bounds): number | undefined {
  const node = plainNumber(scope, value, expected);
  return node && numberWithin(scope, node, expected.name, bounds);
}

/**
 * `4 x 4`, or a lone number as a shape of one dimension. Every bad side is reported at the side;
 * a volume above `volumeLimit` at the whole.
 */
export function shapeValue(
  scope: Scope,
  value: Value,
  expected: Expectation,
  sideBounds: Bounds,
  volumeLimit = Number.POSITIVE_INFINITY,
): Shape | undefined {
  const lone = value.kind === 'shape' ? undefined : plainNumber(scope, value, expected);
  const sides = value.kind === 'shape' ? value.sides : lone === undefined ? [] : [lone];
  if (sides.length === 0) return undefined;
  if (sides.length > dimensionLimit) {
    const message = `${expected.name} has ${sides.length} sides; at most ${dimensionLimit} dimensions are possible.`;
    scope.report(value, 'too-large', message);
    return undefined;
  }
  const shape: number[] = [];
  for (const side of sides) {
    const length = integerWithin(scope, side, `A side of ${expected.name}`, sideBounds);
    if (length !== undefined) shape.push(length);
  }
  if (shape.length < sides.length) return undefined;
  if (volumeOf(shape) > volumeLimit) {
    const message = `${expected.name} has ${formatNumber(volumeOf(shape))} points; at most ${formatNumber(volumeLimit)} are possible: make it smaller.`;
    scope.report(value, 'too-large', message);
    return undefined;
  }
  return shape;
}
