/**
 * Pascual et al. 2010, table 1: which mappers are best at each rate of messages of others, of tables 4 to 6 together; and the tables of the page, with
 * what is kept of those that take hours.
 */
import type { ExperimentJson } from '../../server/experiments/results.ts';
import type { PaperClaims } from '../paperFigures.ts';
import {
  figureOf,
  fixed,
  largestOf,
  marked,
  pageTable,
  written,
  type Figure,
  type Kept,
  type PagePart,
  type Quoted,
  type QuotedOf,
} from '../paperMeasured.ts';
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
      const named = (isBest: (cell: CellLine) => boolean): string[] =>
        ofRate.filter(isBest).map(({ row }) => shortName(row.mapper));
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
      ...winners.map(({ row, paper, ours, withHolm, sameBest }) => [
        row,
        ...[paper, ours, withHolm].map((names) => names.join(' ')),
        sameBest ? 'yes' : 'NO',
      ]),
    ]),
    `of ${cellsOfTable1}, ${winners.length} were run: the best is one of the paper's in ${count(({ sameBest }) => sameBest)}, the same are best in ` +
      `${count(({ paper, ours }) => same(paper, ours))}, with Holm's correction in ${count(({ paper, withHolm }) => same(paper, withHolm))}`,
  ];
}

/** As the tables have them. */
const mappers = [
  'consecutive',
  'random',
  'grasp(criterion distance)',
  'grasp(criterion traffic-distribution)',
] as const;
const [consecutive, , distance, trafficDistribution] = mappers;
const evenHops = 'grasp(criterion even-hops)';

/** What tables are printed in: cycles. */
const unit = 10_000;

/** A table of one application; of tables 4 to 6 at one of the three rates. */
interface TableRow {
  readonly table: string;
  readonly application: string;
  /** `a` is the least rate; none of tables 2 and 3. */
  readonly part: string;
  readonly kept: Kept;
  /** Of a mapper, here and in the paper. */
  readonly ours: (mapper: string) => Figure | undefined;
  readonly paper: (mapper: string) => Quoted | undefined;
}

/** What is kept of tables 2 to 6, where it has all four mappers. */
function tableRows(kept: readonly Kept[], quotedOf: QuotedOf): TableRow[] {
  const names = [...new Set(kept.map(({ experiment }) => experiment))];
  return names.flatMap((experiment): TableRow[] => {
    const [, table = '', application = ''] = /^table-(\d)-(\w+)$/.exec(experiment) ?? [];
    const largest = largestOf(kept, experiment);
    if (table === '' || largest === undefined) return [];
    const quoted = quotedOf.get(experiment) ?? {};
    const rates = [...new Set(Object.keys(quoted).map((name) => / at \S+ \S+$/.exec(name)?.[0] ?? ''))];
    const rows = rates.map((rate, index): TableRow => {
      const nameOf = (mapper: string): string => `makespan ${mapper}${rate}`;
      return {
        ...{ table, application, part: rate === '' ? '' : (partNames[index] ?? ''), kept: largest },
        ours: (mapper) => largest.figures[nameOf(mapper)],
        paper: (mapper) => quoted[nameOf(mapper)],
      };
    });
    return rows.filter(({ ours }) => mappers.every((mapper) => ours(mapper) !== undefined));
  });
}

const partNames = ['a', 'b', 'c'];
const formWords = ({ form, replications }: Kept): string => (form === 'short' ? `${replications} mappings` : form);

/** Whole tables in 10,000 cycles; smaller runs, whose cycles mean nothing, over consecutive mapping. */
function tablesPart(kept: readonly Kept[], quotedOf: QuotedOf): string {
  const lines = tableRows(kept, quotedOf).map(({ table, application, part, kept: run, ours, paper }) => {
    const isWhole = run.form === 'whole';
    const cells = mappers.map((mapper) => {
      const [theirs, found] = [paper(mapper), ours(mapper)];
      if (theirs === undefined || found === undefined) return '';
      if (!isWhole && mapper === consecutive) return '1';
      const text = (one: Figure | Quoted, base: Figure | Quoted | undefined): string =>
        isWhole
          ? written(one.value, mapper === consecutive ? undefined : one.deviation, 2, unit)
          : fixed(one.value / (base?.value ?? Number.NaN), 3);
      return marked(`${text(theirs, paper(consecutive))} → ${text(found, ours(consecutive))}`, theirs.isOpen);
    });
    return [
      [`table ${table}${part === '' ? '' : ` ${part}`}`, application.toUpperCase(), formWords(run)].join(', '),
      ...cells,
    ];
  });
  return pageTable(['row', 'consecutive', 'random', 'distance', 'traffic distribution'], lines);
}

