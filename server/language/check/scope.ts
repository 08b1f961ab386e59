/** What every check is given, and how it says what a property takes. */
import { problemAt, tooManyProblems, type ProblemCode } from '../codes.ts';
import { propertyOf } from '../schema.ts';
import type { SymbolTable } from '../symbols.ts';
import type { DeclarationKind, Fix, Problem, Span, StringValue } from '../tree.ts';
import { resolvePath } from '../uris.ts';

/** How bad it is, an error where nothing is said, and what mends it, as far as there is something. */
interface Extra {
  readonly severity?: Problem['severity'];
  readonly fix?: Fix | undefined;
  readonly otherFixes?: readonly (Fix | undefined)[];
}

/** What every check is given: the file, the names that are known, and where to report. */
export interface Scope {
  readonly uri: string;
  /** Of the file. */
  readonly text: string;
  readonly symbols: SymbolTable;
  report(span: Span, code: ProblemCode, message: string, extra?: Extra): void;
  /** Whether there are so many problems that suggestions would only cost time. */
  hasTooManyProblems(): boolean;
  /** The URI of a path written in this file. */
  resolve(path: string): string | undefined;
}

/** A scope that adds what is reported to `problems`. */
export function scopeOf(uri: string, symbols: SymbolTable, problems: Problem[], text = ''): Scope {
  return {
    uri,
    text,
    symbols,
    report: (span, code, message, { severity = 'error', fix, otherFixes = [] } = {}) => {
      const others = otherFixes.filter((other) => other !== undefined);
      const fixes = { ...(fix && { fix }), ...(others.length > 0 && { otherFixes: others }) };
      problems.push(problemAt(span, code, message, { severity, ...fixes }));
    },
    hasTooManyProblems: () => problems.length > tooManyProblems,
    resolve: (path) => resolvePath(uri, path),
  };
}

/** What a value is for, for messages: `name` in backquotes, `takes` and `example` from the tables. */
export interface Expectation {
  readonly name: string;
  readonly takes: string;
  readonly example?: string | undefined;
}

/** The words in which the table of properties speaks of one. */
export function expectationOf(kind: DeclarationKind, word: string): Expectation {
  const { takes = 'a value', example } = propertyOf(kind, word) ?? {};
  return { name: `\`${word}\``, takes, example };
}

/** The URI of a file named in this one; reports an empty name. */
export function fileUri(scope: Scope, value: StringValue): string | undefined {
  const uri = scope.resolve(value.text);
  if (uri === undefined)
    scope.report(value, 'wrong-value', 'Expected a file name in the double quotes, relative to this file.');
  return uri;
}

/** "… takes a whole number: write for example `hosts 4`." */
export function takesMessage({ name, takes, example }: Expectation): string {
  return `${name} takes ${takes}${example === undefined ? '' : `: write for example \`${example}\``}.`;
}

/** Everything, unless a part is missing. */
export function allOf<Part>(parts: readonly (Part | undefined)[]): readonly Part[] | undefined {
  const found = parts.filter((part) => part !== undefined);
  return found.length === parts.length ? found : undefined;
}
