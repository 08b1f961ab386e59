/** The check of a `job`: how many tasks it has, and where its traffic comes from. */
import { countOf, formatNumber } from '../../model/quantities.ts';
import { volumeOf, type Shape } from '../../model/shape.ts';
import type { TableEntries } from '../../model/traffic.ts';
import { type JobDescription, smallTableMessage, type TrafficSource } from '../../study/program.ts';
import { stencils, patterns } from '../../traffic/catalogue.ts';
import type { Stencil } from '../../traffic/contract.ts';
import { skeletons } from '../../simulation/workloads/catalogue.ts';
import { replace } from '../codes.ts';
import { taskLimit } from '../../model/job.ts';
import type { Failure } from '../../model/result.ts';
import { traces } from '../experimentWords.ts';
import type { DeclarationNode, ChoiceNode } from '../tree.ts';
import { collectiveSource, trainingSource, warnOfTrainingWords } from './training.ts';
import { checkChoice, reportUnknown } from './choices.ts';
import { integerValue, numberProperty, shapeValue } from './numbers.ts';
import { fileOf, nameOf, propertiesOf, reportConflict, reportMissing, type Properties } from './properties.ts';
import { quantityValue } from './quantities.ts';
import { expectationOf, type Scope } from './scope.ts';
import type { CheckedTable } from './table.ts';

export interface CheckedJob {
  /** Absent where something that it needs is missing or wrong. */
  readonly description: JobDescription | undefined;
  readonly taskCount: number | undefined;
}

/** Checks one job. O(properties + entries of its table). */
export function checkJob(scope: Scope, declaration: DeclarationNode, declared: TrafficDeclarations): CheckedJob {
  const properties = propertiesOf(scope, declaration);
  const size = sizeOf(scope, declaration, properties);
  const source = checkSource(scope, declaration, properties, size, declared);
  const bytes = quantityOf(scope, properties, 'bytes', 'size');
  const rate = quantityOf(scope, properties, 'rate', 'frequency');
  const messages = messagesOf(scope, properties);
  const coordinates = fileOf(scope, properties, 'coordinates');
  checkPeriodic(scope, properties);
  warnOfSurplus(scope, properties, source);
  const { taskCount, grid } = size;
  if (source === undefined || taskCount === undefined) return { description: undefined, taskCount };
  const description: JobDescription = {
    name: nameOf(declaration),
    taskCount,
    ...(grid === undefined ? {} : { grid }),
    periodic: properties.get('periodic') !== undefined,
    source,
    bytes,
    messages,
    rate,
    ...(coordinates === undefined ? {} : { coordinates }),
  };
  return { description, taskCount };
}

/** Exactly one of `tasks` and `grid`. */
function sizeOf(scope: Scope, declaration: DeclarationNode, properties: Properties): JobSize {
  const tasks = properties.get('tasks');
  const grid = properties.get('grid');
  if (tasks !== undefined && grid !== undefined) {
    const later = tasks.start > grid.start ? tasks : grid;
    reportConflict(scope, later, 'A job has `tasks` or a `grid`, not both: remove one of them.');
  }
  if (tasks === undefined && grid === undefined && declaration.body !== undefined) {
    reportMissing(scope, declaration, 'tasks` or `grid', '`tasks 64` or `grid 8 x 8`', sizesFor(properties));
  }
  if (grid !== undefined) {
    const value = properties.value('grid');
    const bounds = { minimum: 1, maximum: taskLimit };
    const shape = value && shapeValue(scope, value, expectationOf('job', 'grid'), bounds, taskLimit);
    return { taskCount: shape && volumeOf(shape), grid: shape };
  }
  const value = properties.value('tasks');
  const bounds = { minimum: 1, maximum: taskLimit };
  return { taskCount: value && integerValue(scope, value, expectationOf('job', 'tasks'), bounds), grid: undefined };
}

