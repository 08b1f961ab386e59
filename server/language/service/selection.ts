/** What belongs together round a place of the text: ranges that a selection grows by, and occurrences of one thing. */
import {
  DocumentHighlightKind,
  type DocumentHighlight,
  type Position,
  type SelectionRange,
} from 'vscode-languageserver-types';
import type { ChoiceNode, DeclarationNode, PropertyNode, Span } from '../tree.ts';
import { rangeOf, touches, treeOf, type PositionInput, type ServiceInput } from './input.ts';
import { markAt, marksOf, type Mark } from './marks.ts';
import { namedBy } from './workspace.ts';

/**
 * For each position what a selection grows by: the word or value, the option, the parentheses, the property, the body,
 * the declaration, the whole text.
 */
export const selectionRanges = (input: ServiceInput, positions: readonly Position[]): SelectionRange[] =>
  positions.map((position) => selectionAt(input, input.document.offsetAt(position)));

function selectionAt(input: ServiceInput, offset: number): SelectionRange {
  const tree = treeOf(input);
  const { document } = input;
  const isNear = (span: Span): boolean => touches(span, offset);
  const declaration = tree.declarations.findLast(isNear);
  const near = [
    { start: 0, end: document.getText().length },
    ...tree.imports.filter(isNear),
    ...(declaration === undefined ? [] : spansIn(declaration, isNear)),
    markAt(tree, offset)?.span ?? wordAt(document.getText(), offset),
  ];
  const spans = near.filter(isNear).toSorted((a, b) => b.end - b.start - (a.end - a.start));
  let grown: SelectionRange | undefined;
  let last: Span | undefined;
  for (const span of spans) {
    // What only overlaps with the one round it would not grow.
    if (
      last !== undefined &&
      (span.start < last.start || span.end > last.end || span.end - span.start === last.end - last.start)
    )
      continue;
    grown = { range: rangeOf(document, span), ...(grown && { parent: grown }) };
    last = span;
  }
  return grown ?? { range: rangeOf(document, { start: offset, end: offset }) };
}

/** Letters, digits and hyphens round an offset: a number of a list, a word of a comment. */
function wordAt(text: string, offset: number): Span {
  const isLetter = (index: number): boolean => /[\p{L}\p{M}\p{Nd}_.-]/u.test(text.charAt(index));
  let [start, end] = [offset, offset];
  while (start > 0 && isLetter(start - 1)) start--;
  while (end < text.length && isLetter(end)) end++;
  return { start, end };
}

const spansIn = (declaration: DeclarationNode, isNear: (span: Span) => boolean): readonly Span[] => [
  declaration,
  ...(declaration.body === undefined ? [] : insideAndAll(declaration.body)),
  ...declaration.entries.filter(isNear),
  ...declaration.properties.filter(isNear).flatMap(spansOfProperty),
];

/** What stands between braces or parentheses, and the same with them. */
const insideAndAll = (span: Span): readonly Span[] => [{ start: span.start + 1, end: span.end - 1 }, span];

function spansOfProperty(property: PropertyNode): readonly Span[] {
  const { content } = property;
  switch (content.kind) {
    case 'choice':
      return [property, ...spansOfChoice(content.choice)];
    case 'choices':
      return [property, ...content.choices.flatMap(spansOfChoice)];
    case 'names':
      return [
        property,
        ...content.names.flatMap(({ parentheses, own }) => [
          ...(parentheses === undefined ? [] : insideAndAll(parentheses)),
          ...(own ?? []).flatMap(spansOfProperty),
        ]),
      ];
    case 'quoted':
      return [property, ...(content.body === undefined ? [] : insideAndAll(content.body)), ...content.entries];
    case 'value':
      return [
        property,
        ...(content.value === undefined ? [] : [content.value]),
        ...(content.further ?? []),
        ...(content.parentheses === undefined ? [] : insideAndAll(content.parentheses)),
        ...(content.groups ?? []).flatMap((group) => [group, ...group.values]),
      ];
    case 'link':
      return [property, ...(content.figures ?? []).flatMap((figure) => [figure, ...figure.values])];
    default:
      return [property];
  }
}

const spansOfChoice = (choice: ChoiceNode): readonly Span[] => [
  choice,
  ...(choice.argument === undefined ? [] : [choice.argument]),
  ...(choice.parentheses === undefined ? [] : insideAndAll(choice.parentheses)),
  ...choice.options.flatMap((option) => [option, ...option.values]),
];

/**
 * Where the file says the same thing as at the offset: a declared name with its uses, a word of a catalogue wherever it
 * is used as one. A keyword, the word of a property or a number stands for itself: the same letters elsewhere are
 * another's. Undefined where nothing stands.
 */
export function documentHighlights(input: PositionInput): DocumentHighlight[] | undefined {
  const tree = treeOf(input);
  const mark = markAt(tree, input.offset);
  if (mark === undefined) return undefined;
  const same = sameAs(mark);
  const marks = same === undefined ? [mark] : marksOf(tree).filter(same);
  return marks.map((one) => ({
    range: rangeOf(input.document, one.span),
    kind: one.kind === 'declared' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}

/** Whether another mark is of the same thing; undefined for one that has no other. */
function sameAs(mark: Mark): ((other: Mark) => boolean) | undefined {
  const named = namedBy(mark);
  if (named !== undefined) {
    return (other) => {
      const otherName = namedBy(other);
      return otherName?.kind === named.kind && otherName.name === named.name;
    };
  }
  if (mark.kind !== 'catalogue') return undefined;
  const { property, choice } = mark;
  return (other) =>
    other.kind === 'catalogue' && other.property === property && other.choice.name.text === choice.name.text;
}
