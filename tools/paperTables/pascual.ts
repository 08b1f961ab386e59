/** Pascual et al. 2010, table 1: which mappers are best at each rate of messages of others, of tables 4 to 6 together. */
import type { ExperimentJson } from '../../server/experiments/results.ts';
import type { PaperClaims } from '../paperFigures.ts';
import { cellLines, columns, type CellLine, type Form } from '../paperReport.ts';

const parts: Readonly<Record<string, string>> = { 4: 'quadrant', 5: 'band', 6: 'random' };

/** The winners of a row of tables 4 to 6 at one rate: the best mean, and what does not differ from it. */
interface Winners {
  readonly row: string;
  readonly paper: readonly string[];
  readonly ours: readonly string[];
  readonly withHolm: readonly string[];
  /** The one with the best mean of ours is among the paper's. */
  readonly sameBest: boolean;
}

/** As the paper's, and with Holm's correction. What was not run is left out. */
function winnersOf(experiments: readonly ExperimentJson[], claims: PaperClaims, form: Form): Winners[] {
  return experiments.flatMap((experiment): Winners[] => {
    const [, table = '', application = ''] = /^table-([456])-(\w+)$/.exec(experiment.name) ?? [];
    const part = parts[table];
    if (part === undefined) return [];
    const cells = cellLines(experiment, claims, form);
    const rates = [...new Set(cells.map(({ row }) => row.point['background.rate']))];
    return rates.map((rate): Winners => {
      const ofRate = cells.filter(({ row }) => row.point['background.rate'] === rate);
      const least = Math.min(...ofRate.map(({ mean }) => mean.ours ?? Infinity));
      const named = (isBest: (cell: CellLine) => boolean): string[] => ofRate.filter(isBest).map(({ row }) => shortName(row.mapper)); // prettier-ignore
      const paper = named(({ differs }) => !differs.paper).filter((name) => !isUnmarked(experiment.name, rate, name));
      const best = named(({ mean }) => mean.ours === least);
      return {
        row: `${application} ${part} ${rate}`,
        paper,
        ours: named(({ mean, differs }) => mean.ours === least || differs.ours === false),
        withHolm: named(({ mean, differs }) => mean.ours === least || differs.holm === false),
        sameBest: best.some((name) => paper.includes(name)),
      };
    });
  });
}

/** Table 5 lacks a mark that table 1 has: see the notes of its claims. */
const isUnmarked = (experiment: string, rate: number | undefined, name: string): boolean =>
  experiment === 'table-5-mg' && rate === 0.0003125 && name === 'distance';

const shortName = (mapper: string | null): string =>
  (mapper ?? '')
    .replace('grasp(criterion traffic-distribution)', 'td')
    .replace('grasp(criterion distance)', 'distance');

const cellsOfTable1 = 63;

/** Table 1 as far as it was run; nothing where none of it was. */
export function pascualTables(experiments: readonly ExperimentJson[], claims: PaperClaims, form: Form): string[] {
  const winners = winnersOf(experiments, claims, form);
  if (winners.length === 0) return [];
  const count = (isSame: (one: Winners) => boolean): number => winners.filter(isSame).length;
  const same = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();
  return [
    'table 1: the best mean and what does not differ from it',
    ...columns([
      ['', 'paper', 'ours', 'with Holm', 'best as in the paper'],
      ...winners.map(({ row, paper, ours, withHolm, sameBest }) => [row, ...[paper, ours, withHolm].map((names) => names.join(' ')), sameBest ? 'yes' : 'NO']), // prettier-ignore
    ]),
    `of ${cellsOfTable1}, ${winners.length} were run: the best is one of the paper's in ${count(({ sameBest }) => sameBest)}, the same are best in ` +
      `${count(({ paper, ours }) => same(paper, ours))}, with Holm's correction in ${count(({ paper, withHolm }) => same(paper, withHolm))}`,
  ];
}
