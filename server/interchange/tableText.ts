import type { PreviewRow } from '../model/fabric.ts';
import { countOf, formatBytes, formatNumber } from '../model/quantities.ts';
import { type Result, succeed } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import { type FileReference, faultOfPath, nameAfterFile, warningsLine } from './machineText.ts';

/** A table of another tool's file, and what of its formats the content fits. */
export interface ImportedTable {
  /** The one that it was read in. */
  readonly format: string;
  /** Others that the content fits as well; the fallback of the catalogue is none. */
  readonly otherFormats: readonly string[];
  readonly tasks: number;
  /** Ordered pairs of different tasks of which the first sends to the second. */
  readonly pairs: number;
  /** What these send, in what the file counts: bytes where it says so. */
  readonly amount: number;
  /** Where the file counts them beside the bytes. */
  readonly messages?: number;
  /** Tasks that send to themselves, which costs nothing on any machine. */
  readonly toThemselves: number;
  /** What the file holds and is not read, or cannot tell, a sentence each. */
  readonly warnings: readonly string[];
}

/** Adds up the entries of a table that was read in the first of the formats. O(entries · log entries). */
export function summaryOfTable(
  { size, from, to, amount, messages, warnings = [] }: TableEntries,
  [format = 'csv', ...otherFormats]: readonly string[],
): ImportedTable {
  const places = new Float64Array(from.length);
  let [count, bytes, sent] = [0, 0, 0];
  const toThemselves = new Set<number>();
  for (let entry = 0; entry < from.length; entry++) {
    const [sender, receiver] = [from[entry]!, to[entry]!];
    if (sender === receiver) toThemselves.add(sender);
    else {
      places[count++] = sender * size + receiver;
      bytes += amount[entry]!;
      sent += messages?.[entry] ?? 0;
    }
  }
  const sorted = places.subarray(0, count).sort();
  const pairs = sorted.reduce((sum, place, index) => sum + (index > 0 && place === sorted[index - 1] ? 0 : 1), 0);
  return {
    format,
    otherFormats,
    tasks: size,
    pairs,
    amount: bytes,
    ...(messages === undefined ? {} : { messages: sent }),
    toThemselves: toThemselves.size,
    warnings,
  };
}

/**
 * A `.place` text that declares the table of a file and a job that sends by it. The format is written where the user named it,
 * and where the content fits several. Fails with `bad-name` where the language cannot write the path. O(name).
 */
export function tableText(table: ImportedTable, { path, format }: FileReference): Result<string> {
  const fault = faultOfPath(path);
  if (fault !== undefined) return fault;
  const name = nameAfterFile(path, 'traffic');
  const written = format ?? (table.otherFormats.length > 0 ? table.format : undefined);
  const lines = [
    `/// Read from \`${path}\` (${table.format}): ${countsOfTable(table)}.`,
    ...warningsLine(table),
    `table ${name} from "${path}"${written === undefined ? '' : ` as ${written}`}`,
    '',
    '/// The program of the traffic table.',
    `job ${name} {`,
    `  tasks ${table.tasks}`,
    `  table ${name}`,
    '}',
    '',
  ];
  return succeed(lines.join('\n'));
}

/** `64 tasks, 400 pairs that send, 1.2 GiB, 12,000 messages`. */
export function countsOfTable({ tasks, pairs, amount, messages }: ImportedTable): string {
  const parts = [
    countOf(tasks, 'task'),
    pairs === 1 ? '1 sending pair' : `${formatNumber(pairs)} sending pairs`,
    formatBytes(amount),
    ...(messages === undefined ? [] : [countOf(messages, 'message')]),
  ];
  return parts.join(', ');
}

/** What was understood of a table, for a reader who decides whether it is the right one. Without warnings. O(formats). */
export function rowsOfTable({
  tasks,
  pairs,
  amount,
  messages,
  toThemselves,
  otherFormats,
}: ImportedTable): PreviewRow[] {
  const possible = tasks * (tasks - 1);
  const bytes = formatBytes(amount);
  return [
    ['tasks', formatNumber(tasks)],
    ['pairs', `${formatNumber(pairs)} of ${formatNumber(possible)} send`],
    ['bytes', messages === undefined ? `${bytes}, if amounts are bytes (else add \`unit\`)` : bytes],
    ['messages', messages === undefined ? 'not in the file' : formatNumber(messages)],
    ...(toThemselves === 0 ? [] : [['skipped', whatIsLeftOut(toThemselves)] as const]),
    ...(otherFormats.length === 0 ? [] : [['fits as well', otherFormats.join(', ')] as const]),
  ];
}

const whatIsLeftOut = (tasks: number): string =>
  tasks === 1 ? 'messages of 1 task to itself' : `messages of ${formatNumber(tasks)} tasks to themselves`;
