/** From another tool's file of a network or of traffic to a `.place` file that refers to it, for editor and command line. */
import { readFabric } from '../interchange/readers.ts';
import type { FileReference } from '../interchange/machineText.ts';
import { summaryOfTable, type ImportedTable } from '../interchange/tableText.ts';
import { fileNameOf, relativePath } from '../language/uris.ts';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { Fabric } from '../model/fabric.ts';
import { type Result, fail, succeed } from '../model/result.ts';
import { unpackedFile } from './packed.ts';
import { machineFileLimit, platform, type ReadPolicy } from './platform.ts';
import { readTableAt } from './tableFiles.ts';

/** Reads the file of a fabric; fails as reading any file does, with `bad-fabric`, or with `cancelled`. */
export async function readFabricFile(
  uri: string,
  policy: ReadPolicy,
  format?: string,
  cancellation: Cancellation = neverCancelled,
): Promise<Result<Fabric>> {
  const file = await platform().files.readBytes(uri, policy, { limit: machineFileLimit, cancellation });
  if (!file.ok) return file;
  const fileName = fileNameOf(uri);
  const whole = await unpackedFile(file.value.bytes ?? new Uint8Array(), machineFileLimit, fileName, 'bad-fabric');
  return whole.ok ? readFabric(whole.value, fileName, format, cancellation) : whole;
}

export interface TableFile {
  readonly table: Result<ImportedTable>;
  /** Those that the content fits; where it fits none, that which takes any text. */
  readonly formats: readonly string[];
}

/** Reads a table of traffic: a file, or a folder or pattern of one for each rank. Fails as reading any file does, with `bad-table`, or with `cancelled`. */
export async function readTableFile(
  uri: string,
  policy: ReadPolicy,
  format?: string,
  cancellation: Cancellation = neverCancelled,
): Promise<TableFile> {
  const reading = { policy, cancellation, progress: () => undefined };
  const { content, formats } = await readTableAt(uri, format, reading);
  if (!content.ok) return { table: content, formats };
  if (content.value.size === 0) {
    return { table: fail('bad-table', `${fileNameOf(uri)}: The table has no tasks.`), formats };
  }
  return { table: succeed(summaryOfTable(content.value, format === undefined ? formats : [format])), formats };
}

/** What a `.place` text is written of. */
type WriteText<Content> = (content: Content, reference: FileReference) => Result<string>;

/** The text of a `.place` file at `target` that refers to what was read at `uri`: {@link machineText} or {@link tableText} writes it. */
export function importedText<Content>(
  write: WriteText<Content>,
  content: Content,
  { uri, target, format }: { readonly uri: string; readonly target: string; readonly format?: string | undefined },
): Result<string> {
  const path = relativePath(target, uri);
  if (path === undefined)
    return fail('file-unreadable', `${uri} and ${target} must both be files on the same machine.`);
  return write(content, { path, format });
}

/** The URI of the `.place` file that is suggested: beside the file that is imported, with its name or `kind` where it has none. */
export function suggestedPlaceFile(uri: string, kind: string): string {
  const [word = ''] = fileNameOf(uri).replace(/^\.+/, '').split('.', 1);
  const stem = word.replace(/[*_-]*\*[*_-]*/g, '');
  return uri.slice(0, uri.lastIndexOf('/') + 1) + encodeURIComponent(`${stem || kind}.place`);
}
