/**
 * `placewright trace`: what a trace of messages holds, and the same as a workload of Placewright or as a table of traffic.
 * Files are read in chunks, more than once where a format needs it, so that they may be larger than memory.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TraceFile } from '../../interchange/contract.ts';
import { namesInList, readTrace, writeWorkload } from '../../interchange/traces.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { countOf, formatBytes, formatSeconds } from '../../model/quantities.ts';
import { fail, type Result, succeed } from '../../model/result.ts';
import { operationKind, type Workload } from '../../model/workload.ts';
import { forEachOperation, type Sends, sendsOf } from '../../simulation/workloads/programs.ts';
import { packingOf, Unpacker } from '../packed.ts';
import { writeOutput } from './output.ts';
import { fileName } from './program.ts';
import { align, type ExitCode, exitCodes, printFailure, type Terminal } from './terminal.ts';

export interface TraceOptions {
  readonly as?: string;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
  /** False where `--no-computing` leaves it out. */
  readonly computing?: boolean;
}

/** The number of its descriptor. */
const standardInput = 0;
/** Bytes that are read at once. */
const chunkBytes = 2 ** 20;
/** A list of files is not longer than this. */
const largestList = 2 ** 22;
/** A text that is written is not longer than this: it is made as a whole. */
const longestText = 2 ** 28;

/**
 * Reads a trace from a file, or from those that the file lists, and prints what it holds. A file that is not there is wrong
 * usage, one that cannot be understood has errors.
 */
export async function trace(file: string, options: TraceOptions, terminal: Terminal): Promise<ExitCode> {
  const named = filesOf(file);
  if (!named.ok) {
    printFailure(named.failure, terminal);
    return exitCodes.wrongUsage;
  }
  const files = await unpackedFiles(named.value);
  if (!files.ok) {
    printFailure(files.failure, terminal);
    return exitCodes.fileHasErrors;
  }
  const computing = options.computing === false ? 'ignored' : 'kept';
  const read = readTrace(files.value, options.as, { computing });
  if (!read.ok) {
    printFailure(read.failure, terminal);
    return exitCodes.fileHasErrors;
  }
  const { workload, warnings } = read.value;
  for (const warning of warnings) terminal.err(`${fileName(file)}: warning: ${warning}\n`);
  const sends = sendsOf(workload);
  const { output } = options;
  if (output !== undefined) {
    const text = output.endsWith('.csv') ? tableText(sends) : workloadText(workload);
    if (!text.ok) {
      printFailure(text.failure, terminal);
      return exitCodes.fileHasErrors;
    }
    const sources = files.value.filter(({ path }) => path !== '-').map(({ path }) => pathToFileURL(path).href);
    const isTable = output.endsWith('.csv');
    await writeOutput({ target: output, text: text.value, force: options.force === true, sources, isTable }, terminal);
  }
  const contents = contentsOf(workload, sends);
  if (options.json === true) terminal.data(`${JSON.stringify({ file, ...contents, warnings }, undefined, 2)}\n`);
  else if (output !== '-') terminal.out(wordsOf(contents));
  return exitCodes.good;
}

interface PathFile extends TraceFile {
  readonly path: string;
}

function filesOf(path: string): Result<readonly PathFile[]> {
  if (path === '-') {
    // It can be read once, and a format may have to go through it more often.
    const chunks = [...chunksFrom(standardInput)];
    return succeed([{ path, name: fileName(path), chunks: () => chunks }]);
  }
  const size = sizeOf(path);
  if (!size.ok) return size;
  const names = size.value > largestList ? undefined : namesInList(wholeOf(path));
  if (names === undefined) return succeed([fileAt(path)]);
  const files: PathFile[] = [];
  for (const name of names) {
    const listed = join(dirname(path), name);
    const found = sizeOf(listed);
    if (!found.ok) return found;
    files.push(fileAt(listed));
  }
  return succeed(files);
}

