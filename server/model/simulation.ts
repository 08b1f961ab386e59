import type { Choice } from './catalogue.ts';
import { taskLimit } from './job.ts';
import { networkNumber, networkProperties, type NetworkModel } from './networkModel.ts';
import { formatNumber } from './quantities.ts';

/** How the messages of a placement are simulated, as the checker gives it: `simulate` and what goes with it. */
export interface SimulationDescription {
  readonly network: NetworkModel;
  readonly replay: FixedReplay;
  /** Messages of the nodes round the jobs: an entry of the catalogue of backgrounds. */
  readonly background?: Choice;
  /** A simulation that needs more than this ends there, and says so; without it there is no limit. */
  readonly budget?: SimulationBudget;
}

/** Whether messages go from server to server of a cluster; else packets go over links. */
export const isOfServers = ({ switching }: NetworkModel): boolean => switching === 'queueing';

/** What a network carries as one, and latencies are of: flows and servers know no packets. */
export type Carried = 'packet' | 'message';

export const carriedBy = ({ switching }: NetworkModel): Carried =>
  switching === 'flow' || switching === 'queueing' ? 'message' : 'packet';

/**
 * `causal`: every task does its operations in order, and waits where it receives. `open`: messages are sent at the times
 * that their trace or their rate gives, divided by `speed`, whatever was received.
 */
export type FixedReplay = { readonly kind: 'causal' } | OpenReplay;

export interface OpenReplay {
  readonly kind: 'open';
  readonly speed: number;
  /** Coefficient of variation of the times between the messages of a rate; 1, a Poisson stream, where absent. */
  readonly variation?: number;
  /** Packets that are sent, the first of them by their times; all of them where it is left out. */
  readonly first?: number;
}

/**
 * As `open`, at the least speed at which the network delivers less than this share of what is sent while it is sent, with each
 * mapping of the experiment, or with one of them: see `performance/saturation.ts`.
 */
export interface SaturatedReplay extends Omit<OpenReplay, 'kind' | 'speed'> {
  readonly kind: 'saturation';
  readonly delivered: number;
  /** `all` where it is left out. */
  readonly mappings?: 'any';
}

export type ReplayDescription = FixedReplay | SaturatedReplay;

/** Cycles of the network, which is the same on every machine, or seconds of computing. */
export interface SimulationBudget {
  readonly unit: 'cycles' | 'seconds';
  readonly amount: number;
}

export const causal: FixedReplay = { kind: 'causal' };

/** What of an experiment without a stream can be varied: written figures of its network, and how often messages come. */
export interface VariedSettings {
  readonly network?: NetworkModel;
  readonly replay?: ReplayDescription;
  readonly background?: Choice;
  readonly jobs?: readonly VariedJob[];
}

/** A job, as far as its written figures can be varied. */
export interface VariedJob {
  readonly name: string;
  readonly taskCount: number;
  readonly grid?: readonly number[];
  readonly source: { readonly kind: string };
  readonly rate: number | undefined;
  readonly bytes: number | undefined;
  readonly messages: number | undefined;
}

/** Properties of a network that can be varied, and figures of jobs. */
export const networkFigures = networkProperties.filter(({ varies }) => varies !== undefined);
export const jobFigures = ['rate', 'bytes', 'messages', 'tasks'] as const;
type JobFigure = (typeof jobFigures)[number];

/** The values that a varied number may have; `says` ends a sentence that begins with its path. */
export interface VariedLimits {
  readonly minimum: number;
  readonly maximum: number;
  /** The minimum itself is too small. */
  readonly isAbove?: true;
  readonly isWhole?: true;
  readonly says: string;
}

