import { writtenArgument, type Choice } from './catalogue.ts';
import type { ExperimentMetric } from './metrics.ts';
import type { NetworkModel } from './networkModel.ts';
import type { Failure } from './result.ts';
import type { ReplayDescription, SimulationBudget, SimulationDescription } from './simulation.ts';
import type { StreamDescription } from './stream.ts';

/** What is said of an experiment that can be run. */
export interface Remark extends Failure {
  readonly severity: 'warning' | 'information';
}

/**
 * What an `experiment` declaration crosses, repeats and reports, as the checker gives it: every point of `vary` with
 * every scheduler, allocator and mapper.
 */
export interface ExperimentDescription {
  readonly name: string;
  readonly subject: ExperimentSubject;
  /** Of several that are crossed the first. */
  readonly machine: string;
  /** Where several are crossed: all of them. */
  readonly machines?: readonly string[];
  /** In the place of what the machines say; absent where theirs hold. */
  readonly routing?: readonly Choice[];
  /** Declared or written in place; absent where messages do not travel. */
  readonly network?: NetworkModel;
  /** Entries of the catalogue of schedulers; `fcfs` where none is written. Empty where no stream is run. */
  readonly schedule: readonly Choice[];
  readonly allocate: readonly Choice[];
  /** Absent mappers give process i the i-th node of the allocation. */
  readonly map: readonly Choice[];
  /** Crossed with each other, the last one fastest. */
  readonly vary: readonly Varied[];
  readonly replications: Replications;
  /** Runs of one replication with random numbers of their own; default 1. */
  readonly repeat: number;
  readonly background?: Choice;
  /** Of a job: the share of the nodes, 0 … 1, that other jobs hold, drawn anew with each seed. */
  readonly busy?: number;
  /** Of a job: how its messages are sent; causal where it is left out. */
  readonly replay?: ReplayDescription;
  /** Of each run of a job. */
  readonly budget?: SimulationBudget;
  /** Of a job: traffic and latency are told over time, a point for so many packets that arrive. */
  readonly overTime?: number;
  readonly report: readonly ExperimentMetric[];
  readonly compare: readonly Comparing[];
  readonly quoted: readonly QuotedNumber[];
  /** Of traffic without jobs: cycles before the first sample, cycles of a sample, and how many. */
  readonly sampling?: Sampling;
  /** Of a stream: means of one long run without its start, from the means of batches. */
  readonly steadyState?: SteadyStateOptions;
  /** Smaller runs that are written out. */
  readonly forms?: Readonly<Partial<Record<FormName, RunForm>>>;
}

/** How the start of a run, which is not yet steady, is left out of a series, and what is made of the rest. */
export interface SteadyStateOptions {
  /** The first share of the series, 0 … 1, or as much as MSER-5 says. */
  readonly delete: number | 'mser-5';
  /** Batches of equal length; what does not fill one is left out at the front, where the series is least steady. */
  readonly batches: number;
}

/** 20 % deleted, 30 batches. */
export const usualSteadyState = { delete: 0.2, batches: 30 } as const satisfies SteadyStateOptions;

/** Runs smaller than the whole: a first look, and an evening's worth. */
export const formNames = ['short', 'middle'] as const;
export type FormName = (typeof formNames)[number];

/** What a smaller run has in the place of what the whole has; what is left out stays. */
export type RunForm = Readonly<Partial<Record<FormPart, number>>>;

/**
 * What can be cut of each kind of subject: `iterations` of a skeleton, `messages` of any other job, `packets` of messages with times,
 * `machines` of those that are varied, `jobs` of a stream.
 */
export const formParts = {
  stream: ['replications', 'repeat', 'jobs'],
  job: ['replications', 'repeat', 'iterations', 'messages', 'packets', 'machines'],
  traffic: ['replications', 'samples'],
} as const satisfies Readonly<Record<ExperimentSubject['kind'], readonly string[]>>;
export type FormPart = (typeof formParts)[ExperimentSubject['kind']][number];

export type ExperimentSubject =
  | { readonly kind: 'stream'; readonly name: string }
  /** Jobs, at least one: placed together and run at the same time, or each by itself where they are crossed. */
  | { readonly kind: 'job'; readonly names: readonly string[]; readonly crossed?: true }
  /** Patterns of messages without jobs, one after the other. */
  | { readonly kind: 'traffic'; readonly patterns: readonly Choice[] };

/** Names that rows of one block share: what runs on one job and machine is compared, and no other. */
export const blockKeys = ['job', 'machine', 'routing'] as const;
export type BlockKey = (typeof blockKeys)[number];
/** Names that rows of one block differ in. */
export const comparedKeys = ['scheduler', 'allocator', 'mapper', 'pattern'] as const;
export type ComparedKey = (typeof comparedKeys)[number];

/** The lists that an experiment crosses, in the order of the nesting. */
export const nameKeys = [...blockKeys, ...comparedKeys] as const;
export type NameKey = (typeof nameKeys)[number];

/** The jobs of which each is run by itself; none where one is run, or several together. */
export const crossedJobs = (subject: ExperimentSubject): readonly string[] =>
  subject.kind === 'job' && subject.crossed === true ? subject.names : [];

