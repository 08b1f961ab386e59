import type { Choice, OptionValue } from './catalogue.ts';
import { swfFields, type RefusedLines } from './jobLog.ts';

/**
 * Jobs over time: a `stream` declaration as the checker gives it. Names of distributions are those of their catalogue;
 * times are in cycles for jobs from distributions, and in seconds for jobs from a log.
 */
export interface StreamDescription {
  readonly name: string;
  readonly jobs: SyntheticJobs | LoggedJobs;
  /** Who sends to whom in each job: an entry of the catalogue of the traffic of streams. Absent: nobody. */
  readonly traffic?: Choice;
  /** How often each job repeats its pattern; default 1. */
  readonly messages: number;
  /** The length of one message; default 8 flits. */
  readonly messageLength: MessageLength;
  readonly service: Service;
  readonly end: StreamEnd;
  readonly warmUp: WarmUp;
}

export interface MessageLength {
  readonly unit: 'flits' | 'bytes';
  readonly amount: number;
}

/** Jobs drawn from distributions, each from a random generator of its own. */
export interface SyntheticJobs {
  readonly kind: 'distributions';
  /** Of the times between arrivals; `at [..]` gives the times of arrival themselves. */
  readonly arrivals: Choice;
  readonly size: JobSize;
}

/** Submeshes of the two sides, x (the column) first; or a number of processors. */
export type JobSize =
  | { readonly kind: 'sides'; readonly width: Choice; readonly height: Choice }
  | { readonly kind: 'processors'; readonly processors: Choice };

/** Jobs of a log in the Standard Workload Format, version 2 to 2.2. */
export interface LoggedJobs {
  readonly kind: 'log';
  readonly uri: string;
  /** `allocated` is field 5, else field 8 where it is unknown; `requested` is field 8, else field 5. */
  readonly processors: 'allocated' | 'requested';
  readonly estimates: Estimates;
  /** Jobs for which one of these does not hold are refused. */
  readonly where: readonly FieldCondition[];
  /** Only so many jobs, in order of submission; absent: all. */
  readonly first?: number;
  readonly status: LogStatus;
  /** Times and sizes are multiplied by these. */
  readonly scale: readonly FieldScale[];
  readonly shape: JobShape;
  /** Jobs for which one of these does not hold are run but not measured. */
  readonly measure: readonly FieldCondition[];
}

/**
 * What the scheduler is told of run times. `at-least-run`: field 9, never below the run time; `run`: the run time
 * itself. A job without an estimate has its run time for one, or the double of it.
 */
export interface Estimates {
  readonly kind: 'at-least-run' | 'run';
  readonly missing: 'run' | 'double';
}

export const logStatuses = ['any', 'completed', 'failed', 'cancelled'] as const;
export type LogStatus = (typeof logStatuses)[number];

/**
 * `squarest`: the width is the largest divisor of the processors that is at most their square root; `row`: one row.
 */
export const jobShapes = ['squarest', 'row'] as const;
export type JobShape = (typeof jobShapes)[number];

/**
 * The fields of a log that conditions may name, in the order of the format. `processors` is what the stream reads for
 * the size of the job, `allocated-processors` and `requested-processors` are fields 5 and 8.
 */
export const logFields = [...swfFields, 'processors'] as const;
export type LogField = (typeof logFields)[number];

export const comparisons = ['<', '<=', '=', '!=', '>=', '>'] as const;
export type Comparison = (typeof comparisons)[number];

export interface FieldCondition {
  readonly field: LogField;
  readonly comparison: Comparison;
  readonly value: number;
}

export const scaledFields = ['submit', 'run', 'estimate', 'processors'] as const;

export interface FieldScale {
  readonly field: (typeof scaledFields)[number];
  readonly factor: number;
}

/**
 * How long a job holds its processors. `network` may have computing added to it: `from-network + exponential(mean 5)`.
 */
export type Service =
  | { readonly kind: 'network'; readonly computing?: Choice }
  | { readonly kind: 'log' }
  | { readonly kind: 'distribution'; readonly distribution: Choice };

/** `all`: every job of the log, or every time of `at [..]`. */
export type StreamEnd =
  | { readonly kind: 'completed' | 'arrived'; readonly jobs: number }
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'all' };

