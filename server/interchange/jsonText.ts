import { fail, quote, type Result, succeed } from '../model/result.ts';
import { oneLine, UnknownNames } from './reading.ts';

/** Reading JSON of other tools: its documents, and questions to values of which nothing is known. */

/** Letters of the largest file that is read: the parser's objects take ten times the text. */
export const largestJson = 32 * 2 ** 20;

/** More documents than that one after another are no file of a cluster. */
const mostDocuments = 2 ** 16;

/**
 * The documents of a text: one, or several that were written one after another. Fails with the line where it is no
 * JSON. O(text).
 */
export function readJson(text: string, fileName: string, code = 'bad-fabric'): Result<readonly unknown[]> {
  const refused = (start: number, message: string): Result<never> =>
    fail(code, `${fileName}:${jsonReason(text, start, message)}`);
  const whole = parseJson(text);
  if (whole.ok) return succeed([whole.value]);
  const { found: parts, open } = documentsOf(text);
  if (open) return refused(text.length, 'Unexpected end of JSON input');
  if (parts.length < 2 || parts.length > mostDocuments) return refused(0, whole.failure);
  const documents: unknown[] = [];
  for (const { start, end } of parts) {
    const part = parseJson(text.slice(start, end));
    if (!part.ok) return refused(start, part.failure);
    documents.push(part.value);
  }
  return succeed(documents);
}

function parseJson(text: string): Result<unknown, string> {
  try {
    return succeed(JSON.parse(text) as unknown);
  } catch (error) {
    return { ok: false, failure: error instanceof Error ? error.message : 'it cannot be read' };
  }
}

/** The line, and what the parser says; it tells the position, or that the end came too soon. */
function jsonReason(text: string, start: number, message: string): string {
  const position = positionIn(text.slice(start), message);
  const isCut = position === undefined || start + position >= text.trimEnd().length;
  const at = isCut ? text.trimEnd().length : start + position;
  const reason = oneLine(message.replace(/ in JSON at position.*$| \(line \d+ column \d+\)$|, (?:\.\.\.)?".*$/s, ''));
  const cut = isCut ? ' The file may be truncated.' : '';
  return `${lineAt(text, at)}: The file is not JSON: ${reason}.${cut}`;
}

/** Where the parser stopped: it says so, or shows the letters round the place, ten before it. */
function positionIn(text: string, message: string): number | undefined {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, token = '', dots, shown = ''] =
    /^Unexpected token '?(.+?)'?, (\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? [];
  const at = shown === '' ? -1 : text.indexOf(shown);
  return at < 0 ? undefined : at + (dots === undefined ? Math.max(0, shown.indexOf(token)) : 10);
}

/** Where the values at the top of a text begin and end, by their brackets; `open` where one does not end behind another that does. */
function documentsOf(text: string): {
  readonly found: readonly { readonly start: number; readonly end: number }[];
  readonly open: boolean;
} {
  const found: { start: number; end: number }[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (piece === '{' || piece === '[') {
      if (depth++ === 0) start = index;
    } else if ((piece === '}' || piece === ']') && --depth === 0) {
      found.push({ start, end: index + 1 });
      if (found.length > mostDocuments) break;
    }
  }
  return { found, open: depth > 0 && found.length > 0 };
}

const lineAt = (text: string, at: number): number => {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
  return line;
};

/** The line on which a word first stands between quotes; 1 where it does not. Only where something is wrong. O(text). */
export function lineOfWord(text: string, word: string): number {
  const at = text.indexOf(JSON.stringify(word));
  return at < 0 ? 1 : lineAt(text, at);
}

/**
 * The line on which a value stands in a text that is JSON, by the keys and indices that lead to it; of what is not there that of
 * what should hold it. Only where something is wrong. O(text).
 */
export function lineOfValue(text: string, path: readonly (string | number)[]): number {
  const walk = new ValueWalk(path);
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs)) {
    if (!walk.goesOn(piece, index)) break;
  }
  return lineAt(text, walk.found);
}

