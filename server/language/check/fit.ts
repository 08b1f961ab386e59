import { largestOf } from '../../model/lists.ts';
import type { Choice, NumberList } from '../../model/catalogue.ts';
import { countOfSlots } from '../../model/nodeInside.ts';
import type { TaskNeeds } from '../../model/placement.ts';
import { countOf } from '../../model/quantities.ts';
import { replace, type Fix } from '../codes.ts';
import type { ChoiceNode, DeclarationNode, Span, Value } from '../tree.ts';
import { listOfLength, numberRanges } from './lists.ts';
import type { MachineSize } from './machine.ts';
import { contentOfKind, insertProperty, optionInParentheses, writtenProperty, type Written } from './properties.ts';
import type { Scope } from './scope.ts';

/** A choice of a placement, or its default, which has no `node`; no `choice` where it is wrong. */
export interface PlacementChoice {
  readonly node: ChoiceNode | undefined;
  readonly choice: Choice | undefined;
  readonly listLength?: number | undefined;
}

/** What one job chose for itself, as far as it did. */
export interface OwnChoice {
  readonly allocate?: PlacementChoice;
  readonly map?: PlacementChoice;
  /** What its tasks need. */
  readonly needs?: Written<TaskNeeds>;
}

interface PlacementChoices {
  readonly allocate: PlacementChoice;
  readonly map: PlacementChoice;
  /** By position. */
  readonly own: readonly OwnChoice[];
}

/** The numbers that must agree; undefined stands for what is not known. */
export interface PlacementSize {
  readonly machine: MachineSize | undefined;
  readonly machineName: string;
  readonly jobNames: readonly string[];
  readonly taskCounts: readonly (number | undefined)[];
}

/** The cores of a machine, where its declaration says how many. */
export function machineSlots(machine: MachineSize | undefined): number | undefined {
  const { nodes, coresPerNode } = machine ?? {};
  return nodes === undefined || coresPerNode === undefined ? undefined : nodes * coresPerNode;
}

/**
 * Tasks against cores, as far as both are written: of the machine, of listed nodes, of a random
 * draw; and the length of a given mapping. At most one problem for each allocation.
 */
export function checkFit(scope: Scope, jobs: Span, choices: PlacementChoices, size: PlacementSize): void {
  const { allocate, map, own } = choices;
  const tasks = totalTasks(size.taskCounts);
  const slots = machineSlots(size.machine);
  if (slots !== undefined && tasks.sum > slots) {
    const message =
      `${jobsClause(size)} ${countOf(tasks.sum, 'task')}, but machine \`${size.machineName}\` has ${countOfSlots(slots, size.machine?.slots)}: ` +
      `use fewer tasks, a larger machine, or more \`${size.machine?.slots ?? 'cores'}\` on its nodes.`;
    scope.report(jobs, 'does-not-fit', message, { otherFixes: fixesOfSize(scope, size, tasks.sum, slots) });
  } else {
    checkNodes(scope, allocate, size, totalTasks(size.taskCounts.filter((_, job) => own[job]?.allocate === undefined)));
    for (const [job, { allocate: nodes }] of own.entries()) {
      if (nodes !== undefined) checkNodes(scope, nodes, size, totalTasks([size.taskCounts[job]]));
    }
    checkSharedNodes(scope, own, size);
  }
  checkGivenLength(scope, map, totalTasks(size.taskCounts.filter((_, job) => own[job]?.map === undefined)), slots);
  for (const [job, { map: given }] of own.entries()) {
    if (given !== undefined) checkGivenLength(scope, given, totalTasks([size.taskCounts[job]]), slots);
  }
}

/** As many tasks as there are cores, or as many cores as there are tasks: where this file says how many there are. */
function fixesOfSize(scope: Scope, size: PlacementSize, tasks: number, slots: number): readonly Fix[] {
  const { jobNames, taskCounts } = size;
  const only = taskCounts.length === 1 ? scope.symbols.lookup('job', jobNames[0] ?? '') : undefined;
  const count = only?.uri === scope.uri ? propertyValue(only.node, 'tasks') : undefined;
  const fewer =
    count === undefined ? [] : [{ ...replace(count, String(slots)), title: `Give the job ${countOf(slots, 'task')}` }];
  const larger = fixOfNodes(scope, size, tasks);
  return larger === undefined ? fewer : [...fewer, larger];
}

