/**
 * Where a program runs, which is Node or a browser: how it reads files, starts threads and talks to them. Each entry says it
 * once, before anything else is asked; what is written on top of it here runs in both, and imports nothing of Node.
 */
import { faultOfBytes } from '../interchange/reading.ts';
import { fileNameOf } from '../language/uris.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { type Result, fail, shortened, succeed } from '../model/result.ts';
import type { LossPool } from '../study/cableLosses.ts';
import type { StudyContext } from '../study/study.ts';

export interface ReadPolicy {
  /** Folders, as paths or URIs; a file outside of all of them is refused. Absent: no fence. */
  readonly allowedRoots?: readonly string[];
  /** Texts of editors by URI; they win over the disk. */
  readonly openTexts?: Pick<ReadonlyMap<string, string>, 'get'>;
  /** Files by URI that were read already and are not opened again. */
  readonly heldBytes?: ReadonlyMap<string, Uint8Array>;
}

const mebibyte = 2 ** 20;
/** Most bytes that are read of one file. */
export const placeFileLimit = 4 * mebibyte;
export const tableFileLimit = 128 * mebibyte;
export const machineFileLimit = 64 * mebibyte;
/** Of a job log, packed or not. */
export const logFileLimit = 256 * mebibyte;
/** Of a file that is gone through piece by piece where there is no disk, so that it can only be held. */
export const withoutDiskLimit = 512 * mebibyte;
/** Of a file that says where tasks run: a rankfile of eight million ranks has 300 MB. */
export const givenFileLimit = 512 * mebibyte;
/** Of a packed file that is unpacked into a {@link ScratchFile}: so much of a disk is taken for a while. */
export const scratchLimit = 16_384 * mebibyte;

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

/** A file that is gone through piece by piece, as often as is wanted. */
export interface FilePieces {
  /** Changes when the content does; undefined for the text of an editor. */
  readonly stamp: string | undefined;
  /** Bytes. */
  readonly size: number;
  /** From the beginning. Throws where the disk fails meanwhile, or another file has taken the place of this one. */
  readonly chunks: () => Iterable<Uint8Array>;
}

/** A file or folder that lies in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface PlaceFiles {
  readonly uris: readonly string[];
  /** Not where there are too many. */
  readonly isComplete: boolean;
}

export interface Files {
  /**
   * What a file holds. Codes: `file-not-found`, `file-unreadable`, `not-a-file`, `file-too-large`, `outside-workspace`,
   * `cancelled`.
   */
  readBytes(uri: string, policy: ReadPolicy, request: ReadRequest): Promise<Result<FileContent>>;
  /**
   * A file of any size, of which no more than a piece is held where it has more bytes than `mayHold`, {@link heldFileLimit} where
   * that is left out. Codes as of {@link readBytes}.
   */
  pieces(uri: string, policy: ReadPolicy, cancellation: Cancellation, mayHold?: number): Promise<Result<FilePieces>>;
  /** Bytes of a file as it lies on the disk; undefined where there is none, or it lies outside. */
  sizeOfFile(uri: string, policy: ReadPolicy): Promise<number | undefined>;
  /** What lies in a folder, for completing a path; empty for one that cannot be read or lies outside. */
  listFolder(uri: string, policy: ReadPolicy, most: number): Promise<readonly FolderEntry[]>;
  /** The `.place` files below the folders, in order of their names. */
  listPlaceFiles(folders: Iterable<string>): Promise<PlaceFiles>;
  /** The URI of a file without links on its way; as it is if there is no such file, or if it lies outside. */
  realUri(uri: string, policy: ReadPolicy): Promise<string>;
  /** Whether a file lies below one of the folders as they are written. Nothing is looked up. */
  liesWithin(uri: string, roots: readonly string[]): boolean;
  /** The folder that a file lies in; undefined for what is no file. */
  folderOf(uri: string): string | undefined;
}

/** One end of a channel between two threads. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  close(): void;
  /** It keeps no thread alive. */
  unref(): void;
}

