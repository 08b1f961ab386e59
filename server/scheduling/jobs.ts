/** The jobs of a stream: drawn from distributions one by one as they are asked for, or read from a log. */
import { type JobLog, columnOf, RefusalCounter, type RefusedLines, swfFields } from '../model/jobLog.ts';
import { drawSeed, type RandomSource, seededRandom, watchedRandom } from '../model/random.ts';
import { fail, type Result, succeed } from '../model/result.ts';
import type { FieldCondition, LoggedJobs, StreamDescription, StreamFacts, SyntheticJobs } from '../model/stream.ts';
import { grown, intAt, realAt } from '../numeric/elements.ts';
import { type Distribution, makeDistribution } from './distributions.ts';

/** What is known of a job before it runs. */
export interface Job {
  /** Time of arrival, ascending from job to job. */
  readonly submit: number;
  /** How long it computes; NaN where the network alone decides. */
  readonly run: number;
  /** What the scheduler is told of its run time, at least `run`; NaN where nobody knows. */
  readonly estimate: number;
  readonly processors: number;
  /** Sides of the submesh asked for; 0 where only a number of processors is. */
  readonly width: number;
  readonly height: number;
  /** For roots and pairs of what it sends. */
  readonly seed: number;
  /** Line of the log; 0 where there is none. */
  readonly line: number;
  /** Its number in the log, NaN where there is none. */
  readonly number: number;
  /** Whether it counts in the measures. */
  readonly measured: boolean;
}

/** Jobs by number, 0, 1, 2 … in order of arrival: 57 bytes each. The arrays are replaced when the table grows. */
export class JobTable {
  count = 0;
  submit = new Float64Array(0);
  run = new Float64Array(0);
  estimate = new Float64Array(0);
  /** What it asks for, as `ssd` sees it: the estimate, or the messages where there is none. Known when it has arrived. */
  demand = new Float64Array(0);
  processors = new Int32Array(0);
  width = new Int32Array(0);
  height = new Int32Array(0);
  seed = new Int32Array(0);
  line = new Int32Array(0);
  number = new Float64Array(0);
  measured = new Uint8Array(0);

  add(job: Job): void {
    const at = this.count;
    if (at === this.submit.length) this.#reserve(Math.max(256, at * 2));
    this.submit[at] = job.submit;
    this.run[at] = job.run;
    this.estimate[at] = job.estimate;
    this.processors[at] = job.processors;
    this.width[at] = job.width;
    this.height[at] = job.height;
    this.seed[at] = job.seed;
    this.line[at] = job.line;
    this.number[at] = job.number;
    this.measured[at] = job.measured ? 1 : 0;
    this.count++;
  }

  #reserve(length: number): void {
    this.submit = grown(this.submit, new Float64Array(length));
    this.run = grown(this.run, new Float64Array(length));
    this.estimate = grown(this.estimate, new Float64Array(length));
    this.demand = grown(this.demand, new Float64Array(length));
    this.processors = grown(this.processors, new Int32Array(length));
    this.width = grown(this.width, new Int32Array(length));
    this.height = grown(this.height, new Int32Array(length));
    this.seed = grown(this.seed, new Int32Array(length));
    this.line = grown(this.line, new Int32Array(length));
    this.number = grown(this.number, new Float64Array(length));
    this.measured = grown(this.measured, new Uint8Array(length));
  }
}

export interface JobSource {
  readonly table: JobTable;
  /** Puts the next job into the table; false where there are no more. */
  next(): boolean;
  /** How many there are in all; undefined where there is no end. */
  readonly total: number | undefined;
  /** Lines of the log that are no jobs of the stream. */
  readonly refused: readonly RefusedLines[];
  /** Jobs of the log that stand behind one that was submitted later. */
  readonly disordered: number;
  /** Draws for a random allocator; apart from all others, so that the jobs are the same with every allocator. */
  readonly allocatorRandom: RandomSource;
  /** Whether anything but the seeds of messages was drawn by now: arrivals, sizes, times of service, nodes. */
  readonly drewRandom: () => boolean;
}

/** Generators of one replication. Each property has its own: another scheduler or allocator sees the same jobs. */
function generatorsOf(seed: number) {
  const root = seededRandom(seed);
  const next = (): RandomSource => seededRandom(drawSeed(root));
  const [arrivals, sizes] = [watchedRandom(next()), watchedRandom(next())];
  const traffic = next();
  const [service, allocator] = [watchedRandom(next()), watchedRandom(next())];
  const drewRandom = (): boolean => [arrivals, sizes, service, allocator].some(({ used }) => used);
  return { arrivals, sizes, traffic, service, allocator, drewRandom };
}

type Generators = ReturnType<typeof generatorsOf>;

