import { basename } from 'node:path';
import { Uri, window } from 'vscode';
import type { SceneParameters } from '../server/protocol/messages.ts';
import { chooseTarget, shownPath, writeAtomically } from './exportCommand.ts';
import type { Server } from './server.ts';

/** Writes the picture of a placement where the user says. */
export const savePicture = {
  /** The server draws it. */
  async svg(server: Server, shown: SceneParameters, target?: unknown): Promise<void> {
    const answer = await server.picture(shown);
    if (!answer.ok) throw new Error(answer.message);
    await save(shown, '.svg', answer.svg, target);
  },

  /** The panel has painted it: `data` is base64. */
  async png(shown: SceneParameters, data: string, target?: unknown): Promise<void> {
    await save(shown, '.png', Buffer.from(data, 'base64'), target);
  },
};

async function save(
  shown: SceneParameters,
  extension: string,
  content: string | Uint8Array,
  target: unknown,
): Promise<void> {
  const name = `${basename(Uri.parse(shown.uri).path, '.place')}.${shown.placement}${extension}`;
  const file = await chooseTarget(shown.uri, name, target);
  if (file === undefined) return;
  await writeAtomically(file, content);
  void window.showInformationMessage(`Saved the picture to ${shownPath(file)}.`);
}
