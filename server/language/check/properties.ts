import type { Choice } from '../../model/catalogue.ts';
import type { ExperimentSubject } from '../../model/experiment.ts';
import { insert, type Fix } from '../codes.ts';
import { declarationSpecification, propertyOf, sourcesOfNames } from '../schema.ts';
import {
  dimensionLimit,
  type DeclarationSpecification,
  type PropertyForm,
  type PropertySpecification,
} from '../propertyForms.ts';
import type { Declared } from '../symbols.ts';
import type {
  ChoiceNode,
  DeclarationKind,
  DeclarationNode,
  NamedNode,
  OptionNode,
  PropertyContent,
  PropertyNode,
  Span,
  Value,
} from '../tree.ts';
import { checkChoice, reportUnknown } from './choices.ts';
import { integerValue, numberValue } from './numbers.ts';
import { choiceWord } from './options.ts';
import { PhraseReader } from './phrase.ts';
import { quantityValue } from './quantities.ts';
import { expectationOf, fileUri, takesMessage, type Expectation, type Scope } from './scope.ts';

/**
 * The properties of a declaration, and how the values behind their words are read: as the row of the schema says, whose
 * words the messages use.
 */
export class Properties {
  readonly scope: Scope;
  readonly declaration: DeclarationNode;
  private readonly byWord = new Map<string, PropertyNode[]>();

  /** Reports properties that stand twice, required ones that are missing, and those that do not go with others. */
  constructor(scope: Scope, declaration: DeclarationNode) {
    this.scope = scope;
    this.declaration = declaration;
    for (const property of declaration.properties) {
      const others = this.byWord.get(property.word.text);
      if (others === undefined) this.byWord.set(property.word.text, [property]);
      else others.push(property);
    }
    const { properties = [], oneOf = [] } = declarationSpecification(declaration.kind) ?? {};
    for (const row of properties) {
      const written = this.byWord.get(row.word);
      if (written !== undefined) this.checkWritten(row, written);
      else if (row.required === true) this.reportMissing(row.word, `\`${row.example}\``, exampleFor(this, row));
    }
    for (const group of oneOf) this.checkOneOf(group);
  }

  /** The name of the declaration; empty where it has none, and then it is in no program. */
  get name(): string {
    return this.declaration.name?.text ?? '';
  }

  /** The first property of this word. */
  get(word: string): PropertyNode | undefined {
    return this.byWord.get(word)?.[0];
  }

  all(word: string): readonly PropertyNode[] {
    return this.byWord.get(word) ?? [];
  }

  /** The first property of each of these words that stands there, in the order of the text. */
  inOrder(words: readonly string[]): readonly PropertyNode[] {
    const found = words.flatMap((word) => this.get(word) ?? []);
    return found.length < 2 ? found : found.toSorted((a, b) => a.start - b.start);
  }

  private hasOneOf(words: readonly string[]): boolean {
    return words.some((word) => this.byWord.has(word));
  }

  /** What was chosen, where something was. */
  choice(word: string): ChoiceNode | undefined {
    return contentOfKind(this.get(word), 'choice')?.choice;
  }

  choices(word: string): readonly ChoiceNode[] {
    return contentOfKind(this.get(word), 'choices')?.choices ?? [];
  }

  value(word: string): Value | undefined {
    return contentOfKind(this.get(word), 'value')?.value;
  }

  names(word: string): readonly NamedNode[] {
    return contentOfKind(this.get(word), 'names')?.names ?? [];
  }

  /** The reader of a phrase; undefined where nothing stands behind the word. */
  phrase(property: PropertyNode | undefined): PhraseReader | undefined {
    if (property?.content.kind !== 'phrase' || property.content.parts.length === 0) return undefined;
    return new PhraseReader(this.scope, this.expectation(property.word.text), property, property.content.parts);
  }

