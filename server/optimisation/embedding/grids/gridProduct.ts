import { intAt, itemAt } from '../../../numeric/elements.ts';
import type { Cancellation } from '../../../model/cancellation.ts';
import type { TaskGraph } from '../../problem/taskGraph.ts';
import { DisjointSets } from '../../../numeric/unionFind.ts';

/** A graph as a grid: where each vertex stands on each axis. */
export interface GridPositions {
  readonly sides: readonly number[];
  /** Axes that close to a ring; only sides of at least 3. */
  readonly wraps: readonly boolean[];
  /** `positions[axis][vertex]`. */
  readonly positions: readonly Int32Array[];
}

/** More axes than a hypercube of the largest machine has. */
const axisLimit = 22;
const pollEvery = 256;

/**
 * Recognises a Cartesian product of paths and rings, however its vertices are numbered, and gives them
 * positions. Edges across a square are parallel; two edges of a vertex that span no square lie along
 * one axis (Feder 1992, "Product graph representations"). A ring of four comes as 2 × 2. Undefined
 * where the graph is no such grid, or it was cancelled. O(vertices · degree³ + edges · axes).
 */
export function gridProduct(graph: Adjacency, cancellation: Cancellation): GridPositions | undefined {
  const { taskCount, partner } = graph;
  if (!hasGridDegrees(graph)) return undefined;
  const parallel = parallelClasses(graph, cancellation);
  if (parallel === undefined || parallel.count > axisLimit) return undefined;
  const sides: number[] = [];
  const wraps: boolean[] = [];
  const positions: Int32Array[] = [];
  for (let axis = 0; axis < parallel.count; axis++) {
    if (cancellation.isCancelled()) return undefined;
    const line = positionsAlong(graph, parallel.ofEntry, axis);
    if (line === undefined) return undefined;
    sides.push(line.side);
    wraps.push(line.wraps);
    positions.push(line.positions);
  }
  const grid = { sides, wraps, positions };
  return isWholeProduct(grid, taskCount, partner.length) ? grid : undefined;
}

/** A vertex has one or two partners along every axis, so none has more than twice as many as another. */
function hasGridDegrees({ taskCount, rowStart }: Adjacency): boolean {
  let fewest = Infinity;
  let most = 0;
  for (let task = 0; task < taskCount; task++) {
    const degree = intAt(rowStart, task + 1) - intAt(rowStart, task);
    fewest = Math.min(fewest, degree);
    most = Math.max(most, degree);
  }
  return most <= 2 * fewest && most <= 2 * axisLimit;
}

interface ParallelClasses {
  readonly count: number;
  /** Class of each entry, in order of first appearance. */
  readonly ofEntry: Int32Array;
}

function parallelClasses(graph: Adjacency, cancellation: Cancellation): ParallelClasses | undefined {
  const { taskCount, rowStart, partner } = graph;
  const reverse = reverseEntries(graph);
  const sets = new DisjointSets(partner.length);
  for (let edge = 0; edge < partner.length; edge++) sets.join(edge, intAt(reverse, edge));
  const square: Square = { graph, sets, entryTo: new Int32Array(taskCount).fill(-1) };
  for (let task = 0; task < taskCount; task++) {
    if (task % pollEvery === 0 && cancellation.isCancelled()) return undefined;
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      if (!joinParallel(square, task, edge)) return undefined;
    }
  }
  const ofEntry = new Int32Array(partner.length);
  const numbers = new Map<number, number>();
  for (let edge = 0; edge < partner.length; edge++) {
    const root = sets.rootOf(edge);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    ofEntry[edge] = numbers.get(root)!;
  }
  return { count: numbers.size, ofEntry };
}

interface Square {
  readonly graph: Adjacency;
  /** Disjoint sets of entries; both entries of an edge begin together. */
  readonly sets: DisjointSets;
  /** Entry to each vertex in the row of the vertex across; −1 elsewhere. */
  readonly entryTo: Int32Array;
}

/**
 * Joins the edge and each later edge of `task` with what is across their squares. False where there are two squares.
 */
function joinParallel({ graph, sets, entryTo }: Square, task: number, edge: number): boolean {
  const { rowStart, partner } = graph;
  const first = intAt(partner, edge);
  for (let entry = intAt(rowStart, first); entry < intAt(rowStart, first + 1); entry++)
    entryTo[intAt(partner, entry)] = entry;
  let sound = true;
  for (let second = edge + 1; second < intAt(rowStart, task + 1) && sound; second++) {
    const other = intAt(partner, second);
    let squares = 0;
    for (let entry = intAt(rowStart, other); entry < intAt(rowStart, other + 1); entry++) {
      const corner = intAt(partner, entry);
      if (corner === task || intAt(entryTo, corner) < 0) continue;
      squares++;
      sets.join(edge, entry);
      sets.join(second, intAt(entryTo, corner));
    }
    if (squares === 0) sets.join(edge, second);
    sound = squares < 2;
  }
  for (let entry = intAt(rowStart, first); entry < intAt(rowStart, first + 1); entry++)
    entryTo[intAt(partner, entry)] = -1;
  return sound;
}

interface Line {
  readonly side: number;
  readonly wraps: boolean;
  readonly positions: Int32Array;
}

