import type { CompletionItem } from 'vscode-languageserver-types';
import { declarationOf } from '../../properties.ts';
import type { DeclarationKind } from '../../tree.ts';
import { treeOf, type PositionInput } from '../input.ts';
import { touches } from '../ranges.ts';
import { propertyItem } from './items.ts';

/** Properties that the declaration does not have yet; those it needs first. */
export function propertyItems(input: PositionInput, kind: DeclarationKind): CompletionItem[] {
  const given = givenProperties(input);
  const properties = declarationOf(kind)?.properties ?? [];
  return properties
    .filter((property) => property.repeatable === true || !given.has(property.word))
    .map((property, index) => ({ ...propertyItem(property), sortText: sortText(property.required === true, index) }));
}

/** The order of the table of properties, which no editor would guess from the labels. */
const sortText = (required: boolean, index: number): string => `${required ? 0 : 1} ${String(index).padStart(2, '0')}`;

/** Words of the properties round the offset, but for the one that is being typed. */
function givenProperties(input: PositionInput): ReadonlySet<string> {
  const { offset } = input;
  // The one that begins last before the cursor: the end of one without its brace says nothing.
  const declaration = treeOf(input).declarations.findLast(({ start }) => start <= offset);
  const others = declaration?.properties.filter(({ word }) => !touches(word, offset)) ?? [];
  return new Set(others.map(({ word }) => word.text));
}
