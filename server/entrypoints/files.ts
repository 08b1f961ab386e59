/**
 * The only way from the disk into the engine, on Node. Everything a `.place` file names passes here: looked at before it is
 * read, read no further than its limit, refused where it is too large, no file, no text or outside of the folders that
 * the caller allows. Failures are sentences for the user; nothing throws, and nothing waits for ever.
 */
import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync, writeSync, type Stats } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, stat, statfs, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { normalUri } from '../language/uris.ts';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import { cancelled, type Result, fail, shortened, succeed } from '../model/result.ts';
import {
  heldFileLimit,
  outsideWorkspace,
  tooLarge,
  type FileContent,
  type FilePieces,
  type FolderEntry,
  type PlaceFiles,
  type ReadPolicy,
  type ReadRequest,
  type ScratchFile,
} from './platform.ts';
import { reasonOfSystem } from './systemReasons.ts';

const mebibyte = 2 ** 20;

/** As {@link Files.readBytes}. */
export async function readBytes(uri: string, policy: ReadPolicy, request: ReadRequest): Promise<Result<FileContent>> {
  const opened = policy.openTexts?.get(uri);
  if (opened !== undefined) return succeed({ stamp: undefined, bytes: new TextEncoder().encode(opened) });
  const held = policy.heldBytes?.get(uri);
  if (held !== undefined) return succeed({ stamp: undefined, bytes: held });
  const path = pathOf(uri);
  if (path === undefined) {
    return fail('file-unreadable', `${shortened(uri)} is not a local file. Only local files are read.`);
  }
  const watch = new ReadWatch(path, request.cancellation ?? neverCancelled);
  try {
    // A disk or a device that does not answer is left to itself: what was begun ends when it does.
    return await Promise.race([readFrom(path, policy, request, watch), watch.gaveUp]);
  } catch (error) {
    return explainFileError(path, error);
  } finally {
    watch.stop();
  }
}

/** As {@link Files.pieces}: a small file is read at once, of a large one its pieces when they are asked for. */
export async function pieces(
  uri: string,
  policy: ReadPolicy,
  cancellation: Cancellation,
  mayHold = heldFileLimit,
): Promise<Result<FilePieces>> {
  const path = pathOf(uri);
  const isThere = policy.openTexts?.get(uri) !== undefined || policy.heldBytes?.has(uri) === true;
  const size = !isThere && path !== undefined ? await sizeOfFile(uri, policy) : undefined;
  if (path === undefined || size === undefined || size <= mayHold) {
    const content = await readBytes(uri, policy, { limit: 4 * heldFileLimit, cancellation });
    if (!content.ok) return content;
    const { stamp, bytes = new Uint8Array() } = content.value;
    return succeed({ stamp, size: bytes.length, chunks: () => [bytes] });
  }
  try {
    const { allowedRoots } = policy;
    const real = allowedRoots === undefined ? await realpath(path) : await resolveInside(path, allowedRoots);
    if (real === undefined) return outsideWorkspace(path);
    const found = await stat(real);
    // May it be opened, and is it the same, now and whenever it is gone through?
    closeSync(openSame(real, found));
    return succeed({ stamp: fileStamp(found), size: found.size, chunks: () => chunksOf(real, found) });
  } catch (error) {
    return explainFileError(path, error);
  }
}

const fileStamp = ({ mtimeMs, ctimeMs, size, ino }: Stats): string => `${mtimeMs}:${ctimeMs}:${size}:${ino}`;

/** Opens a file that was looked at before; throws where another one has come in its place. */
function openSame(path: string, found: Stats): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  if (fileStamp(fstatSync(file)) === fileStamp(found)) return file;
  closeSync(file);
  throw new Error('it has changed during reading');
}

