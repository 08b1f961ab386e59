import { type Result, succeed } from '../../model/result.ts';
import { oneLine } from '../reading.ts';
import { badFabric } from './builder.ts';

/** Reading JSON of other tools: its documents, and questions to values of which nothing is known. */

/** Letters of the largest file that is read: the parser's objects take ten times the text. */
export const largestJson = 32 * 2 ** 20;

/** More documents than that one after another are no file of a cluster. */
const mostDocuments = 2 ** 16;

/**
 * The documents of a text: one, or several that were written one after another. Fails with the line where it is no
 * JSON. O(text).
 */
export function readJson(text: string, fileName: string): Result<readonly unknown[]> {
  const whole = parse(text);
  if (whole.ok) return succeed([whole.value]);
  const { found: parts, open } = documentsOf(text);
  if (open) return refuse(text, text.length, 'Unexpected end of JSON input', fileName);
  if (parts.length < 2 || parts.length > mostDocuments) return refuse(text, 0, whole.failure, fileName);
  const documents: unknown[] = [];
  for (const { start, end } of parts) {
    const part = parse(text.slice(start, end));
    if (!part.ok) return refuse(text, start, part.failure, fileName);
    documents.push(part.value);
  }
  return succeed(documents);
}

function parse(text: string): Result<unknown, string> {
  try {
    return succeed(JSON.parse(text) as unknown);
  } catch (error) {
    return { ok: false, failure: error instanceof Error ? error.message : 'it cannot be read' };
  }
}

/** Parsers tell the position, or that the end came too soon. */
function refuse(text: string, start: number, message: string, fileName: string): Result<never> {
  const position = positionIn(text.slice(start), message);
  const isCut = position === undefined || start + position >= text.trimEnd().length;
  const at = isCut ? text.trimEnd().length : start + position;
  const reason = oneLine(message.replace(/ in JSON at position.*$| \(line \d+ column \d+\)$|, (?:\.\.\.)?".*$/s, ''));
  const cut = isCut ? ' Was the file cut off here?' : '';
  return badFabric(fileName, lineAt(text, at), `The file is not JSON: ${reason}.${cut}`);
}

/** Where the parser stopped: it says so, or shows the letters round the place, ten before it. */
function positionIn(text: string, message: string): number | undefined {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, token = '', dots, shown = ''] = /^Unexpected token '?(.+?)'?, (\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? []; // prettier-ignore
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
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
