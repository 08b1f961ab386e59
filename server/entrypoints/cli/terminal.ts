/** The terminal as commands see it, exit codes, wrong usage, and the line of progress. */
import { largestOf } from '../../model/lists.ts';
import { readSync } from 'node:fs';
import type { Cancellation, ReportProgress } from '../../model/cancellation.ts';
import { countOf, formatNumber, roughTime } from '../../model/quantities.ts';
import type { Failure } from '../../model/result.ts';

/** Where a command writes. */
export interface Output {
  /** Text for people, on standard output. */
  readonly out: (text: string) => void;
  /** Text for programs, on standard output: pictures, exports, JSON. */
  readonly data: (text: string) => void;
  /** Messages, on standard error. */
  readonly err: (text: string) => void;
  /** The line on standard error that says how far a command is, in the place of the one before; '' takes it away. */
  readonly progress: (text: string) => void;
}

/** Where a command reads and writes; tests give their own. */
export interface Terminal extends Output {
  /** Standard input, which can be read once: fills the bytes from their beginning, and says how many it filled; 0 at its end. */
  readonly read: (bytes: Uint8Array) => number;
}

/** Standard input of the process, in any of its threads. */
export const readStandardInput: Terminal['read'] = (bytes) => readSync(0, bytes);

/** What a command that computes is given. */
export interface Environment {
  readonly terminal: Terminal;
  readonly cancellation: Cancellation;
  /** Whether somebody looks at stderr, so that progress is worth showing. */
  readonly isWatched: boolean;
}

/** What the shell is told; docs/reference/command-line.md, "Exit codes". */
export const exitCodes = { good: 0, fileHasErrors: 1, wrongUsage: 2, fault: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Wrong use of the command line: the user reads the message and exit code 2 follows. */
export class UsageError extends Error {}

/** `a, b, c` of the names to choose from, or words for none. */
export const listNames = (names: Iterable<string>): string => [...names].join(', ') || 'none';

/** Rows in columns two blanks apart, no blanks at the end of lines. */
export function align(rows: readonly (readonly string[])[], sides: readonly ('left' | 'right')[]): string[] {
  const widths = sides.map((_, column) =>
    Math.max(0, largestOf(rows.map((row) => terminalColumns(row[column] ?? '')))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const blanks = ' '.repeat(Math.max(0, (widths[column] ?? 0) - terminalColumns(cell)));
        return sides[column] === 'right' ? blanks + cell : cell + blanks;
      })
      .join('  ')
      .trimEnd(),
  );
}

const marks = /\p{M}/gu;
const wideLetters = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Columns of a terminal that a text takes: none for a mark on a letter, two for a letter of East Asia. */
function terminalColumns(text: string): number {
  const letters = text.replace(marks, '');
  return Array.from(letters).length + (letters.match(wideLetters)?.length ?? 0);
}

/** Says what failed, where there is no place in a text to name. */
export function printFailure({ code, message }: Failure, terminal: Terminal): void {
  terminal.err(`placewright: error: ${message} [${code}]\n`);
}

/**
 * A terminal on two streams, and the standard input of the process. Names come from files that somebody else wrote, and terminals obey what stands in
 * them: control characters (C0 but for line feeds and tabs, DEL, C1) and those that change the direction of
 * writing are shown as `\u001b`. What programs read is left as it is. The line of progress is cut where it would go on in a second
 * line, which nobody takes away.
 */
export function terminalOn(
  out: (text: string) => void,
  err: (text: string) => void,
  columns: () => number = () => Infinity,
): Terminal {
  return {
    read: readStandardInput,
    out: (text) => {
      out(printable(text));
    },
    data: out,
    err: (text) => {
      err(printable(text));
    },
    progress: (text) => {
      err(text === '' ? '\r\u001b[K' : `\r${printable(text).slice(0, columns() - 1)}\u001b[K`);
    },
  };
}

const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const printable = (text: string): string =>
  text.replace(unprintable, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Seconds: what takes less is done before anybody wonders. */
const soon = 10;

/** Says on stderr, before it begins, about how long something takes; nothing of what is soon done. */
export function tellOfTime(what: string, seconds: number, { err }: Pick<Terminal, 'err'>): void {
  if (seconds > soon) err(`placewright: ${what} uses ${expectedTime(seconds)} of processor time.\n`);
}

const secondsOfYear = 365.25 * 86_400;
/** Years: nobody waits for more. */
const longest = 1000;

function expectedTime(seconds: number): string {
  const years = seconds / secondsOfYear;
  if (years > longest) return `more than ${formatNumber(longest)} years`;
  return years < 1 ? `about ${roughTime(seconds)}` : `about ${countOf(Math.round(years), 'year')}`;
}

const cellsOfBar = 20;

/** `█████░░░░░`, of a share from 0 to 1: full only where all is done. */
function barOf(share: number): string {
  const full = Math.floor(cellsOfBar * Math.min(1, Math.max(0, share)));
  return '█'.repeat(full) + '░'.repeat(cellsOfBar - full);
}

/** Milliseconds before anything is said, and between two updates. */
const silentFor = 1000;
const updateEvery = 200;

/**
 * One line on stderr with a bar that says how far a long computation is, where a user is looking at it;
 * `clear` takes it away.
 */
export function progressLine(
  terminal: Pick<Terminal, 'progress'>,
  isWatched: boolean,
  now = (): number => performance.now(),
): { readonly report: ReportProgress; readonly clear: () => void } {
  let next = now() + silentFor;
  let shown = false;
  return {
    report(share, message) {
      if (!isWatched || now() < next) return;
      next = now() + updateEvery;
      shown = true;
      terminal.progress(`${barOf(share)} ${String(Math.floor(100 * share)).padStart(2)} % ${message}`);
    },
    clear() {
      if (shown) terminal.progress('');
    },
  };
}
