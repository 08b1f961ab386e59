/**
 * A log of jobs in the Standard Workload Format (SWF 2 to 2.2, Chapin et al. 1999): one line a job, 18 fields, −1 where
 * a value is unknown.
 */
export interface JobLog {
  readonly fileName: string;
  /** `; Key: value` lines in their order; a line without a colon continues the value before it. */
  readonly headers: readonly LogHeader[];
  /** Lines that became jobs. */
  readonly jobCount: number;
  /** Line of each job in the file, counted from 1; ascending. */
  readonly lines: Int32Array;
  /** One column for each of {@link swfFields}, `jobCount` values each. Times in seconds. */
  readonly columns: readonly Float64Array[];
  /** Lines that are no jobs, by reason; a reason that comes first in the file is first. */
  readonly refused: readonly RefusedLines[];
}

export interface LogHeader {
  readonly key: string;
  readonly value: string;
}

export interface RefusedLines {
  /** Follows "refused: ", without a final stop. */
  readonly reason: string;
  readonly count: number;
  /** The first of the lines, at most {@link mostLinesTold}. */
  readonly lines: readonly number[];
}

/** Lines that are told of each reason; a log may have a hundred thousand of them. */
const mostLinesTold = 10;

/** `log.swf: 2 lines are refused: it has 17 fields instead of 18 (lines 4, 9).` */
export function refusedLinesText(fileName: string, { reason, count, lines }: RefusedLines): string {
  const shown = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
  return `${fileName}: ${count} ${count === 1 ? 'line is' : 'lines are'} refused: ${reason} (${shown}).`;
}

/** The fields of a line in their order: field 1 of the format is the first. */
export const swfFields = [
  'job',
  'submit',
  'wait',
  'run',
  'allocated-processors',
  'cpu-time',
  'memory',
  'requested-processors',
  'requested-time',
  'requested-memory',
  'status',
  'user',
  'group',
  'executable',
  'queue',
  'partition',
  'preceding-job',
  'think-time',
] as const;

export type SwfField = (typeof swfFields)[number];

/** Values of one field, one for each job. */
export function columnOf(log: JobLog, field: SwfField): Float64Array {
  const column = log.columns[swfFields.indexOf(field)];
  if (column === undefined) throw new RangeError(`A log without the field ${field}.`);
  return column;
}

/** Counts refused lines by reason and keeps the first line numbers of each. */
export class RefusalCounter {
  readonly #byReason = new Map<string, { count: number; lines: number[] }>();

  add(reason: string, line: number): void {
    const known = this.#byReason.get(reason);
    if (known === undefined) {
      this.#byReason.set(reason, { count: 1, lines: [line] });
      return;
    }
    known.count++;
    if (known.lines.length < mostLinesTold) known.lines.push(line);
  }

  get refused(): RefusedLines[] {
    return [...this.#byReason].map(([reason, { count, lines }]) => ({ reason, count, lines }));
  }
}