/** A number that experiments without a stream can vary: one row of {@link variedRows}. */
interface VariedRow {
  /** The first word of its path: a job stands there under its name, and `rate` of traffic has no owner. */
  readonly owner: 'network' | 'replay' | 'background' | 'machine' | 'job' | '';
  readonly word: string;
  /** What it is counted in, where it is written without a unit. */
  readonly unit?: string;
  /** What its unit is of, where it is written with one. */
  readonly quantity?: 'size' | 'time' | 'rate';
  /** Numbers of machines have the limits of their topologies. */
  readonly limits?: VariedLimits;
  /** What to do where it is not written, as an order. */
  readonly advice?: string;
}

export const anyPositive: VariedLimits = { minimum: 0, maximum: Infinity, isAbove: true, says: 'must be above 0.' };
const wholeFromOne = { minimum: 1, maximum: Infinity, isWhole: true } as const;
const openReplay = 'add `replay open(speed 1)`';

/** One row for each number: the checker, units of axes and results read it. */
const variedRows: readonly VariedRow[] = [
  ...networkFigures.map(({ word, varies: { limits, ...unit } = {} }): VariedRow => ({
    owner: 'network',
    word,
    ...unit,
    limits: limits ?? { ...wholeFromOne, says: 'takes whole numbers from 1 on.' },
    ...(limits === undefined && { advice: `give the network \`${word}\`` }),
  })),
  { owner: 'replay', word: 'speed', limits: anyPositive, advice: openReplay },
  {
    owner: 'replay',
    word: 'variation',
    limits: { minimum: 0, maximum: 100, says: 'is a coefficient of variation: 0 to 100.' },
    advice: openReplay,
  },
  {
    owner: 'replay',
    word: 'delivered',
    limits: { minimum: 0, maximum: 1, isAbove: true, says: 'is a share above 0 and at most 1.' },
    advice: 'add `replay saturation(delivered 95%)`',
  },
  {
    owner: 'background',
    word: 'rate',
    unit: 'packets/node/cycle',
    limits: { minimum: 0, maximum: 1, says: 'is in packets per node and cycle: 0 to 1.' },
    advice: 'add `background uniform(rate 0.01)`',
  },
  {
    owner: '',
    word: 'rate',
    unit: 'flits/node/cycle',
    limits: {
      minimum: 0,
      maximum: 1,
      isAbove: true,
      says: 'is in flits per node and cycle: above 0 and at most 1, the link bandwidth.',
    },
  },
  { owner: 'machine', word: 'bandwidth', quantity: 'rate' },
  { owner: 'machine', word: 'latency', quantity: 'time' },
  { owner: 'machine', word: 'memory', quantity: 'rate' },
  { owner: 'machine', word: 'interface', quantity: 'rate' },
  { owner: 'machine', word: 'switch', quantity: 'time' },
  { owner: 'job', word: 'rate', limits: anyPositive },
  {
    owner: 'job',
    word: 'bytes',
    quantity: 'size',
    limits: { ...wholeFromOne, says: 'takes whole numbers of bytes from 1 on.' },
  },
  { owner: 'job', word: 'messages', limits: anyPositive },
  {
    owner: 'job',
    word: 'tasks',
    limits: {
      ...wholeFromOne,
      maximum: taskLimit,
      says: `takes whole numbers of tasks from 1 to ${formatNumber(taskLimit)}.`,
    },
  },
];

/** The row of a path; a name that owns nothing else is that of a job. */
export function variedRow(path: string): VariedRow | undefined {
  const [owner, word] = path.includes('.') ? path.split('.') : ['', path];
  const ofOwner = (wanted: string | undefined) => variedRows.find((row) => row.owner === wanted && row.word === word);
  return ofOwner(owner) ?? (owner === '' || owner === 'machine' ? undefined : ofOwner('job'));
}

/** What is made for any number of tasks: others are of as many as their grid, table, trace or degrees of parallelism say. */
const resizable = ['pattern', 'skeleton', 'collective'];

/** A figure of a job, where it is written and can be another one. */
function figureOfJob(job: VariedJob, figure: JobFigure): number | undefined {
  if (figure !== 'tasks') return job[figure];
  return job.grid === undefined && resizable.includes(job.source.kind) ? job.taskCount : undefined;
}

