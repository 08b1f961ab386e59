/** Reads files for the language server of a browser, through the editor, which has them wherever they lie. */
import { FileSystemError, FileType, Uri, workspace } from 'vscode';
import type { FileAnswer, FileQuestion } from '../server/protocol/messages.ts';

/** Files that are looked at, and entries of folders that are listed to find them: each folder may be a request over a network. */
const mostFiles = 1024;
const mostEntries = 20_000;

/** Never fails: what cannot be had is an answer as well. */
export function answerFile(question: FileQuestion): Promise<FileAnswer[FileQuestion['kind']]> {
  switch (question.kind) {
    case 'read':
      return readWebFile(question);
    case 'size':
      return fileSize(Uri.parse(question.uri));
    case 'folder':
      return folderEntries(Uri.parse(question.uri)).then((entries) => entries.slice(0, question.most));
    case 'place-files':
      return placeFiles(question.folders);
  }
}

async function readWebFile({
  uri,
  limit,
  unlessStamp,
}: FileQuestion & { readonly kind: 'read' }): Promise<FileAnswer['read']> {
  const file = Uri.parse(uri);
  try {
    const { type, size, mtime } = await workspace.fs.stat(file);
    if ((type & FileType.Directory) !== 0) return { kind: 'folder' };
    if (size > limit) return { kind: 'too-large', size };
    const stamp = `${mtime}:${size}`;
    if (stamp === unlessStamp) return { kind: 'content', stamp, bytes: undefined };
    const bytes = await workspace.fs.readFile(file);
    return bytes.length > limit ? { kind: 'too-large', size: bytes.length } : { kind: 'content', stamp, bytes };
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'FileNotFound') return { kind: 'missing' };
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function fileSize(file: Uri): Promise<number | undefined> {
  try {
    const { type, size } = await workspace.fs.stat(file);
    return (type & FileType.File) === 0 ? undefined : size;
  } catch {
    return undefined; // there is none
  }
}

async function folderEntries(folder: Uri): Promise<FileAnswer['folder']> {
  try {
    const entries = await workspace.fs.readDirectory(folder);
    return entries.map(([name, type]) => ({ name, isFolder: (type & FileType.Directory) !== 0 }));
  } catch {
    return []; // there is no such folder, or it may not be read
  }
}

/** Hidden folders and `node_modules` are left out, what cannot be read is passed over. */
async function placeFiles(folders: readonly string[]): Promise<FileAnswer['place-files']> {
  const uris: string[] = [];
  const waiting = folders.map((folder) => Uri.parse(folder));
  let entriesLeft = mostEntries;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = await folderEntries(folder);
    entriesLeft -= entries.length;
    for (const { name, isFolder } of entries) {
      if (!isFolder && name.endsWith('.place')) uris.push(Uri.joinPath(folder, name).toString());
      if (isFolder && !name.startsWith('.') && name !== 'node_modules') waiting.push(Uri.joinPath(folder, name));
    }
    if (entriesLeft < 0 || uris.length > mostFiles) return { uris: uris.slice(0, mostFiles), isComplete: false };
  }
  return { uris: uris.sort(), isComplete: true };
}
