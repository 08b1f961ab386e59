/**
 * Running times of Bunde et al. 2014 (figures 11 to 13, sections 4.4 and 4.5) from experiments `cores-SIZE-by-CORES`, which tell how long the
 * busiest link is busy in a step of a stencil. A step takes this and the computing, which is the same for every job and mapper: as long as makes
 * BASELINE communicate for 30 % of the time at 4 K cores with 4 cores a rank.
 */
import { sampleRankCorrelation } from 'simple-statistics';
import type { ExperimentJson, RowJson } from '../../server/experiments/results.ts';
import { columns } from '../paperReport.ts';

const mappers = ['baseline', 'grouping', 'row-major', 'column-major', 'ordered', 'corner', 'all-corners', 'overlay', 'two-way-overlay', 'rcb']; // prettier-ignore
const reference = { name: 'cores-4k-by-4', mapper: 'baseline', communicating: 0.3 };
/** The short form has jobs of 512 to 4 K cores with 4 a rank; experiments of other names are always in it. */
export const isInShortForm = (name: string): boolean =>
  !/^cores-.*-by-/.test(name) || /^cores-(?:512|1k|2k|4k)-by-4$/.test(name);

const coresPerRank = [16, 8, 4, 2, 1];

/** One size of job with one number of cores a rank. */
interface Cell {
  readonly size: number;
  readonly cores: number;
  readonly rows: readonly RowJson[];
}

const cellOf = ({ name, rows }: ExperimentJson): Cell | undefined => {
  const [, count, thousands, cores] = /^cores-(\d+)(k?)-by-(\d+)$/.exec(name) ?? [];
  if (count === undefined) return undefined;
  return { size: Number(count) * (thousands === 'k' ? 1024 : 1), cores: Number(cores), rows };
};

const sizeText = (size: number): string => (size < 1024 ? `${size}` : `${size / 1024} K`);

const rowOf = ({ rows }: Cell, mapper: string): RowJson | undefined =>
  rows.find((row) => row.mapper === mapper || row.mapper === `${mapper}(rotate yes)`);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of each seed; empty where the mapper was not run. */
const valuesOf = (cell: Cell, mapper: string, metric: string): readonly number[] =>
  (rowOf(cell, mapper)?.metrics[metric]?.values ?? []).map((value) => value ?? Number.NaN);

/** What is printed of the experiments; nothing without the one that says how long computing takes. */
export function runningTimes(experiments: readonly ExperimentJson[]): string[] {
  const cells = experiments
    .flatMap((experiment) => cellOf(experiment) ?? [])
    .sort((one, other) => one.size - other.size);
  const base = cells.find(({ size, cores }) => `cores-${size / 1024}k-by-${cores}` === reference.name);
  if (base === undefined) return [];
  const computing = mean(valuesOf(base, reference.mapper, 'congestionTime')) * (1 / reference.communicating - 1);
  const times: Times = (cell, mapper) => valuesOf(cell, mapper, 'congestionTime').map((time) => computing + time);
  const sized = cells.filter(({ cores }) => cores === 4);
  const largest = cells.filter(({ size }) => size === 64 * 1024);
  return [
    ...figure12(sized, times),
    ...figure13([...sized, ...largest.filter(({ cores }) => cores < 4)], times),
    ...(largest.length === coresPerRank.length ? figure11(largest, times) : []),
    ...(cells.length === 60 ? rotations(cells, times) : []),
    ...correlations(cells, times),
  ];
}

/** Of a step, by seed. */
type Times = (cell: Cell, mapper: string) => readonly number[];

const inMilliseconds = (times: readonly number[]): string => (mean(times) * 1000).toFixed(2);

function figure12(cells: readonly Cell[], times: Times): string[] {
  const timeOf = (cell: Cell, mapper: string): number => mean(times(cell, mapper));
  const count = (holds: (cell: Cell) => boolean): string => `${cells.filter(holds).length} of ${cells.length} sizes`;
  const isBest = (cell: Cell): boolean => mappers.every((mapper) => timeOf(cell, 'rcb') <= timeOf(cell, mapper));
  const hopsOf = (cell: Cell, mapper: string): number => mean(valuesOf(cell, mapper, 'averageHops'));
  return [
    'Figure 12: milliseconds of a step, 4 cores a rank, by cores of the job',
    ...columns([
      ['', ...cells.map(({ size }) => sizeText(size))],
      ...mappers.map((mapper) => [mapper, ...cells.map((cell) => inMilliseconds(times(cell, mapper)))]),
    ]),
    `rcb is best at ${count(isBest)} (paper: at most of them)`,
    `column-major is worse than row-major at ${count((cell) => timeOf(cell, 'column-major') > timeOf(cell, 'row-major'))} (paper: consistently)`,
    `ordered is slower than row-major and column-major at ${count((cell) => timeOf(cell, 'ordered') > Math.max(timeOf(cell, 'row-major'), timeOf(cell, 'column-major')))} (paper: sometimes), ` +
      `and has more hops than either at ${count((cell) => hopsOf(cell, 'ordered') > Math.min(hopsOf(cell, 'row-major'), hopsOf(cell, 'column-major')) + 1e-9)} (paper: never)`,
    '',
  ];
}

/** Shares by which rcb is faster than baseline, in the paper's words: by size and cores a rank. */
const improvements: Readonly<Record<string, number>> = { '65536 4': 16, '65536 2': 24.1, '65536 1': 28.4 };

