import { replace } from '../codes.ts';
import { declarationOf } from '../properties.ts';
import type { ChoiceNode, DeclarationNode, PropertyNode, Span, Value } from '../tree.ts';
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
      reportMissing(scope, declaration, specification.word, `\`${specification.example}\``);
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
    const fix = { title: `Remove this \`${word}\``, start: property.start, end: property.end, text: '' };
    scope.report(property.word, 'duplicate-property', `\`${word}\` stands twice: remove one of them.`, { fix });
  }
}

/** "The machine needs `topology torus 4 x 4`", with a fix that inserts it where that is one property. */
export function reportMissing(scope: Scope, declaration: DeclarationNode, what: string, advice: string): void {
  const subject = declaration.name === undefined ? `The ${declaration.kind}` : `\`${declaration.name.text}\``;
  const message = `${subject} needs \`${what}\`: write for example ${advice}.`;
  scope.report(headOf(declaration), 'missing-property', message);
}

/** The name of a declaration; empty where it has none, and then it is in no program. */
export const nameOf = (declaration: DeclarationNode): string => declaration.name?.text ?? '';

/** Where to point at a whole declaration: its name. */
export const headOf = (declaration: DeclarationNode): Span => declaration.name ?? declaration.keyword;

/** Reports one of two properties that exclude each other, with a fix that removes it. */
export function reportConflict(scope: Scope, property: PropertyNode, message: string): void {
  scope.report(property.word, 'conflicting-properties', message, {
    fix: { ...replace(property, ''), title: `Remove \`${property.word.text}\`` },
  });
}
