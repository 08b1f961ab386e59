/**
 * Whatever the user asks to be written to a file: pictures, figures, tables, and exports of `exportMapping.ts`. A file that a caller of a
 * command names is not replaced unless the user agrees, and one is written as a whole or not at all.
 */
import { l10n, Uri, window, workspace } from 'vscode';
import type { SceneParameters } from '../server/protocol/messages.ts';
import type { SavedFile } from '../server/protocol/savedFile.ts';
import type { Server } from './server.ts';

/** Writes the picture of a placement where the user says, as the server draws it: whole, and on light. */
export async function savePictureSvg(server: Server, shown: SceneParameters, target?: unknown): Promise<void> {
  const answer = await server.ask('picture', shown);
  if (!answer.ok) throw new Error(answer.message);
  const made = { kind: 'save', extension: 'svg', name: '', data: answer.svg } as const;
  await saveMade({ uri: shown.uri, name: shown.placement }, made, target);
}

/** Writes what a panel has made of what it shows where the user says: a picture, a figure, or the rows of a table. */
export async function saveMade(
  { uri, name: subject }: { readonly uri: string; readonly name: string },
  { extension, data, name }: SavedFile,
  target?: unknown,
): Promise<void> {
  const suggested = [stemOf(uri), subject, ...(name === '' ? [] : [name]), extension].join('.');
  const file = await chooseTarget(uri, suggested, target);
  if (file === undefined) return;
  const isBinary = extension === 'png' || extension === 'pdf';
  await saveAtomically(file, isBinary ? decodeBase64(data) : data);
  const path = shownPath(file);
  const said = extension === 'csv' ? l10n.t('Saved the table to {0}.', path) : l10n.t('Saved the image to {0}.', path);
  void window.showInformationMessage(said);
}

/** Writes a text that belongs to a document where the user says. */
export async function saveText(document: string, name: string, text: string): Promise<void> {
  const file = await chooseTarget(document, name, undefined);
  if (file === undefined) return;
  await saveAtomically(file, text);
  void window.showInformationMessage(l10n.t('Saved the table to {0}.', shownPath(file)));
}

/** Asks for a file, with a name beside the document as the suggestion. A given one that exists is asked about. */
export async function chooseTarget(document: string, name: string, given: unknown): Promise<Uri | undefined> {
  const target = asUri(given);
  if (target !== undefined) return (await mayWrite(target)) ? target : undefined;
  return window.showSaveDialog({ defaultUri: besideDocument(document, name), title: 'Placewright' });
}

/**
 * Writes a whole file or leaves the old one as it was: to a temporary file beside it, which then
 * takes its name. Works wherever the editor's file systems do, remote ones included.
 */
export async function saveAtomically(target: Uri, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const temporary = target.with({ path: `${target.path}.${randomName()}.tmp` });
  try {
    await workspace.fs.writeFile(temporary, bytes);
    await workspace.fs.rename(temporary, target, { overwrite: true });
  } catch (error) {
    await workspace.fs.delete(temporary).then(undefined, () => undefined);
    throw error;
  }
}

/** A file that a caller of a command named; undefined where none is. */
export function asUri(given: unknown): Uri | undefined {
  if (given instanceof Uri) return given;
  return typeof given === 'string' ? Uri.parse(given) : undefined;
}

/**
 * Whether a file may be written that a caller named: another extension or a link may have done so, and what is
 * there is not replaced unless the user says so.
 */
export async function mayWrite(target: Uri): Promise<boolean> {
  const exists = await workspace.fs.stat(target).then(
    () => true,
    () => false,
  );
  if (!exists) return true;
  const replace = l10n.t('Replace');
  const question = l10n.t('{0} exists already. Replace it?', shownPath(target));
  return (await window.showWarningMessage(question, { modal: true }, replace)) === replace;
}

/** Where a file goes that belongs to `document`: its folder, else the workspace's first. */
export function besideDocument(document: string, name: string): Uri {
  const uri = Uri.parse(document);
  if (uri.scheme !== 'untitled') return Uri.joinPath(uri, '..', name);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined ? Uri.file(name) : Uri.joinPath(folder, name);
}

/** The path to show in messages. */
export const shownPath = (target: Uri): string => workspace.asRelativePath(target);

/** The name of a document without its ending. */
const stemOf = (uri: string): string =>
  Uri.parse(uri)
    .path.replace(/^.*\//, '')
    .replace(/\.place$/, '');

/** A name that nobody guesses: 128 bits in hexadecimal. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const decodeBase64 = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
