import {
  createToken,
  createTokenInstance,
  Lexer,
  type CustomPatternMatcherFunc,
  type ILexingError,
  type IToken,
  type TokenType,
} from 'chevrotain';

/**
 * The tokens. Any text can be cut into them: a character that means nothing becomes an
 * `Unknown` token and an unclosed string or comment a token of its own, so that one place,
 * the parser, reports everything. There are no keywords: `grid` is a word like any other.
 */
export const AnyToken = createToken({ name: 'AnyToken', pattern: Lexer.NA });

const token = (name: string, pattern: RegExp | string): TokenType =>
  createToken({ name, pattern, categories: [AnyToken] });

/** A pattern found by hand: gives the end of the match, or -1. */
type FindEnd = (text: string, offset: number, matched: readonly IToken[]) => number;

function tokenMatcher(findEnd: FindEnd): CustomPatternMatcherFunc {
  return (text, offset, matched) => {
    const end = findEnd(text, offset, matched);
    return end < 0 ? null : [text.slice(offset, end)];
  };
}

/** `/* … *​/`, or to the end of the text where it is never closed (then `closed` is false). */
function commentEnd(closed: boolean): FindEnd {
  return (text, offset) => {
    if (!text.startsWith('/*', offset)) return -1;
    const close = text.indexOf('*/', offset + 2);
    if (closed) return close < 0 ? -1 : close + 2;
    return close < 0 ? text.length : -1;
  };
}

const crossAhead = /[^\S\r\n]*x(?=[^\S\r\n]*(?:-?\d|[^\p{L}\p{M}\p{N}_\s-]|[\r\n]|$))/uy;

/** What else people write for it; only between two numbers, and the parser says what to write. */
const wrongCrossAhead = /[^\S\r\n]*[X*·](?=[^\S\r\n]*\d)/uy;

/**
 * The `x` of a shape is one only after a number on the same line: `4x4`, `4 x 4`. Anywhere else
 * `x` and `x12` are words.
 */
const crossEnd: FindEnd = (text, offset, matched) => {
  const character = text.charAt(offset);
  if (character === '×') return offset + 1;
  const previous = matched.at(-1);
  if (previous?.tokenType !== NumberToken) return -1;
  const ahead = character === 'x' ? crossAhead : wrongCrossAhead;
  ahead.lastIndex = (previous.endOffset ?? previous.startOffset) + 1;
  return ahead.test(text) && ahead.lastIndex === offset + 1 ? offset + 1 : -1;
};

const WhiteSpace = createToken({ name: 'WhiteSpace', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });
/** `/// text`, kept aside: the parser attaches it to the declaration below. `////` is a plain comment. */
const Documentation = createToken({
  name: 'Documentation',
  pattern: /\/\/\/(?!\/)[^\r\n]*/,
  group: 'documentation',
});
const LineComment = createToken({ name: 'LineComment', pattern: /\/\/[^\r\n]*/, group: 'comments' });
/** What other languages begin a comment with. Nothing else of ours begins with it: the parser says what to write. */
export const HashComment = createToken({
  name: 'HashComment',
  pattern: /(?<!\S)#[^\r\n]*/,
  start_chars_hint: ['#'],
  line_breaks: false,
  group: 'comments',
});
const BlockComment = createToken({
  name: 'BlockComment',
  pattern: { exec: tokenMatcher(commentEnd(true)) },
  start_chars_hint: ['/'],
  line_breaks: true,
  group: 'comments',
});
const UnclosedComment = createToken({
  name: 'UnclosedComment',
  pattern: { exec: tokenMatcher(commentEnd(false)) },
  start_chars_hint: ['/'],
  line_breaks: true,
  group: 'unclosedComments',
});

export const NumberToken = token('Number', /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/);
export const Cross = createToken({
  name: 'Cross',
  pattern: { exec: tokenMatcher(crossEnd) },
  start_chars_hint: ['x', '×', 'X', '*', '·'],
  line_breaks: false,
  categories: [AnyToken],
});
/** Letters of any script, digits and `_`, with single hyphens between them: `first-try`, `größe`. */
const wordAhead = /[\p{L}_][\p{L}\p{M}\p{Nd}_]*(?:-[\p{L}\p{M}\p{Nd}_]+)*/uy;

const wordEnd: FindEnd = (text, offset) => {
  wordAhead.lastIndex = offset;
  // An expression of Unicode steps back to the first half of a pair.
  return wordAhead.exec(text)?.index === offset ? wordAhead.lastIndex : -1;
};

