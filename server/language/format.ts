import { largestOf, leastOf } from '../model/lists.ts';
import type { IToken, TokenType } from 'chevrotain';
import { parseText } from './parse.ts';
import { declarations } from './schema.ts';
import {
  tokenEnd,
  LeftBrace,
  LeftBracket,
  LeftParenthesis,
  RightBrace,
  RightBracket,
  RightParenthesis,
  Comma,
  Dot,
  DotDot,
  NumberToken,
  Percent,
  Slash,
  Word,
  tokenize,
} from './tokens.ts';
import type { SyntaxTree, DeclarationNode, NumberValue, PhrasePart, PropertyNode, Span } from './tree.ts';
import { looksLikeUnit } from './units.ts';

/**
 * The text with even indentation and spacing. Comments, line breaks and the order of everything
 * stay; several empty lines become one. Values stand in a column where the author began one,
 * and so do comments at the ends of lines. In a text with syntax errors each declaration without one is laid out; a text
 * that would mean something else is returned as it is. Idempotent. O(length).
 */
export function formatText(text: string, indentation = usualIndentation): string {
  const { tree, problems } = parseText(text);
  if (problems.some(({ severity }) => severity === 'error')) return withEdits(text, formatEdits(text, indentation));
  const formatted = layOut(text, tree, indentation);
  return formatted === text || isSameTree(tree, parseText(formatted).tree) ? formatted : text;
}

/** One step of indentation where nobody wants another. */
export const usualIndentation = '  ';

/** What replaces a part of the text. */
export interface FormatEdit extends Span {
  readonly text: string;
}

/**
 * The same line by line, for a part of a text or for one with syntax errors: each declaration that has none is laid out
 * by itself. An edit replaces a line with the white space before it. In order, none overlaps with another. O(length).
 */
export function formatEdits(
  text: string,
  indentation = usualIndentation,
  isWanted: (declaration: Span) => boolean = () => true,
): readonly FormatEdit[] {
  const { tree, problems } = parseText(text);
  const errors = problems.filter(({ severity }) => severity === 'error');
  return tree.declarations.flatMap((declaration) => {
    const span = { start: lineStart(text, declaration.start), end: declaration.end };
    const touched = errors.some(({ start, end }) => start <= span.end && span.start <= end);
    return touched || !isWanted(span) ? [] : editsOfPart(text, span, indentation);
  });
}

/** Where the line begins, if there is nothing else on it before the offset. */
function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && (text.charAt(start - 1) === ' ' || text.charAt(start - 1) === '\t')) start--;
  return start === 0 || /[\r\n]/.test(text.charAt(start - 1)) ? start : offset;
}

function editsOfPart(text: string, { start, end }: Span, indentation: string): readonly FormatEdit[] {
  const part = text.slice(start, end);
  const { tree, problems } = parseText(part);
  if (problems.some(({ severity }) => severity === 'error')) return [];
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  let last = 0;
  const edits = writtenLines(part, tree, indentation).map(({ line, text: written }): FormatEdit => {
    const from = last;
    last = tokenEnd(line.pieces.at(-1)!);
    const breaks = from === 0 ? '' : lineBreak.repeat(line.blankAbove ? 2 : 1);
    return { start: from, end: last, text: breaks + written };
  });
  if (!isSameTree(tree, parseText(withEdits(part, edits)).tree)) return [];
  return edits
    .filter((edit) => edit.text !== part.slice(edit.start, edit.end))
    .map((edit) => ({ start: edit.start + start, end: edit.end + start, text: edit.text }));
}