/** Waits for the disk: whoever goes through a large file does so on a thread of its own. */
function* chunksOf(path: string, found: Stats): Generator<Uint8Array> {
  const file = openSame(path, found);
  try {
    for (;;) {
      const buffer = new Uint8Array(chunk);
      const length = readSync(file, buffer, 0, chunk, null);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** As {@link Platform.scratchFile}: it has no name any more, so that nothing is left of it however the program ends. */
export function scratchFile(): ScratchFile {
  const path = join(tmpdir(), `placewright-${crypto.randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return {
    write: (bytes) => {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    },
    *chunks(start, end) {
      for (let position = start; position < end;) {
        const buffer = new Uint8Array(Math.min(chunk, end - position));
        const length = readSync(file, buffer, 0, buffer.length, position);
        if (length === 0) return;
        position += length;
        yield buffer.subarray(0, length);
      }
    },
    close: () => {
      closeSync(file);
    },
  };
}

/** Bytes of a file as it lies on the disk; undefined where there is none, or it lies outside. */
export async function sizeOfFile(uri: string, { allowedRoots }: ReadPolicy): Promise<number | undefined> {
  const path = pathOf(uri);
  if (path === undefined) return undefined;
  const found = await linkedEntry(path, allowedRoots);
  return found?.isFile() === true ? found.size : undefined;
}

/** What a path or a link leads to; undefined where there is nothing, or it lies outside. */
async function linkedEntry(link: string, allowedRoots: ReadPolicy['allowedRoots']): Promise<Stats | undefined> {
  try {
    const target = allowedRoots === undefined ? link : await resolveInside(link, allowedRoots);
    return target === undefined ? undefined : await stat(target);
  } catch {
    return undefined;
  }
}

/**
 * What lies in a folder, for completing a path; empty for one that cannot be read or lies outside. Of a link it says
 * what the link leads to, unless that lies outside.
 */
export async function listFolder(
  uri: string,
  { allowedRoots }: ReadPolicy,
  most: number,
): Promise<readonly FolderEntry[]> {
  const asked = pathOf(uri);
  if (asked === undefined) return [];
  try {
    const path = allowedRoots === undefined ? asked : await resolveInside(asked, allowedRoots);
    if (path === undefined || (await isMadeUp(path))) return [];
    const found: FolderEntry[] = [];
    for (const entry of (await readdir(path, { withFileTypes: true })).slice(0, most)) {
      const one = entry.isSymbolicLink() ? await linkedEntry(join(path, entry.name), allowedRoots) : entry;
      if (one?.isDirectory() === true || one?.isFile() === true) {
        found.push({ name: entry.name, isFolder: one.isDirectory() });
      }
    }
    return found;
  } catch {
    return []; // there is no such folder, or it may not be read
  }
}

/** Files that are looked at, and entries of folders that are listed to find them. */
const mostFiles = 4096;
const mostEntries = 200_000;

/**
 * The `.place` files below the folders, in order of their names. Hidden folders and `node_modules` are left out, links
 * are not followed, what cannot be read is passed over.
 */
export async function listPlaceFiles(folders: Iterable<string>): Promise<PlaceFiles> {
  const uris: string[] = [];
  const waiting = [...folders].flatMap((uri) => (uri.startsWith('file:') ? (pathOf(uri) ?? []) : []));
  let entriesLeft = mostEntries;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    entriesLeft -= entries.length;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && entry.name !== 'node_modules') waiting.push(path);
      } else if (entry.name.endsWith('.place') && (entry.isFile() || entry.isSymbolicLink())) {
        uris.push(normalUri(pathToFileURL(path).href));
      }
    }
    if (entriesLeft < 0 || uris.length > mostFiles) return { uris: uris.slice(0, mostFiles), isComplete: false };
  }
  return { uris: uris.sort(), isComplete: true };
}

/** As {@link Files.realUri}. */
export async function realUri(uri: string, { allowedRoots }: ReadPolicy): Promise<string> {
  const path = pathOf(uri);
  if (path === undefined || path === uri) return uri;
  try {
    const real = allowedRoots === undefined ? await realpath(path) : await resolveInside(path, allowedRoots);
    return real === undefined ? uri : normalUri(pathToFileURL(real).href);
  } catch {
    return uri; // there is no such file, or it may not be looked at
  }
}

/** Whether a path or URI lies below one of the folders as they are written. Nothing is looked up. */
export function liesWithin(uri: string, roots: readonly string[]): boolean {
  const path = pathOf(uri);
  return path !== undefined && roots.some((root) => isPathBelow(resolve(path), pathOf(root)));
}

/** The folder that a file lies in; undefined for what is no file on this machine. */
export function folderOf(uri: string): string | undefined {
  const path = pathOf(uri);
  return path === undefined || path === uri ? undefined : dirname(path);
}

/** How long a read may go without a byte, milliseconds. */
const patience = 20_000;
const pollInterval = 50;

/** Ends the wait for a read that is cancelled, or from which nothing comes any more. */
class ReadWatch {
  readonly gaveUp: Promise<Result<never>>;
  readonly #timer: NodeJS.Timeout;
  #left = patience;

  constructor(path: string, cancellation: Cancellation) {
    let timer: NodeJS.Timeout | undefined;
    this.gaveUp = new Promise((end) => {
      timer = setInterval(() => {
        this.#left -= pollInterval;
        if (cancellation.isCancelled()) end(cancelled());
        else if (this.#left < 0) {
          end(fail('file-unreadable', `${shortened(path)} cannot be read: no data for ${patience / 1000} seconds.`));
        }
      }, pollInterval);
    });
    this.#timer = timer!;
  }

  /** Something came. */
  progress(): void {
    this.#left = patience;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Opens the file once: what is looked at is what is read. */
async function readFrom(
  asked: string,
  { allowedRoots }: ReadPolicy,
  { limit, unlessStamp, cancellation = neverCancelled }: ReadRequest,
  watch: ReadWatch,
): Promise<Result<FileContent>> {
  const path = allowedRoots === undefined ? asked : await resolveInside(asked, allowedRoots);
  if (path === undefined) return outsideWorkspace(asked);
  if (await isMadeUp(path)) {
    return fail(
      'not-a-file',
      `${shortened(path)} is a system file without a fixed content. Expected a file on a disk.`,
    );
  }
  // Without waiting: opening a pipe would wait for somebody who writes.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (found.isDirectory()) return fail('not-a-file', `${shortened(path)} is a folder. Expected a file.`);
    if (!found.isFile()) return fail('not-a-file', `${shortened(path)} is a device or a pipe. Expected a file.`);
    if (allowedRoots !== undefined && !(await isOpenedAt(file, path, found))) return outsideWorkspace(asked);
    if (found.size > limit) return tooLarge(path, found.size, limit);
    const stamp = fileStamp(found);
    if (stamp === unlessStamp) return succeed({ stamp, bytes: undefined });
    const bytes = await readUpTo(file, found.size, limit, () => {
      watch.progress();
      return cancellation.isCancelled();
    });
    if (bytes === undefined) return cancelled();
    if (bytes.length > limit) {
      return fail('file-too-large', `${shortened(path)} exceeds ${limit / mebibyte} MiB, the maximum file size.`);
    }
    return succeed({ stamp, bytes });
  } finally {
    await file.close();
  }
}

/** Bytes that are read between two looks at the flag. */
const chunk = 4 * mebibyte;

/** The content, or its first `limit` + 1 bytes; a file may be longer than it says. Undefined where it was cancelled. */
async function readUpTo(
  file: FileHandle,
  size: number,
  limit: number,
  isCancelled: () => boolean,
): Promise<Uint8Array | undefined> {
  let buffer = new Uint8Array(Math.min(size, limit) + 1);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length > limit) return buffer;
      const larger = new Uint8Array(Math.min(limit + 1, Math.max(2 * length, 65_536)));
      larger.set(buffer);
      buffer = larger;
    }
    const { bytesRead } = await file.read(buffer, length, Math.min(chunk, buffer.length - length), null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (isCancelled()) return undefined;
  }
}

/**
 * Linux's file systems whose files have no content before they are read, and perhaps no end: /proc, /sys and the like.
 */
const madeUp: ReadonlySet<number> = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x27e0eb, 0x63677270]);

/** Whether a file or folder is there only while it is read. */
export async function isMadeUp(path: string): Promise<boolean> {
  return process.platform === 'linux' && madeUp.has((await statfs(path)).type);
}

/** Links followed before a path is taken for a circle. */
const mostLinks = 40;

/**
 * The real path of a file below one of the folders; undefined where it lies outside. Links are followed one by one,
 * so that nothing outside is ever looked up: whether it exists would be told to somebody who may not read it.
 */
async function resolveInside(asked: string, allowedRoots: readonly string[]): Promise<string | undefined> {
  const roots: { readonly written: string; readonly real: string }[] = [];
  for (const root of allowedRoots) {
    const written = pathOf(root);
    if (written !== undefined) roots.push({ written, real: await realpath(written).catch(() => written) });
  }
  let way = resolve(asked);
  for (let links = 0; links <= mostLinks; links++) {
    const root = roots.find(({ written, real }) => isPathBelow(way, written) || isPathBelow(way, real));
    if (root === undefined) return undefined;
    const base = isPathBelow(way, root.real) ? root.real : root.written;
    const parts = relative(base, way).split(sep);
    let here = root.real;
    let target: string | undefined;
    while (parts.length > 0 && target === undefined) {
      here = join(here, parts.shift()!);
      if ((await lstat(here)).isSymbolicLink()) target = resolve(dirname(here), await readlink(here), ...parts);
    }
    if (target === undefined) return here;
    way = target;
  }
  return undefined;
}

function isPathBelow(path: string, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

/** Whether an open file is the one at a real path: a folder on the way may have become a link meanwhile. */
async function isOpenedAt(
  file: FileHandle,
  path: string,
  { dev, ino }: { dev: number; ino: number },
): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (opened !== undefined) return opened === path;
  const there = await stat(path);
  return (await realpath(path)) === path && there.dev === dev && there.ino === ino;
}

function explainFileError(path: string, error: unknown): Result<never> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return fail('file-not-found', `File ${shortened(path)} not found.`);
  if (code === 'EACCES' || code === 'EPERM') {
    return fail('file-unreadable', `${shortened(path)} cannot be read: permission denied.`);
  }
  return fail('file-unreadable', `${shortened(path)} cannot be read: ${reasonOfSystem(error, path)}.`);
}

/** The path of a `file:` URI or of a path; undefined for other schemes and damaged URIs. */
function pathOf(uri: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(uri)) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