/** As many cores or GPUs in a node as that takes, where the machine stands in this file. */
function fixOfNodes(scope: Scope, { machine, machineName }: PlacementSize, tasks: number): Fix | undefined {
  const declared = scope.symbols.lookup('machine', machineName);
  if (declared?.uri !== scope.uri || machine?.nodes === undefined || machine.nodes === 0) return undefined;
  const ofGpus = machine.slots === 'gpus';
  const sockets = ofGpus ? undefined : propertyValue(declared.node, 'sockets');
  const each = Math.ceil(tasks / (machine.nodes * (sockets?.kind === 'number' ? sockets.value : 1)));
  const wanted = `${ofGpus ? 'gpus' : 'cores'} ${each}`;
  const written = numberBehind(declared.node, ofGpus ? 'gpus' : 'cores');
  // Sockets of different sizes are for the user to change.
  if (written === 'several') return undefined;
  const fix = written === undefined ? insertProperty(scope, declared.node, wanted) : replace(written, String(each));
  return fix && { ...fix, title: `Change to \`${wanted}\` in machine \`${machineName}\`` };
}

const propertyValue = (declaration: DeclarationNode, word: string): Value | undefined =>
  contentOfKind(writtenProperty(declaration, word), 'value')?.value;

/** Where the number of a property stands; undefined where the property is not written. */
function numberBehind(declaration: DeclarationNode, word: string): Span | 'several' | undefined {
  const phrase = contentOfKind(writtenProperty(declaration, word), 'phrase');
  if (phrase === undefined) return propertyValue(declaration, word);
  return phrase.parts.length === 1 ? phrase.parts[0] : 'several';
}

/** Tasks of some jobs, as far as they are known. */
interface Tasks {
  readonly sum: number;
  readonly largest: number;
  readonly allKnown: boolean;
}

function totalTasks(taskCounts: readonly (number | undefined)[]): Tasks {
  const counts = taskCounts.filter((count) => count !== undefined);
  return {
    sum: counts.reduce((sum, count) => sum + count, 0),
    largest: Math.max(0, largestOf(counts)),
    allKnown: counts.length === taskCounts.length && counts.length > 0,
  };
}

const jobsClause = (size: PlacementSize): string =>
  size.taskCounts.length === 1 ? 'The job has' : 'The jobs have together';

function checkNodes(
  scope: Scope,
  { node, choice, listLength }: PlacementChoice,
  size: PlacementSize,
  tasks: Tasks,
): void {
  const cores = size.machine?.coresPerNode;
  if (node === undefined || cores === undefined) return;
  if (listLength !== undefined && listLength * cores < tasks.sum) {
    const message = `${tooFew(listLength, size, tasks.sum)}: list more nodes.`;
    const needed = Math.ceil(tasks.sum / cores);
    const otherFixes = fixesOfListLength(node, choice, needed, size.machine?.nodes ?? 0);
    scope.report(node.argument ?? node, 'does-not-fit', message, { otherFixes });
  }
  const count = choice?.name === 'random' ? choice.options['count'] : undefined;
  if (typeof count === 'number') checkDraw(scope, node, count, size, cores, tasks.largest);
}

/** The list of a choice with exactly `length` numbers below `limit`. */
function fixesOfListLength(
  { argument }: ChoiceNode,
  choice: Choice | undefined,
  length: number,
  limit: number,
): readonly Fix[] {
  const listed = choice?.argument?.kind === 'numbers' ? choice.argument.numbers : [];
  const resized = listOfLength(listed, length, limit);
  return argument === undefined || resized === undefined ? [] : [replace(argument, resized)];
}

/** Two jobs that list the same nodes: an error where both do not fit on them, else a warning. O(nodes listed). */
function checkSharedNodes(scope: Scope, own: readonly OwnChoice[], size: PlacementSize): void {
  const lists = own.flatMap(({ allocate }, job) => {
    const listed = allocate?.choice?.name === 'nodes' ? allocate.choice.argument : undefined;
    return listed?.kind === 'numbers' && allocate?.node !== undefined
      ? [{ job, node: allocate.node, numbers: listed.numbers }]
      : [];
  });
  if (lists.length < 2) return;
  /** One more than the first job that lists the node. */
  const jobOf = new Int32Array(1 + Math.max(0, largestOf(lists.map(({ numbers }) => largestOf(numbers)))));
  for (const { job, node, numbers } of lists) {
    for (const [first, nodes] of sharedWithOthers(numbers, job, jobOf))
      reportShared(scope, node.argument ?? node, { first, job, nodes }, own, size);
  }
}

