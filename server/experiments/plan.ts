/**
 * What an experiment consists of: points (values of what is varied, with a scheduler, an allocator and a mapper),
 * replications of each, what is measured, and what is compared. Plain data, so that it crosses threads.
 */
import { appendAll } from '../model/lists.ts';
import {
  blockKeys,
  comparedKeys,
  nameKeys,
  type BlockKey,
  type Comparing,
  type ExperimentDescription,
  type NameKey,
  type QuotedNumber as DeclaredQuote,
  type Replications,
  type SteadyStateOptions,
  type TableNames,
} from '../model/experiment.ts';
import { type Result, fail, quote, succeed } from '../model/result.ts';
import { itemAt } from '../numeric/elements.ts';

/** One thing that is simulated. Names are as users write them, options included: `window(5)`. */
export interface Point {
  /** Position in the plan. */
  readonly index: number;
  /** Of what is varied, in the order of the plan's `vary`. */
  readonly values: readonly number[];
  /** Where several are crossed; else left out. */
  readonly job?: string;
  readonly machine?: string;
  /** In the place of the machine's own. */
  readonly routing?: string;
  /** Undefined where the experiment has no list of such. */
  readonly scheduler: string | undefined;
  readonly allocator: string | undefined;
  readonly mapper: string | undefined;
  /** Of traffic without jobs. */
  readonly pattern?: string;
}

/** What is varied at the values of a point. */
export const variedAt = <Settings>(
  { vary }: Pick<ExperimentDescription, 'vary'>,
  values: Point['values'],
  settings: Settings,
  settingsAt: (settings: Settings, path: string, value: number) => Settings,
): Settings => vary.reduce((varied, { path }, axis) => settingsAt(varied, path, itemAt(values, axis)), settings);

export interface MetricDescription {
  readonly name: string;
  readonly unit: string;
  /** Which values are good, for comparisons with the best. */
  readonly better: 'less' | 'more';
}

/** What is said of the points with the same values beside each other: see `comparisons.ts`. */
export type { Comparing } from '../model/experiment.ts';

/** A number of a paper, of any metric of a plan. */
export type QuotedNumber = Omit<DeclaredQuote, 'metric'> & { readonly metric: string };

/** The lists of an experiment, as names. */
export interface PlanDescription {
  readonly name: string;
  /** What is varied, such as `arrivals.rate`; crossed with each other, the last one fastest. */
  readonly vary: readonly { readonly path: string; readonly values: readonly number[] }[];
  /** Where several are crossed. */
  readonly jobs?: readonly string[];
  readonly machines?: readonly string[];
  readonly routings?: readonly string[];
  readonly schedulers: readonly string[];
  readonly allocators: readonly string[];
  readonly mappers: readonly string[];
  /** Of traffic without jobs. */
  readonly patterns?: readonly string[];
  readonly replications: Replications;
  readonly metrics: readonly MetricDescription[];
  readonly compare: readonly Comparing[];
  readonly quoted: readonly QuotedNumber[];
  /** For tables; the names of rows where it is left out. */
  readonly tableNames?: TableNames;
  /** Before its replications each block needs the speed of its messages: see `run.ts`. */
  readonly findsSpeed?: true;
  /** For metrics of which replications give a series. */
  readonly steadyState?: SteadyStateOptions;
}

export interface ExperimentPlan extends PlanDescription {
  /** By values, job, machine and routing, then scheduler, allocator and mapper. */
  readonly points: readonly Point[];
  /**
   * Points with the same values, job, machine and routing, in order. They have the same replications, so that each has its pair; whether there are
   * enough is asked of all of them together.
   */
  readonly blocks: readonly (readonly Point[])[];
}

/** Above, somebody has mistaken a step. */
const mostPoints = 10_000;
const mostReplications = 1_000_000;

