/**
 * Breadth-first search over a graph in compressed rows (Moore 1959), and what is made of it: the neighbours of
 * vertex v are `neighbour[rowStart[v]] … neighbour[rowStart[v + 1] − 1]`.
 */
import { intAt } from './elements.ts';

/** Told how many edges have been visited since it was asked last; true where the search shall stop. */
type StopAfter = (edges: number) => boolean;

const neverStop: StopAfter = () => false;

/** Edges between two questions, which cost as much as some edges. */
const edgesPerQuestion = 4096;

/** Searches of one graph whose memory is allocated once. */
export class BreadthFirstSearch {
  /** Edges from the nearest source of the last search to each vertex; −1 where there is no way. */
  readonly distance: Int32Array<ArrayBuffer>;
  /** The first {@link count} are the vertices found, those of equal distance in the order in which they were found. */
  readonly order: Int32Array<ArrayBuffer>;
  count = 0;
  readonly #rowStart: Int32Array;
  readonly #neighbour: Int32Array;

  constructor(rowStart: Int32Array, neighbour: Int32Array) {
    this.#rowStart = rowStart;
    this.#neighbour = neighbour;
    this.distance = new Int32Array(rowStart.length - 1).fill(-1);
    this.order = new Int32Array(rowStart.length - 1);
  }

  /**
   * Forgets the last search and searches from different sources; false where it was stopped before it had found
   * everything. O(vertices and edges found, of both).
   */
  run(sources: ArrayLike<number>, stopAfter = neverStop): boolean {
    const { distance, order } = this;
    for (let place = 0; place < this.count; place++) distance[intAt(order, place)] = -1;
    this.count = 0;
    return this.continueFrom(sources, stopAfter);
  }

  /**
   * {@link run}, but on from sources that have not been found; the distances are from these. O(vertices and edges
   * found).
   */
  continueFrom(sources: ArrayLike<number>, stopAfter = neverStop): boolean {
    const { distance, order } = this;
    const rowStart = this.#rowStart;
    const neighbour = this.#neighbour;
    let found = this.count;
    let place = found;
    for (let index = 0; index < sources.length; index++) {
      const source = sources[index]!;
      distance[source] = 0;
      order[found++] = source;
    }
    let edges = 0;
    let isStopped = false;
    for (; place < found && !isStopped; place++) {
      const vertex = intAt(order, place);
      const next = intAt(distance, vertex) + 1;
      const end = intAt(rowStart, vertex + 1);
      const start = intAt(rowStart, vertex);
      for (let edge = start; edge < end; edge++) {
        const other = intAt(neighbour, edge);
        if (intAt(distance, other) >= 0) continue;
        distance[other] = next;
        order[found++] = other;
      }
      edges += end - start;
      if (edges < edgesPerQuestion) continue;
      isStopped = stopAfter(edges);
      edges = 0;
    }
    this.count = found;
    return !isStopped && !stopAfter(edges);
  }
}

/** Edges from the nearest of the sources to every vertex, −1 where there is no way. O(vertices + edges). */
export function distancesFrom(
  rowStart: Int32Array,
  neighbour: Int32Array,
  sources: ArrayLike<number>,
): Int32Array<ArrayBuffer> {
  const search = new BreadthFirstSearch(rowStart, neighbour);
  search.run(sources);
  return search.distance;
}

/**
 * Vertices that edges connect, in order of their lowest one; those of component c are `members[start[c]] …
 * members[start[c + 1] − 1]`.
 */
export interface Components {
  readonly count: number;
  /** Length count + 1. */
  readonly start: Int32Array<ArrayBuffer>;
  /** Breadth first from the lowest of each component. */
  readonly members: Int32Array<ArrayBuffer>;
}

/** Of a graph whose edges stand in the rows of both ends; undefined where it was stopped. O(vertices + edges). */
export function connectedComponents(rowStart: Int32Array, neighbour: Int32Array): Components;
export function connectedComponents(
  rowStart: Int32Array,
  neighbour: Int32Array,
  stopAfter: StopAfter,
): Components | undefined;
export function connectedComponents(
  rowStart: Int32Array,
  neighbour: Int32Array,
  stopAfter = neverStop,
): Components | undefined {
  const search = new BreadthFirstSearch(rowStart, neighbour);
  const start: number[] = [0];
  for (let vertex = 0; vertex + 1 < rowStart.length; vertex++) {
    if (intAt(search.distance, vertex) >= 0) continue;
    if (!search.continueFrom([vertex], stopAfter)) return undefined;
    start.push(search.count);
  }
  return { count: start.length - 1, start: Int32Array.from(start), members: search.order };
}

/** The component of every vertex. O(vertices). */
export function componentOfVertices({ count, start, members }: Components): Int32Array<ArrayBuffer> {
  const componentOf = new Int32Array(members.length);
  for (let component = 0; component < count; component++) {
    for (let place = intAt(start, component); place < intAt(start, component + 1); place++)
      componentOf[intAt(members, place)] = component;
  }
  return componentOf;
}
