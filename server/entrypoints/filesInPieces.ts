/**
 * Files that are gone through piece by piece, so that a profile or a trace of any size takes no more memory than what is made of it: one
 * file, packed or not; those that a list, a folder or a pattern names where each rank wrote one.
 */
import type { TraceFile } from '../interchange/contract.ts';
import { parseDecimal } from '../interchange/entries.ts';
import { oneLine } from '../interchange/reading.ts';
import { namesInList } from '../interchange/readers.ts';
import { fileBytes } from '../interchange/wholeFile.ts';
import { fileNameOf } from '../language/uris.ts';
import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import { detectPacking, Unpacker, type Packing } from './packed.ts';
import { heldFileLimit, platform, type FilePieces, type ReadPolicy } from './platform.ts';

export interface PieceReading {
  readonly policy: ReadPolicy;
  readonly cancellation: Cancellation;
  /** Told how much of a file was read, of large ones. */
  readonly progress: ReportProgress;
}

/** Of what cannot be read as it is: of tables or of traces. */
type FaultCode = 'bad-table' | 'bad-trace';

/** A file as readers want it; once its pieces could not be read any more it ends, and says why. */
export interface WatchedFile {
  readonly uri: string;
  readonly file: TraceFile;
  readonly fault: () => string | undefined;
}

export interface OpenedFiles {
  /** Tells whether the file has changed, where it is one. */
  readonly stamp: string | undefined;
  /** None where the file has the stamp of before. */
  readonly files: readonly WatchedFile[] | undefined;
  /** They cannot be gone through any more. */
  readonly close: () => void;
}

/** Files of a folder, a pattern or a list: one for each rank. */
export const mostFiles = 65_536;

/**
 * Opens what a URI names. Nothing but the beginnings is read until the files are gone through, packed ones aside. Fails as
 * {@link Files.pieces} does, and with `code` where a packed file is damaged or there are too many.
 */
export async function openFiles(
  uri: string,
  code: FaultCode,
  reading: PieceReading,
  unlessStamp?: string,
): Promise<Result<OpenedFiles>> {
  const { policy, cancellation } = reading;
  const name = fileNameOf(uri);
  if (name.includes('*')) return openListed(uri, code, reading, fileNamePattern(name));
  const found = await platform().files.pieces(uri, policy, cancellation);
  if (!found.ok) {
    const isFolder =
      found.failure.code === 'not-a-file' && (await platform().files.listFolder(uri, policy, 1)).length > 0;
    return isFolder ? openListed(`${uri}/`, code, reading, /^[^.]/) : found;
  }
  const pieces = found.value;
  const { stamp } = pieces;
  if (unlessStamp !== undefined && unlessStamp === stamp) return succeed({ stamp, files: undefined, close });
  const names = listedNames(pieces);
  if (names !== undefined) return openNamed(uri, names, code, reading);
  return openPieces(uri, pieces, code, reading);
}

/** Opens one file whose pieces are at hand. Fails with `code` where it is packed and damaged. */
export async function openPieces(
  uri: string,
  pieces: FilePieces,
  code: FaultCode,
  reading: PieceReading,
): Promise<Result<OpenedFiles>> {
  const unpacker = unpackerFor(fileNameOf(uri), reading);
  const file = await watched(uri, pieces, code, reading, unpacker);
  return opened(file.ok ? succeed([file.value]) : file, unpacker, pieces.stamp);
}

const close = (): void => undefined;

function opened(
  files: Result<readonly WatchedFile[]>,
  unpacker: Unpacker,
  stamp: string | undefined,
): Result<OpenedFiles> {
  const closing = (): void => {
    unpacker.close();
  };
  if (files.ok) return succeed({ stamp, files: files.value, close: closing });
  closing();
  return files;
}

/** What was made of files; of those that could not be read to their end it is told instead. */
export function unlessBroken<Content>(files: readonly WatchedFile[], content: Result<Content>): Result<Content> {
  const broken = files.find(({ fault }) => fault() !== undefined);
  return broken === undefined
    ? content
    : fail('file-unreadable', `${broken.file.name} cannot be read: ${broken.fault() ?? ''}.`);
}