/** Crosses the lists. Failures: `bad-experiment`. O(points). */
export function planExperiment(description: PlanDescription): Result<ExperimentPlan> {
  const fault = faultOfPlan(description);
  if (fault !== undefined) return fail('bad-experiment', `Experiment ${quote(description.name)}: ${fault}`);
  const points: Point[] = [];
  const blocks = pointBlocks(description).map((shared) => {
    const block: Point[] = [];
    for (const scheduler of orNone(description.schedulers)) {
      for (const allocator of orNone(description.allocators)) {
        for (const mapper of orNone(description.mappers)) {
          for (const pattern of orNone(description.patterns ?? [])) {
            const index = points.length + block.length;
            block.push({ index, ...shared, scheduler, allocator, mapper, ...(pattern !== undefined && { pattern }) });
          }
        }
      }
    }
    appendAll(points, block);
    return block;
  });
  const plan = { ...description, points, blocks };
  for (const quoted of plan.quoted) {
    const found = findQuoted(plan, quoted);
    if (!found.ok) return found;
  }
  return succeed(plan);
}

const orNone = (names: readonly string[]): readonly (string | undefined)[] =>
  names.length === 0 ? [undefined] : names;

/** What the points of each block share. */
function pointBlocks(description: PlanDescription): readonly Pick<Point, 'values' | BlockKey>[] {
  const lists = comparedLists(description);
  let blocks: readonly Pick<Point, 'values' | BlockKey>[] = crossed(description.vary.map(({ values }) => values)).map(
    (values) => ({ values }),
  );
  for (const key of blockKeys) {
    if (lists[key].length > 0)
      blocks = blocks.flatMap((block) => lists[key].map((name) => ({ ...block, [key]: name })));
  }
  return blocks;
}

/** All choices of one value of each list, the last list fastest. */
function crossed(lists: readonly (readonly number[])[]): readonly (readonly number[])[] {
  let choices: readonly (readonly number[])[] = [[]];
  for (const list of lists) choices = choices.flatMap((choice) => list.map((value) => [...choice, value]));
  return choices;
}

const comparedLists = ({
  jobs = [],
  machines = [],
  routings = [],
  schedulers,
  allocators,
  mappers,
  patterns = [],
}: PlanDescription): Readonly<Record<NameKey, readonly string[]>> => ({
  job: jobs,
  machine: machines,
  routing: routings,
  scheduler: schedulers,
  allocator: allocators,
  mapper: mappers,
  pattern: patterns,
});

function faultOfPlan(description: PlanDescription): string | undefined {
  const { vary, metrics, compare } = description;
  const lists = comparedLists(description);
  for (const key of nameKeys) {
    const twice = firstTwice(lists[key]);
    if (twice !== undefined) return `the ${key} ${quote(twice)} is named twice. Remove one.`;
  }
  for (const { path, values } of vary) {
    if (values.length === 0) return `${quote(path)} has no values. Add at least one.`;
    if (!values.every(Number.isFinite)) return `${quote(path)} has a value that is not a number.`;
    const twice = firstTwice(values);
    if (twice !== undefined) return `${quote(path)} has the value ${twice} twice. Remove one.`;
  }
  const counts = [...vary.map(({ values }) => values), ...nameKeys.map((key) => orNone(lists[key]))];
  const count = counts.reduce((product, { length }) => product * length, 1);
  if (count > mostPoints) return `it has ${count} points; the maximum is ${mostPoints}. Shorten a list.`;
  if (metrics.length === 0) return 'it reports no metric. Name at least one.';
  const twice = firstTwice(metrics.map(({ name }) => name));
  if (twice !== undefined) return `the metric ${quote(twice)} is reported twice. Remove one.`;
  for (const one of compare) {
    if (one.kind !== 'paired-ratio' || comparedKeys.some((key) => lists[key].includes(one.to))) continue;
    return `the ratio baseline ${quote(one.to)} is not a scheduler, allocator or mapper of the experiment.`;
  }
  return faultOfReplications(description.replications);
}

