/**
 * Running times of Bunde et al. 2014 (figures 11 to 13, sections 4.4 and 4.5) from experiments `cores-SIZE-by-CORES`, which tell how long the
 * busiest link is busy in a step of a stencil. A step takes this and the computing, which is the same for every job and mapper: as long as makes
 * BASELINE communicate for 30 % of the time at 4 K cores with 4 cores a rank.
 */
import { sampleRankCorrelation } from 'simple-statistics';
import type { ExperimentJson, RowJson } from '../../server/experiments/results.ts';
import type { Figure, Figures } from '../paperMeasured.ts';
import { columns } from '../paperReport.ts';

const mappers = [
  'baseline',
  'grouping',
  'row-major',
  'column-major',
  'ordered',
  'corner',
  'all-corners',
  'overlay',
  'two-way-overlay',
  'rcb',
];
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

/** What is told of a figure or section: lines to print, and the numbers in them by what they are of. */
interface Told {
  readonly name: string;
  readonly lines: readonly string[];
  readonly figures: Figures;
}

/** What is printed of the experiments. */
export const runningTimes = (experiments: readonly ExperimentJson[]): string[] =>
  toldOf(experiments).flatMap(({ lines }) => lines);

/** What is kept of them, by figure. */
export const keptRunningTimes = (experiments: readonly ExperimentJson[]): Readonly<Record<string, Figures>> =>
  Object.fromEntries(
    toldOf(experiments).flatMap(({ name, figures }) => (Object.keys(figures).length === 0 ? [] : [[name, figures]])),
  );

/** Nothing without the experiment that says how long computing takes. */
function toldOf(experiments: readonly ExperimentJson[]): Told[] {
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
    figure12(sized, times),
    figure13([...sized, ...largest.filter(({ cores }) => cores < 4)], times),
    ...(largest.length === coresPerRank.length ? [figure11(largest, times)] : []),
    ...(cells.length === 60 ? [rotations(cells, times)] : []),
    correlations(cells, times),
  ];
}

/** Of a step, by seed. */
type Times = (cell: Cell, mapper: string) => readonly number[];

const inMilliseconds = (times: readonly number[]): string => (mean(times) * 1000).toFixed(2);

/** In how many of some cells something holds. */
const counted = (cells: readonly Cell[], holds: (cell: Cell) => boolean): Figure => {
  const count = cells.filter(holds).length;
  return { value: count / cells.length, holds: count, of: cells.length };
};
const countText = ({ holds = 0, of = 0 }: Figure): string => `${holds} of ${of}`;

function figure12(cells: readonly Cell[], times: Times): Told {
  const timeOf = (cell: Cell, mapper: string): number => mean(times(cell, mapper));
  const isBest = (cell: Cell): boolean => mappers.every((mapper) => timeOf(cell, 'rcb') <= timeOf(cell, mapper));
  const hopsOf = (cell: Cell, mapper: string): number => mean(valuesOf(cell, mapper, 'averageHops'));
  const best = counted(cells, isBest);
  const columnWorse = counted(cells, (cell) => timeOf(cell, 'column-major') > timeOf(cell, 'row-major'));
  const orderedSlower = counted(
    cells,
    (cell) => timeOf(cell, 'ordered') > Math.max(timeOf(cell, 'row-major'), timeOf(cell, 'column-major')),
  );
  const orderedFarther = counted(
    cells,
    (cell) => hopsOf(cell, 'ordered') > Math.min(hopsOf(cell, 'row-major'), hopsOf(cell, 'column-major')) + 1e-9,
  );
  return {
    name: 'figure-12',
    lines: [
      'Figure 12: milliseconds of a step, 4 cores a rank, by cores of the job',
      ...columns([
        ['', ...cells.map(({ size }) => sizeText(size))],
        ...mappers.map((mapper) => [mapper, ...cells.map((cell) => inMilliseconds(times(cell, mapper)))]),
      ]),
      `rcb is best at ${countText(best)} sizes (paper: at most of them)`,
      `column-major is worse than row-major at ${countText(columnWorse)} sizes (paper: consistently)`,
      `ordered is slower than row-major and column-major at ${countText(orderedSlower)} sizes (paper: sometimes), ` +
        `and has more hops than either at ${countText(orderedFarther)} sizes (paper: never)`,
      '',
    ],
    figures: {
      'sizes at which rcb is best': best,
      'sizes at which column-major is worse than row-major': columnWorse,
      'sizes at which ordered is slower than row-major and column-major': orderedSlower,
      'sizes at which ordered has more hops than either': orderedFarther,
    },
  };
}

