/**
 * The files that a table of traffic lies in: one, packed by gzip or not; those that a list, a folder or a pattern names where
 * each rank wrote one. Large files are read piece by piece.
 */
import type { TraceFile } from '../interchange/contract.ts';
import { parseDecimal } from '../interchange/entries.ts';
import { oneLine } from '../interchange/reading.ts';
import { readTableFiles } from '../interchange/table.ts';
import { bytesOf } from '../interchange/wholeFile.ts';
import { namesInList } from '../interchange/traces.ts';
import { fileNameOf } from '../language/uris.ts';
import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import { platform, traceFileLimit, type FilePieces, type ReadPolicy } from './platform.ts';

export interface TableReading {
  readonly policy: ReadPolicy;
  readonly cancellation: Cancellation;
  /** Told how much of the file was read, of large ones. */
  readonly progress: ReportProgress;
}

/** What was made of a table's file: `stamp` tells whether that has changed, where it is one file. */
export interface ReadTable {
  readonly stamp: string | undefined;
  readonly content: Result<TableEntries>;
}

/** Files of a folder, a pattern or a list: one for each rank. */
const mostFiles = 65_536;

/**
 * Reads a table. `known` is answered where its file has not changed. Fails as {@link Files.pieces} and `readTableFiles` do.
 */
export async function readTableAt(
  uri: string,
  format: string | undefined,
  reading: TableReading,
  known?: ReadTable,
): Promise<ReadTable> {
  const { policy, cancellation } = reading;
  const name = fileNameOf(uri);
  const unstamped = (content: Result<TableEntries>): ReadTable => ({ stamp: undefined, content });
  if (name.includes('*')) return unstamped(await readListed(uri, format, reading, patternOf(name)));
  const found = await platform().files.pieces(uri, policy, cancellation);
  if (!found.ok) {
    const isFolder =
      found.failure.code === 'not-a-file' && (await platform().files.listFolder(uri, policy, 1)).length > 0;
    return unstamped(isFolder ? await readListed(`${uri}/x`, format, reading, /^[^.]/) : found);
  }
  const pieces = found.value;
  if (known?.stamp !== undefined && known.stamp === pieces.stamp) return known;
  const names = listedNames(pieces);
  if (names !== undefined) return unstamped(await readNamed(uri, names, format, reading));
  const file = await fileOf(uri, pieces, reading);
  return { stamp: pieces.stamp, content: file.ok ? readAll([file.value], format, cancellation) : file };
}

/** A pattern of names of files: `*` stands for any letters. */
function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** Files beside this one whose names match, in the order of the numbers in them. */
async function readListed(
  beside: string,
  format: string | undefined,
  reading: TableReading,
  pattern: RegExp,
): Promise<Result<TableEntries>> {
  const folder = beside.slice(0, beside.lastIndexOf('/'));
  const found = await platform().files.listFolder(folder, reading.policy, mostFiles + 1);
  const names = found.flatMap(({ name, isFolder }) => (!isFolder && pattern.test(name) ? [name] : []));
  if (names.length === 0) {
    return fail('file-not-found', `There are no files ${fileNameOf(beside)} in ${fileNameOf(folder)}.`);
  }
  names.sort(new Intl.Collator('en', { numeric: true }).compare);
  return readNamed(beside, names, format, reading);
}

/** The names of a list. A matrix of one number a line, or with commas, is none. */
function listedNames(pieces: FilePieces): readonly string[] | undefined {
  if (pieces.size > mostFiles * 256) return undefined;
  const names = namesInList(bytesOf({ name: '', chunks: pieces.chunks }));
  const isNumber = (name: string): boolean => /[,;]/.test(name) || parseDecimal(name) !== undefined;
  return names?.some(isNumber) === true ? undefined : names;
}

/** Files by their names, relative to the one that lists them or stands beside them. */
async function readNamed(
  uri: string,
  names: readonly string[],
  format: string | undefined,
  reading: TableReading,
): Promise<Result<TableEntries>> {
  if (names.length > mostFiles) {
    return fail('bad-table', `${fileNameOf(uri)}: There are ${names.length} files; at most ${mostFiles} are read.`);
  }
  const files: WatchedFile[] = [];
  for (const name of names) {
    const listed = new URL(encodeURI(name), uri).href;
    const pieces = await platform().files.pieces(listed, reading.policy, reading.cancellation);
    const file = pieces.ok ? await fileOf(listed, pieces.value, reading) : pieces;
    if (!file.ok) return file;
    files.push(file.value);
  }
  return readAll(files, format, reading.cancellation);
}

/** A file as readers want it; once its pieces could not be read any more it ends, and says why. */
interface WatchedFile {
  readonly file: TraceFile;
  readonly fault: () => string | undefined;
}

/** What is broken on the disk is told before what that makes of the content. */
function readAll(
  files: readonly WatchedFile[],
  format: string | undefined,
  cancellation: Cancellation,
): Result<TableEntries> {
  const table = readTableFiles(
    files.map(({ file }) => file),
    format,
    cancellation,
  );
  const broken = files.find(({ fault }) => fault() !== undefined);
  if (broken === undefined) return table;
  return fail('file-unreadable', `${broken.file.name} cannot be read: ${broken.fault() ?? ''}.`);
}

/** A file as readers want it, unpacked where gzip has packed it; of a large one progress is told. */
async function fileOf(uri: string, pieces: FilePieces, reading: TableReading): Promise<Result<WatchedFile>> {
  const name = fileNameOf(uri);
  if (isPacked(pieces)) return unpacked(uri, name, reading);
  const { size } = pieces;
  const megabytes = (bytes: number): string => String(Math.round(bytes / 2 ** 20));
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
  return succeed({ file, fault: () => fault });
}

function isPacked(pieces: FilePieces): boolean {
  for (const chunk of pieces.chunks()) return chunk[0] === 0x1f && chunk[1] === 0x8b;
  return false;
}

async function unpacked(
  uri: string,
  name: string,
  { policy, cancellation }: TableReading,
): Promise<Result<WatchedFile>> {
  const packed = await platform().files.readBytes(uri, policy, { limit: traceFileLimit, cancellation });
  if (!packed.ok) return packed;
  const bytes = await platform().gunzip(packed.value.bytes ?? new Uint8Array(), traceFileLimit);
  if (!bytes.ok) return fail('bad-table', `${name}: It is packed by gzip, and ${bytes.failure.message}`);
  return succeed({ file: { name, chunks: () => [bytes.value] }, fault: () => undefined });
}
