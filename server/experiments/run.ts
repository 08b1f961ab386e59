/**
 * Runs the replications of an experiment until there are enough, and keeps what they measured.
 *
 * How many there are is looked at after 2 replications, which are enough if they are the same and no seed has a part in them, and then after 10, 20, 30, … in
 * the order of their seeds: what the others have done meanwhile does not count. So the answer depends neither on the number of threads nor on where a run was
 * interrupted and taken up again. A point whose replication fails has no further ones, and the others go on without it.
 */
import { largestOf, leastOf } from '../model/lists.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { cancelledCode, succeed, type Failure, type Result } from '../model/result.ts';
import { itemAt } from '../numeric/elements.ts';
import type { PacketSeries } from '../simulation/recording.ts';
import { confidenceOf, type ExperimentPlan, type Point, mostOf, seedOf } from './plan.ts';
import { estimateMean, isPrecise, steadyStateOf, type Estimate, type SteadyState } from './statistics.ts';

/** What one replication gives: numbers by the names of metrics. */
export interface ReplicationResult {
  /** A metric that is left out, or is no finite number, has no value in this replication. */
  readonly metrics: Readonly<Record<string, number | undefined>>;
  /** Values one after the other, such as the waiting time of each job, for metrics in steady state. */
  readonly series?: Readonly<Record<string, Float64Array>>;
  /** By the names of metrics: of each run of a replication that has several. */
  readonly runs?: Readonly<Record<string, readonly number[]>>;
  /** The mapper of a job drew no random number: where replications are the same, they are one. */
  readonly isFixed?: true;
  /** How many jobs have passed, for the progress. */
  readonly jobs: number;
  /** Sentences for the user: that jobs were refused, that the stream is beyond saturation. Left out where there are none. */
  readonly notices?: readonly string[];
  /** Of a job, where it is asked for. */
  readonly overTime?: PacketSeries;
}

/**
 * Simulates a point once. The same point and seed give the same answer; the same seed gives the same jobs at all points.
 * Ends within milliseconds with the failure `cancelled` once `stop` says so; every other failure is the answer. `speed` is what was
 * found for its block where the plan asks for that.
 */
export type Replicate = (point: Point, seed: number, stop: Cancellation, speed?: number) => Result<ReplicationResult>;

/** What does replications. */
export interface Replicator {
  readonly replicate: Replicate;
  /** The speed of the messages at points with the same values, with mappings of that seed. */
  readonly findSpeed?: (block: readonly Point[], seed: number, stop: Cancellation) => Result<number>;
}

/** One replication to do: plain data. */
export interface ReplicationTask {
  /** Position in the plan. */
  readonly point: number;
  readonly seed: number;
  /** It is no replication, but finds the speed of its block; the point is the first one of it. */
  readonly finds?: 'speed';
  /** Found for its block; of one that finds it, when it has. */
  readonly speed?: number;
}

/** Tells tasks apart. */
export const keyOfTask = ({ point, seed, finds }: ReplicationTask): string =>
  finds === undefined ? `${point} ${seed}` : `${point} ${finds}`;

/** A replication that was done: plain data, and a line of the journal. */
export interface FinishedReplication extends ReplicationTask {
  readonly jobs: number;
  /** In the order of the plan's metrics; null where there was no value. All are null where it failed. */
  readonly values: readonly (number | null)[];
  /** In the same order, of each run where a replication has several; null of metrics that all runs share. */
  readonly runs?: readonly (readonly number[] | null)[];
  readonly isFixed?: true;
  /** In the same order, of metrics in steady state; null for others. Left out where there are none. */
  readonly steady?: readonly (SteadyFigures | null)[];
  readonly notices?: readonly string[];
  readonly overTime?: PacketSeries;
  readonly failure?: Failure;
}

export type SteadyFigures = Pick<SteadyState, 'deleted' | 'lag1' | 'halfWidth'>;

/** Does replications, in whatever order, on however many threads. */
export interface ReplicationPool {
  /**
   * Tells of each task once when it is done, between looks at `stop`. Tasks that were stopped are not told of.
   */
  run(tasks: readonly ReplicationTask[], stop: Cancellation, finished: (done: FinishedReplication) => void): void;
}

