import { insert, type Fix } from '../codes.ts';
import { declarationOf } from '../schema.ts';
import { dimensionLimit, type PropertySpecification } from '../propertyForms.ts';
import type { ChoiceNode, DeclarationNode, PropertyNode, Span, Value, StringValue } from '../tree.ts';
import type { Scope } from './scope.ts';

/** The properties of a declaration by word: the first of each, all of those that repeat. */
export interface Properties {
  get(word: string): PropertyNode | undefined;
  all(word: string): readonly PropertyNode[];
  /** What was chosen, where something was. */
  choice(word: string): ChoiceNode | undefined;
  value(word: string): Value | undefined;
}

/** Reports properties that stand twice and required ones that are missing. */
export function propertiesOf(scope: Scope, declaration: DeclarationNode): Properties {
  const byWord = new Map<string, PropertyNode[]>();
  for (const property of declaration.properties) {
    const others = byWord.get(property.word.text);
    if (others === undefined) byWord.set(property.word.text, [property]);
    else others.push(property);
  }
  for (const specification of declarationOf(declaration.kind)?.properties ?? []) {
    const [first, ...further] = byWord.get(specification.word) ?? [];
    if (first === undefined && specification.required === true && declaration.body !== undefined) {
      reportMissing(
        scope,
        declaration,
        specification.word,
        `\`${specification.example}\``,
        exampleFor(scope, specification, byWord),
      );
    }
    if (specification.repeatable !== true) reportRepeated(scope, further);
  }
  const get = (word: string): PropertyNode | undefined => byWord.get(word)?.[0];
  return {
    get,
    all: (word) => byWord.get(word) ?? [],
    choice: (word) => {
      const content = get(word)?.content;
      return content?.kind === 'choice' ? content.choice : undefined;
    },
    value: (word) => {
      const content = get(word)?.content;
      return content?.kind === 'value' ? content.value : undefined;
    },
  };
}

function reportRepeated(scope: Scope, further: readonly PropertyNode[]): void {
  for (const property of further) {
    const word = property.word.text;
    const message = `\`${word}\` stands twice: remove one of them.`;
    scope.report(property.word, 'duplicate-property', message, removal(property, `Remove this \`${word}\``));
  }
}

/** "The machine needs `topology torus 4 x 4`", with fixes that write it; `written` is each text to offer. */
export function reportMissing(
  scope: Scope,
  declaration: DeclarationNode,
  what: string,
  advice: string,
  written: readonly string[],
): void {
  const subject = declaration.name === undefined ? `The ${declaration.kind}` : `\`${declaration.name.text}\``;
  const message = `${subject} needs \`${what}\`: write for example ${advice}.`;
  const otherFixes = written.flatMap((property) => insertProperty(scope, declaration, property) ?? []);
  scope.report(headOf(declaration), 'missing-property', message, { otherFixes });
}

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
function exampleFor(
  scope: Scope,
  { word, example, content }: PropertySpecification,
  byWord: ReadonlyMap<string, readonly PropertyNode[]>,
): readonly string[] {
  const offsets = word === 'dimensions' ? byWord.get('offset') : undefined;
  if (offsets !== undefined) {
    const length = lengthOfAll(offsets);
    return length === undefined ? [] : [`${word} ${length}`];
  }
  if (content.form !== 'names') return [example];
  return scope.symbols
    .names(content.of)
    .slice(0, 3)
    .map((name) => `${word} ${name}`);
}

/** How many numbers every offset has, where they agree and a stencil may have as many dimensions. */
export function lengthOfAll(offsets: readonly PropertyNode[]): number | undefined {
  const lengths = new Set(offsets.map(({ content }) => (content.kind === 'offset' ? content.components.length : 0)));
  const [length = 0] = lengths;
  return lengths.size === 1 && length >= 1 && length <= dimensionLimit ? length : undefined;
}

/** The name of a declaration; empty where it has none, and then it is in no program. */
export const nameOf = (declaration: DeclarationNode): string => declaration.name?.text ?? '';

/** Where to point at a whole declaration: its name. */
export const headOf = (declaration: DeclarationNode): Span => declaration.name ?? declaration.keyword;

/** Reports one of two properties that exclude each other, with a fix that removes it. */
export function reportConflict(scope: Scope, property: PropertyNode, message: string): void {
  scope.report(property.word, 'conflicting-properties', message, removal(property, `Remove \`${property.word.text}\``));
}

/** The fix that removes a property. What lacks its value may be half of something else: that stays. */
export function removal({ start, end, content }: PropertyNode, title: string): { readonly fix?: Fix } {
  const isWhole =
    content.kind === 'names'
      ? content.names.length > 0
      : content.kind === 'value'
        ? content.value !== undefined || content.groups !== undefined
        : content.kind === 'phrase'
          ? content.parts.length > 0
          : content.kind === 'choices'
            ? content.choices.length > 0
            : content.kind !== 'link' || content.to.length > 0;
  return isWhole ? { fix: { title, start, end, text: '' } } : {};
}

/** The URI of a file named in this one; reports an empty name. */
export function fileUri(scope: Scope, value: StringValue): string | undefined {
  const uri = scope.resolve(value.text);
  if (uri === undefined) scope.report(value, 'wrong-value', 'Name a file in the double quotes, relative to this one.');
  return uri;
}

/** The URI of `coordinates "FILE"` or `trace "FILE"`. */
export function fileOf(scope: Scope, properties: Properties, word: string): string | undefined {
  const value = properties.value(word);
  if (value === undefined) return undefined;
  if (value.kind === 'string') return fileUri(scope, value);
  scope.report(value, 'wrong-value', `\`${word}\` takes a file in double quotes.`);
  return undefined;
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

/** A part without which there is no description. */
export const needed = <Part>(part: Part | undefined): Part | 'wrong' => (part === undefined ? 'wrong' : part);

/** All parts, unless one of them is `wrong`; undefined stands for what was not written. */
export function soundParts<Parts extends Readonly<Record<string, unknown>>>(
  parts: Parts,
): SoundParts<Parts> | undefined {
  const written = Object.entries(parts).filter(([, value]) => value !== undefined);
  return written.some(([, value]) => value === 'wrong')
    ? undefined
    : (Object.fromEntries(written) as SoundParts<Parts>);
}

/** Everything, unless a part is missing. */
export function allOf<Part>(parts: readonly (Part | undefined)[]): readonly Part[] | undefined {
  const found = parts.filter((part) => part !== undefined);
  return found.length === parts.length ? found : undefined;
}