/** Who has the least mean at each place of table 1: the paper's, who are several where nothing tells them apart, and ours where it is none of them. */
function winnersPart(kept: readonly Kept[], quotedOf: QuotedOf): string {
  const rows = tableRows(kept, quotedOf).filter(({ table }) => table in parts);
  const applications = [
    ...new Set([...quotedOf.keys()].flatMap((name) => /^table-4-(\w+)$/.exec(name)?.[1] ?? [])),
  ].sort();
  const places = Object.keys(parts).flatMap((table) => partNames.map((part) => ({ table, part })));
  let same = 0;
  const lines = applications.map((application) => [
    application.toUpperCase(),
    ...places.map(({ table, part }) => {
      const quoted = quotedOf.get(`table-${table}-${application}`) ?? {};
      const rate = [...new Set(Object.keys(quoted).map((name) => / at \S+ (\S+)$/.exec(name)?.[1]))][
        partNames.indexOf(part)
      ];
      const paper = mappers
        .filter((mapper) => quoted[`makespan ${mapper} at background.rate ${rate ?? ''}`]?.differs === false)
        .filter((mapper) => !isUnmarked(`table-${table}-${application}`, Number(rate), shortName(mapper)));
      const names = paper.map(shortName).join(', ');
      const row = rows.find((one) => one.table === table && one.part === part && one.application === application);
      if (row === undefined) return `${names} → –`;
      const best =
        mappers.toSorted((one, other) => (row.ours(one)?.value ?? 0) - (row.ours(other)?.value ?? 0))[0] ?? consecutive;
      if (paper.includes(best)) same++;
      return paper.includes(best) ? `${names} → ${shortName(best)}` : `**${names} → ${shortName(best)}**`;
    }),
  ]);
  const head = ['', ...places.map(({ table, part }) => `${parts[table] ?? ''} ${part}`)];
  return `Of the ${cellsOfTable1} cells of table 1 ${rows.length} were run; in ${same} the mapper with the best mean is one of the paper's:\n\n${pageTable(head, lines)}`;
}

/** Equation 7 as printed and as it may have been meant, over consecutive mapping, on 8 x 8 over mappings by distance. */
function equationPart(kept: readonly Kept[], quotedOf: QuotedOf): string {
  const lines = [...quotedOf].flatMap(([experiment, quoted]) => {
    const [, table = '', application = ''] = /^equation-7-table-(\d)-(\w+)$/.exec(experiment) ?? [];
    const run = largestOf(kept, experiment);
    if (table === '' || run === undefined) return [];
    const base = table === '2' ? consecutive : distance;
    const over = (numbers: Readonly<Record<string, Figure | Quoted>>, mapper: string, hasSpread: boolean): string => {
      const [one, below] = [numbers[`makespan ${mapper}`], numbers[`makespan ${base}`]?.value ?? Number.NaN];
      return one === undefined ? '' : written(one.value, hasSpread ? one.deviation : undefined, 3, below);
    };
    const isOn4 = table === '2';
    const printed = over(run.figures, trafficDistribution, isOn4);
    return [
      [
        ...[isOn4 ? '4 x 4' : '8 x 8, over distance', application.toUpperCase(), `${run.replications}`],
        over(quoted, trafficDistribution, isOn4),
        marked(printed, quoted[`makespan ${trafficDistribution}`]?.isOpen ?? false),
        over(run.figures, evenHops, isOn4),
      ],
    ];
  });
  return pageTable(['torus', '', 'mappings', 'paper', 'equation 7 as printed', '`even-hops`'], lines);
}

/** FT with the sums that check its transforms, over consecutive mapping. */
function checksPart(kept: readonly Kept[], quotedOf: QuotedOf): string {
  const shown = [...mappers.slice(1), evenHops];
  const over = (numbers: Readonly<Record<string, Figure | Quoted>>): string[] =>
    shown.map((mapper) => {
      const one = numbers[`makespan ${mapper}`];
      return one === undefined ? '' : written(one.value, one.deviation, 3, numbers[`makespan ${consecutive}`]?.value);
    });
  const lines = ['2', '3'].flatMap((table) => {
    const torus = table === '2' ? '4 x 4' : '8 x 8';
    const runs = ['', 'binomial', 'recursive-doubling'].flatMap((checks) => {
      const run = largestOf(kept, checks === '' ? `table-${table}-ft` : `ft-checks-table-${table}-${checks}`);
      if (run === undefined) return [];
      const label = checks === '' ? 'left out' : `\`${checks}\``;
      return [
        [
          `${torus}, ${label}, ${run.replications === 1 ? 'one mapping' : formWords({ ...run, form: 'short' })}`,
          ...over(run.figures),
        ],
      ];
    });
    return [[`${torus}, paper`, ...over(quotedOf.get(`table-${table}-ft`) ?? {})], ...runs];
  });
  return pageTable(['torus, checks', 'random', 'distance', 'traffic distribution', '`even-hops`'], lines);
}

/** Figure 2 in one number for each application. */
function figure2Part(kept: readonly Kept[]): string {
  const told = ['lu', 'cg'].map((application) => {
    const rho = figureOf(kept, `figure-2-${application}`, 'Spearman of makespan and averageHops')?.value;
    return `${rho === undefined ? '–' : fixed(rho, 2)} for ${application.toUpperCase()}`;
  });
  return `Figure 2: Spearman's coefficient of mean distance and makespan of ten random mappings is ${told.join(' and ')}; the paper sees no correlation.`;
}

export const pascualParts: readonly PagePart[] = [
  { name: 'pascual tables 2 to 6', text: tablesPart },
  { name: 'pascual table 1', text: winnersPart },
  { name: 'pascual figure 2', text: figure2Part },
  { name: 'pascual equation 7', text: equationPart },
  { name: 'pascual checks of FT', text: checksPart },
];