/** One task; undefined if it was stopped. A task that nobody wants any more is not begun: making its network alone takes a while. */
export function doReplication(
  plan: ExperimentPlan,
  { replicate, findSpeed }: Replicator,
  task: ReplicationTask,
  stop: Cancellation,
): FinishedReplication | undefined {
  if (stop.isCancelled()) return undefined;
  const point = itemAt(plan.points, task.point);
  const nothing = { ...task, jobs: 0, values: plan.metrics.map(() => null) };
  if (task.finds !== undefined) {
    const block = plan.blocks.find((points) => points.includes(point)) ?? [point];
    const speed = findSpeed?.(block, task.seed, stop) ?? succeed(1);
    if (speed.ok) return { ...nothing, speed: speed.value };
    return speed.failure.code === cancelledCode ? undefined : { ...nothing, failure: speed.failure };
  }
  const result = replicate(point, task.seed, stop, task.speed);
  if (result.ok) return finishedReplication(plan, task, result.value);
  if (result.failure.code === cancelledCode) return undefined;
  return { ...nothing, failure: result.failure };
}

function finishedReplication(
  plan: ExperimentPlan,
  task: ReplicationTask,
  { metrics: found, series = {}, runs, isFixed, jobs, notices, overTime }: ReplicationResult,
): FinishedReplication {
  const { metrics, steadyState } = plan;
  const steady = metrics.map(({ name }) => {
    const values = series[name];
    if (steadyState === undefined || values === undefined) return null;
    return steadyStateOf(values, steadyState, confidenceOf(plan));
  });
  const values = metrics.map(({ name }, metric) => {
    const value = itemOrNull(steady, metric)?.mean ?? found[name];
    return value !== undefined && Number.isFinite(value) ? value : null;
  });
  const done = {
    ...{ ...task, jobs, values },
    ...(runs && { runs: metrics.map(({ name }) => runs[name] ?? null) }),
    ...(isFixed && { isFixed }),
    ...(notices && { notices }),
    ...(overTime && { overTime }),
  };
  if (steady.every((figures) => figures === null)) return done;
  const figures = steady.map((one) => one && { deleted: one.deleted, lag1: one.lag1, halfWidth: one.halfWidth });
  return { ...done, steady: figures };
}

const itemOrNull = <Item>(items: readonly (Item | null)[], index: number): Item | undefined =>
  items[index] ?? undefined;

/** What there is by now at one point. */
export interface PointResult {
  readonly point: Point;
  /** In the order of their seeds, without gaps. */
  readonly replications: readonly FinishedReplication[];
}

export interface ExperimentResult {
  readonly plan: ExperimentPlan;
  /** False where it was cancelled. */
  readonly complete: boolean;
  /** In the order of the plan. */
  readonly points: readonly PointResult[];
}

export interface ExperimentProgress {
  /** Replications that are done, those of an earlier run included. */
  readonly done: number;
  /** How many there will probably be, after the intervals so far. */
  readonly expected: number;
  /** That have passed in all replications so far. */
  readonly jobs: number;
  /** Undefined before the first replication of this run. */
  readonly secondsLeft: number | undefined;
  /** What there is by now; worked out when it is asked for. */
  readonly soFar: () => ExperimentResult;
}

export interface ExperimentEnvironment {
  readonly cancellation: Cancellation;
  /** Milliseconds, from any beginning. */
  readonly now: () => number;
  /** Done before, as the journal has them; in any order, of seeds that may not be needed. */
  readonly known: readonly FinishedReplication[];
  /** Told of each replication as soon as it is done. */
  readonly record: (done: FinishedReplication) => void;
  readonly progress: (progress: ExperimentProgress) => void;
}

/** Replications between two looks at the intervals. */
export const looksEvery = 10;
/** Where no seed has a part in what is measured, so many replications are the same, and enough. */
const firstLook = 2;

/** Runs what is not known yet. What was cancelled has, at each value, the replications that all points of it have. */
export function runExperiment(
  plan: ExperimentPlan,
  pool: ReplicationPool,
  { cancellation, now, known, record, progress }: ExperimentEnvironment,
): ExperimentResult {
  const kept = new Kept(plan);
  for (const done of known) kept.add(done);
  const blocks = plan.blocks.map((points) => new Block(plan, points, kept));
  const startedAt = now();
  let doneHere = 0;
  const soFar = (): ExperimentResult => ({
    plan,
    complete: blocks.every(({ isComplete }) => isComplete),
    points: blocks.flatMap((block) => block.results()),
  });
  const tell = (): void => {
    const expected = blocks.reduce((sum, block) => sum + block.expected(), 0);
    const done = Math.min(
      expected,
      blocks.reduce((sum, block) => sum + block.done(), 0),
    );
    const secondsLeft = doneHere === 0 ? undefined : ((now() - startedAt) / 1000 / doneHere) * (expected - done);
    progress({ done, expected, jobs: kept.jobs, secondsLeft, soFar });
  };
  while (!cancellation.isCancelled()) {
    const tasks = blocks.flatMap((block) => block.missing());
    if (tasks.length === 0) break;
    // In the order of replications: what a cancelled run has done is then of use at all values.
    tasks.sort((one, other) => one.replication - other.replication);
    const wanted = tasks.map(({ task }) => task);
    pool.run(wanted, cancellation, (done) => {
      if (!kept.add(done)) return;
      record(done);
      doneHere++;
      tell();
    });
  }
  if (doneHere === 0) tell();
  return soFar();
}

