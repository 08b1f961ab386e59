/**
 * The first half of the way from a text to its reports, for the editor and the command line: texts are read and checked
 * once, where a study is asked for. What comes of them is plain data and may go to another thread: see `evaluation.ts`.
 */
import { checkSources, type CheckedProgram } from '../language/check.ts';
import { gatherSources, type ReadText, type Sources } from '../language/sources.ts';
import type { DeclarationNode } from '../language/tree.ts';

export interface CheckedSources {
  readonly sources: Sources;
  readonly checked: CheckedProgram;
}

/** Reads a file with all it imports, and checks it. Files whose text is that of `previous` are not parsed again. */
export async function readAndCheck(uri: string, read: ReadText, previous?: Sources): Promise<CheckedSources> {
  const sources = await gatherSources(uri, read, previous);
  return { sources, checked: checkSources(sources) };
}

/** Names of all declarations of a kind, those with errors included, in the order of the texts. */
export const declaredNames = (sources: Sources, kind: DeclarationNode['kind']): readonly string[] =>
  [...sources.files.values()]
    .flatMap(({ tree }) => tree.declarations)
    .flatMap((declaration) => (declaration.kind === kind && declaration.name ? [declaration.name.text] : []));
