/**
 * Expected failures are values. A caller cannot reach the value of a {@link Result}
 * without having looked at `ok`; exceptions are left for our own bugs.
 */
export interface Failure {
  /** Stable, kebab-case, shown in brackets after the message: `does-not-fit`. */
  readonly code: string;
  /** One sentence that says what was wrong and what to do. No trailing newline. */
  readonly message: string;
  /** A property that mends it when it is added to the declaration, where one does. */
  readonly remedy?: string;
}

export type Result<Value, Fault = Failure> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Fault };

export function succeed<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function fail(code: string, message: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code, message: withShortNames(message) } };
}

/** Letters of a name that a message shows at its beginning and at its end. */
const shownLetters = 100;

/** A name or a path for a message: of a very long one the middle is left out. */
export const shortened = (text: string): string =>
  text.length <= 3 * shownLetters ? text : `${text.slice(0, shownLetters)}…${text.slice(-shownLetters)}`;

const longWord = new RegExp(`\\S{${3 * shownLetters + 1},}`, 'gu');
const longCode = new RegExp(`\`[^\`]{${3 * shownLetters + 1},}\``, 'gu');

/** A message in which no name is longer than a reader can use: files and texts may have names of any length. */
export const withShortNames = (message: string): string =>
  message.length <= 3 * shownLetters ? message : message.replace(longCode, shortened).replace(longWord, shortened);

/** The code of the failure that a cancelled computation returns. */
export const cancelledCode = 'cancelled';

export const cancelled = (): { readonly ok: false; readonly failure: Failure } =>
  fail(cancelledCode, 'The computation was cancelled.');

/** A text of the user in a message: cut, and without control characters. */
export const quote = (text: string): string => `'${withoutControls(text.slice(0, 40))}${text.length > 40 ? '…' : ''}'`;

/** A text for one line of a message: what could move a cursor or break the line is replaced by �. */
export const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\u{fffd}');

/** An object or a list: what a member can be looked up in. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
