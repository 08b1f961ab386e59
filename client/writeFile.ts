import { randomBytes } from 'node:crypto';
import { Uri, window, workspace } from 'vscode';

/**
 * Writes a whole file or leaves the old one as it was: to a temporary file beside it, which then
 * takes its name. Works wherever the editor's file systems do, remote ones included.
 */
export async function writeAtomically(target: Uri, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const temporary = target.with({ path: `${target.path}.${randomBytes(6).toString('hex')}.tmp` });
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
  const replace = 'Replace';
  return (
    (await window.showWarningMessage(`${shownPath(target)} exists already. Replace it?`, { modal: true }, replace)) ===
    replace
  );
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
