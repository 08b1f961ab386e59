/** The check of a `job`: how many tasks it has, and where its traffic comes from. */
import { countOf, formatNumber } from '../../model/quantities.ts';
import { volumeOf, type Shape } from '../../model/shape.ts';
import type { TableEntries } from '../../model/traffic.ts';
import { type JobDescription, smallTableMessage, type TrafficSource } from '../../study/program.ts';
import { stencils } from '../../traffic/catalogue.ts';
import type { Stencil } from '../../traffic/contract.ts';
import {
  jobCollectives,
  skeletons,
  tasksOfDegrees,
  trainingProblem,
  usualTraining,
  type Parallelism,
} from '../../simulation/workloads/catalogue.ts';
import { replace, type Fix } from '../codes.ts';
import { taskLimit } from '../../model/job.ts';
import type { Failure } from '../../model/result.ts';
import { parallelismWords } from '../placementSchema.ts';
import { propertyOf, sourcesOfTraffic } from '../schema.ts';
import type { DeclarationNode, ChoiceNode } from '../tree.ts';
import { checkChoice, reportUnknown } from './choices.ts';
import { shapeValue } from './numbers.ts';
import { needed, presentParts, Properties, sound, soundParts, optionInParentheses } from './properties.ts';
import type { Scope } from './scope.ts';
import type { CheckedTable } from './table.ts';

export interface CheckedJob {
  /** Absent where something that it needs is missing or wrong. */
  readonly description: JobDescription | undefined;
  readonly taskCount: number | undefined;
}

/** Checks one job. O(properties + entries of its table). */
export function checkJob(scope: Scope, declaration: DeclarationNode, declared: TrafficDeclarations): CheckedJob {
  const properties = new Properties(scope, declaration);
  const size = jobSize(properties);
  const source = checkSource(properties, size, declared);
  const bytes = sound(properties.number('bytes'));
  const rate = sound(properties.number('rate'));
  const messages = sound(properties.number('messages'));
  const coordinates = sound(properties.file('coordinates'));
  const periodic = properties.get('periodic');
  if (periodic !== undefined && properties.get('grid') === undefined)
    warnOf(properties, ['periodic'], 'on a job without a `grid`.');
  if (source !== undefined) warnOfSurplus(properties, source);
  const { taskCount, grid } = size;
  if (source === undefined || taskCount === undefined) return { description: undefined, taskCount };
  const description: JobDescription = {
    name: properties.name,
    taskCount,
    ...presentParts({ grid }),
    periodic: periodic !== undefined,
    source,
    bytes,
    messages,
    rate,
    ...presentParts({ coordinates }),
  };
  return { description, taskCount };
}

/** Exactly one of `tasks` and `grid`. */
function jobSize(properties: Properties): JobSize {
  if (properties.get('grid') !== undefined) {
    const value = properties.value('grid');
    const bounds = { minimum: 1, maximum: taskLimit };
    const shape = value && shapeValue(properties.scope, value, properties.expectation('grid'), bounds, taskLimit);
    return { taskCount: shape && volumeOf(shape), grid: shape };
  }
  if (properties.get('tasks') === undefined)
    properties.reportMissing('tasks` or `grid', '`tasks 64` or `grid 8 x 8`', sizesFor(properties));
  return { taskCount: sound(properties.number('tasks')), grid: undefined };
}

/** A stencil needs a grid of its dimensions; anything else runs on both. */
function sizesFor(properties: Properties): readonly string[] {
  const name = properties.choice('stencil')?.name.text;
  const dimensions = stencils.find((entry) => entry.name === name)?.stencil.dimensions;
  if (dimensions !== undefined) return [`grid ${Array.from({ length: dimensions }, () => 8).join(' x ')}`];
  return name === undefined ? ['tasks 64', 'grid 8 x 8'] : ['grid 8 x 8'];
}

/** Warns of properties that have no effect. */
function warnOf(properties: Properties, words: readonly string[], why: string): void {
  for (const property of words.flatMap((word) => properties.get(word) ?? [])) {
    const message = `\`${property.word.text}\` has no effect ${why}`;
    properties.scope.report(property.word, 'no-effect', message, { severity: 'warning', fix: replace(property, '') });
  }
}

