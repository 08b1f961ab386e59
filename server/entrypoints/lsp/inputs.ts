/** What the functions of `language/service` are given for an open document. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ServiceInput } from '../../language/service/input.ts';
import type { PlacementStatus } from '../../study/status.ts';
import type { Analysis } from './analyses.ts';
import type { Studies } from './studies.ts';

/** What editor features are given for an open document: its analysis and what is known of its placements, stale or not. */
export function inputOf(analysis: Analysis, studies: Studies): ServiceInput {
  const { uri, document, sources, checked } = analysis;
  const { summary } = studies.stateOf(uri);
  const stale = new Set<string>();
  for (const { name } of summary?.placements ?? []) {
    if (studies.reportOf(analysis, name).state !== 'fresh') stale.add(name);
  }
  const status = new Map<string, PlacementStatus>();
  for (const { name } of checked.program.placements) {
    const found = studies.statusOf(analysis, name);
    if (found.kind !== 'idle') status.set(name, found);
  }
  return { uri, document, sources, checked, summary, stale, status };
}

/** The same for a file that an open document imports and that is not open itself. */
export function importedInput({ sources, checked }: Analysis, uri: string): ServiceInput {
  const text = sources.files.get(uri)?.text ?? '';
  return { uri, document: TextDocument.create(uri, 'place', 0, text), sources, checked };
}