/** Those that are packed are unpacked first, piece by piece. */
async function unpackedFiles(files: readonly PathFile[]): Promise<Result<readonly PathFile[]>> {
  // It goes with the program.
  const unpacker = new Unpacker({ cancellation: neverCancelled, progress: () => undefined });
  const readable: PathFile[] = [];
  for (const file of files) {
    const [head = new Uint8Array()] = file.chunks();
    const packing = packingOf(head);
    if (packing === undefined) {
      readable.push(file);
      continue;
    }
    const found = await unpacker.unpack(packing, file.chunks);
    if (!found.ok) return fail('bad-trace', `${file.name} ${found.failure.message}`);
    readable.push({ ...file, chunks: found.value });
  }
  return succeed(readable);
}

/** Bytes of a file; a folder, a device or nothing at all is a failure. */
function sizeOf(path: string): Result<number> {
  try {
    const found = statSync(path);
    if (found.isFile()) return succeed(found.size);
    return fail('not-a-file', `${path} is a folder, a device or a pipe; a file is expected.`);
  } catch {
    return fail('file-not-found', `${path} is not there, or may not be read.`);
  }
}

const fileAt = (path: string): PathFile => ({ path, name: basename(path), chunks: () => chunksOf(path) });

function* chunksOf(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, 'r');
  try {
    yield* chunksFrom(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function* chunksFrom(descriptor: number): Generator<Uint8Array> {
  for (;;) {
    const chunk = new Uint8Array(chunkBytes);
    const length = readSync(descriptor, chunk);
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

function wholeOf(path: string): Uint8Array {
  const chunks = [...chunksOf(path)];
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

interface Contents {
  readonly tasks: number;
  /** Between different tasks. */
  readonly messages: number;
  readonly bytes: number;
  readonly pairs: number;
  /** Seconds of all tasks together. */
  readonly computing: number;
  /** Sends, receives and computations as they are kept. */
  readonly operations: number;
}

function contentsOf(workload: Workload, { taskCount, rowStart, partner, bytes, messages }: Sends): Contents {
  const total = { messages: 0, bytes: 0, pairs: 0, computing: 0 };
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task] ?? 0; pair < (rowStart[task + 1] ?? 0); pair++) {
      if (partner[pair] === task) continue;
      total.messages += messages[pair] ?? 0;
      total.bytes += bytes[pair] ?? 0;
      total.pairs++;
    }
  }
  forEachOperation(workload, (_list, at, times) => {
    if (workload.kinds[at] === operationKind.compute) total.computing += times * (workload.amounts[at] ?? 0);
  });
  return { tasks: taskCount, ...total, operations: workload.kinds.length };
}

function wordsOf({ tasks, messages, bytes, pairs, computing, operations }: Contents): string {
  const rows = [
    ['Tasks', tasks.toLocaleString('en-US')],
    ['Messages', `${messages.toLocaleString('en-US')} between ${countOf(pairs, 'pair')}`],
    ['Bytes', formatBytes(bytes)],
    ['Computing', `${formatSeconds(computing)}, all tasks together`],
    ['Kept as', countOf(operations, 'operation')],
  ];
  return `${align(rows, ['left', 'left']).join('\n')}\n`;
}

function workloadText(workload: Workload): Result<string> {
  const parts: string[] = [];
  let length = 0;
  for (const part of writeWorkload(workload)) {
    parts.push(part);
    length += part.length;
    if (length > longestText) return fail('workload-too-large', 'The workload is too long for one text file: write its table (`-o NAME.csv`).'); // prettier-ignore
  }
  return succeed(parts.join(''));
}

function tableText({ taskCount, rowStart, partner, bytes }: Sends): Result<string> {
  const lines = ['from,to,bytes'];
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task] ?? 0; pair < (rowStart[task + 1] ?? 0); pair++) {
      if (partner[pair] !== task && (bytes[pair] ?? 0) > 0) lines.push(`${task},${partner[pair] ?? 0},${bytes[pair] ?? 0}`); // prettier-ignore
    }
    if (lines.length * 12 > longestText) return fail('workload-too-large', 'The table is too long for one text file.');
  }
  return succeed(`${lines.join('\n')}\n`);
}
