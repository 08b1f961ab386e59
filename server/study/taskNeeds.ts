/** What tasks need of nodes (`cores-per-task` and the limits of nodes and sockets), as far as it goes wrong: refusals, warnings, mappings that do not fit. */
import type { Job } from '../model/job.ts';
import type { Machine } from '../model/machine.ts';
import { adviceOfRoom, slotNoun, socketsText } from '../model/nodeInside.ts';
import type { Mapping, TaskNeeds } from '../model/placement.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import type { Failure } from '../model/result.ts';
import { nodeOfSlot, socketOfSlot } from '../model/slots.ts';
import { adviceOfNeeds, needsText, spansSockets, tasksOfEmptyNode } from '../model/taskSlots.ts';
import { nodeName } from '../network/names.ts';
import { intAt, itemAt } from '../numeric/elements.ts';
import { needsOf, studyProblem, type PlacementDescription, type StudyProblem } from './program.ts';

/** A placement whose tasks may need something, on its machine. */
interface NeedyPlacement {
  readonly placement: PlacementDescription;
  readonly machine: Machine;
  readonly jobs: readonly Job[];
}

/** Cores are counted where tasks run on cores. */
export function refusalOfNeeds({
  placement,
  machine,
  jobs,
}: NeedyPlacement):
  { readonly failure: Failure; readonly property: 'cores-per-task'; readonly job?: number } | undefined {
  if (machine.inside.slots === 'cores') return undefined;
  const position = jobs.findIndex((_, at) => needsOf(placement, at)?.coresPerTask !== undefined);
  if (position < 0) return undefined;
  const isOwn = placement.own?.[position]?.needs?.coresPerTask !== undefined;
  const message = `Tasks on machine \`${machine.name}\` run on GPUs and use the cores beside them. Remove \`cores-per-task\`, or write \`slots cores\` in the machine.`;
  return {
    failure: { code: 'does-not-apply', message },
    property: 'cores-per-task',
    ...(isOwn ? { job: position } : {}),
  };
}

/** Jobs whose tasks lie on several sockets, because no socket has as many cores. */
export const warningsOfSockets = ({ placement, machine, jobs }: NeedyPlacement): readonly StudyProblem[] =>
  jobs.flatMap(({ name }, position) => {
    const needs = needsOf(placement, position);
    if (needs === undefined || machine.inside.slots !== 'cores' || !spansSockets(machine.inside, needs)) return [];
    if (tasksOfEmptyNode(machine.inside, needs) === 0) return [];
    const isOwn = placement.own?.[position]?.needs?.coresPerTask !== undefined;
    const subject = {
      kind: 'placement',
      name: placement.name,
      property: 'cores-per-task',
      ...(isOwn ? { job: position } : {}),
    } as const;
    const message = `Tasks of job \`${name}\` need ${needs.coresPerTask ?? 1} cores and lie on several sockets: ${socketsText(machine.inside.coresOfSockets)}. Lower \`cores-per-task\`.`;
    return [
      { ...studyProblem({ code: 'spans-sockets', message }, subject, placement.name), severity: 'warning' as const },
    ];
  });

/** Why the allocated nodes cannot hold the tasks of a job, and what to do. */
export function tooFewSlots(
  { placement, machine, jobs }: NeedyPlacement,
  position: number,
  { nodes, slots }: { readonly nodes: number; readonly slots: number },
): string {
  const { name, taskCount } = itemAt(jobs, position);
  const needs = needsOf(placement, position);
  if (needs !== undefined) {
    const even = needs.tasksPerNode === 'even' ? ' evenly' : '';
    const advice = ['Allocate more nodes', adviceOfNeeds(needs)].filter((words) => words !== '').join(', ');
    return `The ${countOf(nodes, 'node')} can hold ${countOf(slots, 'task')}${needsText(needs)}${even}, but job \`${name}\` has ${formatNumber(taskCount)}. ${advice}, or reduce tasks.`;
  }
  const each = Math.ceil(taskCount / Math.max(1, nodes));
  return `The nodes have ${slots} free ${slotNoun(machine.inside.slots)}s, but job \`${name}\` has ${countOf(taskCount, 'task')}. Allocate more nodes, ${adviceOfRoom(machine.inside, each)}, or reduce tasks.`;
}

/**
 * Why tasks of a mapping that a user gives cannot have the cores that they need, if they cannot: another task has one of them, or they
 * lie on two sockets or nodes; or a node or socket has more tasks than it may. O(tasks · cores of one).
 */
export function misfitOfNeeds(
  { placement, machine }: NeedyPlacement,
  position: number,
  mapping: Mapping,
  isFree: (slot: number) => boolean,
): string | undefined {
  const needs = needsOf(placement, position);
  if (needs === undefined) return undefined;
  return coresThatLack(machine, needs, mapping, isFree) ?? tooManyTogether(machine, needs, mapping);
}

/** The first task that cannot have all its cores. */
function coresThatLack(
  machine: Machine,
  needs: TaskNeeds,
  mapping: Mapping,
  isFree: (slot: number) => boolean,
): string | undefined {
  const { coresPerTask = 1 } = needs;
  const groupOf = spansSockets(machine.inside, needs) ? nodeOfSlot : socketOfSlot;
  /** One more than the task of each core. */
  const holder = new Int32Array(machine.slotCount + coresPerTask);
  for (const [task, slot] of mapping.entries()) {
    for (let core = slot; core < slot + coresPerTask; core++) {
      const isBeyond = core >= machine.slotCount || groupOf(machine, core) !== groupOf(machine, slot);
      if (isBeyond) return `Task ${task} has fewer than ${coresPerTask} cores from slot ${slot} on.`;
      const other = intAt(holder, core) - 1;
      if (other >= 0) return `Tasks ${other} and ${task} both need slot ${core}. Each takes ${coresPerTask} cores.`;
      if (!isFree(core)) return `Task ${task} needs slot ${core}, which another job has.`;
      holder[core] = task + 1;
    }
  }
  return undefined;
}

/** The first task that a node or a socket has no room for. */
function tooManyTogether(machine: Machine, needs: TaskNeeds, mapping: Mapping): string | undefined {
  const { tasksPerNode, tasksPerSocket = Infinity } = needs;
  const [ofNodes, ofSockets] = [new Map<number, number>(), new Map<number, number>()];
  const oneMore = (counts: Map<number, number>, key: number): number => {
    const count = 1 + (counts.get(key) ?? 0);
    counts.set(key, count);
    return count;
  };
  for (const [task, slot] of mapping.entries()) {
    const node = nodeOfSlot(machine, slot);
    const [onNode, onSocket] = [oneMore(ofNodes, node), oneMore(ofSockets, socketOfSlot(machine, slot))];
    if (onSocket <= tasksPerSocket && (typeof tasksPerNode !== 'number' || onNode <= tasksPerNode)) continue;
    return `Task ${task} is one too many on node ${nodeName(machine, node)}: it may have tasks${needsText(needs)}.`;
  }
  return undefined;
}
