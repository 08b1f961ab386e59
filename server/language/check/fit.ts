import type { Choice } from '../../model/catalogue.ts';
import type { ChoiceNode, Span } from '../tree.ts';
import type { MachineSize } from './machine.ts';
import { countOf, type Scope } from './scope.ts';

/** A choice of a placement, or its default, which has no `node`; no `choice` where it is wrong. */
export interface PlacementChoice {
  readonly node: ChoiceNode | undefined;
  readonly choice: Choice | undefined;
  readonly listLength?: number | undefined;
}

/** The numbers that must agree; undefined stands for what is not known. */
export interface PlacementSize {
  readonly machine: MachineSize | undefined;
  readonly machineName: string;
  readonly taskCounts: readonly (number | undefined)[];
}

/** The cores of a machine, where its declaration says how many. */
export function slotsOf(machine: MachineSize | undefined): number | undefined {
  const { nodes, coresPerNode } = machine ?? {};
  return nodes === undefined || coresPerNode === undefined ? undefined : nodes * coresPerNode;
}

/**
 * Tasks against cores, as far as both are written: of the machine, of listed nodes, of a random
 * draw; and the length of a given mapping. At most one problem for the allocation.
 */
export function checkFit(
  scope: Scope,
  jobs: Span,
  allocate: PlacementChoice,
  map: PlacementChoice,
  size: PlacementSize,
): void {
  const counts = size.taskCounts.filter((count) => count !== undefined);
  const allKnown = counts.length === size.taskCounts.length && counts.length > 0;
  const tasks = counts.reduce((sum, count) => sum + count, 0);
  const slots = slotsOf(size.machine);
  if (slots !== undefined && tasks > slots) {
    const message =
      `${subjectOf(size)} ${countOf(tasks, 'task')}, but machine \`${size.machineName}\` has ${countOf(slots, 'core')}: ` +
      'use fewer tasks or a larger machine.';
    scope.report(jobs, 'does-not-fit', message);
  } else checkNodes(scope, allocate, size, tasks, Math.max(0, ...counts));
  if (allKnown) checkGivenLength(scope, map, tasks);
}

const subjectOf = (size: PlacementSize): string =>
  size.taskCounts.length === 1 ? 'The job has' : 'The jobs have together';

function checkNodes(
  scope: Scope,
  { node, choice, listLength }: PlacementChoice,
  size: PlacementSize,
  tasks: number,
  largest: number,
): void {
  const cores = size.machine?.coresPerNode;
  if (node === undefined || cores === undefined) return;
  if (listLength !== undefined && listLength * cores < tasks) {
    const message = `${tooFew(listLength, cores, tasks)}: list more nodes.`;
    scope.report(node.argument ?? node, 'does-not-fit', message);
  }
  const count = choice?.name === 'random' ? choice.options['count'] : undefined;
  if (typeof count === 'number') checkDraw(scope, node, count, size, cores, largest);
}

const tooFew = (nodes: number, cores: number, tasks: number): string =>
  `${countOf(nodes, 'node')} of ${countOf(cores, 'core')} cannot hold ${countOf(tasks, 'task')}`;

/** `random(count N)`: each job draws its own nodes. */
function checkDraw(
  scope: Scope,
  node: ChoiceNode,
  count: number,
  size: PlacementSize,
  cores: number,
  largest: number,
): void {
  const option = node.options.find(({ name }) => name.text === 'count');
  const span = option?.values[0] ?? node;
  const nodes = size.machine?.nodes;
  if (nodes !== undefined && count > nodes) {
    const message = `Machine \`${size.machineName}\` has ${countOf(nodes, 'node')}: ${count} cannot be drawn.`;
    scope.report(span, 'does-not-fit', message);
  } else if (count * cores < largest) {
    scope.report(span, 'does-not-fit', `${tooFew(count, cores, largest)}: draw more nodes.`);
  }
}

function checkGivenLength(scope: Scope, { node, listLength }: PlacementChoice, tasks: number): void {
  if (node === undefined || listLength === undefined || listLength === tasks) return;
  const message = `The mapping gives ${countOf(listLength, 'slot')} for ${countOf(tasks, 'task')}: give one slot per task.`;
  scope.report(node.argument ?? node, 'given-length', message);
}
