/** Where the figures and tables of `samples/papers` are, and what is known of each paper beside its experiments: `claims.json`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { root } from './run.ts';

export const papersFolder = resolve(root, 'samples', 'papers');

/** `…/pascual/table-2.place` → `pascual`. */
export const paperOf = (file: string): string => basename(dirname(file));

/** `…/figure-4-1-and-4-9.place` → `figure-4-1-and-4-9`. */
export const stemOf = (file: string): string => basename(file, '.place');

/** What a file declares that is run: experiments, and placements whose mappers are compared. */
export function figuresIn(
  text: string,
): { readonly kind: 'experiment' | 'placement'; readonly name: string; readonly hasMiddle: boolean }[] {
  return text.split(/^(?=experiment |placement )/m).flatMap((block) => {
    const [, kind, name = ''] = /^(experiment|placement) (\S+)/.exec(block) ?? [];
    if (kind !== 'experiment' && kind !== 'placement') return [];
    return [{ kind, name, hasMiddle: /^\s*middle /m.test(block) }];
  });
}

/** The files of figures: all, or those that are asked for. */
export const figureFiles = (names: readonly string[] = []): string[] =>
  readdirSync(papersFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.place'))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((name) => join(papersFolder, name))
    .filter((file) => figuresIn(readFileSync(file, 'utf8')).some(({ name }) => isAskedFor(file, name, names)));

/**
 * Whether a figure of a file is asked for: all are without names, else those of a paper, `pascual`, those of files with one of these names in
 * theirs, `4-1`, `16`, `kth-sp2`, and those whose own name begins so, `figure-9`, `table-3-lu`.
 */
export function isAskedFor(file: string, figure: string, names: readonly string[]): boolean {
  // `12` is not the figure 4.12 of the thesis.
  const dotted = (name: string): string => name.replaceAll(/\b4-(?=\d)/g, '4.');
  return (
    names.length === 0 ||
    names.some(
      (name) =>
        name === paperOf(file) ||
        `${figure}-`.startsWith(`${name}-`) ||
        `-${dotted(stemOf(file))}-`.includes(`-${dotted(stemOf(name))}-`),
    )
  );
}

/** What a paper says in words and marks, as data: `claims.json` in its folder. */
export interface PaperClaims {
  /** Short names of rows for `holds`: `td` for `grasp(criterion traffic-distribution)`. */
  readonly names?: Readonly<Record<string, string>>;
  /** What the numbers of a metric are printed in, where the paper does so: 10,000 cycles. */
  readonly unit?: Readonly<Record<string, number>>;
  /** Smaller runs have fewer iterations: their numbers are compared as ratios to this row. */
  readonly relativeTo?: string;
  /**
   * How far ours may be from the paper: `0.06` absolute, `"5%"` of the number, or `"open"`, which says that nobody knows why they
   * differ. By `EXPERIMENT PAIR`, by metric with or without its statistic (`best makespan`), or `usual`.
   */
  readonly expected?: Readonly<Record<string, number | string>>;
  readonly claims?: readonly Claim[];
  /** What the paper misprints, and why that cannot be. */
  readonly notes?: readonly { readonly experiment: string; readonly says: string }[];
}

/** What a paper tells of some experiments. */
export interface Claim {
  /** `*` at the end stands for anything. */
  readonly experiments: readonly string[];
  readonly says: string;
  /** `makespan: td < distance < random`, `latency: 1.6 * no <= rl`; `~` is within 15 %. */
  readonly holds?: readonly string[];
  /** Two metrics whose ranks do not go together, at a level of 5 %. */
  readonly uncorrelated?: readonly [string, string];
  /** Asked for each scheduler, allocator or mapper alone. */
  readonly each?: 'scheduler' | 'allocator' | 'mapper';
  /** At these values of what is varied; where it is left out at all that the paper has numbers of. */
  readonly at?: Readonly<Record<string, number>>;
}

export function claimsOf(paper: string): PaperClaims {
  const file = join(papersFolder, paper, 'claims.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PaperClaims) : {};
}