/** A text with edits, which are in order. */
function withEdits(text: string, edits: readonly FormatEdit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits) {
    parts.push(text.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}

/** Keys of a tree that say where something stands, not what it is. */
const places = new Set(['start', 'end', 'length']);

/** Whether two trees, or parts of them, say the same in other places. O(size). */
export function isSameTree(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const keys = Object.keys(one).filter((key) => !places.has(key));
  return (
    keys.length === Object.keys(other).filter((key) => !places.has(key)).length &&
    keys.every((key) => isSameTree((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
  );
}

/** Lays a text out that has no syntax errors, without a look at what it then means. */
export function layOut(text: string, tree: SyntaxTree, indentation = usualIndentation): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return writtenLines(text, tree, indentation)
    .map(({ line, text: written }) => `${line.blankAbove ? lineBreak : ''}${written}${lineBreak}`)
    .join('');
}

function writtenLines(
  text: string,
  tree: SyntaxTree,
  indentation: string,
): readonly { readonly line: Line; readonly text: string }[] {
  const layout = codeLayout(tree);
  const lines = codeLines(text).flatMap((line) => linesOfBodies(line, layout));
  const indentations = indentationsOf(lines, layout, indentation);
  const columns = valueColumns(lines, layout);
  const written = withComments(
    lines.map((line, index) => writeLine(line, indentations[index] ?? '', columns.get(line) ?? 0, layout)),
  );
  return lines.map((line, index) => ({ line, text: written[index] ?? '' }));
}

/**
 * A line cut where a body begins or ends that goes on over other lines: its braces end a line and stand alone. A body
 * that the author wrote on one line stays there while that is no longer than {@link longestLine}; else each property
 * and entry gets a line of its own.
 */
function linesOfBodies(line: Line, layout: Layout): readonly Line[] {
  const { opening, properties, entries } = layout;
  const { pieces } = line;
  const first = pieces[0]!;
  const parts: IToken[][] = [[first]];
  const isLong =
    pieces.some(({ startOffset }) => opening.has(startOffset)) &&
    writeLine(line, '', 0, layout).code.length > longestLine;
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    if (before === undefined) continue;
    const begins = properties.has(piece.startOffset) || entries.has(piece.startOffset);
    const end = endOfOpened(before, layout);
    const opens = end !== undefined && !isComment(piece) && (isLong || end > tokenEnd(pieces.at(-1)!));
    const start = startOfClosed(piece, layout);
    const closes = start !== undefined && (isLong || start < first.startOffset);
    if (opens || closes || (isLong && begins)) parts.push([piece]);
    else parts.at(-1)!.push(piece);
  }
  return parts.map((some, index) => ({ pieces: some, blankAbove: index === 0 && line.blankAbove }));
}

// A body whose brace is missing begins with its first property, which opens nothing.
const endOfOpened = (piece: IToken, { opening }: Layout): number | undefined =>
  piece.tokenType === LeftBrace ? opening.get(piece.startOffset) : undefined;
const startOfClosed = (piece: IToken, { closing }: Layout): number | undefined =>
  piece.tokenType === RightBrace ? closing.get(piece.startOffset) : undefined;

/** Columns of a body on one line at most. */
const longestLine = 120;

function writeLine(line: Line, indentation: string, column: number, layout: Layout): WrittenLine {
  const last = line.pieces.at(-1);
  const comment = last !== undefined && isComment(last) ? last.image.trimEnd() : undefined;
  const pieces = comment === undefined ? line.pieces : line.pieces.slice(0, -1);
  let code = indentation;
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    if (before !== undefined) code += gapBetween(before, piece, layout);
    if (index === 1) code += ' '.repeat(column);
    code += piece.image;
  }
  return { line, code, comment };
}

/** A line as it will be written: its code, and the comment that ends it. */
interface WrittenLine {
  readonly line: Line;
  readonly code: string;
  readonly comment: string | undefined;
}

/** Lines that stand directly under each other. */
function adjacentRuns<Item>(
  items: readonly Item[],
  belongs: (item: Item, index: number) => boolean,
  breaks: (item: Item) => boolean,
): Item[][] {
  const runs: Item[][] = [];
  let open = false;
  for (const [index, item] of items.entries()) {
    if (!belongs(item, index)) {
      open = false;
      continue;
    }
    if (open && !breaks(item)) runs.at(-1)?.push(item);
    else runs.push([item]);
    open = true;
  }
  return runs;
}

/**
 * For each line with one property: spaces to add after its word, so that the values of a run of
 * such lines stand in one column, where the author put a value of the run in a column.
 */
function valueColumns(lines: readonly Line[], layout: Layout): ReadonlyMap<Line, number> {
  const isSingle = ({ pieces }: Line): boolean =>
    pieces.length > 1 &&
    !isComment(pieces[1]!) &&
    layout.properties.has(pieces[0]!.startOffset) &&
    pieces.filter((piece) => layout.properties.has(piece.startOffset)).length === 1;
  const added = new Map<Line, number>();
  for (const run of adjacentRuns(lines, isSingle, ({ blankAbove }) => blankAbove)) {
    const inColumn = run.some(({ pieces }) => pieces[1]!.startOffset - tokenEnd(pieces[0]!) > 1);
    const width = largestOf(run.map(({ pieces }) => pieces[0]!.image.length));
    for (const line of run) added.set(line, inColumn ? width - line.pieces[0]!.image.length : 0);
  }
  return added;
}

/** Columns of the last line of code that may hold a comment of several lines. */
const lastLineWidth = (code: string): number =>
  code.length - 1 - Math.max(code.lastIndexOf('\n'), code.lastIndexOf('\r'));

/** The lines with the comments at their ends: those of a run in one column, as far left as it was. */
function withComments(lines: readonly WrittenLine[]): readonly string[] {
  const columns = new Map<WrittenLine, number>();
  const hasBoth = ({ code, comment }: WrittenLine): boolean => comment !== undefined && code.trim() !== '';
  for (const run of adjacentRuns(lines, hasBoth, ({ line }) => line.blankAbove)) {
    const widest = largestOf(run.map(({ code }) => lastLineWidth(code) + 1));
    const leftmost = leastOf(run.map(({ line }) => (line.pieces.at(-1)?.startColumn ?? 1) - 1));
    for (const line of run) columns.set(line, Math.max(widest, leftmost));
  }
  return lines.map((line) => {
    const column = columns.get(line);
    return column === undefined
      ? line.code + (line.comment ?? '')
      : line.code + ' '.repeat(column - lastLineWidth(line.code)) + (line.comment ?? '');
  });
}

/** The indentation of each line: one step in a declaration, one more where a property goes on. O(pieces). */
function indentationsOf(lines: readonly Line[], layout: Layout, unit: string): readonly string[] {
  let braces = 0;
  let brackets = 0;
  return lines.map(({ pieces }) => {
    const [first] = pieces;
    const steps = first === undefined ? 0 : braces + indentationSteps(first, braces, brackets, layout);
    for (const piece of pieces) {
      braces = Math.max(0, braces + change(piece, LeftBrace, RightBrace));
      const group = change(piece, LeftBracket, RightBracket) + change(piece, LeftParenthesis, RightParenthesis);
      brackets = Math.max(0, brackets + group);
    }
    return unit.repeat(Math.max(0, steps));
  });
}

function change(piece: IToken, open: unknown, close: unknown): number {
  if (piece.tokenType === open) return 1;
  return piece.tokenType === close ? -1 : 0;
}

/** Steps of a line beyond those of the braces around it. */
function indentationSteps(first: IToken, braces: number, brackets: number, layout: Layout): number {
  const type = first.tokenType;
  if (type === RightBrace) return -1;
  if (braces === 0 || type === RightBracket || type === RightParenthesis) return 0;
  if (brackets > 0) return 1;
  const begins = layout.properties.has(first.startOffset) || layout.entries.has(first.startOffset);
  return begins || isComment(first) ? 0 : 1;
}

const tightAfter = new Set<TokenType>([LeftParenthesis, LeftBracket, Dot, DotDot, Slash]);
const tightBefore = new Set<TokenType>([
  RightParenthesis,
  RightBracket,
  Dot,
  DotDot,
  Comma,
  Slash,
  Percent,
  LeftParenthesis,
]);

/** What stands between two pieces of one line. O(1). */
function gapBetween(before: IToken, after: IToken, layout: Layout): string {
  if (isComment(before) || isComment(after)) return ' ';
  const start = after.startOffset;
  if (layout.properties.has(start) || layout.entries.has(start)) {
    // Properties of one line may stand in columns with those of the next: wider gaps stay.
    return before.tokenType === LeftBrace ? ' ' : ' '.repeat(Math.max(2, start - tokenEnd(before)));
  }
  const gap = layout.componentGaps.get(start);
  if (gap !== undefined) return before.tokenType === NumberToken ? gap.bare : gap.separated;
  if (isGluedWord(before, after)) return '';
  if (layout.offsetWords.has(before.startOffset)) return ' ';
  if (layout.weighed.has(before.startOffset)) return '';
  if (isApart(before, after, layout)) return ' ';
  if (wouldJoin(before, after)) return ' ';
  return tightAfter.has(before.tokenType) || tightBefore.has(after.tokenType) ? '' : ' ';
}

const dots = new Set<TokenType>([Dot, DotDot]);

/** Two signs that are another one, or begin a comment, once they touch: `. .` is no range, `/ /` no comment, `1 . 5` no fraction. */
function wouldJoin({ tokenType: before }: IToken, { tokenType: after }: IToken): boolean {
  if (dots.has(before)) return dots.has(after) || (before === Dot && after === NumberToken);
  return before === Slash && after === Slash;
}

const isApart = (before: IToken, after: IToken, { apart }: Layout): boolean =>
  apart.has(after.startOffset) || (apart.has(before.startOffset) && before.tokenType !== LeftParenthesis);

/** `bytes` looks like a unit and is a property. */
const propertyNames = new Set(declarations.flatMap(({ properties }) => properties.map(({ word }) => word)));

/** A word that is the unit of the number before it only because it touches it: apart, `256 periodic` is a property. */
function isGluedWord(before: IToken, after: IToken): boolean {
  const touches =
    before.tokenType === NumberToken && after.tokenType === Word && tokenEnd(before) === after.startOffset;
  return touches && (!looksLikeUnit(after.image) || propertyNames.has(after.image));
}

/** What spacing needs to know of the tree, by offsets of tokens. */
interface Layout {
  /** Words that begin a property. */
  readonly properties: ReadonlySet<number>;
  /** The `{` of bodies, each with where its `}` ends, and the other way round. */
  readonly opening: ReadonlyMap<number, number>;
  readonly closing: ReadonlyMap<number, number>;
  /** Numbers that begin an entry of a table. */
  readonly entries: ReadonlySet<number>;
  /** The word `offset`, after which a parenthesis stands apart. */
  readonly offsetWords: ReadonlySet<number>;
  /** Signs with a blank on either side: `..` and `/` of phrases, and a parenthesis after a share. */
  readonly apart: ReadonlySet<number>;
  /** Values with a share behind them: `2: 40%`. */
  readonly weighed: ReadonlySet<number>;
  /** What stands before each number of an offset. */
  readonly componentGaps: ReadonlyMap<number, ComponentGap>;
}

/** Blanks before a number of an offset: behind a parenthesis or comma, and behind a number without one. */
interface ComponentGap {
  readonly separated: string;
  readonly bare: string;
}

/** O(declarations + properties + entries). */
function codeLayout(tree: SyntaxTree): Layout {
  const properties = tree.declarations.flatMap((declaration) => declaration.properties);
  const offsets = properties.filter(({ content }) => content.kind === 'offset');
  const bodies = [
    ...tree.declarations.flatMap(({ body }) => body ?? []),
    ...properties.flatMap(({ content }) => (content.kind === 'quoted' ? (content.body ?? []) : [])),
  ];
  return {
    opening: new Map(bodies.map(({ start, end }) => [start, end])),
    closing: new Map(bodies.map(({ start, end }) => [end - 1, start])),
    properties: new Set(properties.map(({ start }) => start)),
    entries: new Set([
      ...tree.declarations.flatMap((declaration) => declaration.entries.map(({ start }) => start)),
      ...properties.flatMap(({ content }) =>
        content.kind === 'quoted' ? content.entries.map(({ start }) => start) : [],
      ),
    ]),
    apart: new Set(properties.flatMap(apartIn)),
    weighed: new Set(properties.flatMap(weighedIn)),
    offsetWords: new Set(offsets.map(({ word }) => word.start)),
    componentGaps: new Map(tree.declarations.flatMap(gapsOfStencil)),
  };
}

/** `2e-4 .. 1e-3`, `rbs / gabl : 1.01`, `at 95% (at most 2000)`. */
function apartIn({ content }: PropertyNode): number[] {
  const phrases =
    content.kind === 'phrase'
      ? [content.parts]
      : content.kind === 'quoted'
        ? content.entries.map(({ parts }) => parts)
        : [];
  return phrases.flatMap((parts) =>
    parts.flatMap((part, index) => {
      const isApart = part.kind === 'sign' && (part.text === '..' || part.text === '/');
      return isApart || opensBehindShare(part, parts[index - 1]) ? [part.start] : [];
    }),
  );
}

function weighedIn({ content }: PropertyNode): number[] {
  const choices = content.kind === 'choice' ? [content.choice] : content.kind === 'choices' ? content.choices : [];
  return choices.flatMap(({ argument }) =>
    argument?.kind === 'list'
      ? argument.items.flatMap((item) => (item.kind === 'range' && item.share !== undefined ? [item.from.start] : []))
      : [],
  );
}

const opensBehindShare = (part: PhrasePart, before: PhrasePart | undefined): boolean =>
  part.kind === 'sign' && part.text === '(' && before?.kind === 'sign' && before.text === '%';

/** `( 1, 0)` over `(-1, 0)` where a stencil has negative steps, else `(1, 0)`. */
function gapsOfStencil(declaration: DeclarationNode): [number, ComponentGap][] {
  const rows = declaration.properties.flatMap(({ content }) => (content.kind === 'offset' ? [content.components] : []));
  const numbers = rows.flat();
  const signed = numbers.some(({ text }) => text.startsWith('-'));
  const width = numbers.reduce((widest, { text }) => Math.max(widest, text.length), 0);
  const gap = (number: NumberValue, index: number): ComponentGap => {
    const padding = signed ? ' '.repeat(width - number.text.length) : '';
    return { separated: signed || index === 0 ? padding : ' ', bare: ` ${padding}` };
  };
  return rows.flatMap((row) => row.map((number, index): [number, ComponentGap] => [number.start, gap(number, index)]));
}

/** A line of tokens and comments; a comment of several lines joins what it touches into one. */
interface Line {
  readonly pieces: readonly IToken[];
  /** An empty line stands above it. */
  readonly blankAbove: boolean;
}

const isComment = (piece: IToken): boolean => piece.image.startsWith('//') || piece.image.startsWith('/*');

/** Cuts a text into lines, without its white space. O(length). */
function codeLines(text: string): readonly Line[] {
  const { tokens, documentation, comments } = tokenize(text);
  const pieces = [...tokens, ...documentation, ...comments].sort((a, b) => a.startOffset - b.startOffset);
  const lines: { pieces: IToken[]; blankAbove: boolean }[] = [];
  let end = 0;
  for (const piece of pieces) {
    const breaks = text.slice(end, piece.startOffset).match(/\r\n|\r|\n/g)?.length ?? 0;
    const last = lines.at(-1);
    if (breaks === 0 && last !== undefined) last.pieces.push(piece);
    else lines.push({ pieces: [piece], blankAbove: breaks > 1 && last !== undefined });
    end = tokenEnd(piece);
  }
  return lines;
}
