import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import { formatNumber, formatSeconds } from '../../model/quantities.ts';
import { tableFormats } from '../../interchange/catalogue.ts';
import { additionMeanings, formPartMeanings } from '../experimentWords.ts';
import { declarationSpecification, propertyOf } from '../schema.ts';
import type { ChoiceNode, DeclarationKind, DeclarationNode, PropertyNode, Span } from '../tree.ts';
import { frequencyUnits, rateUnits, sizeUnits, timeUnits } from '../units.ts';
import { entryFor, formatsFor } from './catalogues.ts';
import { entryMarkdown, optionMarkdown } from './hover/catalogueEntry.ts';
import { declaredMarkdown } from './hover/declaration.ts';
import { degreeMarkdown, stepMarkdown } from './hover/training.ts';
import { codeBlock, paragraphs, withoutImages, code } from './hover/markdown.ts';
import { staleMarkdown, searchesMarkdown, simulationMarkdown } from './hover/placement.ts';
import { fileMarkdown, valueHover, type FileFacts } from './hover/values.ts';
import { treeOf, type PositionInput, rangeOf, touches } from './input.ts';
import { markAt, type Mark, type OfOption } from './marks.ts';
import { referenceAt, referenceLink } from './reference.ts';
import { figureWords } from './words.ts';

/**
 * What the word or value at the offset means and what is known of it; undefined where there is nothing to say. `file`:
 * what is known of the file that {@link fileAt} names.
 */
export function hover(input: PositionInput, file?: FileFacts): Hover | undefined {
  const mark = markAt(treeOf(input), input.offset);
  const value = mark?.kind === 'string' ? fileMarkdown(input, mark.value, file) : mark && markdownOf(input, mark);
  const found = mark === undefined || value === undefined ? valueHover(input) : { span: mark.span, markdown: value };
  if (found === undefined) return undefined;
  const target = input.hasReference === true ? referenceAt(input) : undefined;
  const link = target && `[Reference](${referenceLink(target)})`;
  return {
    contents: { kind: MarkupKind.Markdown, value: withoutImages(paragraphs(found.markdown, link)) },
    range: rangeOf(input.document, found.span),
  };
}

function markdownOf(input: PositionInput, mark: Mark): string | undefined {
  switch (mark.kind) {
    case 'import':
      return paragraphs(codeBlock('import "FILE"'), 'Imports the declarations of another file.');
    case 'keyword':
      return keywordMarkdown(mark.declaration.kind);
    case 'declared':
      return declaredMarkdown(input, mark.declaration.kind, mark.declaration.name?.text ?? '');
    case 'reference':
      return declaredMarkdown(input, mark.target, mark.name.text);
    case 'property':
      if (mark.property.word.text === 'parallelism')
        return paragraphs(
          propertyMarkdown(mark.declaration.kind, mark.property),
          stepMarkdown(input, mark.declaration),
        );
      return withSearch(input, mark.property.word.text, propertyMarkdown(mark.declaration.kind, mark.property));
    case 'catalogue':
      return withSearch(input, mark.property, catalogueMarkdown(mark.property, mark.choice));
    case 'option':
    case 'amount':
      return optionHover(mark);
    case 'word':
      return mark.of === undefined ? wordHover(input, mark.name.text) : optionHover(mark.of);
    case 'quantity':
      return quantityHover(mark);
    default:
      return undefined;
  }
}

function keywordMarkdown(kind: DeclarationKind): string | undefined {
  const specification = declarationSpecification(kind);
  return specification && paragraphs(codeBlock(specification.example), specification.summary);
}

function propertyMarkdown(kind: DeclarationKind, { word }: PropertyNode): string | undefined {
  const specification = propertyOf(kind, word.text);
  return specification && paragraphs(codeBlock(specification.example), specification.summary);
}

/** Of a format behind `as` what it is, of others what {@link wordMarkdown} says. */
function wordHover(input: PositionInput, word: string): string | undefined {
  const isHere = (span: Span): boolean => touches(span, input.offset);
  const declaration = treeOf(input).declarations.find(isHere);
  const property = declaration?.properties.find(isHere);
  const isOfTable = declaration?.as !== undefined && isHere(declaration.as);
  const formats = isOfTable ? tableFormats : property && formatsOf(property, isHere);
  const format = formats?.find(({ name }) => name === word);
  if (format !== undefined) return paragraphs(codeBlock(`as ${word}`), format.summary);
  return wordMarkdown(input, declaration, property, word);
}

