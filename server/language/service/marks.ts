import { looksLikeUnit } from '../units.ts';
import type {
  ChoiceNode,
  DeclarationKind,
  DeclarationNode,
  ImportNode,
  OptionNode,
  PhrasePart,
  PropertyNode,
  QuantityValue,
  Span,
  StringValue,
  SyntaxTree,
  Value,
  Word,
} from '../tree.ts';
import { propertyOf } from '../schema.ts';
import { entryFor } from './catalogues.ts';
import { touches } from './input.ts';

/** Of which option something is the value: `option` is its name, which need not be written. */
export interface OfOption {
  readonly property: string;
  readonly choice: ChoiceNode;
  readonly option: string;
}

/**
 * One meaningful word or value of a file and what it is: what hovers explain and highlighting
 * colours. Plain numbers are none but as values of options: they mean nothing alone, and a table may have a million.
 */
export type Mark = { readonly span: Span } & (
  | { readonly kind: 'import'; readonly node: ImportNode }
  | { readonly kind: 'keyword'; readonly declaration: DeclarationNode }
  | { readonly kind: 'declared'; readonly declaration: DeclarationNode }
  | { readonly kind: 'property'; readonly declaration: DeclarationNode; readonly property: PropertyNode }
  | { readonly kind: 'catalogue'; readonly property: string; readonly choice: ChoiceNode }
  | { readonly kind: 'reference'; readonly target: DeclarationKind; readonly name: Word }
  | ({ readonly kind: 'option' } & OfOption)
  /** A number, shape or list as the value of an option. */
  | ({ readonly kind: 'amount' } & OfOption)
  /** A bare word as a value: `criterion equivalent`, `unit packets`, `as FORMAT`. */
  | { readonly kind: 'word'; readonly name: Word; readonly of?: OfOption }
  | { readonly kind: 'quantity'; readonly quantity: QuantityValue; readonly of?: OfOption }
  | { readonly kind: 'string'; readonly value: StringValue }
);

/** Every mark of a file in the order of the text. */
export function marksOf(tree: SyntaxTree): readonly Mark[] {
  return sortMarks([
    ...tree.imports.flatMap(marksOfImport),
    ...tree.declarations.flatMap((declaration) => marksOfDeclaration(declaration)),
  ]);
}

/** The mark an offset touches; of two that meet there, the one that begins there. */
export function markAt(tree: SyntaxTree, offset: number): Mark | undefined {
  const isNear = (span: Span) => touches(span, offset);
  // Only the properties there are looked into: a declaration may have thousands.
  const near = [
    ...tree.imports.filter(isNear).flatMap(marksOfImport),
    ...tree.declarations.filter(isNear).flatMap((node) => marksOfDeclaration(node, node.properties.filter(isNear))),
  ];
  return sortMarks(near).findLast((mark) => isNear(mark.span));
}

const sortMarks = (marks: readonly Mark[]): readonly Mark[] =>
  marks.filter(({ span }) => span.end > span.start).sort((a, b) => a.span.start - b.span.start);

function marksOfImport(node: ImportNode): Mark[] {
  const keyword = { start: node.start, end: Math.min(node.end, node.start + 'import'.length) };
  return [{ kind: 'import', span: keyword, node }, ...marksOfString(node.path)];
}

function marksOfDeclaration(declaration: DeclarationNode, properties = declaration.properties): Mark[] {
  const { keyword, name } = declaration;
  return [
    { kind: 'keyword', span: keyword, declaration },
    ...(name === undefined ? [] : [{ kind: 'declared', span: name, declaration } as const]),
    ...marksOfString(declaration.from),
    ...(declaration.as === undefined ? [] : [{ kind: 'word', span: declaration.as, name: declaration.as } as const]),
    ...properties.flatMap((property) => marksOfProperty(declaration, property)),
  ];
}

function marksOfProperty(declaration: DeclarationNode, property: PropertyNode): Mark[] {
  return [{ kind: 'property', span: property.word, declaration, property }, ...marksOfContent(declaration, property)];
}

