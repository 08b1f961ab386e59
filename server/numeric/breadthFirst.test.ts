import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import { BreadthFirstSearch, componentOfVertices, connectedComponents, distancesFrom } from './breadthFirst.ts';

interface Sample {
  readonly count: number;
  readonly rowStart: Int32Array;
  readonly neighbour: Int32Array;
  /** `joined[one][other]`. */
  readonly joined: readonly (readonly boolean[])[];
}

function randomGraph(count: number, edges: number): Sample {
  const random = seededRandom(count + edges);
  const joined = Array.from({ length: count }, () => new Array<boolean>(count).fill(false));
  for (let edge = 0; edge < edges; edge++) {
    const [one, other] = [random.integer(count), random.integer(count)];
    joined[one]![other] = joined[other]![one] = one !== other;
  }
  const rows = joined.map((row) => [...row.keys()].filter((other) => row[other]));
  const rowStart = new Int32Array(count + 1);
  rows.forEach((row, vertex) => (rowStart[vertex + 1] = rowStart[vertex]! + row.length));
  return { count, rowStart, neighbour: Int32Array.from(rows.flat()), joined };
}

/** Plain reference: all distances by relaxing every pair until nothing changes. */
function allDistances({ count, joined }: Sample): number[][] {
  const distances = joined.map((row, one) => row.map((edge, other) => (one === other ? 0 : edge ? 1 : Infinity)));
  for (let middle = 0; middle < count; middle++)
    for (let one = 0; one < count; one++)
      for (let other = 0; other < count; other++)
        distances[one]![other] = Math.min(
          distances[one]![other]!,
          distances[one]![middle]! + distances[middle]![other]!,
        );
  return distances;
}

describe.each([
  [1, 0],
  [12, 0],
  [12, 9],
  [30, 24],
  [30, 120],
])('on %i vertices with %i random edges', (count, edges) => {
  const graph = randomGraph(count, edges);
  const expected = allDistances(graph);
  const finite = (distance: number): number => (distance === Infinity ? -1 : distance);

  it('distances are the least numbers of edges, from one source or several', () => {
    const search = new BreadthFirstSearch(graph.rowStart, graph.neighbour);
    for (let source = 0; source < count; source++) {
      search.run([source]);
      expect([...search.distance]).toEqual(expected[source]!.map(finite));
      const order = [...search.order.subarray(0, search.count)];
      expect(order[0]).toBe(source);
      expect(order.toSorted((a, b) => a - b)).toEqual(
        [...expected[source]!.keys()].filter((vertex) => expected[source]![vertex]! < Infinity),
      );
      const along = order.map((vertex) => search.distance[vertex]!);
      expect(along).toEqual(along.toSorted((a, b) => a - b));
      const other = (source + 5) % count;
      const sources = other === source ? [source] : [source, other];
      expect([...distancesFrom(graph.rowStart, graph.neighbour, sources)]).toEqual(
        expected[source]!.map((distance, vertex) => finite(Math.min(distance, expected[other]![vertex]!))),
      );
    }
  });

  it('components hold what is connected, in order of the lowest vertex', () => {
    const found = connectedComponents(graph.rowStart, graph.neighbour);
    const lowest = expected.map((row) => row.findIndex((distance) => distance < Infinity));
    const roots = [...new Set(lowest)];
    expect(found.count).toBe(roots.length);
    expect([...componentOfVertices(found)]).toEqual(lowest.map((root) => roots.indexOf(root)));
    for (const [component, root] of roots.entries()) expect(found.members[found.start[component]!]).toBe(root);
    expect(found.start.at(-1)).toBe(count);
  });
});
