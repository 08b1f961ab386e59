/**
 * Jobs in which every task sends every other the same (`evenBytes`): what is asked of their pairs is counted router by router
 * (`eachRouterPair`), without looking at each of them.
 */
import { intAt, realAt } from '../numeric/elements.ts';
import type { Machine } from '../model/machine.ts';
import type { Traffic } from '../model/traffic.ts';

/**
 * Bytes that every task sends to every other; undefined where amounts differ, or some pair sends nothing. O(1) for
 * most other traffic, else O(pairs).
 */
function evenBytes({ taskCount, bytes }: Traffic): number | undefined {
  if (taskCount < 2 || bytes.length !== taskCount * (taskCount - 1)) return undefined;
  const first = realAt(bytes, 0);
  for (let pair = 1; pair < bytes.length; pair++) if (bytes[pair] !== first) return undefined;
  return first;
}

/** The same where all tasks of a router are alike to the machine: nodes have one adapter, and routes are those of routers. */
export const evenBytesOverRouters = ({ routing, rails }: Machine, traffic: Traffic): number | undefined =>
  routing.byNode === undefined && rails === undefined ? evenBytes(traffic) : undefined;

/** The routers or nodes that have tasks, ascending, and how many each has. */
export interface TasksOnPlaces {
  readonly places: Int32Array;
  readonly tasks: Float64Array;
}

/** O(places + tasks). */
export function tasksOnPlaces(placeOfTask: Int32Array): TasksOnPlaces {
  const tasks = new Float64Array(placeOfTask.reduce((most, place) => Math.max(most, place), -1) + 1);
  for (const place of placeOfTask) tasks[place] = realAt(tasks, place) + 1;
  const places = Int32Array.from(tasks.keys()).filter((place) => realAt(tasks, place) > 0);
  return { places, tasks: Float64Array.from(places, (place) => realAt(tasks, place)) };
}

/**
 * Calls `visit` for the ordered pairs of routers between which tasks in different nodes are, with the number of pairs of tasks,
 * until it says false; how many ordered pairs of tasks are within nodes. `node` and `router` by task. O(tasks + nodes + routers²).
 */
export function eachRouterPair(
  node: Int32Array,
  router: Int32Array,
  visit: (from: number, to: number, pairs: number) => boolean,
): number {
  const { places, tasks } = tasksOnPlaces(router);
  const onNodes = tasksOnPlaces(node);
  const routerOfNode = new Int32Array(intAt(onNodes.places, onNodes.places.length - 1) + 1);
  for (let task = 0; task < node.length; task++) routerOfNode[intAt(node, task)] = intAt(router, task);
  /** Ordered pairs of tasks in one node, each task with itself included, by router. */
  const together = new Float64Array(intAt(places, places.length - 1) + 1);
  for (const [index, place] of onNodes.places.entries()) {
    const own = intAt(routerOfNode, place);
    together[own] = realAt(together, own) + realAt(onNodes.tasks, index) ** 2;
  }
  const within = together.reduce((sum, pairs) => sum + pairs, -node.length);
  for (let from = 0; from < places.length; from++) {
    const place = intAt(places, from);
    for (let to = 0; to < places.length; to++) {
      const pairs = realAt(tasks, from) * realAt(tasks, to) - (from === to ? realAt(together, place) : 0);
      if (pairs > 0 && !visit(place, intAt(places, to), pairs)) return within;
    }
  }
  return within;
}
