/**
 * The only way from the disk into the engine. Everything a `.place` file names passes here: looked at before it is
 * read, read no further than its limit, refused where it is too large, no file, no text or outside of the folders that
 * the caller allows. Failures are sentences for the user; nothing throws, and nothing waits for ever.
 */
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, stat, statfs, type FileHandle } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultOfBytes } from '../interchange/reading.ts';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import { cancelled, type Result, fail, succeed } from '../model/result.ts';

export interface ReadPolicy {
  /** Folders, as paths or `file:` URIs; a file outside of all of them is refused. Absent: no fence. */
  readonly allowedRoots?: readonly string[];
  /** Texts of editors by URI; they win over the disk. */
  readonly openTexts?: Pick<ReadonlyMap<string, string>, 'get'>;
}

const mebibyte = 2 ** 20;
/** Most bytes that are read of one file. */
export const placeFileLimit = 4 * mebibyte;
export const tableFileLimit = 128 * mebibyte;
export const machineFileLimit = 64 * mebibyte;
/** Of a job log, packed or not. */
export const logFileLimit = 256 * mebibyte;
/** Of all files of a trace together. */
export const traceFileLimit = 512 * mebibyte;

/**
 * The text of a `.place` file. Codes: `file-not-found`, `file-unreadable`, `not-a-file`,
 * `file-too-large` (4 MiB), `not-text`, `outside-workspace`.
 */
export async function readTextFile(uri: string, policy: ReadPolicy): Promise<Result<string>> {
  return readText(uri, policy, { limit: placeFileLimit });
}

export interface ReadRequest {
  /** Most bytes that are read. */
  readonly limit: number;
  /** A stamp of before: a file that still has it is not read again. */
  readonly unlessStamp?: string | undefined;
  readonly cancellation?: Cancellation;
}

export interface FileContent {
  /** Changes when the content does; undefined for the text of an editor. */
  readonly stamp: string | undefined;
  /** Undefined where the file has the stamp of before. */
  readonly bytes: Uint8Array | undefined;
}

/** What a file holds; fails as {@link readTextFile} does, but for `not-text`, and with `cancelled`. */
export async function readBytes(uri: string, policy: ReadPolicy, request: ReadRequest): Promise<Result<FileContent>> {
  const opened = policy.openTexts?.get(uri);
  if (opened !== undefined) return succeed({ stamp: undefined, bytes: new TextEncoder().encode(opened) });
  const path = pathOf(uri);
  if (path === undefined) {
    return fail('file-unreadable', `${uri} is not a file on this machine; only such files are read.`);
  }
  const watch = new ReadWatch(path, request.cancellation ?? neverCancelled);
  try {
    // A disk or a device that does not answer is left to itself: what was begun ends when it does.
    return await Promise.race([readFrom(path, policy, request, watch), watch.gaveUp]);
  } catch (error) {
    return explain(path, error);
  } finally {
    watch.stop();
  }
}

/** The text of a file. */
export async function readText(uri: string, policy: ReadPolicy, request: ReadRequest): Promise<Result<string>> {
  const opened = policy.openTexts?.get(uri);
  if (opened !== undefined) return succeed(opened);
  const content = await readBytes(uri, policy, { ...request, unlessStamp: undefined });
  if (!content.ok) return content;
  return textOf(uri, content.value.bytes);
}

/** What a file holds as text; fails with `not-text`. */
export function textOf(uri: string, bytes: Uint8Array = new Uint8Array()): Result<string> {
  const fault = faultOfBytes(bytes);
  if (fault !== undefined) return fail('not-text', `${nameOf(uri)}: ${fault}`);
  return succeed(new TextDecoder().decode(bytes));
}

/** Bytes of a file as it lies on the disk; undefined where there is none, or it lies outside. */
export async function sizeOfFile(uri: string, { allowedRoots }: ReadPolicy): Promise<number | undefined> {
  const path = pathOf(uri);
  if (path === undefined) return undefined;
  const found = await linkedEntry(path, allowedRoots);
  return found?.isFile() === true ? found.size : undefined;
}

/** A file or folder that lies in a folder. */
interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
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

/** Whether a path or URI lies below one of the folders as they are written. Nothing is looked up. */
export function liesWithin(uri: string, roots: readonly string[]): boolean {
  const path = pathOf(uri);
  return path !== undefined && roots.some((root) => isBelow(resolve(path), pathOf(root)));
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
          end(fail('file-unreadable', `${path} cannot be read: nothing came of it for ${patience / 1000} seconds.`));
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
  if (path === undefined) return outside(asked);
  if (await isMadeUp(path)) {
    return fail('not-a-file', `${path} is made up by the system as it is read; a file on a disk is expected.`);
  }
  // Without waiting: opening a pipe would wait for somebody who writes.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (found.isDirectory()) return fail('not-a-file', `${path} is a folder; a file is expected.`);
    if (!found.isFile()) return fail('not-a-file', `${path} is a device or a pipe; a file is expected.`);
    if (allowedRoots !== undefined && !(await isAt(file, path, found))) return outside(asked);
    if (found.size > limit) return fail('file-too-large', sizeMessage(path, found.size, limit));
    const stamp = `${found.mtimeMs}:${found.ctimeMs}:${found.size}:${found.ino}`;
    if (stamp === unlessStamp) return succeed({ stamp, bytes: undefined });
    const bytes = await readUpTo(file, found.size, limit, () => {
      watch.progress();
      return cancellation.isCancelled();
    });
    if (bytes === undefined) return cancelled();
    if (bytes.length > limit) {
      return fail('file-too-large', `${path} has more than ${limit / mebibyte} MiB; at most so much is read.`);
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

async function isMadeUp(path: string): Promise<boolean> {
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
    const root = roots.find(({ written, real }) => isBelow(way, written) || isBelow(way, real));
    if (root === undefined) return undefined;
    const base = isBelow(way, root.real) ? root.real : root.written;
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

function isBelow(path: string, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

/** Whether an open file is the one at a real path: a folder on the way may have become a link meanwhile. */
async function isAt(file: FileHandle, path: string, { dev, ino }: { dev: number; ino: number }): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (opened !== undefined) return opened === path;
  const there = await stat(path);
  return (await realpath(path)) === path && there.dev === dev && there.ino === ino;
}

const outside = (path: string): Result<never> =>
  fail(
    'outside-workspace',
    `${path} lies outside of the opened folders and is not read while the workspace is not trusted (Restricted Mode): ` +
      'trust it, open the folder that holds the file, or copy the file there.',
  );

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