/** What has no effect beside this source: what is recorded has its own bytes, counts and times. */
function warnOfSurplus(properties: Properties, source: TrafficSource): void {
  if ((source.kind === 'table' || source.kind === 'table-file') && source.unit === 'bytes') {
    const why = 'here: the table already counts bytes. Write `unit messages` in the table if it counts messages.';
    warnOf(properties, ['bytes'], why);
  }
  if (source.kind !== 'skeleton' && source.kind !== 'trace' && source.kind !== 'parallelism') return;
  const what = source.kind === 'parallelism' ? 'training step' : source.kind;
  warnOf(properties, ['bytes', 'messages', 'rate'], `here: the ${what} says what is sent.`);
}

/** How many tasks a job has, and on what grid. */
interface JobSize {
  readonly taskCount: number | undefined;
  readonly grid: Shape | undefined;
}

/** Declared stencils and tables by name; undefined stands for one with errors. */
interface TrafficDeclarations {
  readonly stencils: ReadonlyMap<string, Stencil | undefined>;
  readonly tables: ReadonlyMap<string, CheckedTable | undefined>;
}

/** Exactly one source of traffic, fit for the size of the job; undefined where it is missing or wrong. */
function checkSource(properties: Properties, size: JobSize, declared: TrafficDeclarations): TrafficSource | undefined {
  const [first] = properties.inOrder(sourcesOfTraffic);
  if (first === undefined) {
    const what = 'stencil`, `pattern`, `table`, `skeleton`, `trace`, `collective` or `parallelism';
    properties.reportMissing(what, '`pattern ring`', ['pattern ring']);
    return undefined;
  }
  const word = first.word.text;
  if (word === 'parallelism') return trainingSource(properties, size.taskCount);
  const node = properties.choice(word);
  if (node === undefined) return undefined;
  const { scope } = properties;
  switch (word) {
    case 'stencil':
      reportSurplus(scope, node, 'stencil');
      return stencilSource(properties, node, size, declared.stencils);
    case 'table':
      reportSurplus(scope, node, 'table');
      return tableSource(properties, node, size, declared.tables);
    case 'skeleton':
      return skeletonSource(properties, node, size);
    case 'collective':
      return collectiveSource(scope, node, size.taskCount);
    case 'pattern': {
      const choice = sound(properties.chosen('pattern'));
      return choice && { kind: 'pattern', choice };
    }
    default:
      return traceSource(properties);
  }
}

/** Whether the benchmark runs on so many tasks is what its program says first, before any of it is made. */
function skeletonSource(properties: Properties, node: ChoiceNode, { taskCount }: JobSize): TrafficSource | undefined {
  const { scope } = properties;
  const { choice, entry } = checkChoice(scope, node, 'skeleton', skeletons);
  if (choice === undefined || entry === undefined) return undefined;
  if (taskCount === undefined) return { kind: 'skeleton', choice };
  const faultOf = (count: number): Failure | undefined => {
    const begun = entry.build(count, choice.options, { isCancelled: () => true });
    return !begun.ok && begun.failure.code === 'illegal-ranks' ? begun.failure : undefined;
  };
  const fault = faultOf(taskCount);
  if (fault === undefined) return { kind: 'skeleton', choice };
  const legal = countsNear(taskCount).filter((count) => faultOf(count) === undefined);
  const nearest = [legal.findLast((count) => count < taskCount), legal.find((count) => count > taskCount)];
  const otherFixes = nearest.map((count) => fixOfTasks(properties, count));
  scope.report(node, 'illegal-ranks', fault.message, { otherFixes });
  return undefined;
}

/** Writes another number of tasks where one is written. */
function fixOfTasks(properties: Properties, count: number | undefined): Fix | undefined {
  const tasks = properties.get('tasks');
  return tasks && count ? replace(tasks, `tasks ${count}`) : undefined;
}

/** Counts that benchmarks may run on, ascending: powers of two up to the next one, and the squares before and behind. */
function countsNear(count: number): readonly number[] {
  const powers = Array.from({ length: Math.ceil(Math.log2(count)) + 1 }, (_, exponent) => 2 ** exponent);
  const side = Math.floor(Math.sqrt(count));
  return [...powers, side ** 2, (side + 1) ** 2].sort((a, b) => a - b);
}