function figure13(cells: readonly Cell[], times: Times): string[] {
  const lines = cells.map((cell) => {
    const [rcb, baseline] = [times(cell, 'rcb'), times(cell, 'baseline')];
    const gains = rcb.map((time, seed) => 100 * (1 - time / (baseline[seed] ?? Number.NaN)));
    const ours = 100 * (1 - mean(rcb) / mean(baseline));
    const paper = improvements[`${cell.size} ${cell.cores}`];
    return [
      `${sizeText(cell.size)} cores, ${cell.cores} a rank`,
      paper === undefined ? '–' : paper.toFixed(1),
      ours.toFixed(1),
      `${Math.min(...gains).toFixed(1)} to ${Math.max(...gains).toFixed(1)}`,
      paper === undefined ? '–' : signed(ours - paper, 1),
    ];
  });
  return [
    'Figure 13: per cent by which rcb is faster than baseline, and its range over seeds',
    ...columns([['', 'paper', 'ours', 'range', 'residual'], ...lines]),
    'paper: 2 % between the best and the worst of baseline, grouping and rcb at 512 cores',
    '',
  ];
}

function figure11(cells: readonly Cell[], times: Times): string[] {
  const byCores = coresPerRank.flatMap((cores) => cells.find((cell) => cell.cores === cores) ?? []);
  const lines = mappers.map((mapper) => {
    const found = byCores.map((cell) => mean(times(cell, mapper)));
    const best = byCores[found.indexOf(Math.min(...found))]?.cores ?? 0;
    return [mapper, ...found.map((time) => (time * 1000).toFixed(2)), `${best}`];
  });
  return [
    'Figure 11: milliseconds of a step, 64 K cores, by cores a rank (paper: some are best at 16, the better ones at fewer, mostly 4)',
    ...columns([['', ...byCores.map(({ cores }) => `${cores}`), 'best at'], ...lines]),
    '',
  ];
}

/** Per cent that rotations save on average, for jobs of 512 cores and more, and of 8 K and more, in the paper. */
const rotated = [
  { mapper: 'rcb', paper: [0.77, 1.03], better: ['24 of 40', '13 of 20'] },
  { mapper: 'corner', paper: [3.33, 5.9], better: ['', ''] },
  { mapper: 'all-corners', paper: [undefined, undefined], better: ['', ''] },
  { mapper: 'row-major', paper: [-0.05, undefined], better: ['', ''] },
] as const;

function rotations(cells: readonly Cell[], times: Times): string[] {
  const lines = rotated.flatMap(({ mapper, paper, better }) =>
    [512, 8192].map((least, index) => {
      const trials = cells.filter(({ size }) => size >= least);
      const gains = trials.map(
        (cell) => 100 * (1 - mean(times(cell, mapper)) / mean(times(cell, `${mapper}(rotate no)`))),
      );
      const quoted = paper[index];
      const counted = better[index] ?? '';
      return [
        `${mapper}, ${sizeText(least)} cores and more`,
        quoted === undefined ? '–' : `${quoted}${counted === '' ? '' : ` (${counted})`}`,
        `${mean(gains).toFixed(2)} (${gains.filter((gain) => gain > 0).length} of ${gains.length}, ${gains.filter((gain) => gain === 0).length} alike)`,
        quoted === undefined ? '–' : signed(mean(gains) - quoted, 2),
      ];
    }),
  );
  return [
    'Section 4.4: per cent that rotations save on average, and in how many trials',
    ...columns([['', 'paper', 'ours', 'residual'], ...lines]),
    '',
  ];
}

const measures = [
  ['averageHops', 'mean hops'],
  ['hopVariance', 'variance of hops'],
  ['maximumHops', 'maximum hops'],
] as const;

/** Least coefficients of ten pairs that chance gives one time in 20 and in 100, one-sided (Zar 1972). */
const critical = { five: 0.564, one: 0.745 };

function correlations(cells: readonly Cell[], times: Times): string[] {
  const rankings = measures.map(([metric, label]) => {
    const found = cells.map((cell) => {
      const [time, measured] = [
        mappers.map((mapper) => mean(times(cell, mapper))),
        mappers.map((mapper) => mean(valuesOf(cell, mapper, metric))),
      ];
      // With one rank for a node, or few ranks, all may be alike.
      return { size: cell.size, rho: new Set(measured).size < 2 || new Set(time).size < 2 ? 0 : sampleRankCorrelation(time, measured) }; // prettier-ignore
    });
    const share = (least: number, level: number): string => {
      const large = found.filter(({ size }) => size >= least);
      return large.length === 0 ? '–' : `${large.filter(({ rho }) => rho >= level).length} of ${large.length}`;
    };
    // ρ√(n − 1) is nearly normal; sums of these over their root are too.
    const combined = (found.reduce((sum, { rho }) => sum + rho, 0) * Math.sqrt(mappers.length - 1)) / Math.sqrt(found.length); // prettier-ignore
    return [
      label,
      mean(found.map(({ rho }) => rho)).toFixed(3),
      share(1024, critical.five),
      share(8192, critical.one),
      combined.toFixed(1),
    ];
  });
  return [
    'Section 4.5: rank correlation (Spearman) of the time of ten mappers with hops (paper: p < 0.05 from 1 K cores on and p < 0.01 from 8 K on',
    'for mean hops, and mean hops above variance above maximum)',
    ...columns([['', 'mean', 'p < 0.05, 1 K on', 'p < 0.01, 8 K on', 'combined z'], ...rankings]),
  ];
}

const signed = (value: number, decimals: number): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(decimals)}`;
