/**
 * What was measured of the tables of Pascual et al. and is kept, since the runs take hours: `measured.json` beside them. With the
 * numbers that the tables themselves quote it is the table of `samples/papers/README.md`, which the tests of the documentation write.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOf, papersFolder } from './paperFigures.ts';

/** A row of a table, in cycles; of smaller runs, whose cycles mean nothing, over one of its mappers. */
interface MeasuredRow {
  readonly experiment: string;
  /** Of tables 4 to 6: the rate of messages of others, `a` the first one. */
  readonly part?: string;
  /** `whole`, `middle`, `2 mappings`. */
  readonly form: string;
  /** By mapper. */
  readonly ours: Readonly<Record<string, Measured>>;
  /** Mappers for which nobody knows why ours differ. */
  readonly open?: readonly string[];
}

interface Measured {
  readonly mean: number;
  readonly deviation?: number;
}

const paper = 'pascual';

/** The table: the paper's numbers from what the experiments quote, ours from what is kept. Throws where a row is of no quoted number. */
export function measuredTable(): string {
  const rows = JSON.parse(readFileSync(join(papersFolder, paper, 'measured.json'), 'utf8')) as readonly MeasuredRow[];
  const lines = rows.map((row) => {
    const [, table = '', application = ''] = /^table-(\d)-(\w+)$/.exec(row.experiment) ?? [];
    const name = [`table ${table}${row.part === undefined ? '' : ` ${row.part}`}`, application.toUpperCase(), row.form];
    return [name.join(', '), ...cellsOf(row)];
  });
  const head = ['row', 'consecutive', 'random', 'distance', 'traffic distribution'];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf({ experiment, part, form, ours, open = [] }: MeasuredRow): readonly string[] {
  const { unit, relativeTo = '' } = claimsOf(paper);
  const quoted = quotedOf(experiment, part);
  const isWhole = form === 'whole';
  const scaleOf = (numbers: Readonly<Record<string, Measured>>): number =>
    isWhole ? (unit?.['makespan'] ?? 1) : (numbers[relativeTo]?.mean ?? Number.NaN);
  const words = ({ mean, deviation }: Measured, scale: number): string =>
    [mean, ...(isWhole && deviation !== undefined ? [deviation] : [])]
      .map((value) => (value / scale).toFixed(isWhole ? 2 : 3).replace(/^0\./, '.'))
      .join(' ± ');
  return Object.entries(ours).map(([mapper, measured]) => {
    const stated = quoted[mapper];
    if (stated === undefined) throw new Error(`${experiment} quotes nothing of ${mapper}: see measured.json.`);
    if (!isWhole && mapper === relativeTo) return '1';
    const cell = `${words(stated, scaleOf(quoted))} → ${words(measured, scaleOf(ours))}`;
    return open.includes(mapper) ? `**${cell}**` : cell;
  });
}

/** What an experiment quotes of the paper, by mapper; of tables 4 to 6 at the rate of one part. */
function quotedOf(experiment: string, part: string | undefined): Readonly<Record<string, Measured>> {
  const file = join(papersFolder, paper, `${experiment.slice(0, 'table-2'.length)}.place`);
  const block = readFileSync(file, 'utf8').split(/^(?=experiment )/m).find((one) => one.startsWith(`experiment ${experiment} `)); // prettier-ignore
  const rates = /vary +background\.rate \[(.*)\]/.exec(block ?? '')?.[1]?.split(', ') ?? [];
  const rate = part === undefined ? undefined : rates['abc'.indexOf(part)];
  const numbers = [...(block ?? '').matchAll(/^ +makespan (.+?)(?: at background\.rate (\S+))? : (\d+)(?:, best \d+)?(?:, deviation (\d+))?/gm)]; // prettier-ignore
  return Object.fromEntries(
    numbers
      .filter(([, , at]) => at === rate)
      .map(([, mapper = '', , mean, deviation]) => [
        mapper,
        { mean: Number(mean), ...(deviation === undefined ? {} : { deviation: Number(deviation) }) },
      ]),
  );
}