/** By the first job that lists them: nodes that others have listed before. Those that nobody has become the job's. */
function sharedWithOthers(numbers: NumberList, job: number, jobOf: Int32Array): ReadonlyMap<number, number[]> {
  const shared = new Map<number, number[]>();
  for (const number of numbers) {
    const first = (jobOf[number] ?? 0) - 1;
    if (first < 0) {
      jobOf[number] = job + 1;
      continue;
    }
    const known = shared.get(first);
    if (known === undefined) shared.set(first, [number]);
    else known.push(number);
  }
  return shared;
}

function reportShared(
  scope: Scope,
  span: Span,
  { first, job, nodes }: { readonly first: number; readonly job: number; readonly nodes: readonly number[] },
  own: readonly OwnChoice[],
  { machine, jobNames, taskCounts }: PlacementSize,
): void {
  const lengthOf = (position: number): number => own[position]?.allocate?.listLength ?? 0;
  const listed = lengthOf(first) + lengthOf(job) - nodes.length;
  const room = listed * (machine?.coresPerNode ?? Infinity);
  const { sum: tasks } = totalTasks([taskCounts[first], taskCounts[job]]);
  const both = `\`${jobNames[first]!}\` and \`${jobNames[job]!}\``;
  const which = `${nodes.length === 1 ? 'node' : 'nodes'} ${shownRanges(nodes)}`;
  if (tasks > room) {
    const message = `Jobs ${both} both list ${which}. Their ${countOf(tasks, 'task')} do not fit on the ${countOfSlots(room, machine?.slots)} of both lists. List other nodes for one of them.`;
    scope.report(span, 'shared-nodes', message);
  } else {
    const message = `Jobs ${both} both list ${which}: \`${jobNames[job]!}\` gets the remaining slots. To separate the jobs, list other nodes for one of them.`;
    scope.report(span, 'shared-nodes', message, { severity: 'warning' });
  }
}

/** `8 to 15, 20`: what a message shows of a list; long ones are cut. */
function shownRanges(numbers: readonly number[]): string {
  const ranges = numberRanges(
    numbers.toSorted((a, b) => a - b),
    ' to ',
  );
  return ranges.length > 4 ? `${ranges.slice(0, 4).join(', ')}, …` : ranges.join(', ');
}

const tooFew = (nodes: number, { machine }: PlacementSize, tasks: number): string =>
  `${countOf(nodes, 'node')} of ${countOfSlots(machine?.coresPerNode ?? 1, machine?.slots)} cannot hold ${countOf(tasks, 'task')}`;

/** `random(count N)`: each job draws its own nodes. */
function checkDraw(
  scope: Scope,
  node: ChoiceNode,
  count: number,
  size: PlacementSize,
  cores: number,
  largest: number,
): void {
  const written = optionInParentheses(node, 'count')?.values[0];
  const span = written ?? node;
  const nodes = size.machine?.nodes;
  if (nodes !== undefined && count > nodes) {
    const message = `Machine \`${size.machineName}\` has ${countOf(nodes, 'node')}: ${count} cannot be drawn.`;
    scope.report(span, 'does-not-fit', message, { otherFixes: [written && replace(written, String(nodes))] });
  } else if (count * cores < largest) {
    const needed = Math.ceil(largest / cores);
    const canBe = nodes === undefined || needed <= nodes;
    scope.report(span, 'does-not-fit', `${tooFew(count, size, largest)}: draw more nodes.`, {
      otherFixes: [canBe ? written && replace(written, String(needed)) : undefined],
    });
  }
}

function checkGivenLength(
  scope: Scope,
  { node, choice, listLength }: PlacementChoice,
  { sum: tasks, allKnown }: Tasks,
  slots: number | undefined,
): void {
  if (!allKnown || node === undefined || listLength === undefined || listLength === tasks) return;
  const message = `The mapping gives ${countOf(listLength, 'slot')} for ${countOf(tasks, 'task')}. Give one slot per task.`;
  const otherFixes = fixesOfListLength(node, choice, tasks, slots ?? tasks);
  scope.report(node.argument ?? node, 'given-length', message, { otherFixes });
}