/** Another thread as the one that started it sees it. */
export interface Thread {
  postMessage(message: unknown, transfer: readonly Port[]): void;
  on(event: 'message', listener: (message: never) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
}

export interface Threads {
  /** `heapLimit`: most that its heap may hold, MiB, where that can be said. */
  start(program: string | URL, heapLimit?: number): Thread;
  channel(): { readonly port1: Port; readonly port2: Port };
  /** What has arrived at a port and was not handled yet, without waiting. */
  receive(port: Port): { readonly message: unknown } | undefined;
  /** Frees what is not reachable, where that can be asked for. */
  collectGarbage(): void;
}

/** A file that this program alone sees, and that is gone when it is closed. */
export interface ScratchFile {
  /** Throws where the disk is full. */
  readonly write: (bytes: Uint8Array) => void;
  /** What was written from the byte `start` to that before `end`. */
  readonly chunks: (start: number, end: number) => Iterable<Uint8Array>;
  readonly close: () => void;
}

export interface Platform {
  readonly files: Files;
  readonly threads: Threads;
  /** What gzip has packed; fails with a sentence where it is damaged, or holds more than `most` bytes. */
  gunzip(bytes: Uint8Array, most: number): Promise<Result<Uint8Array>>;
  /** The same of a stream, piece by piece; its reader is told by an error where it is damaged. */
  gunzipped(packed: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
  /** For what is too large to be held; absent where there is no disk. Throws where none can be made. */
  readonly scratchFile?: () => ScratchFile;
  /** What every study is given, whoever asks for it: a clock, in milliseconds, and the threads that it may spread its work over. */
  studyEnvironment(): Pick<StudyContext, 'now' | 'solveDistances' | 'workerPool'>;
  /** The threads that try the losses of cables; absent where the calling one is alone. */
  readonly lossPool?: () => LossPool;
}

let installed: Platform | undefined;

export function installPlatform(platform: Platform): void {
  installed = platform;
}

export function platform(): Platform {
  if (installed === undefined) throw new Error('The program has not said where it runs.');
  return installed;
}

/**
 * Memory that threads share, where they may: a page of a browser may not unless it is isolated from others. Else what one thread
 * writes there the other does not see.
 */
export const sharedMemory = (bytes: number): ArrayBufferLike =>
  threadsShareMemory() ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);

export const threadsShareMemory = (): boolean => typeof SharedArrayBuffer === 'function';

/** The text of a `.place` file. Fails as {@link Files.readBytes} does, and with `not-text`. */
export async function readTextFile(uri: string, policy: ReadPolicy): Promise<Result<string>> {
  return readText(uri, policy, { limit: placeFileLimit });
}

/** The text of a file. */
export async function readText(uri: string, policy: ReadPolicy, request: ReadRequest): Promise<Result<string>> {
  const opened = policy.openTexts?.get(uri);
  if (opened !== undefined) return succeed(opened);
  const content = await platform().files.readBytes(uri, policy, { ...request, unlessStamp: undefined });
  if (!content.ok) return content;
  return decodeTextFile(uri, content.value.bytes);
}

/** What a file holds as text; fails with `not-text`. */
export function decodeTextFile(uri: string, bytes: Uint8Array = new Uint8Array()): Result<string> {
  const fault = faultOfBytes(bytes);
  if (fault !== undefined) return fail('not-text', `${fileNameOf(uri)}: ${fault}`);
  return succeed(new TextDecoder().decode(bytes));
}

/** Files up to this size, all that are read at once together, are held as a whole. */
export const heldFileLimit = 32 * mebibyte;

export const outsideWorkspace = (path: string): Result<never> =>
  fail(
    'outside-workspace',
    `${shortened(path)} is outside the opened folders of an untrusted workspace (Restricted Mode). Trust it, open the folder of the file, or copy the file.`,
  );

export const tooLarge = (path: string, size: number, limit: number): Result<never> =>
  fail(
    'file-too-large',
    `${shortened(path)} has ${(size / mebibyte).toFixed(1)} MiB. The maximum is ${limit / mebibyte} MiB.`,
  );

export const packedTooLarge = (limit: number): string => `it exceeds ${limit / mebibyte} MiB, the maximum size.`;

export const damagedPacked = 'it is damaged. Download it again, or unpack it (gunzip, unxz) and name that file.';
