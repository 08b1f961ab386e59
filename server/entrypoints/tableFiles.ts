/**
 * The files that a table of traffic lies in, read piece by piece; and the one name of several of them.
 */
import { formatsThatFit, readTableFiles } from '../interchange/readers.ts';
import { fileNameOf } from '../language/uris.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import { mostFiles, openFiles, fileNamePattern, type PieceReading, unlessBroken } from './filesInPieces.ts';
import { platform, type ReadPolicy } from './platform.ts';

/** What was made of a table's file: `stamp` tells whether that has changed, where it is one file. */
export interface ReadTable {
  readonly content: Result<TableEntries>;
  /** Those that the content fits, that which reads it first; none where no file was opened. */
  readonly formats: readonly string[];
  readonly stamp: string | undefined;
}

/**
 * Reads a table. `known` is answered where its file has not changed. Fails as {@link openFiles} and `readTableFiles` do.
 */
export async function readTableAt(
  uri: string,
  format: string | undefined,
  reading: PieceReading,
  known?: ReadTable,
): Promise<ReadTable> {
  const found = await openFiles(uri, 'bad-table', reading, known?.stamp);
  if (!found.ok) return { stamp: undefined, content: found, formats: [] };
  const { stamp, files, close } = found.value;
  if (files === undefined && known !== undefined) return known;
  const opened = files ?? [];
  const [first] = opened;
  const formats = first === undefined ? [] : formatsThatFit(first.file);
  const sources = opened.map(({ file }) => file);
  const table = readTableFiles(sources, format, reading.cancellation);
  const content = unlessBroken(opened, table);
  close();
  return content === table ? { stamp, content, formats } : { stamp: undefined, content, formats: [] };
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
    return fail('bad-table', 'The files of one table must be in one folder.');
  }
  const picked = new Set(uris.map(fileNameOf));
  const listed = await platform().files.listFolder(folder, policy, mostFiles + 1);
  const there = listed.flatMap(({ name, isFolder }) => (isFolder ? [] : [name]));
  const absent = [...picked].find((name) => !there.includes(name));
  if (absent !== undefined) return fail('file-not-found', `File ${absent} not found in ${fileNameOf(folder)}.`);
  const patterns = commonPatterns([...picked]).map((pattern) => ({
    pattern,
    matched: there.filter((name) => fileNamePattern(pattern).test(name)),
  }));
  const found = patterns.find(({ matched }) => matched.length === picked.size);
  if (found !== undefined) return succeed(`${folder}/${encodeURIComponent(found.pattern)}`);
  const { pattern, matched } = patterns.at(-1)!;
  return fail(
    'bad-table',
    `Pattern ${pattern} matches ${matched.length} files, but ${picked.size} are named. Name all, or a text file with one name per line.`,
  );
}

/** Patterns that the names fit: with the digits at both ends of what differs as part of that, then letter for letter. */
function commonPatterns(names: readonly string[]): readonly string[] {
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
