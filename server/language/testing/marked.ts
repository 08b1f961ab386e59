import { fail, succeed } from '../../model/result.ts';
import { checkSources, type CheckedProgram } from '../check.ts';
import { gatherSources, type Sources } from '../sources.ts';
import type { Problem, Span } from '../tree.ts';

/**
 * Tests of the language are texts in which ⟦…⟧ stands round every place that must be
 * underlined, with the expected problems in the same order.
 */
const folder = 'file:///study/';
export const mainUri = `${folder}main.place`;
export const uriOf = (path: string): string => folder + encodeURI(path);

export interface Checked {
  readonly text: string;
  readonly sources: Sources;
  readonly program: CheckedProgram;
  /** Of the main file. */
  readonly problems: readonly Problem[];
}

/** Reads and checks a text as `main.place`, with other files beside it by path. */
export async function checkText(text: string, files: Readonly<Record<string, string>> = {}): Promise<Checked> {
  const texts = new Map([[mainUri, text]]);
  for (const [path, content] of Object.entries(files)) texts.set(uriOf(path), content);
  const sources = await gatherSources(mainUri, (uri) => {
    const found = texts.get(uri);
    return Promise.resolve(found === undefined ? fail('no-file', `there is no file ${uri}.`) : succeed(found));
  });
  const program = checkSources(sources);
  return { text, sources, program, problems: program.problems.get(mainUri) ?? [] };
}

/** The text without its markers, and what they stand round. Markers may be nested. */
export function unmark(marked: string): { readonly text: string; readonly spans: readonly Span[] } {
  let text = '';
  const open: number[] = [];
  const spans: { start: number; end: number }[] = [];
  for (const character of marked) {
    if (character === '⟦') {
      open.push(spans.length);
      spans.push({ start: text.length, end: text.length });
    } else if (character === '⟧') {
      const span = spans[open.pop() ?? -1];
      if (span === undefined) throw new Error(`A ⟧ closes nothing in ${marked}`);
      span.end = text.length;
    } else text += character;
  }
  return { text, spans };
}

/** `⟦text⟧ code` of every problem, in order: what a table of cases compares. */
export const describeProblems = (text: string, problems: readonly (Span & { readonly code: string })[]): string[] =>
  problems.map(({ start, end, code }) => `${start}-${end} ⟦${text.slice(start, end)}⟧ ${code}`);

/** What the markers ask for, in the same words. */
export function expectedProblems(marked: string, codes: readonly string[]): string[] {
  const { text, spans } = unmark(marked);
  if (spans.length !== codes.length) throw new Error(`${spans.length} markers for ${codes.length} codes in ${marked}`);
  return describeProblems(
    text,
    spans.map((span, index) => ({ ...span, code: codes[index] ?? '' })),
  );
}
