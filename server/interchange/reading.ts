import type { Cancellation } from '../model/cancellation.ts';
import { withoutControls, type Result, cancelled, succeed } from '../model/result.ts';

/**
 * Ends a reading: readers stop at the next line once the flag is up and answer with what they have, which is then
 * thrown away here. So no loop of theirs needs a way out of its own.
 */
export function ending<Value>(cancellation: Cancellation, read: () => Result<Value>): Result<Value> {
  if (cancellation.isCancelled()) return cancelled();
  const result = read();
  return cancellation.isCancelled() ? cancelled() : result;
}

/**
 * Calls a library that throws at damaged text, or at text that it cannot cope with: its error becomes the end of a
 * sentence, on one line. Only library code may run inside, so that faults of our own stay exceptions.
 */
export function calling<Value>(library: () => Value, sentence: string): Result<Value, string> {
  try {
    return succeed(library());
  } catch (error) {
    const reason = error instanceof Error ? oneLine(error.message) : 'it cannot be read';
    return { ok: false, failure: `${sentence}: ${reason}.` };
  }
}

/** A library's message on one line, without the stop at its end. */
export function oneLine(message: string): string {
  const line = withoutControls(message.slice(0, 300).replace(/\s+/g, ' ').trim());
  return line.replace(/[.:\s]+$/, '');
}
