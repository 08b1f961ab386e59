/**
 * The only way from the disk into the engine. Everything a `.place` file names passes here:
 * looked at before it is read, refused where it is too large, no file, no text or outside of
 * the folders that the caller allows. Failures are sentences for the user; nothing throws.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, relative, isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultOfBytes } from '../interchange/plainText.ts';
import { type Result, fail, succeed } from '../model/result.ts';

export interface ReadPolicy {
  /** Folders, as paths or `file:` URIs; a file outside of all of them is refused. Absent: no fence. */
  readonly allowedRoots?: readonly string[];
  /** Texts of editors by URI; they win over the disk. */
  readonly openTexts?: ReadonlyMap<string, string>;
}

const mebibyte = 2 ** 20;
/** Most bytes that are read of one file. */
export const placeFileLimit = 4 * mebibyte;
export const tableFileLimit = 128 * mebibyte;
export const machineFileLimit = 64 * mebibyte;

/**
 * The text of a `.place` file. Codes: `file-not-found`, `file-unreadable`, `not-a-file`,
 * `file-too-large` (4 MiB), `not-text`, `outside-workspace`.
 */
export async function readTextFile(uri: string, policy: ReadPolicy): Promise<Result<string>> {
  return readText(uri, policy, placeFileLimit);
}

/** A file that may be read. */
export interface OpenedFile {
  /** Changes when the content does; undefined for the text of an editor. */
  readonly stamp: string | undefined;
  readonly read: () => Promise<Result<Uint8Array>>;
}

/** Looks whether a file may be read, without reading it; fails as {@link readTextFile} does, but for `not-text`. */
export async function openFile(uri: string, policy: ReadPolicy, limit: number): Promise<Result<OpenedFile>> {
  const opened = policy.openTexts?.get(uri);
  if (opened !== undefined) {
    return succeed({ stamp: undefined, read: () => Promise.resolve(succeed(new TextEncoder().encode(opened))) });
  }
  const file = await inspect(uri, policy, limit);
  if (!file.ok) return file;
  const { path, stamp } = file.value;
  return succeed({ stamp, read: () => readWhole(path) });
}

/** The text of a file of at most so many bytes. */
export async function readText(uri: string, policy: ReadPolicy, limit: number): Promise<Result<string>> {
  const opened = policy.openTexts?.get(uri);
  if (opened !== undefined) return succeed(opened);
  const file = await openFile(uri, policy, limit);
  if (!file.ok) return file;
  const bytes = await file.value.read();
  if (!bytes.ok) return bytes;
  const fault = faultOfBytes(bytes.value);
  if (fault !== undefined) return fail('not-text', `${nameOf(uri)}: ${fault}`);
  return succeed(new TextDecoder().decode(bytes.value));
}

/** A file that may be read; `stamp` changes when its content does. */
interface Inspected {
  readonly path: string;
  readonly stamp: string;
}

/** Looks at a file before it is opened: opening a pipe would wait for ever. */
async function inspect(uri: string, policy: ReadPolicy, limit: number): Promise<Result<Inspected>> {
  const path = pathOf(uri);
  if (path === undefined) {
    return fail('file-unreadable', `${uri} is not a file on this machine; only such files are read.`);
  }
  try {
    if (policy.allowedRoots !== undefined && !(await isInside(path, policy.allowedRoots))) {
      return fail(
        'outside-workspace',
        `${path} lies outside of the opened folders and is not read: open the folder that holds it, or copy it there.`,
      );
    }
    const { isFile, isFolder, size, stamp } = await lookAt(path);
    if (isFolder) return fail('not-a-file', `${path} is a folder; a file is expected.`);
    if (!isFile) return fail('not-a-file', `${path} is a device or a pipe; a file is expected.`);
    if (size > limit) return fail('file-too-large', sizeMessage(path, size, limit));
    return succeed({ path, stamp });
  } catch (error) {
    return explain(path, error);
  }
}

async function lookAt(path: string): Promise<{ isFile: boolean; isFolder: boolean; size: number; stamp: string }> {
  const found = await stat(path);
  const stamp = `${found.mtimeMs}:${found.ctimeMs}:${found.size}:${found.ino}`;
  return { isFile: found.isFile(), isFolder: found.isDirectory(), size: found.size, stamp };
}

async function readWhole(path: string): Promise<Result<Uint8Array>> {
  try {
    return succeed(await readFile(path));
  } catch (error) {
    return explain(path, error);
  }
}

/** Symbolic links are followed first, so that a link cannot lead out of the fence. */
async function isInside(path: string, roots: readonly string[]): Promise<boolean> {
  const real = await realpath(path);
  for (const root of roots) {
    const folder = pathOf(root);
    if (folder === undefined) continue;
    const way = relative(await realpath(folder).catch(() => folder), real);
    if (way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))) return true;
  }
  return false;
}

function explain(path: string, error: unknown): Result<never> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return fail('file-not-found', `There is no file ${path}.`);
  if (code === 'EACCES' || code === 'EPERM') {
    return fail('file-unreadable', `${path} may not be read: its permissions forbid it.`);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return fail('file-unreadable', `${path} cannot be read: ${reason}.`);
}

const sizeMessage = (path: string, size: number, limit: number): string =>
  `${path} has ${(size / mebibyte).toFixed(1)} MiB; at most ${limit / mebibyte} MiB are read.`;

/** The path of a `file:` URI or of a path; undefined for other schemes and damaged URIs. */
function pathOf(uri: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(uri)) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The last part of a path, for messages. */
export const nameOf = (uri: string): string => basename(pathOf(uri) ?? uri);
