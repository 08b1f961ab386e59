/** From another tool's file of a network to a `.place` file that refers to it, for editor and command line. */
import { readFabric } from '../interchange/fabrics.ts';
import { machineText } from '../interchange/machineText.ts';
import { fileNameOf, relativePath } from '../language/uris.ts';
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { Fabric } from '../model/fabric.ts';
import { type Result, fail } from '../model/result.ts';
import { machineFileLimit, platform, type ReadPolicy } from './platform.ts';

/** Reads the file of a fabric; fails as reading any file does, with `bad-fabric`, or with `cancelled`. */
export async function readFabricFile(
  uri: string,
  policy: ReadPolicy,
  format?: string,
  cancellation: Cancellation = neverCancelled,
): Promise<Result<Fabric>> {
  const file = await platform().files.readBytes(uri, policy, { limit: machineFileLimit, cancellation });
  return file.ok ? readFabric(file.value.bytes ?? new Uint8Array(), fileNameOf(uri), format, cancellation) : file;
}

/** The text of a `.place` file at `target` that refers to the fabric at `uri`. */
export function importedText(fabric: Fabric, uri: string, target: string, format?: string): Result<string> {
  const path = relativePath(target, uri);
  if (path === undefined)
    return fail('file-unreadable', `${uri} and ${target} must both be files on the same machine.`);
  return machineText(fabric, { path, format });
}

/** The URI of the `.place` file that is suggested for a fabric: beside it, with its name. */
export function suggestedPlaceFile(uri: string): string {
  const [stem] = fileNameOf(uri).replace(/^\.+/, '').split('.', 1);
  return uri.slice(0, uri.lastIndexOf('/') + 1) + encodeURIComponent(`${stem || 'fabric'}.place`);
}
