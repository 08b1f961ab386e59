import { fail } from '../../model/result.ts';
import type { TraceFormatEntry } from '../contract.ts';
import { count, forEachLine, real, tag, splitWords } from './lines.ts';
import { faultOfTaskCount, TraceWriter } from './writer.ts';

/** Words of a line: `s from to tag bytes`, `r from to tag bytes`, `c node time`. */
interface Event {
  readonly kind: 's' | 'r' | 'c';
  readonly numbers: readonly number[];
}

export const fsin: TraceFormatEntry = {
  name: 'fsin',
  summary: 'traces of FSIN, the simulator of INSEE',
  source: 'Navaridas et al. 2011, INSEE: trace.c',
  details:
    '`s FROM TO TAG BYTES`, `r FROM TO TAG BYTES` and `c NODE TIME`, in the order of each task. `ticks` is the number of cycles per second. Messages from a task to itself are skipped, as in the simulator.',
  options: [],
  recognizes: (beginning) => /^(\s*(#.*)?\n)*[src][ \t]+\d+[ \t]+\d+/.test(beginning),
  read(files, options, cancellation, sums) {
    let ranks = 0;
    for (const file of files) {
      const counted = forEachLine(file, cancellation, (text) => {
        const event = readEvent(text);
        if (typeof event === 'string' || event === undefined) return event;
        ranks = Math.max(ranks, 1 + (event.numbers[0] ?? 0), event.kind === 'c' ? 0 : 1 + (event.numbers[1] ?? 0));
        return faultOfTaskCount(ranks);
      });
      if (!counted.ok) return counted;
    }
    if (ranks === 0) return fail('bad-trace', `${files[0]?.name ?? ''}: The trace has no events.`);
    const writer = new TraceWriter(ranks, options, sums);
    const ticks = Number(options['ticks'] ?? 1e9);
    for (const file of files) {
      const done = forEachLine(file, cancellation, (text) => {
        const event = readEvent(text);
        if (typeof event === 'string' || event === undefined) return event;
        const [first = 0, second = 0, third = 0, bytes = 0] = event.numbers;
        if (event.kind === 'c') writer.compute(first, second / ticks);
        else if (first === second) return undefined;
        else if (event.kind === 's') return writer.send(first, second, bytes, third);
        else return writer.receive(second, first, bytes, third);
        return undefined;
      });
      if (!done.ok) return done;
    }
    return writer.finished('exact', cancellation);
  },
};

/** The event of a line, undefined where it is empty or a comment, else why it is none. */
function readEvent(text: string): Event | string | undefined {
  const [kind, ...words] = splitWords(text);
  if (kind === undefined || kind.startsWith('#')) return undefined;
  if (kind === 'c') {
    const [node, time] = [count(words[0]), real(words[1])];
    if (node !== undefined && time !== undefined && words.length === 2) return { kind, numbers: [node, time] };
    return 'Expected `c NODE TIME`, both numbers ≥ 0.';
  }
  if (kind !== 's' && kind !== 'r') return 'Expected `s`, `r` or `c` at the beginning of the line.';
  const numbers = [count(words[0]), count(words[1]), tag(words[2]), count(words[3])];
  const known = numbers.filter((number) => number !== undefined);
  if (known.length === 4 && words.length === 4) return { kind, numbers: known };
  return `Expected \`${kind} FROM TO TAG BYTES\`, with whole numbers ≥ 0. Wildcard receives cannot be replayed.`;
}
