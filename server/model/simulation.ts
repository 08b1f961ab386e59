import type { Choice } from './catalogue.ts';
import { networkNumber, networkProperties, type NetworkModel } from './networkModel.ts';

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

/** What is made for any number of tasks: others are of as many as their grid, table, trace or degrees of parallelism say. */
const resizable = ['pattern', 'skeleton', 'collective'];

/** A figure of a job, where it is written and can be another one. */
function figureOfJob(job: VariedJob, figure: JobFigure): number | undefined {
  if (figure !== 'tasks') return job[figure];
  return job.grid === undefined && resizable.includes(job.source.kind) ? job.taskCount : undefined;
}

const unitsOfVaried: Readonly<Record<string, string>> = {
  rate: 'flits/node/cycle',
  'background.rate': 'packets/node/cycle',
  ...Object.fromEntries(
    networkFigures.flatMap(({ word, varies }) =>
      varies?.unit === undefined ? [] : [[`network.${word}`, varies.unit]],
    ),
  ),
};

/** The quantity that a number of a job or a machine is, where it is written with a unit: bytes, seconds, bytes per second. */
export function quantityOfVaried(path: string): 'size' | 'time' | 'rate' | undefined {
  const [owner, figure = ''] = path.split('.');
  if (owner === 'machine') return quantitiesOfMachines[figure];
  return figure === 'bytes' ? 'size' : undefined;
}

const quantitiesOfMachines: Readonly<Record<string, 'time' | 'rate'>> = {
  bandwidth: 'rate',
  memory: 'rate',
  interface: 'rate',
  latency: 'time',
  switch: 'time',
};

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
  const quantity = quantityOfVaried(path);
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
  const quantity = quantityOfVaried(path);
  return unitsOfVaried[path] ?? (quantity === undefined ? '' : unitsOfQuantities[quantity]);
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
