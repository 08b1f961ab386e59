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
  return { ok: false, failure: { code, message } };
}

/** The code of the failure that a cancelled computation returns. */
export const cancelledCode = 'cancelled';

export const cancelled = (): { readonly ok: false; readonly failure: Failure } =>
  fail(cancelledCode, 'The computation was cancelled.');

/** A text of the user in a message: cut, and without control characters. */
export const quote = (text: string): string => `'${withoutControls(text.slice(0, 40))}${text.length > 40 ? '…' : ''}'`;

/** A text for one line of a message: what could move a cursor or break the line is replaced by �. */
export const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