const placeOf = ({ size, cores }: Cell): string => `${sizeText(size)} cores, ${cores} a rank`;

/** What the paper has of these, in its words: in per cent, or how often. */
export const paperNumbers: Readonly<Record<string, string>> = {
  'sizes at which rcb is best': 'at most',
  'sizes at which column-major is worse than row-major': 'consistently',
  'sizes at which ordered is slower than row-major and column-major': 'sometimes',
  'sizes at which ordered has more hops than either': 'never',
  '64 K cores, 4 a rank': '16',
  '64 K cores, 2 a rank': '24.1',
  '64 K cores, 1 a rank': '28.4',
  'rcb, 512 cores and more': '0.77 (24 of 40)',
  'rcb, 8 K cores and more': '1.03 (13 of 20)',
  'corner, 512 cores and more': '3.33',
  'corner, 8 K cores and more': '5.9',
  'row-major, 512 cores and more': '-0.05',
  'mean hops, p < 0.05 from 1 K cores on': 'all',
  'mean hops, p < 0.01 from 8 K cores on': 'all',
};

/** `16`, from the paper's words; undefined where it has none. */
const paperNumber = (what: string): number | undefined =>
  what in paperNumbers ? Number.parseFloat(paperNumbers[what] ?? '') : undefined;

function figure13(cells: readonly Cell[], times: Times): Told {
  const gains = cells.map((cell): [string, Figure] => {
    const [rcb, baseline] = [times(cell, 'rcb'), times(cell, 'baseline')];
    const ofSeeds = rcb.map((time, seed) => 100 * (1 - time / (baseline[seed] ?? Number.NaN)));
    return [
      placeOf(cell),
      { value: 100 * (1 - mean(rcb) / mean(baseline)), least: Math.min(...ofSeeds), most: Math.max(...ofSeeds) },
    ];
  });
  const lines = gains.map(([place, { value, least = 0, most = 0 }]) => {
    const paper = paperNumber(place);
    return [
      place,
      paper === undefined ? '–' : paper.toFixed(1),
      value.toFixed(1),
      `${least.toFixed(1)} to ${most.toFixed(1)}`,
      paper === undefined ? '–' : signed(value - paper, 1),
    ];
  });
  return {
    name: 'figure-13',
    lines: [
      'Figure 13: per cent by which rcb is faster than baseline, and its range over seeds',
      ...columns([['', 'paper', 'ours', 'range', 'residual'], ...lines]),
      'paper: 2 % between the best and the worst of baseline, grouping and rcb at 512 cores',
      '',
    ],
    figures: Object.fromEntries(gains),
  };
}

function figure11(cells: readonly Cell[], times: Times): Told {
  const byCores = coresPerRank.flatMap((cores) => cells.find((cell) => cell.cores === cores) ?? []);
  const rows = mappers.map((mapper) => {
    const found = byCores.map((cell) => mean(times(cell, mapper)));
    return { mapper, found, best: byCores[found.indexOf(Math.min(...found))]?.cores ?? 0 };
  });
  return {
    name: 'figure-11',
    lines: [
      'Figure 11: milliseconds of a step, 64 K cores, by cores a rank (paper: some are best at 16, the better ones at fewer, mostly 4)',
      ...columns([
        ['', ...byCores.map(({ cores }) => `${cores}`), 'best at'],
        ...rows.map(({ mapper, found, best }) => [mapper, ...found.map((time) => (time * 1000).toFixed(2)), `${best}`]),
      ]),
      '',
    ],
    figures: Object.fromEntries(
      rows.map(({ mapper, best }) => [`cores a rank at which ${mapper} is best`, { value: best }]),
    ),
  };
}

