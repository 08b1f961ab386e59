/** The inside of a compute node from another tool's file, in the format that its content shows; `nodes/` has the formats. */
import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import type { NodeShape } from '../model/fabric.ts';
import { countOf } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
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
  if (format !== undefined) return ending(cancellation, () => withDoubts(format.read(text.value, fileName)));
  const formats = nodeFormats.map(({ name, summary }) => `${name} (${summary})`).join(', ');
  return fail('bad-node', `${fileName}: The file does not describe a node; read is ${formats}.`);
}

/** Adds a warning if the file does not give the socket of a GPU. */
function withDoubts(shape: Result<NodeShape>): Result<NodeShape> {
  if (!shape.ok || shape.value.coresOfSockets.length === 1) return shape;
  const { devices = [], warnings } = shape.value;
  const adrift = devices.filter(({ kind, socket }) => kind === 'gpu' && socket === undefined);
  const [first] = adrift;
  if (first === undefined) return shape;
  const message = `The file does not say next to which socket ${countOf(adrift.length, 'GPU')} ${adrift.length === 1 ? 'is' : 'are'}, the first ${quote(first.name)}: GPUs without a place are dealt to the sockets in order.`;
  return succeed({ ...shape.value, warnings: [...warnings, { message }] });
}

/** Formats that the inside of a node is read from. */
export const nodeFormats: readonly NodeFormatEntry[] = [hwloc, ncclTopology, nvidiaSmi];