/** Layers are what is connected without the edges of the axis; along the axis they are a path or a ring. */
function positionsAlong(graph: Adjacency, classOf: Int32Array, axis: number): Line | undefined {
  const { layerOf, count } = layersAcross(graph, classOf, axis);
  const line = walkLine(graph, classOf, axis);
  if (line === undefined || line.vertices.length !== count) return undefined;
  const positionOfLayer = new Int32Array(count).fill(-1);
  for (const [position, vertex] of line.vertices.entries()) positionOfLayer[intAt(layerOf, vertex)] = position;
  if (positionOfLayer.includes(-1)) return undefined;
  const positions = layerOf.map((layer) => intAt(positionOfLayer, layer));
  const { rowStart, partner, taskCount } = graph;
  for (let task = 0; task < taskCount; task++) {
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      if (classOf[edge] !== axis) continue;
      const apart = Math.abs(intAt(positions, task) - intAt(positions, intAt(partner, edge)));
      if (apart !== 1 && !(line.wraps && apart === count - 1)) return undefined;
    }
  }
  return { side: count, wraps: line.wraps, positions };
}

function layersAcross(
  { taskCount, rowStart, partner }: Adjacency,
  classOf: Int32Array,
  axis: number,
): { layerOf: Int32Array; count: number } {
  const layerOf = new Int32Array(taskCount).fill(-1);
  const queue = new Int32Array(taskCount);
  let count = 0;
  for (let root = 0; root < taskCount; root++) {
    if (intAt(layerOf, root) >= 0) continue;
    layerOf[root] = count;
    queue[0] = root;
    let filled = 1;
    for (let next = 0; next < filled; next++) {
      const task = intAt(queue, next);
      for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
        const other = intAt(partner, edge);
        if (classOf[edge] === axis || intAt(layerOf, other) >= 0) continue;
        layerOf[other] = count;
        queue[filled++] = other;
      }
    }
    count++;
  }
  return { layerOf, count };
}

/** The vertices of the line through vertex 0 from one end to the other, or round the ring. */
function walkLine(
  { rowStart, partner }: Adjacency,
  classOf: Int32Array,
  axis: number,
): { vertices: number[]; wraps: boolean } | undefined {
  const alongFrom = (vertex: number): number[] => {
    const along: number[] = [];
    for (let edge = intAt(rowStart, vertex); edge < intAt(rowStart, vertex + 1); edge++) {
      if (classOf[edge] === axis) along.push(intAt(partner, edge));
    }
    return along;
  };
  const walk = (start: number): { vertices: number[]; closed: boolean } | undefined => {
    const vertices = [start];
    let before = -1;
    let here = start;
    for (;;) {
      const along = alongFrom(here);
      if (along.length > 2) return undefined;
      const next = along.find((vertex) => vertex !== before);
      if (next === undefined || next === start) return { vertices, closed: next === start };
      vertices.push(next);
      before = here;
      here = next;
    }
  };
  const first = walk(0);
  if (first === undefined || first.closed) return first && { vertices: first.vertices, wraps: true };
  const whole = walk(first.vertices.at(-1)!);
  return whole && { vertices: whole.vertices, wraps: false };
}

/** Every position is taken once, and there are as many edges as the grid has. */
function isWholeProduct({ sides, wraps, positions }: GridPositions, count: number, entries: number): boolean {
  let volume = 1;
  for (const side of sides) volume *= side;
  if (volume !== count) return false;
  const taken = new Uint8Array(volume);
  for (let vertex = 0; vertex < count; vertex++) {
    let index = 0;
    for (const [axis, side] of sides.entries()) index = index * side + intAt(itemAt(positions, axis), vertex);
    if (taken[index] === 1) return false;
    taken[index] = 1;
  }
  const expected = sides.reduce((sum, side, axis) => sum + (count / side) * (wraps[axis] ? side : side - 1), 0);
  return 2 * expected === entries;
}

/** An undirected graph without weights: every edge stands in the rows of both ends, partners ascending. */
export type Adjacency = Pick<TaskGraph, 'taskCount' | 'rowStart' | 'partner'>;

/** For each entry the entry of the same edge in the other end's row. O(edges). */
export function reverseEntries({ taskCount, rowStart, partner }: Adjacency): Int32Array {
  const reverse = new Int32Array(partner.length);
  const next = rowStart.slice(0, taskCount);
  // Rows are walked in ascending order, and so are the partners in every other row.
  for (let edge = 0; edge < partner.length; edge++) {
    const other = intAt(partner, edge);
    reverse[edge] = next[other]!++;
  }
  return reverse;
}

/** The graph with only those entries that are kept; both entries of an edge are, or none. O(edges). */
export function restricted({ taskCount, rowStart, partner }: Adjacency, kept: Uint8Array): Adjacency {
  const start = new Int32Array(taskCount + 1);
  const partners = new Int32Array(partner.length);
  let filled = 0;
  for (let task = 0; task < taskCount; task++) {
    for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
      if (kept[edge] === 1) partners[filled++] = intAt(partner, edge);
    }
    start[task + 1] = filled;
  }
  return { taskCount, rowStart: start, partner: partners.slice(0, filled) };
}
