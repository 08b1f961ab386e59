/** From another tool's file of a network to a `.place` file that refers to it, for editor and command line. */
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFabric } from '../interchange/fabrics.ts';
import { machineText } from '../interchange/machineText.ts';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { Fabric } from '../model/fabric.ts';
import { type Result, fail, succeed } from '../model/result.ts';
import { machineFileLimit, nameOf, readBytes, type ReadPolicy } from './files.ts';

/** Reads the file of a fabric; fails as reading any file does, with `bad-fabric`, or with `cancelled`. */
export async function readFabricFile(
  uri: string,
  policy: ReadPolicy,
  format?: string,
  cancellation: Cancellation = neverCancelled,
): Promise<Result<Fabric>> {
  const file = await readBytes(uri, policy, { limit: machineFileLimit, cancellation });
  return file.ok ? readFabric(file.value.bytes ?? new Uint8Array(), nameOf(uri), format, cancellation) : file;
}

/** The text of a `.place` file at `target` that refers to the fabric at `uri`; both are `file:` URIs. */
export function importedText(fabric: Fabric, uri: string, target: string, format?: string): Result<string> {
  const paths = pathsOf(uri, target);
  if (!paths.ok) return paths;
  const { source, place } = paths.value;
  const way = relative(dirname(place), source);
  // Another drive of Windows has no relative way.
  const path = (isAbsolute(way) ? source : way).split(sep).join('/');
  return machineText(fabric, { path, format });
}

/** The URI of the `.place` file that is suggested for a fabric: beside it, with its name. */
export function suggestedPlaceFile(uri: string): string {
  const [stem] = nameOf(uri).replace(/^\.+/, '').split('.', 1);
  return uri.slice(0, uri.lastIndexOf('/') + 1) + encodeURIComponent(`${stem || 'fabric'}.place`);
}

function pathsOf(uri: string, target: string): Result<{ readonly source: string; readonly place: string }> {
  try {
    return succeed({ source: fileURLToPath(uri), place: fileURLToPath(target) });
  } catch {
    return fail('file-unreadable', `${uri} and ${target} must both be files on this machine.`);
  }
}
