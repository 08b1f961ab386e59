import { countOf, formatNumber } from './quantities.ts';
import { quote, type Result, succeed } from './result.ts';

/** Most names that the lists of one file or one declaration may stand for, and most letters of all of them. */
export const hostNameLimit = 2 ** 20;
const letterLimit = 2 ** 24;

/** What the hostlists of one file may still be expanded to: a line of 34 bytes can stand for millions of names. */
export class NameBudget {
  private names = 0;
  private letters = 0;
  private readonly most: number;

  /** `most`: how many names there may be, where fewer are of use. */
  constructor(most = hostNameLimit) {
    this.most = most;
  }

  /** Why so many more cannot be had, as a sentence; undefined where they are taken. */
  take(names: number, letters: number, text: string): string | undefined {
    this.names += names;
    this.letters += letters;
    if (this.names > this.most) {
      return `With ${quote(text)} there are more than ${formatNumber(this.most)} names, the most that are read.`;
    }
    if (this.letters <= letterLimit) return undefined;
    const most = letterLimit / 2 ** 20;
    return `${quote(text)} expands the host names to more than ${most} million characters, the maximum.`;
  }
}

/** Whole numbers from one to another, padded with zeros to a width. */
interface NumberRange {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Brackets that a name may have; those of machines have two or three. */
const bracketLimit = 16;

/** A piece of a name: itself, or the numbers in a bracket. */
type Piece = string | readonly NumberRange[];

/**
 * Expands a hostlist of Slurm as `scontrol show hostnames` does: names separated by commas, where `[…]` stands
 * for numbers and ranges of them, zero-padded as their first number is: `n[08-11,20],rack[1-2]node[1-4]`.
 * The last bracket runs fastest. Names and letters are taken from the budget before any name is made. Fails with
 * a sentence without its place. O(text + letters of the names).
 */
export function expandHostlist(text: string, budget = new NameBudget()): Result<string[], string> {
  const parts = readParts(text);
  if (!parts.ok) return parts;
  let names = 0;
  let letters = 0;
  for (const pieces of parts.value) {
    const size = expandedSize(pieces);
    names += size.names;
    letters += size.letters;
  }
  const excess = budget.take(names, letters, text);
  if (excess !== undefined) return badHostlist(excess);
  const expanded: string[] = [];
  for (const pieces of parts.value) expandPieces(pieces, 0, '', expanded);
  return succeed(expanded);
}

/** How many names a hostlist stands for, without making them; fails as {@link expandHostlist} does. O(text). */
export function countHostlist(text: string): Result<number, string> {
  const parts = readParts(text);
  if (!parts.ok) return parts;
  const sizes = parts.value.map(expandedSize);
  const names = sizes.reduce((sum, size) => sum + size.names, 0);
  const letters = sizes.reduce((sum, size) => sum + size.letters, 0);
  const excess = new NameBudget().take(names, letters, text);
  return excess === undefined ? succeed(names) : badHostlist(excess);
}

/** A name or address that every launcher reads as one word. */
export const isHostName = (name: string): boolean => /^[A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?$/.test(name);

/** `%d`, `%05d`: the number of the node, as C's printf writes it. */
const numberOfNode = /%(?:0(\d))?d/g;

/**
 * Host names as users write them for the nodes of a machine: `nid%05d` with the number of the node, of all of them; else a hostlist as
 * Slurm writes it. Fails with a sentence without its place, also for an invalid host name. O(letters of the names).
 */
export function expandHostNames(text: string, nodeCount: number): Result<readonly string[], string> {
  if (text.includes('%')) {
    const name = (node: number): string =>
      text.replace(numberOfNode, (_, width: string | undefined) => String(node).padStart(Number(width ?? 0), '0'));
    if (isHostName(name(0)) && name(0) !== name(1)) {
      return succeed(Array.from({ length: nodeCount }, (_, node) => name(node)));
    }
    return badHostlist(`${quote(text)} is the same for all nodes. Write %d or %05d for the node number.`);
  }
  const names = expandHostlist(text);
  const unusable = names.ok ? names.value.find((name) => !isHostName(name)) : undefined;
  return unusable === undefined ? names : badHostlist(`Invalid host name ${quote(unusable)}.`);
}

/**
 * The host names of so many nodes, by NodeId, as {@link expandHostNames} reads them. Fails with a sentence where they are fewer or more, or two are
 * the same. O(letters).
 */
export function namesForNodes(written: string, nodeCount: number): Result<readonly string[], string> {
  const count = written.includes('%') ? succeed(nodeCount) : countHostlist(written);
  if (count.ok && count.value !== nodeCount) {
    const names = count.value === 1 ? 'is 1 name' : `are ${formatNumber(count.value)} names`;
    return badHostlist(
      `There ${names} in ${quote(written)}, and the machine has ${countOf(nodeCount, 'node')}: name each in the order of their numbers.`,
    );
  }
  const names = count.ok ? expandHostNames(written, nodeCount) : count;
  if (!names.ok) return badHostlist(names.failure.startsWith("'") ? `The text ${names.failure}` : names.failure);
  const seen = new Set<string>();
  const twice = names.value.find((name) => seen.size === seen.add(name).size);
  return twice === undefined ? names : badHostlist(`Two nodes are called ${quote(twice)} in ${quote(written)}.`);
}

/**
 * Names as a hostlist: runs of numbers behind the same letters are joined, `n[01-03,07],login`. The order is kept:
 * expanded again, it gives the names as they came. O(letters).
 */
export function hostlistOf(names: readonly string[]): string {
  const groups: { head: string; ranges: { from: number; to: number; width: number }[] }[] = [];
  for (const name of names) {
    const [, head = name, digits = ''] = /^(.*?)(\d{0,15})$/s.exec(name) ?? [];
    const last = groups.at(-1);
    if (digits === '' || last?.head !== head || last.ranges.length === 0) {
      const number = { from: Number(digits), to: Number(digits), width: digits.length };
      groups.push({ head, ranges: digits === '' ? [] : [number] });
      continue;
    }
    const run = last.ranges.at(-1)!;
    const number = Number(digits);
    if (number === run.to + 1 && String(number).padStart(run.width, '0') === digits) run.to = number;
    else last.ranges.push({ from: number, to: number, width: digits.length });
  }
  return groups.map(({ head, ranges }) => head + bracketOf(ranges)).join(',');
}

function bracketOf(ranges: readonly NumberRange[]): string {
  const texts = ranges.map(({ from, to, width }) => {
    const first = String(from).padStart(width, '0');
    return to === from ? first : `${first}-${String(to).padStart(width, '0')}`;
  });
  const [only] = ranges;
  if (only === undefined) return '';
  return ranges.length === 1 && only.from === only.to ? texts[0]! : `[${texts.join(',')}]`;
}

const badHostlist = (failure: string): { readonly ok: false; readonly failure: string } => ({ ok: false, failure });

function readParts(text: string): Result<(readonly Piece[])[], string> {
  const parts = splitOutsideBrackets(text);
  if (!parts.ok) return parts;
  const read: (readonly Piece[])[] = [];
  for (const part of parts.value) {
    const pieces = readPieces(part);
    if (!pieces.ok) return pieces;
    read.push(pieces.value);
  }
  return succeed(read);
}

function splitOutsideBrackets(text: string): Result<string[], string> {
  const parts: string[] = [];
  let start = 0;
  let open = false;
  for (const { 0: letter, index } of text.matchAll(/[[\],]/g)) {
    if (letter === ',') {
      if (open) continue;
      parts.push(text.slice(start, index));
      start = index + 1;
    } else if (open === (letter === '[')) return badHostlist(`The brackets of ${quote(text)} do not match.`);
    else open = !open;
  }
  if (open) return badHostlist(`The bracket of ${quote(text)} is not closed. The file may be truncated.`);
  parts.push(text.slice(start));
  return succeed(parts.map((part) => part.trim()).filter((part) => part !== ''));
}

function readPieces(part: string): Result<Piece[], string> {
  const pieces: Piece[] = [];
  for (const [piece] of part.matchAll(/\[[^\]]*\]|[^[\]]+/g)) {
    const ranges = piece.startsWith('[') ? readBracket(piece) : succeed(piece);
    if (!ranges.ok) return ranges;
    if (pieces.push(ranges.value) > 2 * bracketLimit)
      return badHostlist(`${quote(part)} has more than ${bracketLimit} brackets.`);
  }
  return succeed(pieces);
}

function readBracket(bracket: string): Result<NumberRange[], string> {
  const ranges: NumberRange[] = [];
  for (const range of bracket.slice(1, -1).split(',')) {
    const [, first, last = first] = /^\s*(\d{1,15})(?:-(\d{1,15}))?\s*$/.exec(range) ?? [];
    if (first === undefined || last === undefined) {
      return badHostlist(`${quote(range)} in ${quote(bracket)} is neither a number nor a range like 1-8.`);
    }
    const [from, to] = [Number(first), Number(last)];
    if (to < from) return badHostlist(`The range ${quote(range)} runs backwards: write ${to}-${from}.`);
    ranges.push({ from, to, width: first.length });
  }
  return succeed(ranges);
}

/** How many names the pieces stand for, and at most how many letters those have. */
function expandedSize(pieces: readonly Piece[]): { readonly names: number; readonly letters: number } {
  let names = 1;
  let width = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      width += piece.length;
      continue;
    }
    names *= piece.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    width += piece.reduce((most, range) => Math.max(most, range.width, String(range.to).length), 0);
  }
  return { names, letters: names * width };
}

/** Adds what the pieces from `at` on stand for, each behind `head`. As deep as a name has pieces. */
function expandPieces(pieces: readonly Piece[], at: number, head: string, names: string[]): void {
  const piece = pieces[at];
  if (piece === undefined) names.push(head);
  else if (typeof piece === 'string') expandPieces(pieces, at + 1, head + piece, names);
  else {
    for (const { from, to, width } of piece) {
      for (let number = from; number <= to; number++) {
        expandPieces(pieces, at + 1, head + String(number).padStart(width, '0'), names);
      }
    }
  }
}