/** What is known, by point and seed. */
class Kept {
  readonly #bySeed: readonly Map<number, FinishedReplication>[];
  /** By the first point of each block. */
  readonly #speeds = new Map<number, FinishedReplication>();
  jobs = 0;

  constructor(plan: ExperimentPlan) {
    this.#bySeed = plan.points.map(() => new Map());
  }

  /** False where it is known already. */
  add(done: FinishedReplication): boolean {
    const bySeed = this.#bySeed[done.point];
    if (done.finds !== undefined) {
      const isNew = !this.#speeds.has(done.point);
      if (isNew) this.#speeds.set(done.point, done);
      return isNew;
    }
    if (bySeed === undefined || bySeed.has(done.seed)) return false;
    bySeed.set(done.seed, done);
    this.jobs += done.jobs;
    return true;
  }

  of(point: Point, seed: number): FinishedReplication | undefined {
    return this.#bySeed[point.index]?.get(seed);
  }

  /** What was found of the block that begins with the point. */
  speedOf(first: Point): FinishedReplication | undefined {
    return this.#speeds.get(first.index);
  }
}

/** A task, and which replication it is of. */
interface Wanted {
  readonly task: ReplicationTask;
  readonly replication: number;
}

/** Points with the same value, which have the same replications. */
class Block {
  readonly #plan: ExperimentPlan;
  readonly #points: readonly Point[];
  readonly #kept: Kept;
  readonly #most: number;
  /** How many replications are wanted by now, until the next look. */
  #wanted: number;
  isComplete = false;
  /** Points that have failed, with how many replications they have: the failed one is the last. */
  readonly #failed = new Map<Point, number>();
  #expected: number;

  constructor(plan: ExperimentPlan, points: readonly Point[], kept: Kept) {
    this.#plan = plan;
    this.#points = points;
    this.#kept = kept;
    this.#most = mostOf(plan.replications);
    this.#wanted = plan.replications.kind === 'until' ? Math.min(firstLook, this.#most) : this.#most;
    this.#expected = plan.replications.kind === 'until' ? Math.min(looksEvery, this.#most) : this.#most;
  }

  /** The replications to do before the next look; none when there are enough. */
  missing(): Wanted[] {
    const finding = this.#findingSpeed();
    if (finding !== undefined) return [finding];
    while (!this.isComplete) {
      const tasks = this.#living().flatMap((point) => this.#missingAt(point));
      if (tasks.length > 0) return tasks;
      this.#look();
    }
    return [];
  }

  /**
   * What finds the speed, where that is not known yet. Where there is none, every point has failed with its first
   * replication.
   */
  #findingSpeed(): Wanted | undefined {
    const [first] = this.#points;
    if (this.#plan.findsSpeed === undefined || first === undefined) return undefined;
    const found = this.#kept.speedOf(first);
    const seed = seedOf(this.#plan.replications, 0);
    if (found === undefined) return { task: { point: first.index, seed, finds: 'speed' }, replication: 0 };
    if (found.failure !== undefined) {
      const { failure, values } = found;
      for (const { index } of this.#points) this.#kept.add({ point: index, seed, jobs: 0, values, failure });
    }
    return undefined;
  }

  get #speed(): { readonly speed?: number } {
    const speed = this.#points[0] && this.#kept.speedOf(this.#points[0])?.speed;
    return speed === undefined ? {} : { speed };
  }

  /** With so many replications as are done at all points in order; a point that failed keeps its own. */
  results(): PointResult[] {
    const common = Math.min(this.#wanted, leastOf(this.#living().map((point) => this.#doneInOrder(point))));
    return this.#points.map((point) => {
      const replications = this.#firstOf(point, this.#failed.get(point) ?? common);
      return { point, replications };
    });
  }

