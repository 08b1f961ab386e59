import { type Cancellation, neverCancelled } from '../../model/cancellation.ts';
import { type Result, fail } from '../../model/result.ts';

export interface TextLine {
  /** Counted from 1. */
  readonly line: number;
  readonly content: string;
}

/** How many lines are read between two looks at the flag. */
const linesBetweenLooks = 1024;

/** The lines of a text, whatever ends them, without their ends; no more once the flag is up. */
export function* linesOf(text: string, cancellation: Cancellation = neverCancelled): Generator<TextLine> {
  const end = /\r\n|\n|\r/g;
  for (let [line, start] = [1, 0]; start <= text.length; line++) {
    if (line % linesBetweenLooks === 0 && cancellation.isCancelled()) return;
    const stop = end.exec(text)?.index ?? text.length;
    yield { line, content: text.slice(start, stop) };
    start = stop === text.length ? stop + 1 : end.lastIndex;
  }
}

/** What stands before a `#`. */
export function withoutComment(content: string): string {
  const at = content.indexOf('#');
  return at < 0 ? content : content.slice(0, at);
}

/** A failure of a reader, with its place. */
export const complain = (fileName: string, line: number, message: string): Extract<Result<never>, { ok: false }> =>
  fail('bad-fabric', `${fileName}:${line}: ${message}`);
