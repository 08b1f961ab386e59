import type { Cancellation } from '../../model/cancellation.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { selectByKey } from './selectByKey.ts';

/** Sites that are tried as the middle of a job that is smaller than its allocation; fewer of many sites. */
const centreLimit = 32;
const costLimit = 2 ** 21;

/**
 * As many places as there are tasks, close together: those nearest to a site, for that one of some
 * evenly chosen sites from which they are nearest in sum. All places of a site before the next site.
 * Ascending. Undefined where it was cancelled. O(centres · (sites + n log n)).
 */
export function compactPlaces(core: SearchCore, cancellation: Cancellation): Int32Array | undefined {
  const { placeCount, siteCount } = core.places;
  const { taskCount } = core.graph;
  if (taskCount === placeCount) return Int32Array.from({ length: placeCount }, (_, place) => place);
  let best: Ball | undefined;
  const centres = Math.min(centreLimit, siteCount, Math.ceil(costLimit / siteCount));
  for (let centre = 0; centre < centres; centre++) {
    if (cancellation.isCancelled()) return undefined;
    const ball = ballAround(core, Math.floor((centre * siteCount) / centres));
    if (best === undefined || ball.cost < best.cost) best = ball;
  }
  return best?.places.toSorted();
}

interface Ball {
  readonly places: Int32Array;
  /** Sum of the costs from the centre. */
  readonly cost: number;
}

function ballAround({ graph, places, costs }: SearchCore, centre: number): Ball {
  const { siteCount, firstPlace } = places;
  const away = Float64Array.from({ length: siteCount }, (_, site) => costBetween(costs, centre, site));
  const order = Int32Array.from(away, (_, site) => site);
  const enough = Math.min(siteCount, graph.taskCount);
  selectByKey(order, away, 0, siteCount, enough);
  const nearestFirst = order.subarray(0, enough).sort((a, b) => away[a]! - away[b]! || a - b);
  const chosen = new Int32Array(graph.taskCount);
  let filled = 0;
  let cost = 0;
  for (const site of nearestFirst) {
    for (let place = firstPlace[site]!; place < firstPlace[site + 1]! && filled < chosen.length; place++) {
      chosen[filled++] = place;
      cost += away[site]!;
    }
  }
  return { places: chosen, cost };
}