/** A stencil needs a grid of its dimensions; anything else runs on both. */
function sizesFor(properties: Properties): readonly string[] {
  const name = properties.choice('stencil')?.name.text;
  const dimensions = stencils.find((entry) => entry.name === name)?.stencil.dimensions;
  if (dimensions !== undefined) return [`grid ${Array.from({ length: dimensions }, () => 8).join(' x ')}`];
  return name === undefined ? ['tasks 64', 'grid 8 x 8'] : ['grid 8 x 8'];
}

function quantityOf(
  scope: Scope,
  properties: Properties,
  word: 'bytes' | 'rate',
  kind: 'size' | 'frequency',
): number | undefined {
  const value = properties.value(word);
  return value && quantityValue(scope, value, kind, expectationOf('job', word));
}

function messagesOf(scope: Scope, properties: Properties): number | undefined {
  const messages = numberProperty(scope, properties, 'job', 'messages');
  return messages === 'wrong' ? undefined : messages;
}

function checkPeriodic(scope: Scope, properties: Properties): void {
  const periodic = properties.get('periodic');
  if (periodic === undefined || properties.get('grid') !== undefined) return;
  const message = '`periodic` has no effect on a job without a `grid`.';
  scope.report(periodic.word, 'no-effect', message, { severity: 'warning', fix: replace(periodic, '') });
}

function warnOfBytes(scope: Scope, properties: Properties, unit: string): void {
  const bytes = properties.get('bytes');
  if (bytes === undefined || unit !== 'bytes') return;
  const message =
    '`bytes` has no effect here: the table already counts bytes. Write `unit messages` in the table if it counts messages.';
  scope.report(bytes.word, 'no-effect', message, { severity: 'warning', fix: replace(bytes, '') });
}

/** What has no effect beside this source. */
function warnOfSurplus(scope: Scope, properties: Properties, source: TrafficSource | undefined): void {
  if (source?.kind === 'table' || source?.kind === 'table-file') warnOfBytes(scope, properties, source.unit);
  if (source?.kind === 'skeleton' || source?.kind === 'trace' || source?.kind === 'parallelism') {
    warnOfMessages(scope, properties, source.kind === 'parallelism' ? 'training step' : source.kind);
  }
  warnOfTrainingWords(scope, properties);
}