const unitSizes = {
  size: [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
    ['B', 1],
  ],
  rate: [
    ['GB/s', 1e9],
    ['MB/s', 1e6],
    ['kB/s', 1e3],
    ['B/s', 1],
  ],
  time: [
    ['s', 1],
    ['ms', 1e-3],
    ['us', 1e-6],
    ['ns', 1e-9],
  ],
} as const;

/** Digits that a number may need in a larger unit; with more the smallest one reads better. */
const mostDigits = 6;

/** A number that is varied as a file has it: `2.5 GB/s`, `64 KiB`, `0.0009`. It is exact. */
export function writtenVaried(path: string, value: number): string {
  const quantity = variedRow(path)?.quantity;
  if (quantity === undefined || value === 0 || !Number.isFinite(value)) return String(value);
  const written = unitSizes[quantity].map(([unit, size]) => ({
    unit,
    size,
    amount: Number((value / size).toPrecision(12)),
  }));
  const found = written.find(({ amount }) => amount >= 1 && String(amount).length <= mostDigits) ?? written.at(-1);
  return found === undefined ? String(value) : `${found.amount} ${found.unit}`;
}

const unitsOfQuantities = { size: 'bytes', time: 's', rate: 'bytes/s' } as const;

/** What a number is counted in that is varied; empty where it has no unit, or another one in each experiment. */
export function unitOfVaried(path: string): string {
  const { unit = '', quantity } = variedRow(path) ?? {};
  return quantity === undefined ? unit : unitsOfQuantities[quantity];
}

/** Numbers of a replay, by the words of its options. */
function replayNumbers(replay: ReplayDescription | undefined): Readonly<Record<string, number>> {
  if (replay === undefined || replay.kind === 'causal') return {};
  if (replay.kind === 'saturation') return { delivered: replay.delivered };
  return { speed: replay.speed, variation: replay.variation ?? 1 };
}

/** Numbers that can be varied where a job is run, as paths with what they are: those that were written. */
export function variedSettings({
  network,
  replay,
  background,
  jobs = [],
}: VariedSettings): ReadonlyMap<string, number> {
  const paths = new Map<string, number>();
  for (const job of jobs) {
    for (const figure of jobFigures) {
      const value = figureOfJob(job, figure);
      if (value !== undefined) paths.set(`${job.name}.${figure}`, value);
    }
  }
  for (const figure of networkFigures) {
    const value = network && networkNumber(network, figure);
    if (value !== undefined) paths.set(`network.${figure.word}`, value);
  }
  for (const [name, value] of Object.entries(replayNumbers(replay))) paths.set(`replay.${name}`, value);
  const rate = background?.options['rate'];
  if (typeof rate === 'number') paths.set('background.rate', rate);
  return paths;
}

/** The same with another value at a path of {@link variedSettings}; any other path changes nothing. */
export function settingsAt<Settings extends VariedSettings>(settings: Settings, path: string, value: number): Settings {
  const { network, background, replay, jobs } = settings;
  const figure = networkFigures.find(({ word }) => path === `network.${word}`);
  if (figure !== undefined && network !== undefined)
    return { ...settings, network: { ...network, [figure.key ?? figure.word]: value } };
  const ofReplay = Object.keys(replayNumbers(replay)).find((name) => path === `replay.${name}`);
  if (ofReplay !== undefined) return { ...settings, replay: { ...replay, [ofReplay]: value } };
  if (path === 'background.rate' && background !== undefined) {
    return { ...settings, background: { ...background, options: { ...background.options, rate: value } } };
  }
  const named = jobFigures.find((name) => jobs?.some((job) => path === `${job.name}.${name}`));
  if (named === undefined || jobs === undefined) return settings;
  return {
    ...settings,
    jobs: jobs.map((job) =>
      path === `${job.name}.${named}` ? { ...job, [named === 'tasks' ? 'taskCount' : named]: value } : job,
    ),
  };
}