function traceSource(properties: Properties): TrafficSource | undefined {
  const choice = sound(properties.chosen('trace'));
  if (choice?.argument?.kind !== 'file') return undefined;
  const { argument, format, options } = choice;
  return { kind: 'trace', uri: argument.uri, ...presentParts({ format }), options };
}

function stencilSource(
  properties: Properties,
  node: ChoiceNode,
  size: JobSize,
  declared: TrafficDeclarations['stencils'],
): TrafficSource | undefined {
  const name = node.name.text;
  const builtIn = stencils.find((entry) => entry.name === name)?.stencil;
  if (builtIn === undefined && !declared.has(name)) {
    const names = [...stencils.map((entry) => entry.name), ...declared.keys()];
    reportUnknown(properties.scope, node.name, 'stencil', names);
    return undefined;
  }
  const stencil = builtIn ?? declared.get(name);
  if (stencil === undefined) {
    // What is wrong with the stencil is told there; that it needs a grid holds for every one.
    if (properties.get('grid') === undefined) reportNoGrid(properties, name, 'a grid');
    return undefined;
  }
  return fitsGrid(properties, node, size, stencil) ? { kind: 'stencil', stencil } : undefined;
}

function fitsGrid(properties: Properties, node: ChoiceNode, size: JobSize, stencil: Stencil): boolean {
  if (properties.get('grid') === undefined) {
    reportNoGrid(properties, stencil.name, `a grid of ${countOf(stencil.dimensions, 'dimension')}`);
    return false;
  }
  const { grid } = size;
  if (grid === undefined) return false;
  if (grid.length === stencil.dimensions) return true;
  const message = `\`${stencil.name}\` is a stencil of ${countOf(stencil.dimensions, 'dimension')}, but the grid has ${grid.length}: use one that fits.`;
  const fitting = stencils.filter((entry) => entry.stencil.dimensions === grid.length).map(({ name }) => name);
  const otherFixes = fitting.map((name) => replace(node.name, name));
  properties.scope.report(node.name, 'wrong-dimensions', message, { otherFixes });
  return false;
}

function reportNoGrid(properties: Properties, stencil: string, grid: string): void {
  const tasks = properties.get('tasks');
  if (tasks === undefined) return;
  const message = `\`stencil ${stencil}\` needs ${grid}: write \`grid\` with its sides instead of \`tasks\`.`;
  properties.scope.report(tasks.word, 'missing-property', message, { fix: replace(tasks.word, 'grid') });
}

function tableSource(
  properties: Properties,
  node: ChoiceNode,
  size: JobSize,
  declared: TrafficDeclarations['tables'],
): TrafficSource | undefined {
  const name = node.name.text;
  if (!declared.has(name)) {
    reportUnknown(properties.scope, node.name, 'table', [...declared.keys()]);
    return undefined;
  }
  const table = declared.get(name);
  if (table === undefined) return undefined;
  const { unit, source } = table;
  if (source.kind === 'file') {
    const { uri, format } = source;
    return { kind: 'table-file', name, unit, uri, ...presentParts({ format }) };
  }
  if (size.taskCount !== undefined && !tasksExist(properties, node, source.entries, size.taskCount)) return undefined;
  return { kind: 'table', name, unit, entries: source.entries };
}

function tasksExist(properties: Properties, node: ChoiceNode, entries: TableEntries, taskCount: number): boolean {
  const { scope } = properties;
  if (entries.size < taskCount) {
    const message = smallTableMessage(node.name.text, entries.size, taskCount);
    scope.report(node.name, 'table-smaller', message, { severity: 'warning' });
  }
  if (entries.size <= taskCount) return true;
  const message = `Table \`${node.name.text}\` names task ${formatNumber(entries.size - 1)}, but this job has ${countOf(taskCount, 'task')} (0 to ${formatNumber(taskCount - 1)}). Give the job ${countOf(entries.size, 'task')}, or correct the table.`;
  const otherFixes = [fixOfTasks(properties, entries.size)];
  scope.report(node.name, 'task-out-of-range', message, { otherFixes });
  return false;
}

