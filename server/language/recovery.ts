import type { IToken } from 'chevrotain';
import { insert, problemAt, replace, type Fix, type ProblemCode } from './codes.ts';
import { joinedDeclaration, spanOfToken } from './lookahead.ts';
import { declarationSpecification, declarations, ownWords, propertyWords } from './schema.ts';
import { type PropertySpecification } from './propertyForms.ts';
import { didYouMean, nearest, oneOf } from './suggestions.ts';
import { tokenEnd, StringToken, Word as WordToken } from './tokens.ts';
import type { DeclarationKind, Problem, Span, StringValue } from './tree.ts';

/**
 * What is said of a text that could not be read as it stands: messages, with a fix where what was meant is sure. The
 * grammar decides what is read and what is skipped; each function here turns that into a problem.
 */

/** A problem with its preferred fix and others, where there are some. */
const problem = (span: Span, code: ProblemCode, message: string, fix?: Fix, otherFixes: readonly Fix[] = []): Problem =>
  problemAt(span, code, message, {
    ...(fix === undefined ? {} : { fix }),
    ...(otherFixes.length === 0 ? {} : { otherFixes }),
  });

/** A text that stands where it means nothing. */
export const unexpectedText = (span: Span, message: string, fix?: Fix): Problem =>
  problem(span, 'unexpected-text', message, fix);

/** A word or sign without what must follow it. */
export const missingPart = (code: 'missing-number' | 'missing-value', token: IToken, message: string): Problem =>
  problem(spanOfToken(token), code, message);

// Strings, numbers and brackets.

export function unclosedString(token: IToken): Problem {
  const span = spanOfToken(token);
  const message = 'Close the string with `"` on the line where it begins.';
  return problem(span, 'unclosed-string', message, insert(span.end, '"'));
}

export const missingComma = (offset: number): Problem =>
  problem({ start: offset, end: offset + 1 }, 'missing-comma', 'Write a comma before this.', insert(offset, ', '));

/** `4 * 4`. */
export function wrongCross(cross: IToken): Problem {
  const span = spanOfToken(cross);
  return unexpectedText(span, 'Write `x` between the sides of a shape: `4 x 4`.', replace(span, 'x'));
}

/** `torus(4, 4)`; `written` is the shape as it should be. */
export function shapeOutsideParentheses(span: Span, written: string): Problem {
  const message = `Write \`${written}\` without parentheses: they hold options, \`name value, name value\`.`;
  return unexpectedText(span, message, replace(span, ` ${written}`));
}

const unclosedCodes = { ')': 'unclosed-parenthesis', ']': 'unclosed-bracket', '}': 'unclosed-brace' } as const;
export type Closer = keyof typeof unclosedCodes;

/** An opening token that nothing closes; `end` is where the closing one would stand, where that is sure. */
export function unclosed(open: IToken, what: string, closer: Closer, end: number | undefined): Problem {
  const fix = end === undefined ? undefined : insert(end, closer === '}' ? `\n${closer}` : closer);
  return problem(spanOfToken(open), unclosedCodes[closer], `Close the ${what} with \`${closer}\`.`, fix);
}

// Properties.

export function misspeltProperty(kind: DeclarationKind, token: IToken, meant: string): Problem {
  const span = spanOfToken(token);
  const message = `A ${kind} has no property \`${token.image}\`.${didYouMean(meant)}`;
  return problem(span, 'unknown-property', message, replace(span, meant));
}

/** A word near to no property: what stands with it, up to `end`, goes with it. */
export function unknownProperty(kind: DeclarationKind, token: IToken, end: number): Problem {
  const message = `A ${kind} has no property \`${token.image}\`. Use one of ${oneOf(propertyWords(kind))}.`;
  return problem(spanOfToken(token), 'unknown-property', message, replace({ start: token.startOffset, end }, ''));
}

export const strayProperty = (kind: DeclarationKind | undefined, span: Span): Problem =>
  unexpectedText(
    span,
    `A property of the ${kind ?? 'declaration'} is expected here: ${oneOf(kind === undefined ? [] : propertyWords(kind))}.`,
  );

/** Examples of these may name what is not in the file. */
const foreignForms: ReadonlySet<PropertySpecification['content']['form']> = new Set([
  'names',
  'file',
  'quoted',
  'link',
  'phrase',
]);

/** A property of which nothing stands there but its word, or what cannot be read. */
export function missingValue(
  { word, takes, example, content }: PropertySpecification,
  token: IToken,
  rest: Span | undefined,
): Problem {
  const isOffered = rest === undefined && !foreignForms.has(content.form);
  const fixes = isOffered ? [{ ...replace(spanOfToken(token), example), title: `Write \`${example}\`` }] : [];
  const message = `\`${word}\` takes ${takes}: write for example \`${example}\`.`;
  return problem(rest ?? spanOfToken(token), 'missing-value', message, undefined, fixes);
}

/** What is left of a property behind its value. */
export function textBehindValue({ word, takes, example, content }: PropertySpecification, rest: Span): Problem {
  const message =
    content.form === 'flag'
      ? `\`${word}\` takes no value. Remove this.`
      : `\`${word}\` takes ${takes}, as in \`${example}\`: remove this, or begin another property.`;
  return unexpectedText(rest, message, replace(rest, ''));
}

export const ownAdvice = `A job may have its own ${ownWords.map((word) => `\`${word}\``).join(', ')}: \`jobs a(allocate nodes [0..15], map rcb), b\`.`;

export const quotedAdvice =
  'Expected metric, algorithm and number: `turnaround rbs : 1.01`, or `turnaround rbs / gabl : 1.01` for a ratio.';