/** Whether a text is one word, as every name must be. */
export const isWord = (text: string): boolean => wordEnd(text, 0, []) === text.length;

const asciiLetters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_');
/**
 * Code units that may begin a letter outside ASCII; the expression decides. Beyond the first 256 the lexer looks at rows of 255 units, so
 * that one of every 64 stands for its row.
 */
const otherUnits = [
  ...Array.from({ length: 128 }, (_, index) => index + 128),
  ...Array.from({ length: (2 ** 16 - 256) / 64 }, (_, index) => 256 + 64 * index),
];

export const Word = createToken({
  name: 'Word',
  pattern: { exec: tokenMatcher(wordEnd) },
  start_chars_hint: [...asciiLetters, ...otherUnits],
  line_breaks: false,
  categories: [AnyToken],
});
export const StringToken = token('String', /"[^"\r\n]*"/);
/** A string that its line does not close. */
export const UnclosedString = createToken({
  name: 'UnclosedString',
  pattern: /"[^"\r\n]*/,
  categories: [StringToken, AnyToken],
});
export const Percent = token('Percent', '%');
export const Slash = token('Slash', '/');
export const Cable = token('Cable', '--');
export const Arrow = token('Arrow', '->');
export const DotDot = token('DotDot', '..');
export const Dot = token('Dot', '.');
export const Plus = token('Plus', '+');
export const Comparison = token('Comparison', /[<>!]=|==|[<>=]/);
export const Colon = token('Colon', ':');
export const Comma = token('Comma', ',');
export const LeftBrace = token('LeftBrace', '{');
export const RightBrace = token('RightBrace', '}');
export const LeftParenthesis = token('LeftParenthesis', '(');
export const RightParenthesis = token('RightParenthesis', ')');
export const LeftBracket = token('LeftBracket', '[');
export const RightBracket = token('RightBracket', ']');
/** Characters that begin no token: the lexer finds them by failing. */
const Unknown = createToken({ name: 'Unknown', pattern: Lexer.NA, categories: [AnyToken] });

/** In the order in which the lexer tries them. */
export const tokenTypes: TokenType[] = [
  WhiteSpace,
  Documentation,
  LineComment,
  HashComment,
  BlockComment,
  UnclosedComment,
  Cable,
  Arrow,
  NumberToken,
  Cross,
  Word,
  StringToken,
  UnclosedString,
  Percent,
  Slash,
  DotDot,
  Dot,
  Plus,
  Comparison,
  Colon,
  Comma,
  LeftBrace,
  RightBrace,
  LeftParenthesis,
  RightParenthesis,
  LeftBracket,
  RightBracket,
  Unknown,
  AnyToken,
];

/** The lexer of {@link tokenTypes}. `isChecked`: it is looked at whether they fit together, which a test does once for all. */
export const createLexer = ({ isChecked }: { readonly isChecked: boolean }): Lexer =>
  new Lexer(tokenTypes, { positionTracking: 'full', ensureOptimizations: true, skipValidations: !isChecked });

/** Made for the first text: whoever reads none need not wait for it. */
let lexer: Lexer | undefined;

export interface Tokens {
  readonly tokens: IToken[];
  /** `///` lines in order. */
  readonly documentation: readonly IToken[];
  /** Other comments in order, those that begin with `#` among them, and the one that is never closed, where there is one. */
  readonly comments: readonly IToken[];
  readonly unclosedComment: IToken | undefined;
}

/** Cuts any text into tokens; offsets are UTF-16. O(length). */
export function tokenize(text: string): Tokens {
  lexer ??= createLexer({ isChecked: false });
  const { tokens, groups, errors } = lexer.tokenize(text);
  return {
    tokens: errors.length === 0 ? tokens : withUnknown(text, tokens, errors),
    documentation: groups['documentation'] ?? [],
    comments: groups['comments'] ?? [],
    unclosedComment: groups['unclosedComments']?.[0],
  };
}

export const tokenEnd = (read: IToken): number => (read.endOffset ?? read.startOffset) + 1;

/** Puts a token in the place of each run of characters that the lexer skipped. */
function withUnknown(text: string, tokens: readonly IToken[], errors: readonly ILexingError[]): IToken[] {
  const unknown = errors.map(({ offset, length, line = 1, column = 1 }) => {
    const image = text.slice(offset, offset + length);
    const end = offset + length - 1;
    return createTokenInstance(Unknown, image, offset, end, line, line, column, column + length - 1);
  });
  return [...tokens, ...unknown].sort((a, b) => a.startOffset - b.startOffset);
}
