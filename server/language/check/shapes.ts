import { volumeOf, type Shape } from '../../model/shape.ts';
import { dimensionLimit } from '../properties.ts';
import type { Value } from '../tree.ts';
import { type Expectation } from './expectations.ts';
import { integerWithin, plainNumber, type Bounds } from './numbers.ts';
import { formatCount, type Scope } from './scope.ts';

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
    const message = `${expected.name} has ${formatCount(volumeOf(shape))} points; at most ${formatCount(volumeLimit)} are possible: make it smaller.`;
    scope.report(value, 'too-large', message);
    return undefined;
  }
  return shape;
}
