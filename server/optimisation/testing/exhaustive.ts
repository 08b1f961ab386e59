import type { Objective } from '../objective.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';

/**
 * The least value that any mapping has under an additive criterion, in its unit, found by trying all of them, task after
 * task, each with what it adds to those before it: places! / (places − tasks)!. Nothing that is added is negative, so that
 * what costs as much as the least already is not tried to its end.
 */
export function leastSum({ graph, places, costs, weightUnit }: SearchCore): number {
  const { rowStart, partner, weight } = graph;
  const sites = new Int32Array(graph.taskCount);
  let least = Infinity;
  const values = new Float64Array(graph.taskCount + 1);
  everyMapping(graph.taskCount, places.placeCount, {
    place: (task, place) => {
      const site = places.siteOfPlace[place]!;
      let added = 0;
      for (let edge = rowStart[task]!; edge < rowStart[task + 1]! && partner[edge]! < task; edge++) {
        added += weight[edge]! * costBetween(costs, site, sites[partner[edge]!]!);
      }
      sites[task] = site;
      values[task + 1] = values[task]! + added;
      return values[task + 1]! < least;
    },
    visit: () => (least = values.at(-1)!),
  });
  return weightUnit * costs.unit * least;
}

/** The same for any objective, each mapping assigned to it: slower. */
export function leastOf(objective: Objective): number {
  const placeOfTask = new Int32Array(objective.placeOfTask.length);
  let least = Infinity;
  everyMapping(placeOfTask.length, objective.places.placeCount, {
    place: (task, place) => {
      placeOfTask[task] = place;
      return true;
    },
    visit: () => {
      objective.assign(placeOfTask);
      least = Math.min(least, objective.value);
    },
  });
  return objective.unit * least;
}

/** Calls `place` whenever a task is put somewhere, in the order of tasks, which says whether to go on, and `visit` when all are. */
function everyMapping(
  taskCount: number,
  placeCount: number,
  { place, visit }: { place: (task: number, place: number) => boolean; visit: () => void },
): void {
  const isTaken = new Uint8Array(placeCount);
  const put = (task: number): void => {
    if (task === taskCount) {
      visit();
      return;
    }
    for (let candidate = 0; candidate < placeCount; candidate++) {
      if (isTaken[candidate] === 1) continue;
      isTaken[candidate] = 1;
      if (place(task, candidate)) put(task + 1);
      isTaken[candidate] = 0;
    }
  };
  put(0);
}
