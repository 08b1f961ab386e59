import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { NodeShape } from '../model/fabric.ts';
import { type Result, fail } from '../model/result.ts';
import { decodeText } from './plainText.ts';
import { ending } from './reading.ts';
import type { NodeFormatEntry } from './contract.ts';
import { hwloc } from './nodes/hwloc.ts';

/**
 * Reads the inside of a compute node: `node from "FILE"`. Fails with `bad-node` and
 * one sentence that begins with the file's name and, where it has one, the line. O(bytes).
 */
export function readNodeShape(
  bytes: Uint8Array,
  fileName: string,
  cancellation: Cancellation = neverCancelled,
): Result<NodeShape> {
  const text = decodeText(bytes);
  if (!text.ok) return fail('bad-node', `${fileName}: ${text.failure}`);
  const format = nodeFormats.find((entry) => entry.recognizes(text.value));
  if (format !== undefined) return ending(cancellation, () => format.read(text.value, fileName));
  const formats = nodeFormats.map(({ name, summary }) => `${name} (${summary})`).join(', ');
  return fail('bad-node', `${fileName}: The file does not describe a node; read is ${formats}.`);
}

/** Formats that the inside of a node is read from. */
export const nodeFormats: readonly NodeFormatEntry[] = [hwloc];