const firstTwice = <Item>(items: readonly Item[]): Item | undefined =>
  items.find((item, position) => items.indexOf(item) < position);

function faultOfReplications(replications: Replications): string | undefined {
  const most = mostOf(replications);
  if (!Number.isInteger(most) || most < 1 || most > mostReplications) {
    return `the number of replications must be 1 to ${mostReplications}.`;
  }
  if (replications.kind !== 'until') return undefined;
  if (!(replications.precision > 0)) return 'the target half-width must be above 0 %.';
  const { confidence } = replications;
  return confidence > 0 && confidence < 1 ? undefined : 'the confidence level must be between 0 % and 100 %.';
}

/** How many replications there may be. */
export function mostOf(replications: Replications): number {
  if (replications.kind === 'listed') return replications.seeds.length;
  return replications.kind === 'seeds' ? replications.to - replications.from + 1 : replications.atMost;
}

/** The seed of replication r, counted from 0: the same at every point, so that all see the same jobs (common random numbers). */
export function seedOf(replications: Replications, replication: number): number {
  if (replications.kind === 'listed') return itemAt(replications.seeds, replication);
  return (replications.kind === 'seeds' ? replications.from : 1) + replication;
}

/** The first of the replications, at most so many of them. */
export function firstReplications(replications: Replications, count: number): Replications {
  const kept = Math.min(count, mostOf(replications));
  if (replications.kind === 'listed') return { kind: 'listed', seeds: replications.seeds.slice(0, kept) };
  const from = seedOf(replications, 0);
  return { kind: 'seeds', from, to: from + kept - 1 };
}

/** Of all intervals of an experiment; 95 % where nothing is said of it. */
export const confidenceOf = ({ replications }: Pick<PlanDescription, 'replications'>): number =>
  replications.kind === 'until' ? replications.confidence : 0.95;

/** Where a quoted number belongs: its point, and the point below the line of a ratio. Failures: `bad-experiment`. */
export function findQuoted(
  plan: ExperimentPlan,
  { metric, of, to, at }: QuotedNumber,
): Result<{ readonly point: Point; readonly over: Point | undefined }> {
  const wrong = (why: string) =>
    fail('bad-experiment', `Experiment ${quote(plan.name)}: a quoted ${quote(metric)} ${why}`);
  if (!plan.metrics.some(({ name }) => name === metric)) return wrong('is not a reported metric. Add it to `report`.');
  const lists = comparedLists(plan);
  // `random` may be the allocator of all points and a mapper of some: it is meant where it tells points apart.
  const keysOf = (name: string): readonly NameKey[] => {
    const keys = nameKeys.filter((key) => lists[key].includes(name));
    const telling = keys.filter((key) => lists[key].length > 1);
    return telling.length === 0 ? keys : telling;
  };
  const isThere = (point: Point): boolean =>
    of.every((name) => keysOf(name).some((key) => point[key] === name)) &&
    at.every(({ path, value }) =>
      plan.vary.some((varied, axis) => varied.path === path && point.values[axis] === value),
    );
  const [point, second] = plan.points.filter(isThere);
  if (point === undefined) return wrong('matches no point of the experiment.');
  if (second !== undefined) {
    return wrong('matches several points. Name scheduler, allocator, mapper and value.');
  }
  if (to === undefined) return succeed({ point, over: undefined });
  const named = (key: NameKey): string | undefined => to.find((name) => keysOf(name).includes(key)) ?? point[key];
  const over = plan.points.find((one) => hasSameValues(one, point) && nameKeys.every((key) => one[key] === named(key)));
  if (over === undefined || over === point || !to.every((name) => keysOf(name).some((key) => over[key] === name))) {
    return wrong(`is a ratio to ${to.map(quote).join(', ')}, which is not another point of the experiment.`);
  }
  return succeed({ point, over });
}

const hasSameValues = (one: Point, other: Point): boolean =>
  one.values.every((value, axis) => value === other.values[axis]);