/** A word that a job of a placement does not have of its own; `meant` is the one that is near. */
export function unknownOwnChoice(token: IToken, meant: string | undefined): Problem {
  const span = spanOfToken(token);
  const message = `A job of a placement has no \`${token.image}\` of its own.${didYouMean(meant)} ${ownAdvice}`;
  return problem(span, 'unknown-property', message, meant === undefined ? undefined : replace(span, meant));
}

const entryAdvice = 'Expected sender, receiver and a number ≥ 0 without a unit: `0 -> 1 : 40`.';

/** What stands behind an entry of a table. */
export const textBehindEntry = (rest: Span, isComplete: boolean): Problem =>
  unexpectedText(rest, entryAdvice, isComplete ? replace(rest, '') : undefined);

/** An entry without its amount; `end` is what would complete it, undefined where more is missing. */
export function incompleteEntry(entry: Span, end: string | undefined, goesOn: boolean): Problem {
  // A part that stands on the next line is none to put in a second time.
  const fixes = goesOn ? [] : [...(end === undefined ? [] : [insert(entry.end, end)]), replace(entry, '')];
  return problem(entry, 'incomplete-entry', entryAdvice, undefined, fixes);
}

// Declarations and what stands outside of them.

export function importProblem(keyword: IToken, path: StringValue | undefined, rest: Span | undefined): Problem {
  const message = '`import` takes a file in double quotes: `import "machines/cielo.place"`.';
  const code = path === undefined ? 'missing-value' : 'unexpected-text';
  return problem(rest ?? spanOfToken(keyword), code, message);
}

/** The head of a declaration as it was read; `rest` is what stands between it and its body. */
interface Head {
  readonly kind: DeclarationKind;
  readonly keyword: IToken;
  readonly name: IToken | undefined;
  readonly rest: Span | undefined;
  readonly hasBody: boolean;
  /** Properties stand there, and no `{` before the first of them. */
  readonly lacksBrace: boolean;
}

export function headProblems({ kind, keyword, name, rest, hasBody, lacksBrace }: Head): readonly Problem[] {
  const isJoined = name === undefined && joinedDeclaration(keyword.image) === kind;
  const misspelt = keyword.image === kind ? [] : [misspeltKeyword(kind, keyword, isJoined)];
  if (misspelt.length > 0 && isJoined) return misspelt;
  if (name === undefined) {
    const message = `Give the ${kind} a name: letters, digits, \`_\` and single \`-\`, beginning with a letter.`;
    // Without its body a declaration would lack more than its name.
    const isWhole = misspelt.length === 0 && hasBody && !lacksBrace;
    const fix = rest === undefined ? insert(tokenEnd(keyword), ` new-${kind}`) : replace(rest, `new-${kind}`);
    return [...misspelt, problem(rest ?? spanOfToken(keyword), 'missing-name', message, isWhole ? fix : undefined)];
  }
  if (rest !== undefined) {
    const message = `Only \`{\` can follow the name \`${name.image}\`: remove this.`;
    return [...misspelt, unexpectedText(rest, message)];
  }
  if (!hasBody) return [...misspelt, missingBody(kind, name)];
  return lacksBrace ? [...misspelt, missingBrace(kind, name)] : misspelt;
}

function misspeltKeyword(kind: DeclarationKind, keyword: IToken, isJoined: boolean): Problem {
  const span = spanOfToken(keyword);
  const meant = isJoined ? `${kind} ${keyword.image.slice(kind.length)}` : kind;
  const message = `\`${keyword.image}\` starts no declaration.${didYouMean(meant)}`;
  return problem(span, 'unknown-declaration', message, replace(span, meant));
}

function missingBody(kind: DeclarationKind, name: IToken): Problem {
  const span = spanOfToken(name);
  const message = `Say what the ${kind} is between \`{\` and \`}\` after its name.`;
  // The names in the examples of these are declared nowhere.
  const body =
    kind === 'placement' || kind === 'experiment'
      ? undefined
      : /\{.*\}/.exec(declarationSpecification(kind)?.example ?? '')?.[0];
  return problem(span, 'missing-body', message, body === undefined ? undefined : insert(span.end, ` ${body}`));
}

function missingBrace(kind: DeclarationKind, name: IToken): Problem {
  const span = spanOfToken(name);
  return problem(span, 'missing-brace', `Open the ${kind} with \`{\` after its name.`, insert(span.end, ' {'));
}

/** A `}` that closes nothing. `fir}st`: what was meant where it splits a word nobody knows. */
export function strayBrace(span: Span, first: IToken, splitsWord: boolean): Problem {
  const fix = splitsWord ? undefined : replace(spanOfToken(first), '');
  return unexpectedText(span, 'No declaration is open here: remove this `}`.', fix);
}

/** Text from `first` to `last` outside of every declaration; `second` is the token behind `first`. */
export function strayText(first: IToken, second: IToken, last: IToken): Problem {
  const keywords = [...declarations.map(({ kind }) => kind), 'import'];
  const advice = `A file holds declarations, which begin with ${oneOf(keywords)}.`;
  const span = spanOfToken(first);
  if (first.tokenType !== WordToken) return unexpectedText({ ...span, end: spanOfToken(last).end }, advice);
  const meant = nearest(first.image, keywords);
  // Without `{` behind it a declaration would lack more than its keyword.
  const isWhole = meant === 'import' && last === second && second.tokenType === StringToken;
  const message = `\`${first.image}\` starts no declaration.${didYouMean(meant)} ${advice}`;
  return problem(span, 'unknown-declaration', message, isWhole ? replace(span, meant) : undefined);
}
