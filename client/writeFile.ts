import { randomBytes } from 'node:crypto';
import { Uri, workspace } from 'vscode';

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

/** Where a file goes that belongs to `document`: its folder, else the workspace's first. */
export function besideDocument(document: string, name: string): Uri {
  const uri = Uri.parse(document);
  if (uri.scheme !== 'untitled') return Uri.joinPath(uri, '..', name);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined ? Uri.file(name) : Uri.joinPath(folder, name);
}

/** The path to show in messages. */
export const shownPath = (target: Uri): string => workspace.asRelativePath(target);
