import type { Cancellation } from '../../model/cancellation.ts';
import type { RouteGraph, RouterFlows } from '../../model/machine.ts';
import { groupedBy, type ReverseGraph } from './routeGraph.ts';
import { RouteSearch } from './routeSearch.ts';

/**
 * Adds the loads of flows over all shortest ways of a route graph, split evenly among the next
 * links of each state. All flows to one router travel together: what has gathered in a state is
 * passed on once, farthest states first. O(flows + (states + steps) per router that receives),
 * however many flows there are and however far they travel; a search ends at the farthest sender.
 * Amounts that are not split stay whole. Returns early, with incomplete loads, where cancelled.
 */
export function addDestinationLoads(
  graph: RouteGraph,
  reverse: ReverseGraph,
  flows: RouterFlows,
  loads: Float64Array,
  cancellation: Cancellation,
): void {
  const { first, members } = groupedBy(flows.to, graph.startOf.length);
  const gathering: Gathering = {
    graph,
    search: new RouteSearch(graph, reverse),
    amount: new Float64Array(graph.stateCount),
    sends: new Uint8Array(graph.stateCount),
  };
  for (let destination = 0; destination < graph.startOf.length; destination++) {
    const flowsHere = members.subarray(first[destination], first[destination + 1]);
    if (flowsHere.length === 0) continue;
    if (cancellation.isCancelled()) return;
    const senders = gather(gathering, flows, flowsHere, destination);
    if (senders === 0) continue;
    gathering.search.run(destination, gathering.sends, senders);
    passOn(gathering, loads);
  }
}

/** What stands in each state on its way to one destination; all 0 between two destinations. */
interface Gathering {
  readonly graph: RouteGraph;
  readonly search: RouteSearch;
  readonly amount: Float64Array;
  /** 1 in the states where flows begin. */
  readonly sends: Uint8Array;
}

/** Puts the flows into the states where they begin; how many states that are. */
function gather({ graph, amount, sends }: Gathering, flows: RouterFlows, those: Int32Array, to: number): number {
  let senders = 0;
  for (const flow of those) {
    const from = flows.from[flow]!;
    if (from === to) continue;
    const state = graph.startOf[from]!;
    amount[state]! += flows.amount[flow]!;
    if (sends[state] !== 0) continue;
    sends[state] = 1;
    senders++;
  }
  return senders;
}

/** Passes everything on to the destination, farthest states first, and leaves the gathering empty. */
function passOn({ graph, search, amount, sends }: Gathering, loads: Float64Array): void {
  const { firstStep, stepLink, stepTo } = graph;
  const { distance, order } = search;
  for (let index = search.count - 1; index >= 0; index--) {
    const state = order[index]!;
    const here = amount[state]!;
    sends[state] = 0;
    if (here === 0) continue;
    amount[state] = 0;
    const next = distance[state]! - 1;
    if (next < 0) continue;
    const firstOfState = firstStep[state]!;
    const end = firstStep[state + 1]!;
    let ways = 0;
    for (let step = firstOfState; step < end; step++) if (distance[stepTo[step]!] === next) ways++;
    const share = here / ways;
    for (let step = firstOfState; step < end; step++) {
      const reached = stepTo[step]!;
      if (distance[reached] !== next) continue;
      loads[stepLink[step]!]! += share;
      amount[reached]! += share;
    }
  }
}
