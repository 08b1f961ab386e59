/** The check of a `stencil`: its dimensions, and the offsets of its neighbours. */
import { formatNumber } from '../../model/quantities.ts';
import { stencils } from '../../traffic/catalogue.ts';
import type { Stencil, StencilOffset } from '../../traffic/contract.ts';
import { replace, type Fix } from '../codes.ts';
import { amountLimit, dimensionLimit } from '../propertyForms.ts';
import { freeName } from '../symbols.ts';
import type { DeclarationNode, NumberValue, PropertyNode, Value } from '../tree.ts';
import { integerValue, integerWithin, numberWithin, type Bounds } from './numbers.ts';
import { lengthOfAll, Properties } from './properties.ts';
import type { Scope } from './scope.ts';

const stepLimit = 2 ** 31 - 1;

/** Checks a declared stencil; undefined where something is missing or wrong. O(offsets). */
export function checkStencil(scope: Scope, declaration: DeclarationNode): Stencil | undefined {
  const properties = new Properties(scope, declaration);
  const { name } = properties;
  if (declaration.name !== undefined && stencils.some((entry) => entry.name === name)) {
    const message = `\`${name}\` is a built-in stencil. Choose another name.`;
    const fix = replace(declaration.name, freeName(scope.symbols, 'stencil', name));
    scope.report(declaration.name, 'duplicate-declaration', message, { otherFixes: [fix] });
  }
  const value = properties.value('dimensions');
  const nodes = properties.all('offset');
  const length = lengthOfAll(nodes);
  const instead = nodes.length === 0 ? undefined : (length ?? 'nothing');
  const bounds: Bounds = { minimum: 1, maximum: dimensionLimit, instead };
  const dimensions = value && integerValue(scope, value, properties.expectation('dimensions'), bounds);
  const asMany = value === undefined ? undefined : dimensionsFix(value, length);
  const offsets = nodes.flatMap((node) => checkOffset(scope, node, dimensions, asMany) ?? []);
  if (dimensions === undefined || offsets.length < nodes.length || offsets.length === 0) return undefined;
  return { name, dimensions, offsets };
}

/** As many dimensions as the offsets have numbers: where some have other numbers, the others would be wrong then. */
const dimensionsFix = (value: Value, length: number | undefined): Fix | undefined =>
  length === undefined ? undefined : { ...replace(value, String(length)), title: `Change to \`dimensions ${length}\`` };

function checkOffset(
  scope: Scope,
  node: PropertyNode,
  dimensions: number | undefined,
  asMany: Fix | undefined,
): StencilOffset | undefined {
  const { content } = node;
  if (content.kind !== 'offset') return undefined;
  const bounds = { minimum: -stepLimit, maximum: stepLimit };
  const offset = content.components.flatMap((step) => integerWithin(scope, step, 'A step of an offset', bounds) ?? []);
  const weight =
    content.weight === undefined
      ? 1
      : numberWithin(scope, content.weight, '`weight`', { minimum: 0, maximum: amountLimit });
  if (offset.length < content.components.length || weight === undefined) return undefined;
  if (dimensions !== undefined && offset.length !== dimensions) {
    const message = `This offset has ${formatNumber(offset.length)} of the ${dimensions} numbers that \`dimensions ${dimensions}\` asks for.`;
    scope.report(node, 'wrong-dimensions', message, {
      otherFixes: fixesOfDimensions(content.components, dimensions, asMany),
    });
    return undefined;
  }
  if (offset.every((step) => step === 0)) {
    const message = 'This offset has no effect: a task does not send to itself.';
    scope.report(node, 'no-effect', message, { severity: 'warning' });
  }
  return { offset, weight };
}

/** As many numbers as there are dimensions: zeros added, or cut off; or as many dimensions as numbers. */
function fixesOfDimensions(
  components: readonly NumberValue[],
  dimensions: number,
  asMany: Fix | undefined,
): readonly Fix[] {
  const [first] = components;
  const last = components.at(-1);
  if (first === undefined || last === undefined) return [];
  const numbers = Array.from({ length: dimensions }, (_, axis) => components[axis]?.text ?? '0');
  return [
    replace({ start: first.start, end: last.end }, numbers.join(', ')),
    ...(asMany === undefined ? [] : [asMany]),
  ];
}