/** What is left out of the measures: the first jobs, the first share of them, or what the rule MSER-5 says. */
export type WarmUp =
  | { readonly kind: 'jobs'; readonly jobs: number }
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'mser-5' };

/** What a log holds for a stream, for hovers. Times in seconds. */
export interface StreamFacts {
  readonly name: string;
  readonly jobs: number;
  /** From the first submission to the last. */
  readonly span: number;
  readonly meanProcessors: number;
  readonly largestProcessors: number;
  /** Of jobs whose run time the log says; NaN where there is none. */
  readonly meanRun: number;
  /** Processors that would be busy on average, were there enough; NaN where the log does not say how long jobs run. */
  readonly load: number;
  /** Jobs by their processors: the class i has those above 2^(i − 1), up to 2^i. */
  readonly sizes: readonly number[];
  /** Lines that are no jobs of the stream. */
  readonly refused: readonly RefusedLines[];
  /** Jobs that stand behind one that was submitted later. */
  readonly disordered: number;
}

/**
 * What `vary` of an experiment can reach in a stream, as paths with the values that stand there: `arrivals.rate`,
 * `width.b`, `service.mean`, `messages`, `flits`, `scale.submit`. O(options).
 */
export function variedPaths(stream: StreamDescription): ReadonlyMap<string, number> {
  const paths = new Map<string, number>();
  for (const [word, { options }] of Object.entries(distributionsOf(stream))) {
    for (const [option, value] of Object.entries(options)) {
      if (typeof value === 'number') paths.set(`${word}.${option}`, value);
    }
  }
  paths.set('messages', stream.messages).set(stream.messageLength.unit, stream.messageLength.amount);
  if (stream.jobs.kind === 'log')
    for (const { field, factor } of stream.jobs.scale) paths.set(`scale.${field}`, factor);
  return paths;
}

/** The distributions of a stream by the properties that name them. */
export function distributionsOf({ jobs, service }: StreamDescription): Readonly<Record<string, Choice>> {
  const size =
    jobs.kind === 'log'
      ? {}
      : jobs.size.kind === 'sides'
        ? { width: jobs.size.width, height: jobs.size.height }
        : { processors: jobs.size.processors };
  const computing =
    service.kind === 'distribution' ? service.distribution : service.kind === 'network' ? service.computing : undefined;
  return {
    ...(jobs.kind === 'log' ? {} : { arrivals: jobs.arrivals }),
    ...size,
    ...(computing === undefined ? {} : { service: computing }),
  };
}

/** The stream with another value at a path of {@link variedPaths}; any other path changes nothing. */
export function streamAt(stream: StreamDescription, path: string, value: number): StreamDescription {
  const [word = '', option = ''] = path.split('.');
  const at = (name: string, choice: Choice): Choice =>
    name === word && typeof choice.options[option] === 'number'
      ? { ...choice, options: { ...choice.options, [option]: value satisfies OptionValue } }
      : choice;
  return {
    ...stream,
    jobs: variedJobs(stream.jobs, word, option, value, at),
    service: serviceAt(stream.service, at),
    ...(path === 'messages' ? { messages: value } : {}),
    ...(path === stream.messageLength.unit ? { messageLength: { ...stream.messageLength, amount: value } } : {}),
  };
}

type ChangeChoice = (name: string, choice: Choice) => Choice;

function variedJobs(
  jobs: StreamDescription['jobs'],
  word: string,
  option: string,
  value: number,
  at: ChangeChoice,
): StreamDescription['jobs'] {
  if (jobs.kind === 'log') {
    const scale = jobs.scale.map((one) => (word === 'scale' && one.field === option ? { ...one, factor: value } : one));
    return { ...jobs, scale };
  }
  const { size } = jobs;
  return {
    ...jobs,
    arrivals: at('arrivals', jobs.arrivals),
    size:
      size.kind === 'sides'
        ? { kind: 'sides', width: at('width', size.width), height: at('height', size.height) }
        : { kind: 'processors', processors: at('processors', size.processors) },
  };
}

function serviceAt(service: Service, at: ChangeChoice): Service {
  if (service.kind === 'distribution') return { ...service, distribution: at('service', service.distribution) };
  if (service.kind === 'log' || service.computing === undefined) return service;
  return { ...service, computing: at('service', service.computing) };
}