/**
 * The jobs of a stream in the replication of that seed. Fails with `bad-distribution`, or `bad-stream` where its parts do
 * not go together or no line of the log is a job of it. O(1) a job; a log O(jobs log jobs).
 */
export function streamJobs(stream: StreamDescription, seed: number, log?: JobLog): Result<JobSource> {
  const { jobs, service } = stream;
  const generators = generatorsOf(seed);
  if (jobs.kind === 'distributions' && service.kind === 'log') {
    return fail('bad-stream', `Stream ${stream.name} has no log for its service.`);
  }
  const computing =
    service.kind === 'distribution' ? service.distribution : service.kind === 'network' ? service.computing : undefined;
  let drawRun: (() => number) | undefined;
  if (computing !== undefined) {
    const made = makeSample(computing);
    if (!made.ok) return made;
    drawRun = () => made.value.sample(generators.service);
  }
  if (jobs.kind === 'distributions') return drawnJobs(jobs, drawRun, service.kind === 'network', generators);
  if (log === undefined) return fail('bad-stream', `The log of stream ${stream.name} was not read.`);
  return loggedJobs(
    jobs,
    log,
    service.kind === 'log' ? undefined : (drawRun ?? (() => Number.NaN)),
    generators,
    service.kind === 'network',
  );
}

/** A distribution that values are drawn from; `at` only says when jobs arrive. */
function makeSample(choice: Parameters<typeof makeDistribution>[0]): Result<Distribution> {
  const made = makeDistribution(choice);
  if (!made.ok || made.value.times === undefined) return made;
  return fail('bad-distribution', 'at gives arrival times only. Use weighted for sizes and services.');
}

function drawnJobs(
  { arrivals, size }: SyntheticJobs,
  drawRun: (() => number) | undefined,
  isNetwork: boolean,
  generators: Generators,
): Result<JobSource> {
  const between = makeDistribution(arrivals);
  if (!between.ok) return between;
  const first = makeSample(size.kind === 'sides' ? size.width : size.processors);
  if (!first.ok) return first;
  const second = size.kind === 'sides' ? makeSample(size.height) : undefined;
  if (second?.ok === false) return second;
  const table = new JobTable();
  const { times } = between.value;
  let time = 0;
  return succeed({
    table,
    total: times?.length,
    refused: [],
    disordered: 0,
    allocatorRandom: generators.allocator,
    drewRandom: generators.drewRandom,
    next: () => {
      if (times === undefined) time += between.value.sample(generators.arrivals);
      else if (table.count === times.length) return false;
      else time = times[table.count] ?? time;
      const width = first.value.wholeSample(generators.sizes);
      const height = second?.value.wholeSample(generators.sizes) ?? 0;
      const run = drawRun?.() ?? Number.NaN;
      table.add({
        submit: time,
        run,
        estimate: isNetwork ? Number.NaN : run,
        processors: Math.min(height === 0 ? width : width * height, 2 ** 31 - 1),
        width: height === 0 ? 0 : width,
        height,
        seed: drawSeed(generators.traffic),
        line: 0,
        number: Number.NaN,
        measured: true,
      });
      return true;
    },
  });
}

/** What SWF writes into the field `status`. */
const statusCodes = { failed: 0, completed: 1, cancelled: 5 } as const;

const holds: Readonly<Record<FieldCondition['comparison'], (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '=': (value, bound) => value === bound,
  '!=': (value, bound) => value !== bound,
  '>=': (value, bound) => value >= bound,
  '>': (value, bound) => value > bound,
};

