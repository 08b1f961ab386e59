import { EmbeddedActionsParser, tokenMatcher, type IToken, type TokenType, type TokenVocabulary } from 'chevrotain';
import type { Brackets } from './brackets.ts';
import { insert, problemAt, type Fix, type ProblemCode } from './codes.ts';
import { declarationOf, declarations, propertyOf, propertyWords } from './properties.ts';
import { didYouMean, nearest } from './suggestions.ts';
import {
  AnyToken,
  Arrow,
  Comma,
  endOf,
  isWord,
  LeftBrace,
  NumberToken,
  RightBrace,
  StringToken,
  UnclosedString,
  Word as WordToken,
  tokenTypes,
} from './tokens.ts';
import type { DeclarationKind, Problem, Span, Word } from './tree.ts';

export const spanOfToken = (token: IToken): Span => ({ start: token.startOffset, end: endOf(token) });
/** Names are compared in one form of Unicode, however an editor composes their letters. */
export const wordOfToken = (token: IToken): Word => ({ text: token.image.normalize(), ...spanOfToken(token) });

/** The kind of declaration that a word begins with where a name follows in the same word: `machinex`. */
export const joinedDeclaration = (word: string): DeclarationKind | undefined =>
  declarations.find(({ kind }) => word.startsWith(kind) && isWord(word.slice(kind.length)))?.kind;

/** After this many problems the rest of a file is not read. */
const floodLimit = 1000;

/**
 * What the grammar asks about the tokens ahead. Words are keywords only by where they stand, so
 * every choice of the grammar is one of these questions; none of them consumes anything.
 *
 * Recovery is part of the grammar: a rule takes what it can use, then {@link skipped} takes the
 * rest of the property, and says so once. No sequence of tokens is refused.
 */
export abstract class Lookahead extends EmbeddedActionsParser {
  protected problems: Problem[] = [];
  /** Of the declaration being read; undefined outside of one. */
  protected kind: DeclarationKind | undefined;
  /** A word after a number is its unit, unless it is a property. */
  protected takesUnit = false;
  protected closers: ReadonlyMap<IToken, IToken> = new Map();
  private nextUnclosed: ReadonlyMap<IToken, IToken> = new Map();
  /** While a bracketed group is skipped: the token that closes it. */
  private skipUntil: IToken | undefined;

  constructor(vocabulary: TokenVocabulary = tokenTypes) {
    super(vocabulary, { recoveryEnabled: true, maxLookahead: 1 });
  }

  protected report(span: Span, code: ProblemCode, message: string, fix?: Fix, otherFixes: readonly Fix[] = []): void {
    this.problems.push(
      problemAt(span, code, message, {
        ...(fix === undefined ? {} : { fix }),
        ...(otherFixes.length === 0 ? {} : { otherFixes }),
      }),
    );
  }

  protected nextIs(type: TokenType, distance = 1): boolean {
    return this.LA(distance).tokenType === type;
  }

  /**
   * Reports an opening token that nothing closes, with a fix that closes it behind what was read. None is offered
   * where that would stand in a string, or close another brace that is open within.
   */
  protected reportUnclosed(open: IToken, what: string, closer: ')' | ']' | '}'): void {
    const codes = { ')': 'unclosed-parenthesis', ']': 'unclosed-bracket', '}': 'unclosed-brace' } as const;
    const within = closer === '}' ? this.nextUnclosed.get(open) : undefined;
    const isOther = tokenMatcher(this.LA(0), UnclosedString) || (within && within.startOffset < this.lastEnd());
    const fix = isOther === true ? undefined : insert(this.lastEnd(), closer === '}' ? `\n${closer}` : closer);
    this.report(spanOfToken(open), codes[closer], `Close the ${what} with \`${closer}\`.`, fix);
  }

  /** The end of the last token read. */
  protected lastEnd(): number {
    return endOf(this.LA(0));
  }

  /** Whether the token at this distance stands on the line on which the one before it ends. */
  protected onSameLine(distance = 1): boolean {
    const line = this.LA(distance).startLine;
    const before = this.LA(distance - 1);
    return line !== undefined && line === (before.endLine ?? before.startLine);
  }

  /** The text ends here, or has so many problems that reading on helps nobody. */
  protected atEnd(): boolean {
    return this.problems.length >= floodLimit || !this.isToken(1);
  }

  private isToken(distance: number): boolean {
    return this.LA(distance).tokenType.CATEGORIES?.includes(AnyToken) === true;
  }

  /** The kind of declaration whose keyword comes next, misspelt or not, or joined with the name: `machinex {`. */
  protected declarationAhead(): DeclarationKind | undefined {
    if (!this.nextIs(WordToken)) return undefined;
    const keyword = this.LA(1).image;
    const exact = declarationOf(keyword);
    if (exact !== undefined) return exact.kind;
    if (this.nextIs(LeftBrace, 2)) return joinedDeclaration(keyword);
    const looksLikeOne = this.nextIs(WordToken, 2) && (this.nextIs(LeftBrace, 3) || this.LA(3).image === 'from');
    const keywords: readonly DeclarationKind[] = ['machine', 'job', 'stencil', 'table', 'placement'];
    return looksLikeOne ? declarationOf(nearest(keyword, keywords) ?? '')?.kind : undefined;
  }