  /** As {@link Properties.phrase}; reports a word with nothing behind it. */
  phraseBehind(property: PropertyNode): PhraseReader | undefined {
    const reader = this.phrase(property);
    if (reader === undefined)
      this.scope.report(property.word, 'missing-value', takesMessage(this.expectation(property.word.text)));
    return reader;
  }

  /** The declarations that a list names; undefined for one that there is not, which is reported. */
  declared(word: string, kind: DeclarationKind): readonly (Declared | undefined)[] {
    const { symbols } = this.scope;
    return this.names(word).map((name) => {
      const found = symbols.lookup(kind, name.text);
      if (found === undefined) reportUnknown(this.scope, name, kind, symbols.names(kind));
      return found;
    });
  }

  /** What a phrase says, read to its end; undefined where the property is not written. */
  reads<Part>(word: string, read: (reader: PhraseReader) => Part | undefined): Written<Part> {
    const property = this.get(word);
    if (property === undefined) return undefined;
    const reader = this.phrase(property);
    const part = reader && read(reader);
    return reader?.finish() === true && part !== undefined ? part : 'wrong';
  }

  expectation(word: string): Expectation {
    return expectationOf(this.declaration.kind, word);
  }

  private form(word: string): PropertyForm | undefined {
    return propertyOf(this.declaration.kind, word)?.content;
  }

  /** The number of a property, within the bounds of its row; quantities in base units. */
  number(word: string): Written<number> {
    return this.read(word, (value, form) => {
      const expected = this.expectation(word);
      switch (form.form) {
        case 'integer':
          return integerValue(this.scope, value, expected, form);
        case 'number':
          return numberValue(this.scope, value, expected, form);
        case 'size':
        case 'time':
        case 'rate':
        case 'frequency':
          return quantityValue(this.scope, value, form.form, expected);
        default:
          return undefined;
      }
    });
  }

  /** One of the words of the row. */
  word<Word extends string>(word: string): Written<Word> {
    return this.read(word, (value, form) =>
      form.form === 'word'
        ? (choiceWord(this.scope, value, form.choices, this.expectation(word)) as Word | undefined)
        : undefined,
    );
  }

  /** The URI of `coordinates "FILE"`. */
  file(word: string): Written<string> {
    return this.read(word, (value) => {
      if (value.kind === 'string') return fileUri(this.scope, value);
      this.scope.report(value, 'wrong-value', `\`${word}\` takes a file in double quotes.`);
      return undefined;
    });
  }

  private read<Result>(word: string, read: (value: Value, form: PropertyForm) => Result | undefined): Written<Result> {
    if (this.get(word) === undefined) return undefined;
    const [value, form] = [this.value(word), this.form(word)];
    return (value && form && read(value, form)) ?? 'wrong';
  }

  /** The entry of the catalogue of the row that a property names. */
  chosen(word: string, noun?: string): Written<Choice> {
    if (this.get(word) === undefined) return undefined;
    const [node, form] = [this.choice(word), this.form(word)];
    if (node === undefined || form?.form !== 'choice') return 'wrong';
    const source = sourcesOfNames[form.source];
    return checkChoice(this.scope, node, noun ?? source.noun, source.entries).choice ?? 'wrong';
  }

  /** The entries of the catalogue of the row that a list names. */
  allChosen(word: string): readonly (readonly [ChoiceNode, Choice | undefined])[] {
    const form = this.form(word);
    if (form?.form !== 'choices') return [];
    const { noun, entries } = sourcesOfNames[form.source];
    return this.choices(word).map((node) => [node, checkChoice(this.scope, node, noun, entries).choice]);
  }

  /** Reports the properties that an experiment with this subject cannot have. */
  refuseOf(subject: ExperimentSubject['kind'] | undefined): void {
    for (const { word, refusedOf } of declarationSpecification(this.declaration.kind)?.properties ?? []) {
      const [property, says] = [this.get(word), subject && refusedOf?.[subject]];
      if (property !== undefined && says !== undefined) this.refuse(property, withWord(says, word));
    }
  }

