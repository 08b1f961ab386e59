import type { Cancellation } from '../../model/cancellation.ts';
import { taskLimit } from '../../model/job.ts';
import { formatNumber } from '../../model/quantities.ts';
import { fail, quote, type Result, succeed } from '../../model/result.ts';
import type { TableEntries } from '../../model/traffic.ts';
import type { TableFormatEntry, TraceFile } from '../contract.ts';
import { forEachLine } from '../traces/lines.ts';
import { PairSums, tooManyPairs } from '../pairSums.ts';

/**
 * `E` are messages of the program, `I` those that collective operations were made of: together all that crossed the
 * network point to point. `S` and `R` are one-sided, what a rank put and what it got. `C` says the bytes of collectives
 * once more, as if each pair had exchanged one message; it must not be added.
 */
const pairLine = /^([EISRC])\t(\d{1,9})\t(\d{1,9})\t(\d{1,16}) bytes\t(\d{1,16}) msgs (?:sent|received)?/;
/** `D`: the members of a communicator, whose name may have blanks. The lines behind it are its collectives. */
const membersLine = /^D\t.*\tprocs: ([\d,]*)$/;
const otherLine = /^(?:#.*|(?:O2A|A2O|A2A)\t.*|)$/;

export const pmlMonitoring: TableFormatEntry = {
  name: 'pml-monitoring',
  summary: 'profiles of Open MPI (`pml_monitoring`), one file or one per rank',
  source: 'Open MPI 4.1, ompi/mca/common/monitoring; Bosilca, Foyer, Jeannot, Mercier & Papauré 2017',
  details:
    'Run with `--mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename NAME`: each rank writes a file. Use all of them with a pattern (`"NAME.*.prof"`) or a folder (`"profiles/"`), or join them. Point-to-point messages (`E`), messages inside collectives (`I`) and one-sided messages (`S`, `R`) add up. `C` repeats the collectives and is skipped.',
  options: [],
  recognizes: (bytes) => {
    const text = new TextDecoder().decode(bytes.subarray(0, 4096));
    return /^# POINT TO POINT\r?\n/.test(text) || /^[EISRC]\t\d+\t\d+\t\d+ bytes\t/.test(text);
  },
  read: readProfiles,
};

/** In one pass over the files, line by line. O(bytes). */
function readProfiles(files: readonly TraceFile[], cancellation: Cancellation): Result<TableEntries> {
  const profile = new Profile();
  for (const file of files) {
    const done = forEachLine(file, cancellation, (text) => profile.read(text));
    if (!done.ok)
      return fail(done.failure.code === 'bad-trace' ? 'bad-table' : done.failure.code, done.failure.message);
  }
  return profile.finished(files[0]?.name ?? '');
}

class Profile {
  readonly #sums = new PairSums();
  /** Ranks that lines are of: those whose files there are. */
  readonly #told = new Set<number>();
  #size = 0;
  #programBytes = 0;
  #collectiveBytes = 0;
  #repeated = 0;

  /** Why a line is refused, or undefined. */
  read(text: string): string | undefined {
    const found = pairLine.exec(text);
    if (found === null) return this.#readOther(text);
    const [, kind = ''] = found;
    const [rank = 0, partner = 0, bytes = 0, messages = 0] = found.slice(2).map(Number);
    if (Math.max(rank, partner) >= taskLimit)
      return `Invalid rank ${Math.max(rank, partner)}. Expected a number below ${taskLimit}.`;
    if (Math.max(bytes, messages) > 2 ** 53) return 'The bytes or messages exceed 2^53, the largest exact sum.';
    this.#told.add(rank);
    this.#size = Math.max(this.#size, rank + 1, partner + 1);
    if (kind === 'C') this.#repeated += bytes;
    else if (kind === 'R') this.#sums.add(partner, rank, bytes, messages);
    else this.#sums.add(rank, partner, bytes, messages);
    if (kind === 'I') this.#collectiveBytes += bytes;
    else if (kind !== 'C') this.#programBytes += bytes;
    return this.#sums.isFull ? tooManyPairs : undefined;
  }

  #readOther(text: string): string | undefined {
    const members = membersLine.exec(text)?.[1];
    if (members !== undefined) {
      for (const word of members.split(',')) this.#size = Math.max(this.#size, Number(word) + 1);
      return this.#size > taskLimit ? `A communicator has ranks above ${taskLimit - 1}, the maximum.` : undefined;
    }
    if (otherLine.test(text)) return undefined;
    return `Invalid line of a profile ${quote(text.slice(0, 80))}. Example: \`E<TAB>0<TAB>1<TAB>100 bytes<TAB>2 msgs sent\`.`;
  }

  finished(fileName: string): Result<TableEntries> {
    if (this.#sums.pairCount === 0) {
      const reason =
        this.#repeated > 0
          ? 'The profile has only collective operations (C), without senders and receivers. Run with `--mca pml_monitoring_enable 2`.'
          : 'The profile has no messages. Expected lines with E, I, S or R.';
      return fail('bad-table', `${fileName}: ${reason}`);
    }
    const warnings: string[] = [];
    const missing = this.#size - this.#told.size;
    if (missing > 0) {
      warnings.push(
        `The profile has the messages of ${this.#told.size === 1 ? `only rank ${[...this.#told].join()}` : `${formatNumber(this.#told.size)} of ${formatNumber(this.#size)} ranks`}; those of ${formatNumber(missing)} ${missing === 1 ? 'other' : 'others'} are missing. Use the files of all ranks, as in \`"NAME.*.prof"\`.`,
      );
    }
    if (this.#programBytes === 0 && this.#collectiveBytes > 0) {
      warnings.push(
        'All messages belong to collective operations, with the algorithms of that run. Another machine or library can use other pairs of ranks.',
      );
    }
    return succeed(this.#sums.entries(this.#size, warnings));
  }
}