function rotations(cells: readonly Cell[], times: Times): Told {
  const savings = ['rcb', 'corner', 'all-corners', 'row-major'].flatMap((mapper) =>
    [512, 8192].map((least) => {
      const trials = cells.filter(({ size }) => size >= least);
      const gains = trials.map(
        (cell) => 100 * (1 - mean(times(cell, mapper)) / mean(times(cell, `${mapper}(rotate no)`))),
      );
      const alike = gains.filter((gain) => gain === 0).length;
      const figure = { value: mean(gains), holds: gains.filter((gain) => gain > 0).length, of: gains.length };
      return { what: `${mapper}, ${sizeText(least)} cores and more`, figure, alike };
    }),
  );
  const lines = savings.map(({ what, figure, alike }) => {
    const paper = paperNumber(what);
    return [
      what,
      paperNumbers[what] ?? '–',
      `${figure.value.toFixed(2)} (${countText(figure)}, ${alike} alike)`,
      paper === undefined ? '–' : signed(figure.value - paper, 2),
    ];
  });
  return {
    name: 'section-4-4',
    lines: [
      'Section 4.4: per cent that rotations save on average, and in how many trials',
      ...columns([['', 'paper', 'ours', 'residual'], ...lines]),
      '',
    ],
    figures: Object.fromEntries(savings.map(({ what, figure }) => [what, figure])),
  };
}

const measures = [
  ['averageHops', 'mean hops'],
  ['hopVariance', 'variance of hops'],
  ['maximumHops', 'maximum hops'],
] as const;

/** Least coefficients of ten pairs that chance gives one time in 20 and in 100, one-sided (Zar 1972). */
const critical = { five: 0.564, one: 0.745 };

function correlations(cells: readonly Cell[], times: Times): Told {
  const rankings = measures.map(([metric, label]) => {
    const found = cells.map((cell) => {
      const [time, measured] = [
        mappers.map((mapper) => mean(times(cell, mapper))),
        mappers.map((mapper) => mean(valuesOf(cell, mapper, metric))),
      ];
      // With one rank for a node, or few ranks, all may be alike.
      return {
        cell,
        rho: new Set(measured).size < 2 || new Set(time).size < 2 ? 0 : sampleRankCorrelation(time, measured),
      };
    });
    const share = (least: number, level: number): Figure =>
      counted(
        cells.filter(({ size }) => size >= least),
        (cell) => found.some((one) => one.cell === cell && one.rho >= level),
      );
    // ρ√(n − 1) is nearly normal; sums of these over their root are too.
    const combined =
      (found.reduce((sum, { rho }) => sum + rho, 0) * Math.sqrt(mappers.length - 1)) / Math.sqrt(found.length);
    const [five, one] = [share(1024, critical.five), share(8192, critical.one)];
    return { label, rho: mean(found.map(({ rho }) => rho)), five, one, combined };
  });
  const shareText = (share: Figure): string => (share.of === 0 ? '–' : countText(share));
  return {
    name: 'section-4-5',
    lines: [
      'Section 4.5: rank correlation (Spearman) of the time of ten mappers with hops (paper: p < 0.05 from 1 K cores on and p < 0.01 from 8 K on',
      'for mean hops, and mean hops above variance above maximum)',
      ...columns([
        ['', 'mean', 'p < 0.05, 1 K on', 'p < 0.01, 8 K on', 'combined z'],
        ...rankings.map(({ label, rho, five, one, combined }) => [
          label,
          rho.toFixed(3),
          shareText(five),
          shareText(one),
          combined.toFixed(1),
        ]),
      ]),
    ],
    figures: Object.fromEntries(
      rankings.flatMap(({ label, rho, five, one }): [string, Figure][] => [
        [`${label}, Spearman with the time`, { value: rho }],
        ...(five.of === 0 ? [] : [[`${label}, p < 0.05 from 1 K cores on`, five] satisfies [string, Figure]]),
        ...(one.of === 0 ? [] : [[`${label}, p < 0.01 from 8 K cores on`, one] satisfies [string, Figure]]),
      ]),
    ),
  };
}

const signed = (value: number, decimals: number): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(decimals)}`;