function marksOfContent(declaration: DeclarationNode, { word, content }: PropertyNode): Mark[] {
  switch (content.kind) {
    case 'choice':
      return marksOfChoice(word.text, content.choice);
    case 'value':
      return [content.value, ...(content.further ?? [])].flatMap((value) =>
        value === undefined ? [] : marksOfValue(value),
      );
    case 'choices':
      return content.choices.flatMap((choice) => marksOfChoice(word.text, choice));
    case 'phrase':
      // A unit behind a number is coloured by the grammar of the editor.
      return content.parts
        .filter(
          (part, at) => part.kind !== 'name' || content.parts[at - 1]?.kind !== 'number' || !looksLikeUnit(part.text),
        )
        .flatMap(marksOfPart);
    case 'quoted':
      return content.entries.flatMap(({ parts }) => parts.flatMap(marksOfPart));
    case 'names': {
      const form = propertyOf(declaration.kind, word.text)?.content;
      const target = form?.form === 'names' ? form.of : 'job';
      return content.names.flatMap((name) => [
        { kind: 'reference', span: name, target, name },
        ...(name.own ?? []).flatMap((property) => marksOfProperty(declaration, property)),
      ]);
    }
    case 'flag':
    case 'link':
    case 'offset':
      return [];
  }
}

const marksOfPart = (part: PhrasePart): Mark[] =>
  part.kind === 'name' ? [{ kind: 'word', span: part, name: part }] : [];

function marksOfChoice(property: string, choice: ChoiceNode): Mark[] {
  // The name of a file's choice is the word of its property, which has a mark of its own.
  const isNamed = choice.name.start >= choice.start;
  return [
    ...(isNamed ? [markOfChoiceName(property, choice)] : []),
    ...(choice.argument === undefined ? [] : marksOfArgument(property, choice, choice.argument)),
    ...(choice.as === undefined ? [] : [{ kind: 'word', span: choice.as, name: choice.as } as const]),
    ...(choice.positional ?? []).flatMap((value, index) =>
      marksOfValue(value, positionalOption(property, choice, index)),
    ),
    ...choice.options.flatMap((option) => marksOfOption(property, choice, option)),
  ];
}

/** `table ring8` names a declaration, and so does `stencil mine` unless it is a built-in one. */
function markOfChoiceName(property: string, choice: ChoiceNode): Mark {
  const { name } = choice;
  const target = property === 'simulate' ? 'network' : property;
  const isOther = entryFor(property, name.text) === undefined;
  if (target === 'table' || ((target === 'stencil' || target === 'network') && isOther)) {
    return { kind: 'reference', span: name, target, name };
  }
  return property === 'unit' ? { kind: 'word', span: name, name } : { kind: 'catalogue', span: name, property, choice };
}

function marksOfArgument(property: string, choice: ChoiceNode, argument: Value): Mark[] {
  const isPlacement = entryFor(property, choice.name.text)?.argument?.kind === 'placement';
  if (argument.kind === 'name' && isPlacement) {
    return [{ kind: 'reference', span: argument, target: 'placement', name: argument }];
  }
  return marksOfValue(argument);
}

function marksOfOption(property: string, choice: ChoiceNode, option: OptionNode): Mark[] {
  const of = { property, choice, option: option.name.text };
  return [{ kind: 'option', span: option.name, ...of }, ...option.values.flatMap((value) => marksOfValue(value, of))];
}

/** Values without names are of the options that may do without, in their order. */
function positionalOption(property: string, choice: ChoiceNode, index: number): OfOption | undefined {
  const options = entryFor(property, choice.name.text)?.options.filter(({ positional }) => positional === true);
  const option = options?.[index]?.name;
  return option === undefined ? undefined : { property, choice, option };
}

function marksOfValue(value: Value, of?: OfOption): Mark[] {
  switch (value.kind) {
    case 'quantity':
      return [{ kind: 'quantity', span: value, quantity: value, ...(of && { of }) }];
    case 'string':
      return marksOfString(value);
    case 'name':
      return [{ kind: 'word', span: value, name: value, ...(of && { of }) }];
    case 'number':
    case 'shape':
    case 'list':
      return of === undefined ? [] : [{ kind: 'amount', span: value, ...of }];
  }
}

const marksOfString = (value: StringValue | undefined): Mark[] =>
  value === undefined ? [] : [{ kind: 'string', span: value, value }];
