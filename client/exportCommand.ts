import { window, type Uri } from 'vscode';
import type { SceneParameters } from '../server/protocol/messages.ts';
import { choosePlacement, type Given } from './choosePlacement.ts';
import type { Server } from './server.ts';
import { asUri, besideDocument, mayWrite, shownPath, writeAtomically } from './writeFile.ts';

/** What the command may be called with; what is absent is asked for. */
export interface ExportGiven extends Given {
  readonly format?: unknown;
  readonly target?: unknown;
}

/** `Placewright: Export Mapping Vector…`: placement, format, file; then writes it in one go. */
export async function exportMappingVector(
  server: Server,
  shown: SceneParameters | undefined,
  given: ExportGiven,
): Promise<void> {
  const chosen = await choosePlacement(server, given, shown);
  if (chosen === undefined) return;
  const format = await chooseFormat(server, given.format);
  if (format === undefined) return;
  const answer = await server.exported({ ...chosen, format });
  if (!answer.ok) throw new Error(answer.message);
  const target = await chooseTarget(chosen.uri, answer.suggestedName, given.target);
  if (target === undefined) return;
  await writeAtomically(target, answer.text);
  if (answer.warnings.length > 0) {
    void window.showWarningMessage(`Exported to ${shownPath(target)}. ${answer.warnings.join(' ')}`);
  } else {
    void window.showInformationMessage(`Exported placement "${chosen.placement}" to ${shownPath(target)}.`);
  }
}

async function chooseFormat(server: Server, given: unknown): Promise<string | undefined> {
  if (typeof given === 'string') return given;
  const formats = await server.formats();
  const items = formats.map(({ name, summary }) => ({ label: name, detail: summary }));
  const picked = await window.showQuickPick(items, { title: 'Placewright', placeHolder: 'Which format?' });
  return picked?.label;
}

/** Asks for a file, with a name beside the document as the suggestion. A given one that exists is asked about. */
export async function chooseTarget(document: string, name: string, given: unknown): Promise<Uri | undefined> {
  const target = asUri(given);
  if (target !== undefined) return (await mayWrite(target)) ? target : undefined;
  return window.showSaveDialog({ defaultUri: besideDocument(document, name), title: 'Placewright' });
}
