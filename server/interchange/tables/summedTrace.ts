import { fail, succeed } from '../../model/result.ts';
import type { TableFormatEntry, TraceFormatEntry } from '../contract.ts';
import { PairSums, tooManyPairs } from '../pairSums.ts';

/** A format of traces as one of tables: the messages of each pair added up, and nothing else kept of the trace. */
export const summedTrace = (entry: TraceFormatEntry): TableFormatEntry => ({
  name: entry.name,
  summary: `${entry.summary}: messages added up`,
  source: entry.source,
  details:
    'Collective operations are expanded with default algorithms. `trace` in a job accepts others. Memory grows ' +
    'with the number of rank pairs, not with the trace.',
  options: [],
  recognizes: (beginning) => entry.recognizes(new TextDecoder().decode(beginning)),
  read(files, cancellation) {
    const sums = new PairSums();
    const trace = entry.read(files, {}, cancellation, sums);
    if (!trace.ok) {
      const { code, message } = trace.failure;
      return code === 'bad-trace' ? fail('bad-table', message) : trace;
    }
    const name = files[0]?.name ?? '';
    if (sums.isFull) return fail('bad-table', `${name}: ${tooManyPairs}`);
    const { workload, warnings } = trace.value;
    const entries = sums.entries(workload.taskCount, warnings);
    if (entries.from.length === 0) {
      return fail('bad-table', `${name}: The trace has no messages. ${warnings.join(' ')}`.trimEnd());
    }
    const isTooLarge = entries.amount.some((bytes) => !(bytes <= 2 ** 53));
    return isTooLarge
      ? fail('bad-table', `${name}: The messages of a pair exceed 2^53 bytes, the largest exact sum.`)
      : succeed(entries);
  },
});