  done(): number {
    return this.#points.reduce((sum, point) => sum + (this.#failed.get(point) ?? this.#doneOf(point)), 0);
  }

  expected(): number {
    const living = this.#living().length * this.#expected;
    return [...this.#failed.values()].reduce((sum, count) => sum + count, living);
  }

  #living(): readonly Point[] {
    return this.#points.filter((point) => !this.#failed.has(point));
  }

  #missingAt(point: Point): Wanted[] {
    const tasks: Wanted[] = [];
    for (let replication = 0; replication < this.#wanted; replication++) {
      const seed = seedOf(this.#plan.replications, replication);
      const done = this.#kept.of(point, seed);
      // What comes after a failure would not be of use.
      if (done?.failure !== undefined) break;
      if (done === undefined) tasks.push({ task: { point: point.index, seed, ...this.#speed }, replication });
    }
    return tasks;
  }

  /** All that is wanted is there: are there enough? */
  #look(): void {
    for (const point of this.#living()) {
      const failedAt = this.#firstOf(point, this.#wanted).findIndex(({ failure }) => failure !== undefined);
      if (failedAt >= 0) this.#failed.set(point, failedAt + 1);
    }
    const { replications } = this.#plan;
    if (replications.kind !== 'until' || this.#wanted >= this.#most || this.#living().length === 0) {
      this.isComplete = true;
      return;
    }
    if (this.#wanted < looksEvery) {
      this.isComplete = this.#living().every((point) => isDeterministic(this.#firstOf(point, this.#wanted)));
      this.#wanted = this.isComplete ? this.#wanted : Math.min(this.#most, looksEvery);
      return;
    }
    const estimates = this.#living().flatMap((point) => this.#estimates(point));
    if (estimates.every((estimate) => isPrecise(estimate, replications.precision))) {
      this.isComplete = true;
      return;
    }
    this.#expected = largestOf(estimates.map((estimate) => this.#neededFor(estimate, replications.precision)));
    this.#wanted = Math.min(this.#most, this.#wanted + looksEvery);
    this.#expected = Math.max(this.#expected, this.#wanted);
  }

  /** Of all metrics that have a value at all. */
  #estimates(point: Point): Estimate[] {
    const done = this.#firstOf(point, this.#wanted);
    return this.#plan.metrics.flatMap((_, metric) => {
      const values = valuesOf(done, metric).filter((value) => value !== null);
      return values.length === 0 ? [] : [estimateMean(values, confidenceOf(this.#plan))];
    });
  }

  /** A half width falls with the root of the number of replications. */
  #neededFor({ mean, halfWidth, count }: Estimate, share: number): number {
    if (mean === undefined || halfWidth === undefined) return this.#most;
    const times = mean === 0 ? Infinity : (halfWidth / (share * Math.abs(mean))) ** 2;
    return halfWidth === 0 ? count : Math.min(this.#most, looksEvery * Math.ceil((count * times) / looksEvery));
  }

  #doneInOrder(point: Point): number {
    let count = 0;
    while (count < this.#wanted && this.#kept.of(point, seedOf(this.#plan.replications, count)) !== undefined) count++;
    return count;
  }

  #doneOf(point: Point): number {
    return this.#wanted - this.#missingAt(point).length;
  }

  #firstOf(point: Point, count: number): FinishedReplication[] {
    return Array.from({ length: count }, (_, replication) =>
      this.#kept.of(point, seedOf(this.#plan.replications, replication)),
    ).filter((done) => done !== undefined);
  }
}

/** Of one metric, in the order of the replications. */
export const valuesOf = (replications: readonly FinishedReplication[], metric: number): (number | null)[] =>
  replications.map(({ values }) => values[metric] ?? null);

/** Whether no seed has a part in what a point does: replications are the same, and so but one. */
export function isDeterministic(replications: readonly FinishedReplication[]): boolean {
  const measured = new Set(replications.map(({ values, runs = null }) => JSON.stringify([values, runs])));
  return measured.size === 1 && replications.every(({ isFixed }) => isFixed === true);
}

/** What a point is a sample of: each run of each replication; of one where all are the same. What has no value is left out. */
export function sampleOf(replications: readonly FinishedReplication[], metric: number): number[] {
  return (isDeterministic(replications) ? replications.slice(0, 1) : replications).flatMap(({ values, runs }) => {
    const value = values[metric] ?? null;
    return runs?.[metric] ?? (value === null ? [] : [value]);
  });
}
