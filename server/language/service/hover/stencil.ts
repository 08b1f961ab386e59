import type { Stencil } from '../../../traffic/contract.ts';
import type { DeclarationNode } from '../../tree.ts';
import { countOf, formatNumber } from '../../../model/quantities.ts';
import { paragraphs, table } from './markdown.ts';

/** Longer stencils are cut here: a hover is no listing. */
const shownOffsets = 32;

/** The partners of a task as offsets on the grid. */
export function stencilMarkdown(stencil: Stencil): string {
  const { offsets, dimensions } = stencil;
  const rows = offsets
    .slice(0, shownOffsets)
    .map(({ offset, weight }) => [`(${offset.join(', ')})`, formatNumber(weight)]);
  const rest = offsets.length - rows.length;
  return paragraphs(
    `${countOf(offsets.length, 'partner')} on a grid of ${countOf(dimensions, 'dimension')}`,
    table(['Offset', 'Weight'], rows),
    rest > 0 ? `… and ${rest} more` : undefined,
  );
}

/** A declared stencil as its text says, also while the text has errors. */
export function stencilOfDeclaration(declaration: DeclarationNode): Stencil {
  const offsets = declaration.properties.flatMap(({ content }) =>
    content.kind === 'offset'
      ? [{ offset: content.components.map(({ value }) => value), weight: content.weight?.value ?? 1 }]
      : [],
  );
  const widest = Math.max(0, ...offsets.map(({ offset }) => offset.length));
  return { name: declaration.name?.text ?? '', dimensions: declaredDimensions(declaration) ?? widest, offsets };
}

function declaredDimensions(declaration: DeclarationNode): number | undefined {
  const content = declaration.properties.find(({ word }) => word.text === 'dimensions')?.content;
  return content?.kind === 'value' && content.value?.kind === 'number' ? content.value.value : undefined;
}
