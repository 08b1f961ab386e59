import type { Fabric } from '../model/fabric.ts';
import { linkLimit, slotLimit } from '../model/machine.ts';
import { type Result, fail } from '../model/result.ts';
import { quote } from './amounts.ts';
import type { MachineFormatEntry } from './contract.ts';
import { decodeText } from './decodeText.ts';
import { adviceOnOtherFiles } from './fabrics/otherFiles.ts';
import { machineFormats } from './machineFormats.ts';

/**
 * Reads a network from another tool's file: in the format named, or in the first of the catalogue
 * that recognises the content. A fabric may be without hosts or in several parts: that is for the
 * topology to say. Never throws. Fails with `bad-fabric` and one sentence that begins with the
 * file's name and, where it has one, the line. O(bytes), but for names that stand for many.
 */
export function readFabric(bytes: Uint8Array, fileName: string, format: string | undefined): Result<Fabric> {
  const text = decodeText(bytes);
  if (!text.ok) return fail('bad-fabric', `${fileName}: ${text.failure}`);
  const entry = findFormat(text.value, format);
  if (!entry.ok) return fail('bad-fabric', `${fileName}: ${entry.failure}`);
  const fabric = entry.value.read(text.value, fileName);
  if (!fabric.ok) return fabric;
  const excess = excessOf(fabric.value);
  return excess === undefined ? fabric : fail('bad-fabric', `${fileName}: ${excess}`);
}

function findFormat(text: string, format: string | undefined): Result<MachineFormatEntry, string> {
  const refuse = (failure: string): Result<MachineFormatEntry, string> => ({ ok: false, failure });
  const formats = machineFormats.map(({ name }) => name).join(', ');
  if (format !== undefined) {
    const named = machineFormats.find((entry) => entry.name === format);
    if (named !== undefined) return { ok: true, value: named };
    return refuse(`There is no format ${quote(format)} of networks; there are ${formats}.`);
  }
  const found = machineFormats.find((entry) => entry.recognizes(text));
  if (found !== undefined) return { ok: true, value: found };
  const advice = adviceOnOtherFiles(text);
  if (advice !== undefined) return refuse(advice);
  return refuse(`The file is in no format of networks that is read here (${formats}); \`as FORMAT\` names one.`);
}

function excessOf({ nodes, routers, cables }: Fabric): string | undefined {
  const largest = slotLimit.toLocaleString('en-US');
  if (nodes.length > slotLimit) return `The network has ${nodes.length} hosts; at most ${largest} are possible.`;
  if (routers.length > slotLimit) return `The network has ${routers.length} switches; at most ${largest} are possible.`;
  if (2 * (cables.length + nodes.length) > linkLimit) {
    return `The network has ${cables.length + nodes.length} cables; at most ${(linkLimit / 2).toLocaleString('en-US')} are possible.`;
  }
  return undefined;
}