/** What is recorded has its own bytes, counts and times. */
function warnOfMessages(scope: Scope, properties: Properties, source: 'skeleton' | 'trace' | 'training step'): void {
  for (const property of ['bytes', 'messages', 'rate'].flatMap((word) => properties.get(word) ?? [])) {
    const message = `\`${property.word.text}\` has no effect here: the ${source} says what is sent.`;
    scope.report(property.word, 'no-effect', message, { severity: 'warning', fix: replace(property, '') });
  }
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

const sourceWords = ['stencil', 'pattern', 'table', 'skeleton', 'trace', 'collective', 'parallelism'];

/** Exactly one source of traffic, fit for the size of the job; undefined where it is missing or wrong. */
function checkSource(
  scope: Scope,
  declaration: DeclarationNode,
  properties: Properties,
  size: JobSize,
  declared: TrafficDeclarations,
): TrafficSource | undefined {
  const written = sourceWords.flatMap((word) => properties.get(word) ?? []).sort((a, b) => a.start - b.start);
  const [first, ...further] = written;
  for (const other of further) {
    const message = `A job has one source of traffic, and \`${first?.word.text ?? ''}\` stands above: remove one of them.`;
    reportConflict(scope, other, message);
  }
  if (first === undefined) {
    if (declaration.body !== undefined) {
      reportMissing(
        scope,
        declaration,
        'stencil`, `pattern`, `table`, `skeleton`, `trace`, `collective` or `parallelism',
        '`pattern ring`',
        ['pattern ring'],
      );
    }
    return undefined;
  }
  if (first.word.text === 'parallelism') return trainingSource(scope, declaration, properties, size.taskCount);
  const node = properties.choice(first.word.text);
  return node && chosenSource(scope, first.word.text, node, properties, size, declared);
}

/** The source that a word and what stands behind it name. */
function chosenSource(
  scope: Scope,
  word: string,
  node: ChoiceNode,
  properties: Properties,
  size: JobSize,
  declared: TrafficDeclarations,
): TrafficSource | undefined {
  switch (word) {
    case 'stencil':
      return stencilSource(scope, node, properties, size, declared);
    case 'pattern':
      return patternSource(scope, node);
    case 'table':
      return tableSource(scope, node, properties, size, declared);
    case 'skeleton':
      return skeletonSource(scope, node, properties, size);
    case 'collective':
      return collectiveSource(scope, node, size.taskCount);
    default:
      return traceSource(scope, node);
  }
}

/** Whether the benchmark runs on so many tasks is what its program says first, before any of it is made. */
function skeletonSource(
  scope: Scope,
  node: ChoiceNode,
  properties: Properties,
  { taskCount }: JobSize,
): TrafficSource | undefined {
  const { choice, entry } = checkChoice(scope, node, 'skeleton', skeletons);
  if (choice === undefined || entry === undefined) return undefined;
  if (taskCount === undefined) return { kind: 'skeleton', choice };
  const faultOf = (count: number): Failure | undefined => {
    const begun = entry.build(count, choice.options, { isCancelled: () => true });
    return !begun.ok && begun.failure.code === 'illegal-ranks' ? begun.failure : undefined;
  };
  const fault = faultOf(taskCount);
  if (fault === undefined) return { kind: 'skeleton', choice };
  const tasks = properties.get('tasks');
  const legal = countsNear(taskCount).filter((count) => faultOf(count) === undefined);
  const nearest = [legal.findLast((count) => count < taskCount), legal.find((count) => count > taskCount)];
  const otherFixes =
    tasks === undefined
      ? []
      : nearest.flatMap((count) => (count === undefined ? [] : [replace(tasks, `tasks ${count}`)]));
  scope.report(node, 'illegal-ranks', fault.message, { otherFixes });
  return undefined;
}

/** Counts that benchmarks may run on, ascending: powers of two up to the next one, and the squares before and behind. */
function countsNear(count: number): readonly number[] {
  const powers = Array.from({ length: Math.ceil(Math.log2(count)) + 1 }, (_, exponent) => 2 ** exponent);
  const side = Math.floor(Math.sqrt(count));
  return [...powers, side ** 2, (side + 1) ** 2].sort((a, b) => a - b);
}

function traceSource(scope: Scope, node: ChoiceNode): TrafficSource | undefined {
  const { choice } = checkChoice(scope, node, 'trace', traces);
  if (choice?.argument?.kind !== 'file') return undefined;
  const { argument, format, options } = choice;
  return { kind: 'trace', uri: argument.uri, ...(format === undefined ? {} : { format }), options };
}

function patternSource(scope: Scope, node: ChoiceNode): TrafficSource | undefined {
  const { choice } = checkChoice(scope, node, 'pattern', patterns);
  return choice && { kind: 'pattern', choice };
}

function stencilSource(
  scope: Scope,
  node: ChoiceNode,
  properties: Properties,
  size: JobSize,
  declared: TrafficDeclarations,
): TrafficSource | undefined {
  reportSurplus(scope, node, 'stencil');
  const name = node.name.text;
  const builtIn = stencils.find((entry) => entry.name === name)?.stencil;
  if (builtIn === undefined && !declared.stencils.has(name)) {
    reportUnknown(scope, node.name, 'stencil', [...stencils.map((entry) => entry.name), ...declared.stencils.keys()]);
    return undefined;
  }
  const stencil = builtIn ?? declared.stencils.get(name);
  if (stencil === undefined) {
    // What is wrong with the stencil is told there; that it needs a grid holds for every one.
    if (properties.get('grid') === undefined) reportNoGrid(scope, properties, name, 'a grid');
    return undefined;
  }
  return fitsGrid(scope, node, properties, size, stencil) ? { kind: 'stencil', stencil } : undefined;
}

function fitsGrid(scope: Scope, node: ChoiceNode, properties: Properties, size: JobSize, stencil: Stencil): boolean {
  if (properties.get('grid') === undefined) {
    reportNoGrid(scope, properties, stencil.name, `a grid of ${countOf(stencil.dimensions, 'dimension')}`);
    return false;
  }
  const { grid } = size;
  if (grid === undefined) return false;
  if (grid.length === stencil.dimensions) return true;
  const message = `\`${stencil.name}\` is a stencil of ${countOf(stencil.dimensions, 'dimension')}, but the grid has ${grid.length}: use one that fits.`;
  const fitting = stencils.filter((entry) => entry.stencil.dimensions === grid.length).map(({ name }) => name);
  scope.report(node.name, 'wrong-dimensions', message, { otherFixes: fitting.map((name) => replace(node.name, name)) });
  return false;
}

function reportNoGrid(scope: Scope, properties: Properties, stencil: string, grid: string): void {
  const tasks = properties.get('tasks');
  if (tasks === undefined) return;
  const message = `\`stencil ${stencil}\` needs ${grid}: write \`grid\` with its sides instead of \`tasks\`.`;
  scope.report(tasks.word, 'missing-property', message, { fix: replace(tasks.word, 'grid') });
}

function tableSource(
  scope: Scope,
  node: ChoiceNode,
  properties: Properties,
  size: JobSize,
  declared: TrafficDeclarations,
): TrafficSource | undefined {
  reportSurplus(scope, node, 'table');
  const name = node.name.text;
  if (!declared.tables.has(name)) {
    reportUnknown(scope, node.name, 'table', [...declared.tables.keys()]);
    return undefined;
  }
  const table = declared.tables.get(name);
  if (table === undefined) return undefined;
  const { unit, source } = table;
  if (source.kind === 'file') {
    const { uri, format } = source;
    return { kind: 'table-file', name, unit, uri, ...(format === undefined ? {} : { format }) };
  }
  if (size.taskCount !== undefined && !tasksExist(scope, node, properties, source.entries, size.taskCount))
    return undefined;
  return { kind: 'table', name, unit, entries: source.entries };
}

function tasksExist(
  scope: Scope,
  node: ChoiceNode,
  properties: Properties,
  entries: TableEntries,
  taskCount: number,
): boolean {
  if (entries.size < taskCount) warnOfSmallTable(scope, node, entries.size, taskCount);
  if (entries.size <= taskCount) return true;
  const message =
    `Table \`${node.name.text}\` names task ${formatNumber(entries.size - 1)}, but this job has ${countOf(taskCount, 'task')} ` +
    `(0 to ${formatNumber(taskCount - 1)}): give the job ${countOf(entries.size, 'task')}, or correct the table.`;
  const tasks = properties.get('tasks');
  const otherFixes = tasks === undefined ? [] : [replace(tasks, `tasks ${entries.size}`)];
  scope.report(node.name, 'task-out-of-range', message, { otherFixes });
  return false;
}

function warnOfSmallTable(scope: Scope, node: ChoiceNode, size: number, taskCount: number): void {
  const message = smallTableMessage(node.name.text, size, taskCount);
  scope.report(node.name, 'table-smaller', message, { severity: 'warning' });
}

/** Declared things take neither arguments nor options. */
function reportSurplus(scope: Scope, node: ChoiceNode, noun: string): void {
  const surplus = node.argument ?? node.as ?? node.parentheses;
  if (surplus === undefined) return;
  const message = `Nothing can follow the name of a ${noun}: remove this.`;
  scope.report(surplus, 'unexpected-argument', message, { fix: replace(surplus, '') });
}
