import { type Result, fail } from '../../model/result.ts';

export interface TextLine {
  /** Counted from 1. */
  readonly line: number;
  readonly content: string;
}

/** The lines of a text, whatever ends them, without their ends. */
export function* linesOf(text: string): Generator<TextLine> {
  let line = 0;
  for (const content of text.split(/\r\n|\n|\r/)) yield { line: ++line, content };
}

/** A failure of a reader, with its place. */
export const complain = (fileName: string, line: number, message: string): Extract<Result<never>, { ok: false }> =>
  fail('bad-fabric', `${fileName}:${line}: ${message}`);

/** `1 host`, `3 hosts`, `2 switches`. */
export function count(amount: number, what: string, plural = `${what}s`): string {
  return `${amount} ${amount === 1 ? what : plural}`;
}
