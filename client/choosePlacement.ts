import { Uri, window } from 'vscode';
import type { SceneParameters } from '../server/protocol/messages.ts';
import type { Server } from './server.ts';

/** What a command was called with; menus pass a `Uri`, code lenses a string. */
export interface Given {
  readonly uri?: unknown;
  readonly placement?: unknown;
}

/**
 * The placement a command is about: the given one, else that of the picture in front, else the
 * only one of the document, else the one the user picks. Undefined where there is none or the
 * user thought better of it; then the user has been told.
 */
export async function choosePlacement(
  server: Server,
  given: Given,
  shown?: SceneParameters,
): Promise<SceneParameters | undefined> {
  if (given.uri === undefined && shown !== undefined) return shown;
  const uri = documentUri(given.uri);
  if (uri === undefined) {
    void window.showInformationMessage('Open a .place file first: its placements can then be shown and exported.');
    return undefined;
  }
  if (typeof given.placement === 'string') return { uri, placement: given.placement };
  const placements = await server.placements({ uri });
  if (placements.length === 0) {
    void window.showInformationMessage('This file declares no placement yet. Type "placement" for a start.');
    return undefined;
  }
  const [only] = placements;
  if (placements.length === 1 && only !== undefined) return { uri, placement: only.name };
  const items = placements.map(({ name, range, state }) => ({
    label: name,
    description: `line ${range.start.line + 1}${state === 'fresh' ? '' : `, ${stateWords[state]}`}`,
  }));
  const picked = await window.showQuickPick(items, { title: 'Placewright', placeHolder: 'Which placement?' });
  return picked === undefined ? undefined : { uri, placement: picked.label };
}

const stateWords = { stale: 'of the last save', missing: 'not worked out' } as const;

function documentUri(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (given instanceof Uri) return given.toString();
  const document = window.activeTextEditor?.document;
  if (document?.languageId === 'place') return document.uri.toString();
  return window.visibleTextEditors.find((editor) => editor.document.languageId === 'place')?.document.uri.toString();
}
