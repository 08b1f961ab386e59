import { type Cancellation, neverCancelled } from '../model/cancellation.ts';
import { findEntry, type OptionValues } from '../model/catalogue.ts';
import { fail, type Result } from '../model/result.ts';
import type { Trace, TraceFile, TraceFormatEntry } from './contract.ts';
import { ending, faultOfSignature, withoutByteOrderMark } from './reading.ts';
import { dimemas } from './traces/dimemas.ts';
import { dumpi2ascii } from './traces/dumpi.ts';
import { fsin } from './traces/fsin.ts';
import { goal } from './traces/goal.ts';
import { otf2Print } from './traces/otf2Print.ts';
import { simgrid } from './traces/simgrid.ts';
import { vef } from './traces/vef.ts';
import { workloadText } from './traces/workloadText.ts';

/** Formats that traces are read from; `traceFormats` of the model names the same ones. */
export const traceReaders: readonly TraceFormatEntry[] = [
  workloadText,
  goal,
  simgrid,
  otf2Print,
  dumpi2ascii,
  vef,
  fsin,
  dimemas,
];

export { writeWorkload } from './traces/workloadText.ts';

const wholeCodes = ['bad-workload', 'workload-too-large'];

/** So much of a file is looked at to find its format, and so much of a list of files is read. */
const beginningLength = 65_536;

/**
 * Reads a trace of all ranks: `files` is the one that the user named, or those that it lists, in order. `format` is a name
 * of the catalogue; without one the beginning of the first file decides. Fails with `bad-trace` and one sentence that begins
 * with the file's name, with `workload-too-large` where it has more operations than are kept.
 */
export function readTrace(
  files: readonly TraceFile[],
  format: string | undefined,
  options: OptionValues,
  cancellation: Cancellation = neverCancelled,
): Result<Trace> {
  const [first] = files;
  if (first === undefined) return fail('bad-trace', 'The list of the trace names no files.');
  return ending(cancellation, () => {
    const bytes = beginningOf(first);
    const beginning = new TextDecoder().decode(withoutByteOrderMark(bytes));
    const entry =
      format === undefined
        ? traceReaders.find(({ recognizes }) => recognizes(beginning))
        : findEntry(traceReaders, format);
    if (entry !== undefined) {
      const trace = entry.read(files, options, cancellation);
      if (trace.ok || !wholeCodes.includes(trace.failure.code)) return trace;
      const { code, message } = trace.failure;
      // What only shows in the whole program has no line, and nothing of a file before it.
      if (files.some(({ name }) => message.startsWith(`${name}:`))) return trace;
      return fail(code === 'bad-workload' ? 'bad-trace' : code, `${first.name}: ${message}`);
    }
    const fault = faultOfSignature(withoutByteOrderMark(bytes));
    if (fault !== undefined) return fail('bad-trace', `${first.name}: ${fault}`);
    if (beginning.trim() === '') return fail('bad-trace', `${first.name}: The file is empty.`);
    const names = traceReaders.map(({ name }) => name).join(', ');
    return fail('bad-trace', `${first.name}: The trace is in no format that is read: write \`as\` one of ${names}.`);
  });
}

function beginningOf(file: TraceFile): Uint8Array {
  const bytes = new Uint8Array(beginningLength);
  let length = 0;
  for (const chunk of file.chunks()) {
    const part = chunk.subarray(0, beginningLength - length);
    bytes.set(part, length);
    length += part.length;
    if (length === beginningLength) break;
  }
  return bytes.subarray(0, length);
}

/**
 * The files that a list names, one per rank in the order of ranks, relative to the list; undefined where a file is no
 * list but a trace. Each line of a list is one name: it has a letter, a dot and no blanks.
 */
export function namesInList(bytes: Uint8Array): readonly string[] | undefined {
  if (faultOfSignature(bytes) !== undefined) return undefined;
  const lines = new TextDecoder().decode(withoutByteOrderMark(bytes)).split(/\r?\n/);
  const names = lines.map((line) => line.trim()).filter((line) => line !== '');
  const isName = (line: string): boolean => /^[^\s:{}#]*[A-Za-z][^\s:{}#]*$/.test(line) && line.includes('.');
  return names.length > 0 && names.every(isName) ? names : undefined;
}
