import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import type { SearchRecorder } from '../searchRecorder.ts';
import type { DenseProblem } from './denseProblem.ts';
import {
  exchangeTable,
  exchangeTasks,
  moveEffect,
  moveTask,
  clearPending,
  type ExchangeTable,
} from './exchangeTable.ts';

/** A change that would be made: `task` with `other`, or into a free place of `site` where there is no other. */
interface Change {
  task: number;
  other: number | undefined;
  site: number;
  effect: number;
}

/**
 * Makes the best of all exchanges and moves until none helps; of equal ones the first. The effects of
 * all of them stand in a table. Returns the sites of the tasks, as far as it got if the search should finish.
 * O(tasks² + tasks · sites) per change.
 */
export function descendDense(
  problem: DenseProblem,
  siteOfTask: Int32Array,
  recorder: SearchRecorder,
  cancellation: Cancellation,
): Int32Array {
  const table = exchangeTable(problem, siteOfTask);
  const { taskCount, siteCount } = problem;
  const hasFreePlaces = table.freePlaces.some((free) => free > 0);
  const best: Change = { task: 0, other: undefined, site: 0, effect: 0 };
  for (;;) {
    if (shouldFinish(cancellation)) return table.siteOfTask;
    recorder.tick();
    best.effect = 0;
    findExchange(table, best);
    recorder.evaluations += (taskCount * (taskCount - 1)) / 2;
    if (hasFreePlaces) {
      findMove(table, best);
      recorder.evaluations += taskCount * siteCount;
    }
    if (best.effect >= 0) return table.siteOfTask;
    if (best.other === undefined) moveTask(table, best.task, best.site);
    else exchangeTasks(table, best.task, best.other);
  }
}

/** Adds the pending product to the effects in the same pass. */
function findExchange(table: ExchangeTable, best: Change): void {
  const { effects, pendingFlow, pendingCost } = table;
  const { taskCount } = table.problem;
  for (let task = 0; task < taskCount; task++) {
    const flow = pendingFlow[task]!;
    const cost = pendingCost[task]!;
    const row = task * taskCount;
    let least = Infinity;
    let leastOther = task;
    for (let other = task + 1; other < taskCount; other++) {
      const effect = effects[row + other]! + (flow - pendingFlow[other]!) * (cost - pendingCost[other]!);
      effects[row + other] = effect;
      if (effect >= least) continue;
      least = effect;
      leastOther = other;
    }
    if (least >= best.effect) continue;
    best.task = task;
    best.other = leastOther;
    best.effect = least;
  }
  clearPending(table);
}

function findMove(table: ExchangeTable, best: Change): void {
  const { taskCount, siteCount } = table.problem;
  for (let task = 0; task < taskCount; task++) {
    for (let site = 0; site < siteCount; site++) {
      if (table.freePlaces[site] === 0) continue;
      const effect = moveEffect(table, task, site);
      if (effect >= best.effect) continue;
      best.task = task;
      best.other = undefined;
      best.site = site;
      best.effect = effect;
    }
  }
}