/** The formats that a file of the property may have, where the one that is written is here. */
function formatsOf({ word, content }: PropertyNode, isHere: (span: Span) => boolean) {
  if (content.kind !== 'choice' || content.choice.as === undefined || !isHere(content.choice.as)) return undefined;
  return formatsFor(word.text, content.choice.name.text);
}

/**
 * Of a word of `parallelism` what its groups send; of one of `quoted`, `short` or `middle` a metric, a row by its scheduler, allocator, mapper
 * or pattern, what is added, a part.
 */
function wordMarkdown(
  input: PositionInput,
  declaration: DeclarationNode | undefined,
  property: PropertyNode | undefined,
  word: string,
): string | undefined {
  const said = (of: Readonly<Record<string, string>>): string | undefined => {
    const meaning = Object.hasOwn(of, word) ? of[word] : undefined;
    return meaning === undefined ? undefined : paragraphs(codeBlock(word), meaning);
  };
  if (property?.word.text === 'parallelism' && declaration !== undefined)
    return degreeMarkdown(input, declaration, word);
  if (property?.word.text === 'short' || property?.word.text === 'middle') return said(formPartMeanings);
  if (property?.content.kind !== 'quoted') return undefined;
  // A mapper and an allocator may have one name: the list of the experiment tells.
  const list = declaration?.properties.find(
    ({ content }) => content.kind === 'choices' && content.choices.some(({ name }) => name.text === word),
  );
  const where = list?.word.text ?? 'report';
  const entry = entryFor(where, word);
  return entry === undefined ? said(additionMeanings) : entryMarkdown(where, entry);
}

function catalogueMarkdown(property: string, choice: ChoiceNode): string | undefined {
  const entry = entryFor(property, choice.name.text);
  return entry && entryMarkdown(property, entry);
}

/**
 * Of `map` and its mapper: above what they mean, what was chosen for this placement, how good it is, and what was
 * tried.
 */
function withSearch(input: PositionInput, property: string, meaning: string | undefined): string | undefined {
  if (property === 'simulate') return withSimulation(input, meaning);
  const placement = treeOf(input).declarations.find((declaration) => touches(declaration, input.offset));
  const name = property === 'map' ? placement?.name?.text : undefined;
  const outline = input.summary?.placements.find((candidate) => candidate.name === name);
  if (outline === undefined || meaning === undefined) return meaning;
  const found = paragraphs(searchesMarkdown(outline), figureWords(outline));
  return paragraphs(input.stale?.has(name ?? '') === true ? staleMarkdown : undefined, found, '---', meaning);
}

/** Of `simulate`: above what it means, what the last simulation of this placement found. */
function withSimulation(input: PositionInput, meaning: string | undefined): string | undefined {
  const placement = treeOf(input).declarations.find((declaration) => touches(declaration, input.offset));
  const found = simulationMarkdown(input.simulations?.get(placement?.name?.text ?? ''));
  return found === undefined || meaning === undefined ? meaning : paragraphs(found, '---', meaning);
}

function optionHover({ property, choice, option }: OfOption): string | undefined {
  const entry = entryFor(property, choice.name.text);
  const specification = entry?.options.find(({ name }) => name === option);
  return entry && specification && optionMarkdown(entry, specification);
}

function quantityHover({ quantity, of }: Extract<Mark, { kind: 'quantity' }>): string | undefined {
  const amount = quantityMarkdown(quantity.number.value, quantity.unit.text);
  const option = of && optionHover(of);
  return amount === undefined ? option : paragraphs(amount, option);
}

/** What a quantity is in plain bytes or seconds: `64 KiB` is 65,536 bytes. */
function quantityMarkdown(number: number, unit: string): string | undefined {
  const written = code(`${formatNumber(number)} ${unit}`);
  const amount = (factor: number) => formatNumber(number * factor);
  if (Object.hasOwn(sizeUnits, unit)) return `${written} = **${amount(sizeUnits[unit] ?? 1)}** bytes`;
  if (Object.hasOwn(rateUnits, unit)) return `${written} = **${amount(rateUnits[unit] ?? 1)}** bytes per second`;
  if (Object.hasOwn(timeUnits, unit)) return `${written} = **${formatSeconds(number * (timeUnits[unit] ?? 1))}**`;
  if (unit === '%') return `${written} = **${formatNumber(number / 100, 6)}**`;
  return Object.hasOwn(frequencyUnits, unit) ? `${written} = **${amount(1)}** per second` : undefined;
}
