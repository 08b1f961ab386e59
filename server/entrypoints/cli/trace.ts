/**
 * `placewright trace`: what a trace of messages holds, and the same as a workload of Placewright or as a table of traffic.
 * Files are read in chunks, more than once where a format needs it, so that they may be larger than memory.
 */
import { readTrace } from '../../interchange/readers.ts';
import { writeWorkload } from '../../interchange/traces/workloadText.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { countOf, formatBytes, formatSeconds } from '../../model/quantities.ts';
import { fail, type Result, succeed } from '../../model/result.ts';
import { operationKind, type Workload } from '../../model/workload.ts';
import { forEachOperation, type Sends, sendsOf } from '../../simulation/workloads/programs.ts';
import { type OpenedFiles, openFiles, openPieces, type PieceReading, unlessBroken } from '../filesInPieces.ts';
import { besideOutput, writeOutput } from './output.ts';
import { fileName, uriOfPath } from './program.ts';
import { align, type ExitCode, exitCodes, printFailure, type Terminal } from './terminal.ts';

export interface TraceOptions {
  readonly as?: string;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
  /** False where `--no-computing` leaves it out. */
  readonly computing?: boolean;
}

/** Bytes that are read at once. */
const chunkBytes = 2 ** 20;
/** A text that is written is not longer than this: it is made as a whole. */
const longestText = 2 ** 28;

/**
 * Reads a trace from a file, or from those that a list, a folder or a pattern names, and prints what it holds. A file that is not there is wrong
 * usage, one that cannot be understood has errors.
 */
export async function trace(file: string, options: TraceOptions, given: Terminal): Promise<ExitCode> {
  const terminal = besideOutput(given, { json: options.json, files: { '-o': options.output } });
  const reading = { policy: {}, cancellation: neverCancelled, progress: () => undefined };
  const opened = await (file === '-'
    ? openStandardInput(reading, terminal)
    : openFiles(uriOfPath(file), 'bad-trace', reading));
  if (!opened.ok) {
    printFailure(opened.failure, terminal);
    return opened.failure.code === 'bad-trace' ? exitCodes.fileHasErrors : exitCodes.wrongUsage;
  }
  const files = opened.value.files ?? [];
  const computing = options.computing === false ? 'ignored' : 'kept';
  const sources = files.map((one) => one.file);
  const read = unlessBroken(files, readTrace(sources, options.as, { computing }));
  opened.value.close();
  if (!read.ok) {
    printFailure(read.failure, terminal);
    return exitCodes.fileHasErrors;
  }
  const { workload, warnings } = read.value;
  for (const warning of warnings) terminal.err(`${fileName(file)}: warning: ${warning}\n`);
  const sends = sendsOf(workload);
  const { output } = options;
  if (output !== undefined) {
    const text = output.endsWith('.csv') ? tableCsv(sends) : workloadText(workload);
    if (!text.ok) {
      printFailure(text.failure, terminal);
      return exitCodes.fileHasErrors;
    }
    const isTable = output.endsWith('.csv');
    const uris = file === '-' ? [] : [uriOfPath(file), ...files.map(({ uri }) => uri)];
    await writeOutput(
      { target: output, text: text.value, force: options.force === true, sources: uris, isTable },
      terminal,
    );
  }
  const contents = traceContents(workload, sends);
  if (options.json === true) terminal.data(`${JSON.stringify({ file, ...contents, warnings }, undefined, 2)}\n`);
  else terminal.out(traceSummary(contents));
  return exitCodes.good;
}

/** Standard input can be read once, and a format may have to go through it more often: it is held. */
function openStandardInput(reading: PieceReading, { read }: Pick<Terminal, 'read'>): Promise<Result<OpenedFiles>> {
  const held: Uint8Array[] = [];
  for (;;) {
    const chunk = new Uint8Array(chunkBytes);
    const length = read(chunk);
    if (length === 0) break;
    held.push(chunk.subarray(0, length));
  }
  const size = held.reduce((sum, { length }) => sum + length, 0);
  return openPieces(fileName('-'), { stamp: undefined, size, chunks: () => held }, 'bad-trace', reading);
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

function traceContents(workload: Workload, { taskCount, rowStart, partner, bytes, messages }: Sends): Contents {
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

function traceSummary({ tasks, messages, bytes, pairs, computing, operations }: Contents): string {
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
    if (length > longestText)
      return fail('workload-too-large', 'The workload is too long for a text file. Write a table with `-o NAME.csv`.');
  }
  return succeed(parts.join(''));
}

function tableCsv({ taskCount, rowStart, partner, bytes }: Sends): Result<string> {
  const lines = ['from,to,bytes'];
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task] ?? 0; pair < (rowStart[task + 1] ?? 0); pair++) {
      if (partner[pair] !== task && (bytes[pair] ?? 0) > 0)
        lines.push(`${task},${partner[pair] ?? 0},${bytes[pair] ?? 0}`);
    }
    if (lines.length * 12 > longestText) return fail('workload-too-large', 'The table is too long for a text file.');
  }
  return succeed(`${lines.join('\n')}\n`);
}
