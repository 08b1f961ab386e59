import type { RouteGraph } from '../../model/machine.ts';
import { distancesOf, type Distances } from './hopTable.ts';
import type { ReverseGraph } from './routeGraph.ts';
import { RouteSearch } from './routeSearch.ts';

/** Above this many bytes the rows kept are dropped and searched for again. */
const memoryLimit = 64 * 2 ** 20;

/**
 * Links from every state to a destination; what lies farther than `longest` reads as a value
 * above it. Rows are kept, so asking for pair after pair costs a search per destination, not
 * per pair. At most 64 MiB.
 */
export function destinationRowsOf(
  graph: RouteGraph,
  reverse: ReverseGraph,
  longest: number,
): (destination: number) => Distances {
  const rows = new Map<number, Distances>();
  const noneInParticular = new Uint8Array(graph.stateCount);
  let search: RouteSearch | undefined;
  return (destination) => {
    const known = rows.get(destination);
    if (known) return known;
    search ??= new RouteSearch(graph, reverse);
    search.run(destination, noneInParticular, Infinity);
    const row = rowOf(search, longest);
    if ((rows.size + 1) * row.byteLength > memoryLimit) rows.clear();
    rows.set(destination, row);
    return row;
  };
}

function rowOf({ distance, order, count }: RouteSearch, longest: number): Distances {
  const row = distancesOf(distance.length, longest);
  row.fill(2 ** (8 * row.BYTES_PER_ELEMENT) - 1);
  for (let index = 0; index < count; index++) {
    const state = order[index]!;
    if (distance[state]! > longest) break;
    row[state] = distance[state]!;
  }
  return row;
}
