import { intAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { taskGridOf } from '../embedding/grids/taskGrid.ts';
import type { SearchCore, SearchProblem } from '../problem/searchProblem.ts';
import type { LowerBound } from '../../model/searchRecord.ts';
import { cutBound } from './cutBound.ts';
import { edgeBound, roomAtNoCost, gilmoreLawlerBound, shellBound } from './partnerBounds.ts';
import { gridInOrder, partitionBound } from './partitionBound.ts';
import { nearestCosts, type NearestCosts } from './nearestCosts.ts';
import { projectionBound } from './projectionBound.ts';

/** Places up to which all eigenvalues are worked out: some 40 ms. Above, a bound on the largest has to do. */
const spectrumLimit = 320;

/**
 * What no mapping of the job onto these places can fall below, in the unit of the criterion, and which bound says so:
 * the largest of those that apply, of equal ones the simplest. 0 where nothing better can be said within the time, or
 * if cancelled. Some 50 ms of work at most up to 4,096 tasks with ten partners each.
 */
export function lowerBound(core: SearchProblem, machine: Machine, cancellation: Cancellation): LowerBound {
  const bounds = new Bounds(core.weightUnit * core.costs.unit);
  offerLocalBounds(bounds, core, machine, cancellation);
  if (!cancellation.isCancelled()) {
    const source = 'Placewright, after Donath and Hoffman 1973, Loomis and Whitney 1949, and Bollobás and Leader 1991';
    const grid = gridInOrder(core.job.grid, core.graph.taskCount) ?? taskGridOf(core, cancellation);
    bounds.offer('partition', source, partitionBound(core, grid, cancellation));
  }
  offerSpectralBounds(bounds, core, machine, cancellation);
  return bounds.best;
}

/** Bounds from what the partners of a task cost it. */
function offerLocalBounds(bounds: Bounds, core: SearchCore, machine: Machine, cancellation: Cancellation): void {
  const room = roomAtNoCost(core);
  const nearest = nearestCosts(core, machine, Math.max(room, largestDegree(core)), cancellation);
  if (nearest === undefined) return;
  // Where all partners of every task can have the least cost there is one shell: each edge by itself.
  const isEdge = nearest.costs.every((cost) => cost === nearest.costs[0]);
  const shell = shellBound(core.graph, nearest, cancellation);
  if (isEdge) bounds.offer('edge', 'Placewright', shell);
  else bounds.offer('shell', 'Placewright; the shells as in Gilmore 1962 and Lawler 1963', shell);
  if (room > 1) bounds.offer('edge', 'Placewright', edgeBound(core.graph, room, leastBeyond(nearest, room)));
  const assigned = gilmoreLawlerBound(core.graph, nearest, cancellation);
  bounds.offer('gilmore-lawler', 'Gilmore 1962 and Lawler 1963', assigned);
}

/** Bounds from how well the graph as a whole can be parted. */
function offerSpectralBounds(bounds: Bounds, core: SearchCore, machine: Machine, cancellation: Cancellation): void {
  if (core.places.placeCount <= spectrumLimit) {
    bounds.offer('projection', 'Hadley, Rendl and Wolkowicz 1992', projectionBound(core, cancellation));
  } else {
    const source = 'Placewright, after Fiedler 1973 and Donath and Hoffman 1973';
    bounds.offer('cut', source, cutBound(core, machine, bounds.value, cancellation));
  }
}

/** Keeps the largest of the bounds that are offered, in whole units; of equal ones the first. */
class Bounds {
  value = 0;
  best: LowerBound = { value: 0, name: 'none', source: 'Placewright' };
  readonly #unit: number;

  constructor(unit: number) {
    this.#unit = unit;
  }

  offer(name: string, source: string, value: number | undefined): void {
    if (value === undefined || value <= this.value) return;
    this.value = value;
    this.best = { value: value * this.#unit, name, source };
  }
}

function largestDegree({ graph }: SearchCore): number {
  let most = 0;
  for (let task = 0; task < graph.taskCount; task++) {
    most = Math.max(most, intAt(graph.rowStart, task + 1) - intAt(graph.rowStart, task));
  }
  return most;
}

/** The least cost between places that are not together at no cost; 0 where too few ranks are known to tell. */
function leastBeyond({ rowCount, rankCount, costs }: NearestCosts, room: number): number {
  if (rankCount < room) return 0;
  let least = Infinity;
  for (let row = 0; row < rowCount; row++) {
    // Of `room` partners one at least is not together with the task.
    least = Math.min(least, firstAbove0(costs.subarray(row * rankCount, row * rankCount + room)));
  }
  return Number.isFinite(least) ? least : 0;
}

function firstAbove0(ascending: Float64Array): number {
  const rank = ascending.findIndex((cost) => cost > 0);
  return rank < 0 ? 0 : realAt(ascending, rank);
}