/** Declared things take neither arguments nor options. */
function reportSurplus(scope: Scope, node: ChoiceNode, noun: string): void {
  const surplus = node.argument ?? node.as ?? node.parentheses;
  if (surplus === undefined) return;
  const message = `Nothing can follow the name of a ${noun}: remove this.`;
  scope.report(surplus, 'unexpected-argument', message, { fix: replace(surplus, '') });
}

/** Ranks of the list are tasks of the job, and the root is one of them. */
function collectiveSource(scope: Scope, node: ChoiceNode, taskCount: number | undefined): TrafficSource | undefined {
  const maximum = (taskCount ?? taskLimit) - 1;
  const what = taskCount === undefined ? undefined : 'The job has tasks';
  const checked = checkChoice(scope, node, 'collective operation', jobCollectives, { minimum: 0, maximum, what });
  const { choice, listLength } = checked;
  if (choice === undefined) return undefined;
  const size = listLength ?? taskCount;
  const { root } = choice.options;
  if (typeof root === 'number' && size !== undefined && root >= size) {
    const option = (node.parentheses && optionInParentheses(node, 'root')) ?? node;
    const message = `\`root\` is an index into the ${formatNumber(size)} ranks that take part, 0 to ${formatNumber(size - 1)}.`;
    scope.report(option, 'out-of-range', message);
    return undefined;
  }
  return { kind: 'collective', choice };
}

const sizeWords = ['layers', 'hidden', 'sequence', 'batch'] as const;

/** A training step whose parts divide as they must; undefined where something of it is wrong. */
function trainingSource(properties: Properties, taskCount: number | undefined): TrafficSource | undefined {
  const parallelism = parallelismOf(properties);
  for (const word of sizeWords.filter((each) => properties.get(each) === undefined)) {
    const { example } = propertyOf('job', word) ?? { example: word };
    properties.reportMissing(word, `\`${example}\``, [example]);
  }
  const sizes = soundParts({
    layers: needed(properties.number('layers')),
    hidden: needed(properties.number('hidden')),
    sequence: needed(properties.number('sequence')),
    batch: needed(properties.number('batch')),
  });
  const choice = sound(properties.chosen('training') ?? usualTraining);
  if (parallelism === undefined || sizes === undefined || choice === undefined || taskCount === undefined)
    return undefined;
  const step = { parallelism, ...sizes, choice };
  const problem = trainingProblem(taskCount, step);
  if (problem === undefined) return { kind: 'parallelism', step };
  reportProblem(properties, problem, parallelism, taskCount);
  return undefined;
}

/** At the word that does not fit; as many tasks as the degrees make are offered. */
function reportProblem(
  properties: Properties,
  problem: { readonly word: string; readonly message: string },
  parallelism: Parallelism,
  taskCount: number,
): void {
  const property = properties.get(problem.word) ?? properties.get('parallelism');
  const product = tasksOfDegrees(parallelism);
  const isOther = product !== taskCount && product <= taskLimit;
  const otherFixes = [isOther ? fixOfTasks(properties, product) : undefined];
  properties.scope.report(property ?? properties.declaration, 'illegal-parallelism', problem.message, { otherFixes });
}

/** `tensor 8, context 2, pipeline 4, data 16, expert 8`, in any order; 1 of what is not written, and no experts. */
function parallelismOf(properties: Properties): Parallelism | undefined {
  const property = properties.get('parallelism');
  const reader = property && properties.phraseBehind(property);
  if (reader === undefined) return undefined;
  const degrees = new Map<(typeof parallelismWords)[number], number>();
  reader.each(() => {
    const word = reader.oneOf(parallelismWords, 'kind of parallelism');
    if (word !== undefined && degrees.has(word)) reader.fail(`\`${word}\` is written twice. Remove one of them.`);
    const degree = reader.integer({ minimum: 1, maximum: taskLimit });
    return word && degree && degrees.set(word, degree);
  });
  if (!reader.finish()) return undefined;
  return { tensor: 1, context: 1, pipeline: 1, data: 1, ...Object.fromEntries(degrees) };
}