function loggedJobs(
  jobs: LoggedJobs,
  log: JobLog,
  drawRun: (() => number) | undefined,
  generators: Generators,
  isNetwork: boolean,
): Result<JobSource> {
  const columns = new Map(swfFields.map((field) => [field as string, columnOf(log, field)]));
  const refusals = new RefusalCounter();
  const allocated = columnOf(log, 'allocated-processors');
  const requested = columnOf(log, 'requested-processors');
  const [numbers, submits, runs] = [columnOf(log, 'job'), columnOf(log, 'submit'), columnOf(log, 'run')];
  const estimates = columnOf(log, 'requested-time');
  const factors = new Map<string, number>();
  for (const { field, factor } of jobs.scale) factors.set(field, (factors.get(field) ?? 1) * factor);
  const scale = (field: string): number => factors.get(field) ?? 1;

  const processorsOf = (row: number): number => {
    const [own, other] = jobs.processors === 'allocated' ? [allocated, requested] : [requested, allocated];
    const known = realAt(own, row) > 0 ? realAt(own, row) : realAt(other, row);
    return known > 0 ? Math.min(2 ** 31 - 1, Math.max(1, Math.round(known * scale('processors')))) : -1;
  };
  const fails = (condition: FieldCondition, row: number): boolean => {
    const column = columns.get(condition.field);
    const value = column === undefined ? processorsOf(row) : realAt(column, row);
    return !holds[condition.comparison](value, condition.value);
  };
  const refusalOf = (row: number): string | undefined => {
    if (processorsOf(row) <= 0) return 'its processors are unknown (fields 5 and 8)';
    if (realAt(submits, row) < 0) return 'its submit time is unknown (field 2)';
    if (drawRun === undefined && realAt(runs, row) < 0) return 'its run time is unknown (field 4)';
    if (jobs.status !== 'any' && realAt(columnOf(log, 'status'), row) !== statusCodes[jobs.status]) {
      return `its status is not ${jobs.status} (field 11)`;
    }
    const failed = jobs.where.find((condition) => fails(condition, row));
    return failed && `${failed.field} ${failed.comparison} ${failed.value} does not hold`;
  };

  const taken = new Int32Array(log.jobCount);
  let count = 0;
  let disordered = 0;
  let latest = -Infinity;
  for (let row = 0; row < log.jobCount; row++) {
    const reason = refusalOf(row);
    if (reason !== undefined) {
      refusals.add(reason, log.lines[row] ?? 0);
      continue;
    }
    const submit = realAt(submits, row);
    if (submit < latest) disordered++;
    latest = Math.max(latest, submit);
    taken[count++] = row;
  }
  const order = taken.subarray(0, count).sort((a, b) => realAt(submits, a) - realAt(submits, b) || a - b);
  const total = Math.min(count, jobs.first ?? count);
  const refused = [...log.refused, ...refusals.refused];
  if (total === 0) {
    const reasons = refused.map(({ reason, count: lines }) => `${lines} × ${reason}`).join('; ');
    return fail('bad-stream', `${log.fileName}: No usable job in the log (${reasons}).`);
  }
  const table = new JobTable();
  return succeed({
    table,
    total,
    refused,
    disordered,
    allocatorRandom: generators.allocator,
    drewRandom: generators.drewRandom,
    next: () => {
      if (table.count === total) return false;
      const row = order[table.count] ?? 0;
      const run = drawRun === undefined ? realAt(runs, row) * scale('run') : drawRun();
      const processors = processorsOf(row);
      const width = jobs.shape === 'row' ? processors : largestDivisorUpToRoot(processors);
      table.add({
        submit: realAt(submits, row) * scale('submit'),
        run,
        estimate: estimatedRunTime(jobs, realAt(estimates, row) * scale('estimate'), isNetwork ? 0 : run),
        processors,
        width,
        height: processors / width,
        seed: drawSeed(generators.traffic),
        line: log.lines[row] ?? 0,
        number: realAt(numbers, row) < 0 ? Number.NaN : realAt(numbers, row),
        measured: !jobs.measure.some((condition) => fails(condition, row)),
      });
      return true;
    },
  });
}

/** What the jobs of a log are, all together. Fails as {@link streamJobs} does. O(jobs log jobs). */
export function describeLog(stream: StreamDescription, log: JobLog): Result<StreamFacts> {
  const made = streamJobs(stream, 1, log);
  if (!made.ok) return made;
  const { table, refused, disordered } = made.value;
  while (made.value.next());
  const sizes: number[] = [];
  let [processors, largest, run, work] = [0, 0, 0, 0];
  for (let job = 0; job < table.count; job++) {
    const size = intAt(table.processors, job);
    const sizeClass = Math.ceil(Math.log2(size));
    while (sizes.length <= sizeClass) sizes.push(0);
    sizes[sizeClass] = (sizes[sizeClass] ?? 0) + 1;
    processors += size;
    largest = Math.max(largest, size);
    run += realAt(table.run, job);
    work += size * realAt(table.run, job);
  }
  const span = realAt(table.submit, table.count - 1) - realAt(table.submit, 0);
  const means = { meanProcessors: processors / table.count, meanRun: run / table.count };
  const load = span > 0 ? work / span : Number.NaN;
  const { name } = stream;
  return succeed({
    name,
    jobs: table.count,
    span,
    ...means,
    largestProcessors: largest,
    load,
    sizes,
    refused,
    disordered,
  });
}

/** Never below the run time, so that jobs run as in the log. Of jobs that a network serves, what the log says is all that is known. */
function estimatedRunTime({ estimates }: LoggedJobs, written: number, run: number): number {
  if (estimates.kind === 'run') return run;
  if (written > 0) return Math.max(written, run);
  return estimates.missing === 'double' ? 2 * run : run;
}

/** The width of the squarest shape of a job (Bunde et al. 2014, section 5.1). O(√processors). */
export function largestDivisorUpToRoot(processors: number): number {
  for (let width = Math.floor(Math.sqrt(processors)); width > 1; width--) if (processors % width === 0) return width;
  return 1;
}
