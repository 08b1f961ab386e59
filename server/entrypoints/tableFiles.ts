/**
 * The files that a table of traffic lies in: one, packed or not; those that a list, a folder or a pattern names where
 * each rank wrote one. Large files are read piece by piece.
 */
import type { TraceFile } from '../interchange/contract.ts';
import { parseDecimal } from '../interchange/entries.ts';
import { oneLine } from '../interchange/reading.ts';
import { formatsThatFit, readTableFiles } from '../interchange/table.ts';
import { bytesOf } from '../interchange/wholeFile.ts';
import { namesInList } from '../interchange/traces.ts';
import { fileNameOf } from '../language/uris.ts';
import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import { packingOf, Unpacker, type Packing } from './packed.ts';
import { platform, type FilePieces, type ReadPolicy } from './platform.ts';

export interface TableReading {
  readonly policy: ReadPolicy;
  readonly cancellation: Cancellation;
  /** Told how much of the file was read, of large ones. */
  readonly progress: ReportProgress;
}

interface TableContent {
  readonly content: Result<TableEntries>;
  /** Those that the content fits, that which reads it first; none where no file was opened. */
  readonly formats: readonly string[];
}

/** What was made of a table's file: `stamp` tells whether that has changed, where it is one file. */
export interface ReadTable extends TableContent {
  readonly stamp: string | undefined;
}

const unread = (content: Result<TableEntries>): TableContent => ({ content, formats: [] });

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
  const unstamped = (content: TableContent): ReadTable => ({ stamp: undefined, ...content });
  if (name.includes('*')) return unstamped(await readListed(uri, format, reading, patternOf(name)));
  const found = await platform().files.pieces(uri, policy, cancellation);
  if (!found.ok) {
    const isFolder =
      found.failure.code === 'not-a-file' && (await platform().files.listFolder(uri, policy, 1)).length > 0;
    return unstamped(isFolder ? await readListed(`${uri}/x`, format, reading, /^[^.]/) : unread(found));
  }
  const pieces = found.value;
  if (known?.stamp !== undefined && known.stamp === pieces.stamp) return known;
  const names = listedNames(pieces);
  if (names !== undefined) return unstamped(await readNamed(uri, names, format, reading));
  const unpacker = unpackerFor(name, reading);
  const file = await fileOf(uri, pieces, reading, unpacker);
  const content = file.ok ? readAll([file.value], format, cancellation) : unread(file);
  unpacker.close();
  return { stamp: pieces.stamp, ...content };
}

/**
 * The URI of several files of one table: their own where there is one, else a pattern that stands for these and no others. Fails with
 * `bad-table` where none does.
 */
export async function uriOfFiles(uris: readonly [string, ...string[]], policy: ReadPolicy): Promise<Result<string>> {
  const [first] = uris;
  if (uris.length === 1) return succeed(first);
  const folder = first.slice(0, first.lastIndexOf('/'));
  if (!uris.every((uri) => uri.slice(0, uri.lastIndexOf('/')) === folder)) {
    return fail('bad-table', 'The files of one table lie in one folder, and these are of several.');
  }
  const picked = new Set(uris.map(fileNameOf));
  const listed = await platform().files.listFolder(folder, policy, mostFiles + 1);
  const there = listed.flatMap(({ name, isFolder }) => (isFolder ? [] : [name]));
  const absent = [...picked].find((name) => !there.includes(name));
  if (absent !== undefined) return fail('file-not-found', `There is no file ${absent} in ${fileNameOf(folder)}.`);
  const patterns = patternsOf([...picked]).map((pattern) => ({ pattern, matched: there.filter((name) => patternOf(pattern).test(name)) })); // prettier-ignore
  const found = patterns.find(({ matched }) => matched.length === picked.size);
  if (found !== undefined) return succeed(`${folder}/${encodeURIComponent(found.pattern)}`);
  const { pattern, matched } = patterns.at(-1)!;
  return fail(
    'bad-table',
    `The pattern ${pattern} stands for ${matched.length} files, of which ${picked.size} are named: name all of them, or a text file that has the names of those that are meant, one a line.`,
  );
}

