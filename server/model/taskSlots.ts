/** On which slots of a node tasks may begin that need several cores, or of which a node or a socket may have only so many. */
import { countOf } from './quantities.ts';
import type { NodeInside } from './nodeInside.ts';
import type { TaskNeeds } from './placement.ts';

/** Whether no socket has as many cores as a task needs: then the cores of a task are those of a node in a row. O(sockets). */
export const spansSockets = ({ coresOfSockets }: NodeInside, { coresPerTask = 1 }: TaskNeeds): boolean =>
  coresOfSockets.length > 1 && coresOfSockets.every((cores) => cores < coresPerTask);

/**
 * Slots on which tasks may begin, by their number on the node, ascending: each with the free cores behind it that the task
 * takes too, all of one socket where one has enough. At most `most`, as equally many of each socket as there can be. O(slots of the node).
 */
export function firstSlotsOfNode(
  inside: NodeInside,
  needs: TaskNeeds,
  isFree: (slot: number) => boolean,
  most = Infinity,
): readonly number[] {
  const { coresPerTask = 1, tasksPerSocket = Infinity, tasksPerNode } = needs;
  const { socketOfSlot, coresOfSockets } = inside;
  const mayLeaveSocket = spansSockets(inside, needs);
  const ofSockets: number[][] = coresOfSockets.map(() => []);
  let free = 0;
  for (let slot = 0; slot < socketOfSlot.length; slot++) {
    const isNextSocket = slot > 0 && socketOfSlot[slot] !== socketOfSlot[slot - 1];
    if (isNextSocket && !mayLeaveSocket) free = 0;
    free = isFree(slot) ? free + 1 : 0;
    if (free < coresPerTask) continue;
    free = 0;
    const first = slot - coresPerTask + 1;
    const ofSocket = ofSockets[socketOfSlot[first] ?? 0];
    if (ofSocket !== undefined && ofSocket.length < tasksPerSocket) ofSocket.push(first);
  }
  return shared(ofSockets, Math.min(most, typeof tasksPerNode === 'number' ? tasksPerNode : Infinity));
}

/** The first slots of all sockets, or in turns as many as there may be; ascending. */
function shared(ofSockets: readonly (readonly number[])[], most: number): readonly number[] {
  const all = ofSockets.flat();
  if (all.length <= most) return all.sort((a, b) => a - b);
  const longest = ofSockets.reduce((length, slots) => Math.max(length, slots.length), 0);
  const inTurns = Array.from({ length: longest }, (_, turn) => ofSockets.flatMap((slots) => slots[turn] ?? []));
  return inTurns
    .flat()
    .slice(0, most)
    .sort((a, b) => a - b);
}

/** Tasks that a node without others can have. O(slots of the node). */
export const tasksOfEmptyNode = (inside: NodeInside, needs: TaskNeeds): number =>
  firstSlotsOfNode(inside, needs, () => true).length;

/** ` of 8 cores, at most 4 on a node and 2 on a socket`: what is said behind a number of tasks. */
export function needsText({ coresPerTask = 1, tasksPerNode, tasksPerSocket }: TaskNeeds): string {
  const limits = [
    ...(typeof tasksPerNode === 'number' ? [`${tasksPerNode} on a node`] : []),
    ...(tasksPerSocket === undefined ? [] : [`${tasksPerSocket} on a socket`]),
  ];
  const cores = coresPerTask === 1 ? '' : ` of ${countOf(coresPerTask, 'core')}`;
  return `${cores}${limits.length === 0 ? '' : `, at most ${limits.join(' and ')}`}`;
}

/** The properties that a user may change so that nodes have room for more tasks. */
export function adviceOfNeeds({ coresPerTask = 1, tasksPerNode, tasksPerSocket }: TaskNeeds): string {
  const words = [
    ...(coresPerTask > 1 ? ['lower `cores-per-task`'] : []),
    ...(typeof tasksPerNode === 'number' ? ['raise `tasks-per-node`'] : []),
    ...(tasksPerSocket === undefined ? [] : ['raise `tasks-per-socket`']),
  ];
  return words.join(', ');
}