  /** A declaration begins inside another: the `}` between them is missing. */
  protected declarationInside(): boolean {
    const next = this.LA(1);
    if (next.tokenType !== WordToken || this.onSameLine()) return false;
    if (next.image === 'import') return this.nextIs(StringToken, 2);
    if (declarationOf(next.image) === undefined || !this.nextIs(WordToken, 2)) return false;
    return this.nextIs(LeftBrace, 3) || (next.image === 'table' && this.LA(3).image === 'from');
  }

  /** A word that starts a property in this declaration. */
  protected propertyAhead(distance = 1): boolean {
    const { kind } = this;
    return (
      kind !== undefined && this.nextIs(WordToken, distance) && propertyOf(kind, this.LA(distance).image) !== undefined
    );
  }

  /** A word that was meant to start a property in this declaration. */
  protected nearPropertyAhead(): boolean {
    return this.nextIs(WordToken) && nearest(this.LA(1).image, this.propertyWords()) !== undefined;
  }

  /** What may stand in this declaration; nothing outside of one. */
  protected propertyWords(): readonly string[] {
    return this.kind === undefined ? [] : propertyWords(this.kind);
  }

  /** `0 -> 1` in a table. */
  protected entryAhead(): boolean {
    return this.kind === 'table' && this.nextIs(NumberToken) && this.nextIs(Arrow, 2);
  }

  protected bodyEnds(): boolean {
    return this.atEnd() || this.nextIs(RightBrace) || this.declarationInside();
  }

  /** A word can be the value of a property: it stands on its line, or starts no property. */
  protected valueWordAhead(): boolean {
    return this.nextIs(WordToken) && (this.onSameLine() || (!this.propertyAhead() && !this.declarationInside()));
  }

  /** A comma and a further name, which starts a property only where it stands on the comma's line. */
  protected nextNameAhead(): boolean {
    return this.nextIs(Comma) && this.nextIs(WordToken, 2) && (this.onSameLine(2) || !this.propertyAhead(2));
  }

  /** What comes next belongs to the property before it, whatever it is. O(1). */
  protected skips(): boolean {
    if (this.atEnd()) return false;
    if (this.skipUntil !== undefined) return true;
    if (this.nextIs(RightBrace) || !this.onSameLine()) return false;
    if (this.kind === undefined) return this.LA(1).image !== 'import' && this.declarationAhead() === undefined;
    return !this.propertyAhead() && !this.entryAhead();
  }

  /** To be called for each token skipped: brackets are skipped as one. */
  protected noteSkipped(token: IToken): void {
    if (token === this.skipUntil) this.skipUntil = undefined;
    else this.skipUntil ??= this.closers.get(token);
  }

  protected skipsGroup(): boolean {
    return this.skipUntil !== undefined;
  }

  /** Forgets the text before: what is read is a function of the tokens alone. */
  protected startReading({ closers, nextUnclosed }: Brackets): void {
    this.problems = [];
    this.kind = undefined;
    this.takesUnit = false;
    this.closers = closers;
    this.nextUnclosed = nextUnclosed;
    this.skipUntil = undefined;
  }

  /** Within brackets: up to the closing token, or to the end of the line where there is none. */
  protected inside(closer: IToken | undefined): boolean {
    if (this.atEnd()) return false;
    if (closer !== undefined) return this.LA(1) !== closer;
    return this.onSameLine() && !this.nextIs(RightBrace) && !this.nextIs(LeftBrace);
  }

  /** After a comma in options: another value of the same option, not the next option. */
  protected continuesOption(closer: IToken | undefined): boolean {
    if (!this.nextIs(Comma)) return false;
    if (!this.nextIs(WordToken, 2)) return !this.nextIs(Comma, 2) && this.LA(2) !== closer && this.isToken(2);
    return this.nextIs(Comma, 3) || this.LA(3) === closer || !this.isToken(3);
  }

  /** A property word as meant: itself, the nearest one (reported), or undefined. */
  protected propertyMeant(kind: DeclarationKind, token: IToken): string | undefined {
    if (propertyOf(kind, token.image) !== undefined) return token.image;
    const meant = nearest(token.image, propertyWords(kind));
    if (meant === undefined) return undefined;
    const span = spanOfToken(token);
    const fix = { title: `Change to \`${meant}\``, ...span, text: meant };
    const message = `A ${kind} has no property \`${token.image}\`.${didYouMean(meant)}`;
    this.report(span, 'unknown-property', message, fix);
    return meant;
  }
}
