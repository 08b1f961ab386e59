import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import { findEntry } from '../model/catalogue.ts';
import { type Result, fail } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { TableFormatEntry, TraceFile } from './contract.ts';
import { csv, edgeList } from './csv.ts';
import { matrixMarket } from './matrixMarket.ts';
import { ending, faultOfSignature, withoutByteOrderMark } from './reading.ts';
import { metis, scotch } from './tables/graphs.ts';
import { npy } from './tables/npy.ts';
import { pmlMonitoring } from './tables/pmlMonitoring.ts';
import { summedTrace } from './tables/summedTrace.ts';
import { treematch } from './tables/treematch.ts';
import { bytesOf } from './wholeFile.ts';
import { traceReaders } from './traces.ts';

/**
 * Formats that tables are read from; the first that recognises a file reads it, so the most particular stand first.
 * `tableFormatNames` of the model names the same ones.
 */
export const tableFormats: readonly TableFormatEntry[] = [
  matrixMarket,
  npy,
  pmlMonitoring,
  scotch,
  metis,
  treematch,
  ...traceReaders.map(summedTrace),
  edgeList,
  csv,
];

/** Names of the formats that a file fits, by its beginning, that which reads it first; the fallback only where there is no other. */
export function formatsThatFit(file: TraceFile): readonly string[] {
  const beginning = withoutByteOrderMark(bytesOf(file, beginningLength));
  const found = tableFormats.flatMap(({ name, recognizes }) =>
    name !== csv.name && recognizes(beginning) ? [name] : [],
  );
  return found.length === 0 ? [csv.name] : found;
}

/** So much of a file is looked at to find its format. */
const beginningLength = 65_536;

/**
 * Reads a table of traffic, found by its content, or in the format that is named. Amounts are
 * finite, ≥ 0 and at most 2^53; zeros are dropped, the diagonal is kept.
 * Fails with `bad-table` and one sentence that begins with the file's name and line. O(bytes).
 */
export const readTable = (
  content: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
  format?: string,
): Result<TableEntries> => readTableFiles([{ name: fileName, chunks: () => [content] }], format, cancellation);

/** As {@link readTable}, of several files where each rank wrote one; they are gone through piece by piece. */
export function readTableFiles(
  files: readonly TraceFile[],
  format: string | undefined,
  cancellation: Cancellation = neverCancelled,
): Result<TableEntries> {
  const [first] = files;
  if (first === undefined) return fail('bad-table', 'There are no files of the table.');
  return ending(cancellation, () => {
    const beginning = withoutByteOrderMark(bytesOf(first, beginningLength));
    const entry =
      format === undefined
        ? tableFormats.find(({ recognizes }) => recognizes(beginning))
        : findEntry(tableFormats, format);
    if (entry === undefined) {
      const names = tableFormats.map(({ name }) => name).join(', ');
      return fail('bad-table', `${first.name}: There is no format \`${format ?? ''}\` of tables; there are ${names}.`);
    }
    const fault = entry.isBinary === true ? undefined : faultOfSignature(beginning);
    if (fault !== undefined) return fail('bad-table', `${first.name}: ${fault}`);
    if (entry.isBinary === true && !entry.recognizes(beginning)) {
      return fail(
        'bad-table',
        `${first.name}: byte 0: The file is none of the format \`${entry.name}\`, which begins otherwise: leave out \`as ${entry.name}\`, so that the content tells the format.`,
      );
    }
    return entry.read(files, cancellation);
  });
}