/** A pattern of names of files: `*` stands for any letters. */
export function fileNamePattern(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** Files beside this one whose names match, in the order of the numbers in them. */
async function openListed(
  beside: string,
  code: FaultCode,
  reading: PieceReading,
  pattern: RegExp,
): Promise<Result<OpenedFiles>> {
  const folder = beside.slice(0, beside.lastIndexOf('/'));
  const found = await platform().files.listFolder(folder, reading.policy, mostFiles + 1);
  const names = found.flatMap(({ name, isFolder }) => (!isFolder && pattern.test(name) ? [name] : []));
  if (names.length === 0) {
    // A folder outside of those that may be read is listed as empty.
    const asFile = await platform().files.readBytes(folder, reading.policy, { limit: 1 });
    if (!asFile.ok && asFile.failure.code === 'outside-workspace') return asFile;
    const asked = beside.slice(folder.length + 1) === '' ? '' : ` ${fileNameOf(beside)}`;
    return fail('file-not-found', `No files${asked} in ${fileNameOf(folder)}.`);
  }
  names.sort(new Intl.Collator('en', { numeric: true }).compare);
  return openNamed(beside, names, code, reading);
}

/** The names of a list. A matrix of one number a line, or with commas, is none. */
function listedNames(pieces: FilePieces): readonly string[] | undefined {
  if (pieces.size > mostFiles * 256) return undefined;
  const names = namesInList(fileBytes({ name: '', chunks: pieces.chunks }));
  const isNumber = (name: string): boolean => /[,;]/.test(name) || parseDecimal(name) !== undefined;
  return names?.some(isNumber) === true ? undefined : names;
}

/** Files by their names, relative to the one that lists them or stands beside them. */
async function openNamed(
  uri: string,
  names: readonly string[],
  code: FaultCode,
  reading: PieceReading,
): Promise<Result<OpenedFiles>> {
  if (names.length > mostFiles) {
    return fail(code, `${fileNameOf(uri)}: Too many files, ${names.length}. The maximum is ${mostFiles}.`);
  }
  const unpacker = unpackerFor(fileNameOf(uri), reading);
  const files: WatchedFile[] = [];
  let mayHold = heldFileLimit;
  for (const name of names) {
    const listed = new URL(encodeURI(name).replace(/[?#]/g, encodeURIComponent), uri).href;
    const pieces = await platform().files.pieces(listed, reading.policy, reading.cancellation, mayHold);
    if (pieces.ok && pieces.value.size <= mayHold) mayHold -= pieces.value.size;
    const file = pieces.ok ? await watched(listed, pieces.value, code, reading, unpacker) : pieces;
    if (!file.ok) return opened(file, unpacker, undefined);
    files.push(file.value);
  }
  // Its files may change while the list does not: they are read anew each time.
  return opened(succeed(files), unpacker, undefined);
}

/** A file as readers want it, unpacked where it was packed; of a large one progress is told. */
async function watched(
  uri: string,
  pieces: FilePieces,
  code: FaultCode,
  reading: PieceReading,
  unpacker: Unpacker,
): Promise<Result<WatchedFile>> {
  const name = fileNameOf(uri);
  const packing = packingOfPieces(pieces);
  if (packing !== undefined) {
    const chunks = await unpacker.unpack(packing, pieces.chunks);
    if (chunks.ok) return succeed({ uri, file: { name, chunks: chunks.value }, fault: () => undefined });
    const { failure } = chunks;
    return failure.code === 'cancelled' ? chunks : fail(code, `${name} ${failure.message}`);
  }
  const { size } = pieces;
  let fault: string | undefined;
  const file: TraceFile = {
    name,
    *chunks() {
      let read = 0;
      try {
        for (const chunk of pieces.chunks()) {
          yield chunk;
          read += chunk.length;
          if (read < size) reading.progress(0, `${name}: ${megabytes(read)} of ${megabytes(size)} MiB read`);
        }
      } catch (error) {
        fault = oneLine(error instanceof Error ? error.message : String(error));
      }
    },
  };
  return succeed({ uri, file, fault: () => fault });
}

const megabytes = (bytes: number): string => String(Math.round(bytes / 2 ** 20));

function packingOfPieces(pieces: FilePieces): Packing | undefined {
  for (const chunk of pieces.chunks()) return detectPacking(chunk);
  return undefined;
}

/** Tells from time to time how much is unpacked. */
function unpackerFor(name: string, { cancellation, progress }: PieceReading): Unpacker {
  let told = 0;
  return new Unpacker({
    cancellation,
    progress: (bytes) => {
      if (bytes > told && bytes < told + toldEvery) return;
      told = bytes;
      if (bytes >= toldEvery) progress(0, `${name}: ${megabytes(bytes)} MiB unpacked`);
    },
  });
}

/** Bytes between two lines of progress of a file that is unpacked. */
const toldEvery = 16 * 2 ** 20;
