/** Reads all files that a program names besides its sources, so that a study never waits. */
import { readCoordinates } from '../interchange/coordinates.ts';
import { readFabric } from '../interchange/fabrics.ts';
import { readIntegers } from '../interchange/integers.ts';
import { readNodeShape } from '../interchange/nodes.ts';
import { readTable } from '../interchange/table.ts';
import type { FileNeed } from '../language/program.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { TaskPositions } from '../model/job.ts';
import { type Result, fail } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { StudyFiles } from '../study/program.ts';
import { machineFileLimit, nameOf, readBytes, readText, tableFileLimit, type ReadPolicy } from './files.ts';

/** What was made of files as they were last read, so that a save does not parse a hundred megabytes again. */
export interface FileMemory {
  readonly tables: Parsed<TableEntries>;
  readonly coordinates: Parsed<TaskPositions>;
  readonly fabrics: Parsed<Fabric>;
  readonly nodes: Parsed<NodeShape>;
}

type Parsed<Value> = Map<string, { readonly stamp: string | undefined; readonly value: Result<Value> }>;

export const createFileMemory = (): FileMemory => ({
  tables: new Map(),
  coordinates: new Map(),
  fabrics: new Map(),
  nodes: new Map(),
});

/**
 * Reads and parses all files that a program names, so that the study can ask for them without
 * waiting. A file that cannot be read is a failure of its own: the others still serve. With a
 * `memory`, what a file held that has not changed is the same object as before; files that are no
 * longer named are forgotten.
 */
export async function readStudyFiles(
  files: readonly FileNeed[],
  policy: ReadPolicy,
  memory: FileMemory = createFileMemory(),
  cancellation: Cancellation = neverCancelled,
): Promise<StudyFiles> {
  const tables = new Map<string, Result<TableEntries>>();
  const coordinates = new Map<string, Result<TaskPositions>>();
  const integers = new Map<string, Result<Int32Array>>();
  const fabrics = new Map<string, Result<Fabric>>();
  const nodes = new Map<string, Result<NodeShape>>();
  for (const file of files) {
    if (cancellation.isCancelled()) break;
    const { uri } = file;
    switch (file.kind) {
      case 'table':
        tables.set(
          uri,
          await parsed(uri, { policy, cancellation, limit: tableFileLimit, memory: memory.tables }, readTable),
        );
        break;
      case 'coordinates':
        coordinates.set(
          uri,
          await parsed(
            uri,
            { policy, cancellation, limit: tableFileLimit, memory: memory.coordinates },
            readCoordinates,
          ),
        );
        break;
      case 'integers':
        integers.set(uri, await readIntegersFile(uri, policy, cancellation));
        break;
      case 'fabric': {
        const key = keyOfFabric(uri, file.format);
        const reading = { policy, cancellation, limit: machineFileLimit, memory: memory.fabrics, key };
        fabrics.set(key, await parsed(uri, reading, (bytes, name) => readFabric(bytes, name, file.format)));
        break;
      }
      case 'node':
        nodes.set(
          uri,
          await parsed(uri, { policy, cancellation, limit: machineFileLimit, memory: memory.nodes }, readNodeShape),
        );
        break;
    }
  }
  if (!cancellation.isCancelled()) {
    forgetOthers(memory.tables, tables);
    forgetOthers(memory.coordinates, coordinates);
    forgetOthers(memory.fabrics, fabrics);
    forgetOthers(memory.nodes, nodes);
  }
  return {
    table: (uri) => tables.get(uri) ?? notRead(uri),
    coordinates: (uri) => coordinates.get(uri) ?? notRead(uri),
    integers: (uri) => integers.get(uri) ?? notRead(uri),
    fabric: (uri, format) => fabrics.get(keyOfFabric(uri, format)) ?? notRead(uri),
    nodeShape: (uri) => nodes.get(uri) ?? notRead(uri),
  };
}

const notRead = (uri: string) => fail('file-unreadable', `${uri} was not read before the study.`);

/** One file may be read as several formats. */
const keyOfFabric = (uri: string, format: string | undefined): string => `${format ?? ''} ${uri}`;

interface Reading<Value> {
  readonly policy: ReadPolicy;
  readonly cancellation: Cancellation;
  readonly limit: number;
  readonly memory: Parsed<Value>;
  /** Under which it is remembered; its URI where absent. */
  readonly key?: string;
}

/** What a file holds, from the memory where it has not changed. */
async function parsed<Value>(
  uri: string,
  { policy, cancellation, limit, memory, key = uri }: Reading<Value>,
  parse: (bytes: Uint8Array, fileName: string) => Result<Value>,
): Promise<Result<Value>> {
  const known = memory.get(key);
  const file = await readBytes(uri, policy, { limit, unlessStamp: known?.stamp, cancellation });
  if (!file.ok) return file;
  const { stamp, bytes } = file.value;
  if (bytes === undefined && known !== undefined) return known.value;
  const value = parse(bytes ?? new Uint8Array(), nameOf(uri));
  if (!cancellation.isCancelled()) memory.set(key, { stamp, value });
  return value;
}

async function readIntegersFile(
  uri: string,
  policy: ReadPolicy,
  cancellation: Cancellation,
): Promise<Result<Int32Array>> {
  const text = await readText(uri, policy, { limit: tableFileLimit, cancellation });
  if (!text.ok) return text;
  const integers = readIntegers(text.value);
  return integers.ok ? integers : fail(integers.failure.code, `${nameOf(uri)}: ${integers.failure.message}`);
}

function forgetOthers(memory: Parsed<unknown>, named: ReadonlyMap<string, unknown>): void {
  for (const key of [...memory.keys()]) if (!named.has(key)) memory.delete(key);
}
