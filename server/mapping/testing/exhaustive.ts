import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { MappingProblem } from '../contract.ts';
import type { CriterionEntry } from '../criteria/contract.ts';
import { costBetween } from '../../optimisation/problem/siteCosts.ts';
import type { SearchCore } from '../../optimisation/problem/searchProblem.ts';
import { prepareSearch } from '../criteria/prepare.ts';

const searchBudget = { cancellation: neverCancelled, progress: ignoreProgress };

/**
 * The least value that any mapping has, in the unit of the criterion, found by trying all of them:
 * places! / (places − tasks)!. Undefined where the criterion does not fit the machine.
 */
export function leastValue(problem: MappingProblem, criterion: CriterionEntry): number | undefined {
  if (criterion.siteCosts) {
    const core = prepareSearch(problem, criterion, searchBudget);
    return core.ok ? core.value.weightUnit * core.value.costs.unit * leastSum(core.value) : undefined;
  }
  const objective = criterion.objective(problem, searchBudget);
  if (!objective.ok) return undefined;
  const { placeOfTask, places, unit } = objective.value;
  let least = Infinity;
  everyMapping(placeOfTask.length, places.placeCount, (mapping) => {
    objective.value.assign(mapping);
    least = Math.min(least, objective.value.value);
  });
  return unit * least;
}

/** Task after task, each with what it adds to those before it. */
function leastSum({ graph, places, costs }: SearchCore): number {
  const { taskCount, rowStart, partner, weight } = graph;
  const sites = new Int32Array(taskCount);
  const isTaken = new Uint8Array(places.placeCount);
  let least = Infinity;
  const place = (task: number, value: number): void => {
    if (task === taskCount) {
      least = Math.min(least, value);
      return;
    }
    for (let candidate = 0; candidate < isTaken.length; candidate++) {
      if (isTaken[candidate] === 1) continue;
      const site = places.siteOfPlace[candidate]!;
      let added = 0;
      for (let edge = rowStart[task]!; edge < rowStart[task + 1]! && partner[edge]! < task; edge++) {
        added += weight[edge]! * costBetween(costs, site, sites[partner[edge]!]!);
      }
      isTaken[candidate] = 1;
      sites[task] = site;
      place(task + 1, value + added);
      isTaken[candidate] = 0;
    }
  };
  place(0, 0);
  return least;
}

function everyMapping(taskCount: number, placeCount: number, visit: (placeOfTask: Int32Array) => void): void {
  const placeOfTask = new Int32Array(taskCount);
  const isTaken = new Uint8Array(placeCount);
  const place = (task: number): void => {
    if (task === taskCount) {
      visit(placeOfTask);
      return;
    }
    for (let candidate = 0; candidate < placeCount; candidate++) {
      if (isTaken[candidate] === 1) continue;
      isTaken[candidate] = 1;
      placeOfTask[task] = candidate;
      place(task + 1);
      isTaken[candidate] = 0;
    }
  };
  place(0);
}
