/**
 * What was measured of the figures of papers and is kept, since runs take minutes to days: `measured.json` in the folder of a paper, which
 * `npm run papers -- --keep` writes. With the numbers that the experiments quote it makes the tables of the pages of `samples/papers`
 * (`paperTables/`), which the tests of the documentation hold them against.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentJson } from '../server/experiments/results.ts';
import { claimsOf, figureFiles, papersFolder } from './paperFigures.ts';
import { quotedLines, rowWords, type Form } from './paperReport.ts';

/** A number that was measured, in the unit of its metric. */
export interface Figure {
  /** The mean of replications; of several networks the median. */
  readonly value: number;
  readonly deviation?: number;
  /** Of the interval of the mean. */
  readonly halfWidth?: number;
  /** Of several networks: the range, in how many of them the paper's order holds, and the probability that it is chance. */
  readonly least?: number;
  readonly most?: number;
  readonly holds?: number;
  readonly of?: number;
  readonly p?: number;
}

/** By what they are of, as experiments quote it: `makespan random at background.rate 0.016`, `turnaround rbs / gabl`. */
export type Figures = Readonly<Record<string, Figure>>;

/** An experiment in one of its forms. */
export interface Kept {
  readonly experiment: string;
  readonly form: FormName;
  readonly replications: number;
  readonly figures: Figures;
}

type FormName = 'short' | 'middle' | 'whole';
const forms: readonly FormName[] = ['short', 'middle', 'whole'];

const fileOf = (paper: string): string => join(papersFolder, paper, 'measured.json');

/** What is kept of a paper: by experiment, its largest form first. */
export const keptOf = (paper: string): readonly Kept[] =>
  existsSync(fileOf(paper)) ? (JSON.parse(readFileSync(fileOf(paper), 'utf8')) as readonly Kept[]) : [];

/** An experiment in its largest form that is kept. */
export const largestOf = (kept: readonly Kept[], experiment: string): Kept | undefined =>
  kept.find((one) => one.experiment === experiment);

/** A number of an experiment, of the largest form that has it. */
export const figureOf = (kept: readonly Kept[], experiment: string, name: string): Figure | undefined =>
  kept.find((one) => one.experiment === experiment && name in one.figures)?.figures[name];

/**
 * The numbers of an experiment that are kept: ratios that it quotes, means of rows at points that the paper has numbers of (everywhere, where
 * it has none), coefficients of ranks.
 */
export function figuresOf(experiment: ExperimentJson): Figures {
  const { rows, quoted, correlations = [] } = experiment;
  const ratios = quotedLines(experiment, {}).filter(({ isRatio }) => isRatio);
  const numbered = new Set(quoted.map(({ row }) => JSON.stringify(rows[row]?.point)));
  const told = rows.filter(({ point }) => numbered.size === 0 || numbered.has(JSON.stringify(point)));
  return Object.fromEntries([
    ...ratios.flatMap(({ what, ours, halfWidth }) => named(what, ours, { halfWidth })),
    ...told.flatMap((row) =>
      Object.entries(row.metrics).flatMap(([metric, { mean, deviation, halfWidth }]) =>
        named(nameOf(`${metric} ${rowWords(row, rows)}`, row.point), mean, { deviation, halfWidth }),
      ),
    ),
    ...correlations.flatMap(({ metric, to, rho, point }) =>
      named(nameOf(`Spearman of ${metric} and ${to}`, point), rho, {}),
    ),
  ]);
}

/** Nothing where there is no number. */
function named(
  name: string,
  value: number | null | undefined,
  scatter: Readonly<Record<string, number | null | undefined>>,
): [string, Figure][] {
  if (typeof value !== 'number') return [];
  const known = Object.entries(scatter).filter(([, one]) => typeof one === 'number');
  return [[name.trim(), { value, ...Object.fromEntries(known) }]];
}

const nameOf = (what: string, point: Readonly<Record<string, number>>): string =>
  [what.trim(), ...Object.entries(point).map(([path, value]) => `at ${path} ${value}`)].join(' ');

/**
 * Puts experiments among what is kept of a paper. One of the same form takes the place of the one before; a smaller form goes where all of
 * its numbers are in a larger one. O(kept).
 */