/** One number that an experiment varies. */
export interface Varied {
  /** As written: `arrivals.rate`; see `variedPaths` of a stream. */
  readonly path: string;
  /**
   * From the first to the last, ascending or descending, each as it is written nearest: 0.0003, not
   * 0.00030000000000000003.
   */
  readonly values: readonly number[];
}

/**
 * Seeds one by one; or replications with the seeds 1, 2, 3 …, a number of them or until intervals are narrow enough.
 */
export type Replications =
  | { readonly kind: 'seeds'; readonly from: number; readonly to: number }
  /** Each once, at least one. */
  | { readonly kind: 'listed'; readonly seeds: readonly number[] }
  | { readonly kind: 'until'; readonly precision: number; readonly confidence: number; readonly atMost: number };

/** A test of differences, by its name, with its options: `level` of a test, `to` of a ratio. */
export type Comparing =
  | { readonly kind: 'kruskal-wallis' | 'wilcoxon'; readonly level: number }
  /** Ratios to what the named scheduler, allocator or mapper of the experiment gives. */
  | { readonly kind: 'paired-ratio'; readonly to: string };

/** A number of a paper, beside which ours is shown. */
export interface QuotedNumber {
  readonly metric: ExperimentMetric;
  /** Of all runs of a row: the best of them, or their standard deviation. Their mean where it is left out. */
  readonly statistic?: 'best' | 'deviation';
  /** Of a mean: the paper marks the row as different from the best one. */
  readonly differs?: true;
  /** Scheduler, allocator or mapper, or several, of the row it is of. */
  readonly of: readonly string[];
  /** Of a ratio: those of the row that it is divided by. */
  readonly to?: readonly string[];
  /** At which values of what is varied; empty: at the only ones. */
  readonly at: readonly { readonly path: string; readonly value: number }[];
  readonly value: number;
}

export interface Sampling {
  readonly warmUp: number;
  readonly sample: number;
  readonly samples: number;
}

/**
 * What a program runs over time, of declarations that are sound: streams, experiments in the order of the text, and how
 * placements are simulated, by their names.
 */
export interface ExperimentProgram {
  readonly streams: ReadonlyMap<string, StreamDescription>;
  readonly experiments: readonly ExperimentDescription[];
  readonly simulations: ReadonlyMap<string, SimulationDescription>;
}

/**
 * The names of the rows of a list: that of the choice, with the argument and options that tell it from others of this name:
 * `grasp(criterion distance)`.
 */
export function namesOfChoices(choices: readonly Choice[]): ReadonlyMap<string, Choice> {
  return new Map(choices.map((choice) => [nameAmong(choices, choice), choice]));
}

/** A choice with its argument and all its options, which mean the same in every table: `grasp(criterion distance, starts 8)`. */
export function fullName({ name, argument, options }: Choice): string {
  const head = argument === undefined ? name : `${name} ${writtenArgument(argument)}`;
  const written = Object.entries(options).map(([option, value]) => `${option} ${writtenOption(value)}`);
  return written.length === 0 ? head : `${head}(${written.join(', ')})`;
}

/** What tables of an experiment write in the place of the names of its rows, and of what all rows share. */
export interface TableNames {
  readonly full: Readonly<Partial<Record<NameKey, Readonly<Record<string, string>>>>>;
  /** The job, the jobs or the stream; nothing for traffic. */
  readonly job: string;
  readonly machine: string;
}

export function tableNamesOf({
  subject,
  machine,
  schedule,
  allocate,
  map,
  routing = [],
}: ExperimentDescription): TableNames {
  const fullOf = (choices: readonly Choice[]): Readonly<Record<string, string>> =>
    Object.fromEntries(Array.from(namesOfChoices(choices), ([name, choice]) => [name, fullName(choice)]));
  return {
    full: {
      routing: fullOf(routing),
      scheduler: fullOf(schedule),
      allocator: fullOf(allocate),
      mapper: fullOf(map),
      pattern: fullOf(subject.kind === 'traffic' ? subject.patterns : []),
    },
    job: subject.kind === 'job' ? subject.names.join(' ') : subject.kind === 'stream' ? subject.name : '',
    machine,
  };
}

function nameAmong(choices: readonly Choice[], { name, argument, options }: Choice): string {
  const alike = choices.filter((other) => other.name === name);
  const hasOthers = new Set(alike.map((other) => JSON.stringify(other.argument))).size > 1;
  const head = argument !== undefined && hasOthers ? `${name} ${writtenArgument(argument)}` : name;
  const isTelling = (option: string): boolean =>
    new Set(alike.map(({ options: others }) => JSON.stringify(others[option]))).size > 1;
  const telling = Object.entries(options).filter(([option]) => isTelling(option));
  const written = telling.map(([option, value]) => `${option} ${writtenOption(value)}`);
  return written.length === 0 ? head : `${head}(${written.join(', ')})`;
}

function writtenOption(value: Choice['options'][string]): string {
  if (typeof value !== 'object') return String(value);
  if ('items' in value) return `[${value.items.join(', ')}]`;
  return 'kind' in value ? `${value.amount}${value.kind === 'seconds' ? ' s' : ''}` : `[${value.join(', ')}]`;
}
