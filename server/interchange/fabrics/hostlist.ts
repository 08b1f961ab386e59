import { slotLimit } from '../../model/machine.ts';
import { type Result, succeed } from '../../model/result.ts';
import { quote } from '../amounts.ts';

/** Whole numbers from one to another, padded with zeros to a width. */
interface NumberRange {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** A piece of a name: itself, or the numbers in a bracket. */
type Piece = string | readonly NumberRange[];

/**
 * Expands a hostlist of Slurm: names separated by commas, where `[…]` stands for numbers and ranges
 * of them, zero-padded as their first number is: `n[08-11,20],rack[1-2]node[1-4]`. The last bracket
 * runs fastest. Fails with a sentence without its place; at most 2^22 names, counted before any is
 * made. O(names).
 */
export function expandHostlist(text: string): Result<string[], string> {
  const parts = splitOutsideBrackets(text);
  if (!parts.ok) return parts;
  const names: Piece[][] = [];
  let total = 0;
  for (const part of parts.value) {
    const pieces = readPieces(part);
    if (!pieces.ok) return pieces;
    names.push(pieces.value);
    total += pieces.value.reduce((product, piece) => product * sizeOf(piece), 1);
    if (total > slotLimit) return tooMany(text);
  }
  return succeed(names.flatMap(expandPieces));
}

const refuse = (failure: string): { readonly ok: false; readonly failure: string } => ({ ok: false, failure });

const tooMany = (text: string): { readonly ok: false; readonly failure: string } =>
  refuse(`${quote(text)} stands for more than ${slotLimit.toLocaleString('en-US')} names, the most that are possible.`);

function splitOutsideBrackets(text: string): Result<string[], string> {
  const parts: string[] = [];
  let start = 0;
  let open = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '[' || letter === ']') {
      if (open === (letter === '[')) return refuse(`The brackets of ${quote(text)} do not match.`);
      open = !open;
    } else if (letter === ',' && !open) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (open) return refuse(`The bracket of ${quote(text)} is not closed. Was the file cut off here?`);
  parts.push(text.slice(start));
  return succeed(parts.map((part) => part.trim()).filter((part) => part !== ''));
}

function readPieces(part: string): Result<Piece[], string> {
  const pieces: Piece[] = [];
  for (const [piece] of part.matchAll(/\[[^\]]*\]|[^[\]]+/g)) {
    const ranges = piece.startsWith('[') ? readBracket(piece) : succeed(piece);
    if (!ranges.ok) return ranges;
    pieces.push(ranges.value);
  }
  return succeed(pieces);
}

function readBracket(bracket: string): Result<NumberRange[], string> {
  const ranges: NumberRange[] = [];
  for (const range of bracket.slice(1, -1).split(',')) {
    const [, first, last = first] = /^\s*(\d{1,15})(?:-(\d{1,15}))?\s*$/.exec(range) ?? [];
    if (first === undefined || last === undefined) {
      return refuse(`${quote(range)} in ${quote(bracket)} is neither a number nor a range like 1-8.`);
    }
    const [from, to] = [Number(first), Number(last)];
    if (to < from) return refuse(`The range ${quote(range)} runs backwards: write ${to}-${from}.`);
    ranges.push({ from, to, width: first.length });
  }
  return succeed(ranges);
}

const sizeOf = (piece: Piece): number =>
  typeof piece === 'string' ? 1 : piece.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** The product of what the pieces stand for. */
function expandPieces(pieces: readonly Piece[]): string[] {
  let names = [''];
  for (const piece of pieces) {
    const ends = typeof piece === 'string' ? [piece] : piece.flatMap(numbersOf);
    names = names.flatMap((name) => ends.map((end) => name + end));
  }
  return names;
}

const numbersOf = ({ from, to, width }: NumberRange): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(width, '0'));