export function keep(paper: string, added: readonly Kept[]): void {
  const text = linesOf(merged(keptOf(paper), added));
  writeFileSync(fileOf(paper), text);
}

export function merged(kept: readonly Kept[], added: readonly Kept[]): readonly Kept[] {
  const isSame = (one: Kept, other: Kept): boolean => one.experiment === other.experiment && one.form === other.form;
  const all = [...kept.filter((one) => !added.some((other) => isSame(one, other))), ...added];
  const isCovered = (one: Kept): boolean =>
    all.some(
      (other) =>
        other.experiment === one.experiment &&
        sizeOf(other) > sizeOf(one) &&
        Object.keys(one.figures).every((name) => name in other.figures),
    );
  return all
    .filter((one) => !isCovered(one))
    .sort(
      (one, other) =>
        one.experiment.localeCompare(other.experiment, 'en', { numeric: true }) || sizeOf(other) - sizeOf(one),
    );
}

const sizeOf = ({ form }: Kept): number => forms.indexOf(form);

export const formName = (form: Form): FormName => form ?? 'whole';

/** A line for each number, so that a difference shows what has been measured anew, with more digits than any page prints. */
function linesOf(kept: readonly Kept[]): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  const blocks = kept.map(({ figures, ...head }) => {
    const lines = Object.entries(figures).map(
      ([name, figure]) => `    ${JSON.stringify(name)}: ${JSON.stringify(figure, rounded)}`,
    );
    return `  {${JSON.stringify(head).slice(1, -1)}, "figures": {\n${lines.join(',\n')}\n  }}`;
  });
  return `[\n${blocks.join(',\n')}\n]\n`;
}

/** A number of a paper. */
export interface Quoted {
  readonly value: number;
  readonly deviation?: number;
  /** It differs from the best of its table, as the paper marks it. */
  readonly differs: boolean;
  /** Nobody knows why ours is another. */
  readonly isOpen: boolean;
}

/** By experiment, and by what the number is of. */
export type QuotedOf = ReadonlyMap<string, Readonly<Record<string, Quoted>>>;

/** A generated part of a page, from what is kept and what the experiments quote. */
export interface PagePart {
  readonly name: string;
  readonly text: (kept: readonly Kept[], quotedOf: QuotedOf) => string;
}

/** What each experiment of a paper quotes, by the names that what is kept has. */
export function quotedOf(paper: string): QuotedOf {
  const { expected = {} } = claimsOf(paper);
  const blocks = figureFiles([paper]).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split(/^(?=experiment )/m)
      .slice(1),
  );
  return new Map(
    blocks.map((block) => {
      const experiment = /^experiment (\S+)/.exec(block)?.[1] ?? '';
      const body = /^ +quoted \{\n([^}]*)/m.exec(block)?.[1] ?? '';
      const lines = [
        ...body.matchAll(
          /^ +(\S.*?) : ([\d.e+-]+)(%?)(?:, best [\d.e+-]+)?(?:, deviation ([\d.e+-]+))?(, differs)?$/gm,
        ),
      ];
      const numbers = lines.map(([, what = '', value, percent, deviation, differs]): [string, Quoted] => [
        what.replaceAll(/(?<= at \S+ )\S+/g, (number) => String(Number(number))),
        {
          value: Number(value) / (percent === '%' ? 100 : 1),
          ...(deviation === undefined ? {} : { deviation: Number(deviation) }),
          differs: differs !== undefined,
          isOpen: expected[`${experiment} ${what.replace(/^\S+ /, '').replace(/ at .*/, '')}`] === 'open',
        },
      ]);
      return [experiment, Object.fromEntries(numbers)];
    }),
  );
}

/** `.996 ± .001`, in a unit. */
export const written = (value: number, spread: number | undefined, digits: number, unit = 1): string =>
  [value, ...(spread === undefined ? [] : [spread])].map((one) => fixed(one / unit, digits)).join(' ± ');

/** `.996`, `34,200`, `−1.5`. */
export const fixed = (value: number, digits: number): string =>
  value
    .toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .replace(/^(-?)0\./, '$1.')
    .replace('-', '−');

/** In bold where nobody knows why ours is another. */
export const marked = (cell: string, isOpen: boolean): string => (isOpen ? `**${cell}**` : cell);

export const pageTable = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