  /** Reports properties that stand twice, without what they need or beside what excludes them. */
  private checkWritten(
    { word, repeatable, onlyWith, notWith }: PropertySpecification,
    written: readonly PropertyNode[],
  ): void {
    const [property, ...further] = written;
    for (const each of repeatable === true ? [] : further) {
      const message = `\`${word}\` is written twice. Remove one of them.`;
      const fix = removal(each, `Remove this \`${word}\``);
      this.scope.report(each.word, 'duplicate-property', message, { fix });
    }
    if (property === undefined) return;
    if (notWith?.says !== undefined && this.hasOneOf(notWith.words))
      this.reportConflict(property, withWord(notWith.says, word));
    if (onlyWith?.says === undefined || this.hasOneOf(onlyWith.words)) return;
    for (const each of repeatable === true ? written : [property])
      this.refuse(each, withWord(onlyWith.says, word), onlyWith.isWarning);
  }

  /** Reports all but the first of properties that exclude each other. */
  private checkOneOf({ words, says }: NonNullable<DeclarationSpecification['oneOf']>[number]): void {
    const [first, ...others] = says === undefined ? [] : this.inOrder(words);
    if (says === undefined || first === undefined) return;
    for (const other of others) this.reportConflict(other, says.replace('{first}', first.word.text));
  }

  /** Reports what does not apply, or has no effect where that is only a warning, with a fix that removes it. */
  refuse(property: PropertyNode, message: string, isWarning?: boolean): void {
    const fix = removal(property, `Remove \`${property.word.text}\``);
    if (isWarning === true) this.scope.report(property.word, 'no-effect', message, { severity: 'warning', fix });
    else this.scope.report(property.word, 'does-not-apply', message, { fix });
  }

  /** Reports one of two properties that exclude each other, with a fix that removes it. */
  reportConflict(property: PropertyNode, message: string): void {
    const fix = removal(property, `Remove \`${property.word.text}\``);
    this.scope.report(property.word, 'conflicting-properties', message, { fix });
  }

  /** "The machine needs `topology torus 4 x 4`", with fixes that write it; `written` is each text to offer. */
  reportMissing(what: string, advice: string, written: readonly string[]): void {
    const { scope, declaration } = this;
    if (declaration.body === undefined) return;
    const subject = declaration.name === undefined ? `The ${declaration.kind}` : `\`${declaration.name.text}\``;
    const message = `${subject} needs \`${what}\`: write for example ${advice}.`;
    const otherFixes = written.flatMap((property) => insertProperty(scope, declaration, property) ?? []);
    scope.report(declarationHead(declaration), 'missing-property', message, { otherFixes });
  }

  /** Property texts that name declarations of this file and its imports: `job heat`. */
  named(kind: DeclarationKind, word: string = kind): readonly string[] {
    return this.scope.symbols
      .names(kind)
      .slice(0, 3)
      .map((name) => `${word} ${name}`);
  }
}

type ContentOf<Kind extends PropertyContent['kind']> = Extract<PropertyContent, { readonly kind: Kind }>;

/** What stands behind the word of a property, where it is of this kind. */
export function contentOfKind<Kind extends PropertyContent['kind']>(
  property: PropertyNode | undefined,
  kind: Kind,
): ContentOf<Kind> | undefined {
  return property?.content.kind === kind ? (property.content as ContentOf<Kind>) : undefined;
}

/** The first property of a word in a declaration that is not checked here. */
export const writtenProperty = ({ properties }: DeclarationNode, word: string): PropertyNode | undefined =>
  properties.find((property) => property.word.text === word);

/** The option of a name in the parentheses of a choice. */
export const optionInParentheses = ({ options }: ChoiceNode, name: string): OptionNode | undefined =>
  options.find((option) => option.name.text === name);

/** What a row says, with its word. */
export const withWord = (says: string, word: string): string => says.replaceAll('{word}', word);

