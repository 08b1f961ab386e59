/** The inside of a compute node from another tool's file, in the format that its content shows; `nodes/` has the formats. */
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { NodeShape } from '../model/fabric.ts';
import { type Result, fail } from '../model/result.ts';
import type { NodeFormatEntry } from './contract.ts';
import { hwloc } from './nodes/hwloc.ts';
import { ncclTopology } from './nodes/ncclTopology.ts';
import { nvidiaSmi } from './nodes/nvidiaSmi.ts';
import { decodeText, ending } from './reading.ts';

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
export const nodeFormats: readonly NodeFormatEntry[] = [hwloc, ncclTopology, nvidiaSmi];