/** Patterns that the names fit: with the digits at both ends of what differs as part of that, then letter for letter. */
function patternsOf(names: readonly string[]): readonly string[] {
  const sorted = names.toSorted();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  let ahead = 0;
  while (ahead < first.length && first[ahead] === last[ahead]) ahead++;
  const head = first.slice(0, ahead);
  const shortest = names.reduce((least, { length }) => Math.min(least, length), Infinity);
  let behind = 0;
  while (behind < shortest - ahead && names.every((name) => name.at(-1 - behind) === first.at(-1 - behind))) behind++;
  const tail = first.slice(first.length - behind);
  const withoutDigits = `${head.replace(/\d+$/, '')}*${tail.replace(/^\d+/, '')}`;
  return withoutDigits === `${head}*${tail}` ? [withoutDigits] : [withoutDigits, `${head}*${tail}`];
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
): Promise<TableContent> {
  const folder = beside.slice(0, beside.lastIndexOf('/'));
  const found = await platform().files.listFolder(folder, reading.policy, mostFiles + 1);
  const names = found.flatMap(({ name, isFolder }) => (!isFolder && pattern.test(name) ? [name] : []));
  if (names.length === 0) {
    return unread(fail('file-not-found', `There are no files ${fileNameOf(beside)} in ${fileNameOf(folder)}.`));
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
): Promise<TableContent> {
  if (names.length > mostFiles) {
    const excess = `${fileNameOf(uri)}: There are ${names.length} files; at most ${mostFiles} are read.`;
    return unread(fail('bad-table', excess));
  }
  const unpacker = unpackerFor(fileNameOf(uri), reading);
  const files = await filesNamed(uri, names, reading, unpacker);
  const content = files.ok ? readAll(files.value, format, reading.cancellation) : unread(files);
  unpacker.close();
  return content;
}

async function filesNamed(
  uri: string,
  names: readonly string[],
  reading: TableReading,
  unpacker: Unpacker,
): Promise<Result<readonly WatchedFile[]>> {
  const files: WatchedFile[] = [];
  for (const name of names) {
    const listed = new URL(encodeURI(name).replace(/[?#]/g, encodeURIComponent), uri).href;
    const pieces = await platform().files.pieces(listed, reading.policy, reading.cancellation);
    const file = pieces.ok ? await fileOf(listed, pieces.value, reading, unpacker) : pieces;
    if (!file.ok) return file;
    files.push(file.value);
  }
  return succeed(files);
}

/** A file as readers want it; once its pieces could not be read any more it ends, and says why. */
interface WatchedFile {
  readonly file: TraceFile;
  readonly fault: () => string | undefined;
}

/** What is broken on the disk is told before what that makes of the content. */
function readAll(files: readonly WatchedFile[], format: string | undefined, cancellation: Cancellation): TableContent {
  const [first] = files;
  const formats = first === undefined ? [] : formatsThatFit(first.file);
  const table = readTableFiles(
    files.map(({ file }) => file),
    format,
    cancellation,
  );
  const broken = files.find(({ fault }) => fault() !== undefined);
  if (broken === undefined) return { content: table, formats };
  return unread(fail('file-unreadable', `${broken.file.name} cannot be read: ${broken.fault() ?? ''}.`));
}

/** A file as readers want it, unpacked where it was packed; of a large one progress is told. */
async function fileOf(
  uri: string,
  pieces: FilePieces,
  reading: TableReading,
  unpacker: Unpacker,
): Promise<Result<WatchedFile>> {
  const name = fileNameOf(uri);
  const packing = packingOfPieces(pieces);
  if (packing !== undefined) {
    const chunks = await unpacker.unpack(packing, pieces.chunks);
    if (chunks.ok) return succeed({ file: { name, chunks: chunks.value }, fault: () => undefined });
    const { code, message } = chunks.failure;
    return code === 'cancelled' ? chunks : fail('bad-table', `${name} ${message}`);
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
  return succeed({ file, fault: () => fault });
}

const megabytes = (bytes: number): string => String(Math.round(bytes / 2 ** 20));

function packingOfPieces(pieces: FilePieces): Packing | undefined {
  for (const chunk of pieces.chunks()) return packingOf(chunk);
  return undefined;
}

/** Tells from time to time how much is unpacked. */
function unpackerFor(name: string, { cancellation, progress }: TableReading): Unpacker {
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