/** Writes a property behind the `{` of a declaration, on a line of its own where the next one has one. */
export function insertProperty(scope: Scope, { body }: DeclarationNode, property: string): Fix | undefined {
  if (body === undefined || scope.text.charAt(body.start) !== '{') return undefined;
  const offset = body.start + 1;
  // What is neither a property nor a comment may be read as more of the one that is written before it.
  const next = /\S/.exec(scope.text.slice(offset, body.end))?.[0] ?? '}';
  if (!/[\p{L}_\d}/]/u.test(next)) return undefined;
  const [, rest = '', indentation] =
    /^([^\S\r\n]*(?:\/\/[^\r\n]*)?)(?:\r\n|\r|\n)([^\S\r\n]*)/.exec(scope.text.slice(offset, body.end)) ?? [];
  if (indentation === undefined) return { ...insert(offset, ` ${property} `), title: `Write \`${property}\`` };
  const end = offset + rest.length;
  return {
    title: `Write \`${property}\``,
    start: end,
    end,
    text: `\n${indentation === '' ? '  ' : indentation}${property}`,
  };
}

/** What to write for a property that is missing: names that are declared, what the offsets say, else the example. */
function exampleFor(properties: Properties, { word, example, content }: PropertySpecification): readonly string[] {
  const offsets = word === 'dimensions' ? properties.all('offset') : [];
  if (offsets.length > 0) {
    const length = lengthOfAll(offsets);
    return length === undefined ? [] : [`${word} ${length}`];
  }
  return content.form === 'names' ? properties.named(content.of, word) : [example];
}

/** How many numbers every offset has, where they agree and a stencil may have as many dimensions. */
export function lengthOfAll(offsets: readonly PropertyNode[]): number | undefined {
  const lengths = new Set(offsets.map(({ content }) => (content.kind === 'offset' ? content.components.length : 0)));
  const [length = 0] = lengths;
  return lengths.size === 1 && length >= 1 && length <= dimensionLimit ? length : undefined;
}

/** Where to point at a whole declaration: its name. */
export const declarationHead = (declaration: DeclarationNode): Span => declaration.name ?? declaration.keyword;

/** The fix that removes a property. What lacks its value may be half of something else: that stays. */
export function removal({ start, end, content }: PropertyNode, title: string): Fix | undefined {
  return isWhole(content) ? { title, start, end, text: '' } : undefined;
}

function isWhole(content: PropertyContent): boolean {
  switch (content.kind) {
    case 'names':
      return content.names.length > 0;
    case 'value':
      return content.value !== undefined || content.groups !== undefined;
    case 'phrase':
      return content.parts.length > 0;
    case 'choices':
      return content.choices.length > 0;
    default:
      return content.kind !== 'link' || content.to.length > 0;
  }
}

/** The parts of a description that are right; those that were not written are left out. */
type SoundParts<Parts> = {
  readonly [Key in keyof Parts as undefined extends Parts[Key] ? never : Key]: Exclude<Parts[Key], 'wrong'>;
} & {
  readonly [Key in keyof Parts as undefined extends Parts[Key] ? Key : never]?: Exclude<
    Parts[Key],
    'wrong' | undefined
  >;
};

/** Of a part: absent where it was not written, `wrong` where it cannot be. */
export type Written<Part> = Part | 'wrong' | undefined;

/** The part; undefined where it is wrong, too. */
export const sound = <Part>(part: Written<Part>): Part | undefined => (part === 'wrong' ? undefined : part);

/** A part without which there is no description. */
export const needed = <Part>(part: Part | undefined): Part | 'wrong' => (part === undefined ? 'wrong' : part);

/** All parts, unless one of them is `wrong`; undefined stands for what was not written. */
export function soundParts<Parts extends Readonly<Record<string, unknown>>>(
  parts: Parts,
): SoundParts<Parts> | undefined {
  return Object.values(parts).includes('wrong') ? undefined : presentParts(parts);
}

/** The parts that are there, where none can be `wrong`. */
export const presentParts = <Parts extends Readonly<Record<string, unknown>>>(parts: Parts): SoundParts<Parts> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as SoundParts<Parts>;
