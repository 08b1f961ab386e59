import type { Stencil, StencilOffset } from '../../traffic/contract.ts';
import { stencils } from '../../traffic/catalogue.ts';
import { amountLimit, dimensionLimit } from '../properties.ts';
import type { DeclarationNode, PropertyNode } from '../tree.ts';
import { expectationOf } from './expectations.ts';
import { integerValue, integerWithin, numberWithin } from './numbers.ts';
import { nameOf, propertiesOf } from './properties.ts';
import { formatCount, type Scope } from './scope.ts';

const stepLimit = 2 ** 31 - 1;

/** Checks a declared stencil; undefined where something is missing or wrong. O(offsets). */
export function checkStencil(scope: Scope, declaration: DeclarationNode): Stencil | undefined {
  const properties = propertiesOf(scope, declaration);
  const name = nameOf(declaration);
  if (declaration.name !== undefined && stencils.some((entry) => entry.name === name)) {
    const message = `\`${name}\` is a built-in stencil: give this one another name.`;
    scope.report(declaration.name, 'duplicate-declaration', message);
  }
  const value = properties.value('dimensions');
  const bounds = { minimum: 1, maximum: dimensionLimit };
  const dimensions = value && integerValue(scope, value, expectationOf('stencil', 'dimensions'), bounds);
  const nodes = properties.all('offset');
  const offsets = nodes.flatMap((node) => checkOffset(scope, node, dimensions) ?? []);
  if (dimensions === undefined || offsets.length < nodes.length || offsets.length === 0) return undefined;
  return { name, dimensions, offsets };
}

function checkOffset(scope: Scope, node: PropertyNode, dimensions: number | undefined): StencilOffset | undefined {
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
    const message = `This offset has ${formatCount(offset.length)} of the ${dimensions} numbers that \`dimensions ${dimensions}\` asks for.`;
    scope.report(node, 'wrong-dimensions', message);
    return undefined;
  }
  if (offset.every((step) => step === 0)) {
    const message = 'A task does not send to itself: this offset has no effect.';
    scope.report(node, 'no-effect', message, { severity: 'warning' });
  }
  return { offset, weight };
}
