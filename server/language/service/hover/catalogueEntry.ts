import { largestOf } from '../../../model/lists.ts';
import type { CatalogueEntry, OptionSpecification } from '../../../model/catalogue.ts';
import { stencils } from '../../../traffic/catalogue.ts';
import { describeArgument, describeDefault, describeRange, formatsFor } from '../catalogues.ts';
import { codeBlock, paragraphs, table } from './markdown.ts';
import type { Stencil } from '../../../traffic/contract.ts';
import type { DeclarationNode } from '../../tree.ts';
import { countOf, formatNumber } from '../../../model/quantities.ts';

/** Everything a catalogue says of one word: how it is written, what it does, its options, its source. */
export function entryMarkdown(property: string, entry: CatalogueEntry): string {
  return paragraphs(
    codeBlock(`${property} ${usageOf(entry)}`),
    entry.summary,
    entry.details,
    entry.argument === undefined ? undefined : `\`${describeArgument(entry.argument)}\`: ${entry.argument.summary}`,
    table(
      ['Format', ''],
      formatsFor(property, entry.name).map(({ name, summary }) => [`\`${name}\``, summary]),
    ),
    table(['Option', 'Values', 'Default', ''], entry.options.map(optionRow)),
    partnersOf(entry),
    'complexity' in entry ? `Time: ${String(entry.complexity)}` : undefined,
    `*Source: ${entry.source}*`,
  );
}

/** The offsets of a built-in stencil; nothing for entries of other catalogues. */
function partnersOf(entry: CatalogueEntry): string | undefined {
  const stencil = stencils.find((candidate) => candidate === entry)?.stencil;
  return stencil === undefined ? undefined : stencilMarkdown(stencil);
}

/** `random(count N)`, `torus 4 x 4`: the word with what may follow it. */
function usageOf(entry: CatalogueEntry): string {
  const argument = entry.argument === undefined ? '' : ` ${describeArgument(entry.argument)}`;
  const options = entry.options.map((option) => option.name).join(' …, ');
  return `${entry.name}${argument}${options === '' ? '' : `(${options} …)`}`;
}

function optionRow(option: OptionSpecification): readonly string[] {
  const missing = option.required === true ? 'required' : 'chosen for you';
  return [`\`${option.name}\``, describeRange(option), describeDefault(option) ?? missing, option.summary];
}

/** One option: what it means, what it may be, what it is when left out. */
export function optionMarkdown(entry: CatalogueEntry, option: OptionSpecification): string {
  const fallback = describeDefault(option);
  return paragraphs(
    codeBlock(`${entry.name}(${option.name} …)`),
    option.summary,
    `Values: ${describeRange(option)}`,
    fallback === undefined ? undefined : `Default: \`${fallback}\``,
  );
}

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
  const widest = Math.max(0, largestOf(offsets.map(({ offset }) => offset.length)));
  return { name: declaration.name?.text ?? '', dimensions: declaredDimensions(declaration) ?? widest, offsets };
}

function declaredDimensions(declaration: DeclarationNode): number | undefined {
  const content = declaration.properties.find(({ word }) => word.text === 'dimensions')?.content;
  return content?.kind === 'value' && content.value?.kind === 'number' ? content.value.value : undefined;
}
