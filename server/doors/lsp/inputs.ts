import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ServiceInput } from '../../language/service/input.ts';
import type { Analysis } from './analyses.ts';
import type { Studies } from './studies.ts';

/** What editor features are given for an open document: its analysis and the last study, stale or not. */
export function inputOf(analysis: Analysis, studies: Studies): ServiceInput {
  const { uri, document, sources, checked } = analysis;
  const { summary, kept } = studies.stateOf(uri);
  const stale = studies.isFresh(analysis) ? kept : new Set(summary?.placements.map(({ name }) => name));
  return { uri, document, sources, checked, summary, stale };
}

/** The same for a file that an open document imports and that is not open itself. */
export function importedInput({ sources, checked }: Analysis, uri: string): ServiceInput {
  const text = sources.files.get(uri)?.text ?? '';
  return { uri, document: TextDocument.create(uri, 'place', 0, text), sources, checked };
}
