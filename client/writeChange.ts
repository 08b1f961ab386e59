/** What was looked at in a picture, into the text. */
import { l10n, Range, Uri, ViewColumn, window, workspace, WorkspaceEdit } from 'vscode';
import type { ChangeEditsAnswer, ChangeParameters } from '../server/protocol/messages.ts';
import type { Server } from './server.ts';

/** What came of it, as a sentence. */
interface Written {
  readonly text: string;
  readonly isFault: boolean;
}

/** Writes a change of a placement into its text, to be undone like any other. */
export const writeChange = async (server: Server, change: ChangeParameters): Promise<Written> =>
  writeEdits(await server.ask('changeEdits', change));

/** The same of what the server has answered. */
export async function writeEdits(answer: ChangeEditsAnswer): Promise<Written> {
  if (!answer.ok) return { text: answer.message, isFault: true };
  const isWritten = await apply(answer);
  if (!isWritten) return { text: l10n.t('The text has changed. Nothing was written.'), isFault: true };
  const text = l10n.t('Written: {0}. Save the file to evaluate it, or undo.', answer.title);
  return { text: answer.note === undefined ? text : `${text} ${answer.note}`, isFault: false };
}

async function apply({ uri, edits }: Extract<ChangeEditsAnswer, { ok: true }>): Promise<boolean> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const change = new WorkspaceEdit();
  for (const { range, before, text } of edits) {
    const { start, end } = range;
    const place = new Range(start.line, start.character, end.line, end.character);
    if (document.getText(place) !== before) return false;
    change.replace(document.uri, place, text);
  }
  // A change that nobody sees would be lost with the next one.
  if (!window.visibleTextEditors.some((editor) => editor.document === document)) {
    await window.showTextDocument(document, { viewColumn: ViewColumn.One, preserveFocus: true, preview: false });
  }
  return workspace.applyEdit(change);
}
