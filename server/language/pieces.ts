/**
 * A text that is edited is read in pieces: a key changes one declaration, and the trees of all others are those of the
 * text before, moved where the key moved them. What comes of it is what {@link parseText} gives for the whole text.
 *
 * A piece ends behind a `}` where the text
 *
 * - has no open brace, counted from its beginning: no pair of brackets reaches over the cut, since a brace ends what is
 *   open within it;
 * - goes on with a line break, so that no sign is read by what stands before it on its line, and no `///` is cut off
 *   from its declaration;
 * - has as its next tokens the keyword, the name and the `{` of a declaration: whatever is being read or skipped ends
 *   there as it would at the end of the text.
 *
 * Two things reach over a cut all the same, and then the whole text is read: a group in brackets that goes on because
 * what closes it was taken for something else, and the number of problems after which a text is not read on.
 */
import { tooManyProblems } from './codes.ts';
import { parsePiece, parseText, textProblem, type Parsed } from './parse.ts';
import { declarations } from './schema.ts';
import type { DeclarationNode, Problem, ImportNode } from './tree.ts';

/** What was read of the pieces of a text, by their texts: to be given with the next text. */
export type Pieces = ReadonlyMap<string, Piece>;

interface Piece {
  /** Where it began in the text that it was read in last; all offsets of `parsed` count from the start of that text. */
  readonly start: number;
  readonly parsed: Parsed;
  /** Whether a group in brackets went on to its end. */
  readonly isOpen: boolean;
}

/** Reads a text as {@link parseText} does. O(length), but only what is in none of the pieces before is parsed. */
export function parsePieces(text: string, before: Pieces): { readonly parsed: Parsed; readonly pieces: Pieces } {
  if (textProblem(text) !== undefined) return { parsed: parseText(text), pieces: new Map() };
  const pieces = new Map<string, Piece>();
  const imports: ImportNode[] = [];
  const found: DeclarationNode[] = [];
  const problems: Problem[] = [];
  const cuts = cutsOf(text);
  for (const [index, start] of cuts.entries()) {
    const image = text.slice(start, cuts[index + 1] ?? text.length);
    const piece = pieceAt(start, image, pieces.get(image) ?? before.get(image));
    pieces.set(image, piece);
    const { tree } = piece.parsed;
    for (const node of tree.imports) imports.push(node);
    for (const declaration of tree.declarations) found.push(declaration);
    for (const problem of piece.parsed.problems) problems.push(problem);
    const isLast = index === cuts.length - 1;
    if ((piece.isOpen && !isLast) || problems.length >= tooManyProblems) return { parsed: parseText(text), pieces };
  }
  return { parsed: { tree: { imports, declarations: found, length: text.length }, problems }, pieces };
}

function pieceAt(start: number, image: string, known: Piece | undefined): Piece {
  if (known?.start === start) return known;
  const { parsed, isOpen } = known ?? parsePiece(separate(image));
  return { start, parsed: shiftOffsets(parsed, start - (known?.start ?? 0)), isOpen };
}

/** The same text in memory of its own: what is cut out of a text keeps all of it, and pieces outlive theirs. */
const separate = (image: string): string => JSON.parse(JSON.stringify(image)) as string;

/** A part of a tree, or a problem, in another place: `start` and `end` are offsets wherever they stand. O(size). */
function shiftOffsets<Part>(part: Part, by: number): Part {
  if (by === 0 || typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((item: unknown) => shiftOffsets(item, by)) as Part;
  const copy = { ...part } as Record<string, unknown>;
  for (const key in copy) {
    const value = copy[key];
    if (typeof value === 'object') copy[key] = shiftOffsets(value, by);
    else if (key === 'start' || key === 'end') copy[key] = (value as number) + by;
  }
  return copy as Part;
}

/** What a brace may stand in without being one, and braces. */
const braceAhead = /"[^"\r\n]*"?|\/\/[^\r\n]*|(?<!\S)#[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}]/g;
const lineEnd = /[^\S\r\n]*\r?\n/y;
const betweenTokens = /(?:\s+|\/\/[^\r\n]*|(?<!\S)#[^\r\n]*|\/\*[\s\S]*?\*\/)/y;
const headOfDeclaration = new RegExp(
  `(?:${declarations.map(({ kind }) => kind).join('|')})[ \\t]+[\\p{L}_][\\p{L}\\p{M}\\p{Nd}_]*(?:-[\\p{L}\\p{M}\\p{Nd}_]+)*[ \\t]*\\{`,
  'uy',
);

/** Where the pieces begin, the first at 0. O(length). */
function cutsOf(text: string): readonly number[] {
  const cuts = [0];
  let depth = 0;
  for (const { 0: image, index } of text.matchAll(braceAhead)) {
    if (image === '{') depth++;
    if (image !== '}') continue;
    depth = Math.max(0, depth - 1);
    const cut = depth > 0 ? undefined : matchEnd(lineEnd, text, index + 1);
    if (cut !== undefined && declarationFollows(text, cut)) cuts.push(cut);
  }
  return cuts;
}

function declarationFollows(text: string, from: number): boolean {
  let at = from;
  for (let end = matchEnd(betweenTokens, text, at); end !== undefined; end = matchEnd(betweenTokens, text, at))
    at = end;
  return matchEnd(headOfDeclaration, text, at) !== undefined;
}

/** Where a match at an offset ends; undefined where there is none. */
function matchEnd(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}
