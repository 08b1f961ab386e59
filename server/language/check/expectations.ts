import { propertyOf } from '../properties.ts';
import type { DeclarationKind } from '../tree.ts';

/** What a value is for, for messages: `name` in backquotes, `takes` and `example` from the tables. */
export interface Expectation {
  readonly name: string;
  readonly takes: string;
  readonly example?: string;
}

/** The words in which the table of properties speaks of one. */
export function expectationOf(kind: DeclarationKind, word: string): Expectation {
  const { takes = 'a value', example } = propertyOf(kind, word) ?? {};
  return { name: `\`${word}\``, takes, ...(example === undefined ? {} : { example }) };
}

/** "… takes a whole number: write for example `hosts 4`." */
export function takesMessage({ name, takes, example }: Expectation): string {
  return `${name} takes ${takes}${example === undefined ? '' : `: write for example \`${example}\``}.`;
}