/** The way through the pieces of a text that is JSON to one value of it. */
class ValueWalk {
  readonly #path: readonly (string | number)[];
  /** Where the innermost value begins that was found. */
  found = 0;
  /** Values on the path that were found, the top itself the first; brackets that are open. */
  #matched = 0;
  #depth = 0;
  /** Of the innermost value that was found, where it is a list or an object: the item or key that comes. */
  #next: string | number = 0;
  #isKey = false;

  constructor(path: readonly (string | number)[]) {
    this.#path = path;
  }

  /** False where nothing further is looked for. */
  goesOn(piece: string, index: number): boolean {
    const isInside = this.#depth === this.#matched;
    if (piece === ']' || piece === '}') {
      this.#depth--;
      return !isInside;
    }
    if (piece === ',' || piece === ':') {
      if (isInside && piece === ',') this.#toNext();
    } else if (isInside && this.#isKey) {
      this.#next = JSON.parse(piece) as string;
      this.#isKey = false;
    } else return this.#value(piece, index, isInside);
    return true;
  }

  #toNext(): void {
    if (typeof this.#next === 'number') this.#next++;
    else this.#isKey = true;
  }

  #value(piece: string, index: number, isInside: boolean): boolean {
    const isOpening = piece === '[' || piece === '{';
    if (isOpening) this.#depth++;
    if (!isInside || (this.#matched > 0 && this.#next !== this.#path[this.#matched - 1])) return true;
    this.found = index;
    this.#matched++;
    this.#next = piece === '[' ? 0 : '';
    this.#isKey = piece === '{';
    return isOpening && this.#matched <= this.#path.length;
  }
}

/** The members of an object; none of anything else. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** The value of a key that the object itself has. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    const members = membersOf(found);
    found = Object.hasOwn(members, key) ? members[key] : undefined;
  }
  return found;
}

/** The items of an array; a single value is one, nothing is none. */
export const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value];

/** A text, or a number as one; '' of anything else. */
export const scalarText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/**
 * The members that a format knows, those that it reads and those that it passes over on purpose; `'any'` for all below one. The name `*` is
 * for every other name. Lists are gone through.
 */
export interface KnownMembers {
  readonly [name: string]: KnownMembers | 'any';
}

/** Members that stand for nothing that a network is made of, by name. */
export const passedOver = (...names: readonly string[]): KnownMembers =>
  Object.fromEntries(names.map((name) => [name, 'any' as const]));

/** A value of a file of which members may be asked, with the lines of their names where these are known. */
export interface MemberTree<Value> {
  readonly members: (value: Value) => readonly (readonly [name: string, value: Value, line?: number])[];
  readonly items: (value: Value) => readonly Value[];
}

const jsonTree: MemberTree<unknown> = {
  members: (value) => (Array.isArray(value) ? [] : Object.entries(membersOf(value))),
  items: (value) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]),
};

/** A warning for each name that a format does not know, with its number and its first line. O(members). */
export function warningsOfUnknown<Value>(
  values: readonly Value[],
  known: KnownMembers,
  { members, items }: MemberTree<Value>,
  lineOf: (name: string) => number,
): readonly { readonly line: number; readonly message: string }[] {
  const unknown = new UnknownNames();
  const visit = (value: Value, inside: KnownMembers): void => {
    for (const item of items(value)) {
      for (const [name, member, line] of members(item)) {
        const below = Object.hasOwn(inside, name) ? inside[name] : inside['*'];
        if (below === 'any') continue;
        if (below !== undefined) visit(member, below);
        else unknown.add(name, line ?? (() => lineOf(name)));
      }
    }
  };
  for (const value of values) visit(value, known);
  return unknown.warnings((name) => `Unknown member ${quote(oneLine(name))}`);
}

/** The same of JSON. */
export const unknownInJson = (text: string, documents: readonly unknown[], known: KnownMembers) =>
  warningsOfUnknown(documents, known, jsonTree, (name) => lineOfWord(text, name));
