import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import { type WeightedGraph, largestSize, totalSize, degreeOf } from './weightedGraph.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import { type Coarsening, coarsen, coarseSums } from './coarsening.ts';
import { IndexedHeap } from '../../numeric/heap.ts';
import { partitioningParameters } from './parameters.ts';

/**
 * To be split in two: the weight of cut edges, plus the pull of each vertex that goes to the second
 * half, is to be small.
 */
export interface Halving {
  readonly graph: WeightedGraph;
  /** By how much each vertex costs more in the second half than in the first; may be negative. */
  readonly pull: Float64Array;
  /** Fewest and most tasks of the first half. */
  readonly minimum: number;
  readonly maximum: number;
}

/** 0 or 1 for each vertex: the first half or the second. */
type Sides = Uint8Array;

/** Tasks of the first half. O(vertices). */
export function firstLoad({ graph }: Halving, side: Sides): number {
  let load = 0;
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) if (side[vertex] === 0) load += intAt(graph.size, vertex);
  return load;
}

/** By how many tasks the first half is too small or too large. */
const violationOf = ({ minimum, maximum }: Halving, load: number): number =>
  load < minimum ? minimum - load : load > maximum ? load - maximum : 0;

/** Cut edges, each once, and pulls. O(edges). */
export function halvingCost({ graph, pull }: Halving, side: Sides): number {
  const { rowStart, neighbour, weight } = graph;
  let cost = 0;
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
    if (side[vertex] === 0) continue;
    cost += realAt(pull, vertex);
    for (let edge = intAt(rowStart, vertex); edge < intAt(rowStart, vertex + 1); edge++) {
      if (side[intAt(neighbour, edge)] === 0) cost += realAt(weight, edge);
    }
  }
  return cost;
}

/**
 * Splits a graph of unit vertices in two within its sizes exactly, with little weight cut: coarsened
 * by matching, halved where it is smallest, refined on every level on the way back (multilevel
 * bisection, Karypis and Kumar 1998). Undefined if cancelled. O(edges · log n).
 */
export function halve(halving: Halving, random: RandomSource, cancellation: Cancellation): Sides | undefined {
  const levels: { readonly halving: Halving; readonly coarseOf: Int32Array }[] = [];
  let current = halving;
  const sizeLimit = Math.max(
    2,
    Math.ceil(
      (partitioningParameters.mostOfMeanSize * totalSize(halving.graph)) / partitioningParameters.coarsestVertices,
    ),
  );
  while (current.graph.vertexCount > partitioningParameters.coarsestVertices) {
    if (cancellation.isCancelled()) return undefined;
    const coarser = coarsen(current.graph, sizeLimit, random, cancellation);
    if (coarser === undefined) break;
    levels.push({ halving: current, coarseOf: coarser.coarseOf });
    current = coarseHalving(current, halving, coarser);
  }
  if (cancellation.isCancelled()) return undefined;
  let side = initialHalving(current, random, cancellation);
  for (const { halving: finer, coarseOf } of levels.reverse()) {
    if (cancellation.isCancelled()) return undefined;
    const coarseSide = side;
    side = Uint8Array.from(coarseOf, (coarse) => byteAt(coarseSide, coarse));
    refineHalving(finer, side, patienceFor(finer.graph.vertexCount), cancellation);
  }
  return cancellation.isCancelled() ? undefined : side;
}

/** Moves that may pass without anything better. */
export const patienceFor = (vertexCount: number): number =>
  partitioningParameters.movesWithoutGain + Math.floor(vertexCount / partitioningParameters.verticesPerMoveWithoutGain);

/** Sizes may be wrong by half the largest vertex, so that single tasks must be right. */
function coarseHalving(finer: Halving, finest: Halving, { graph, coarseOf }: Coarsening): Halving {
  const tolerance = largestSize(graph) >> 1;
  return {
    graph,
    pull: coarseSums(finer.pull, coarseOf, graph.vertexCount),
    minimum: finest.minimum - tolerance,
    maximum: finest.maximum + tolerance,
  };
}

/**
 * Halves a small graph: by the pulls alone, and grown from a few random vertices (greedy graph
 * growing, Karypis and Kumar 1998), each refined; the best is kept. O(edges · log) for each.
 */
function initialHalving(halving: Halving, random: RandomSource, cancellation: Cancellation): Sides {
  const { vertexCount } = halving.graph;
  const target = firstHalfTarget(halving);
  let best: Sides | undefined;
  let bestViolation = Infinity;
  let bestCost = Infinity;
  for (let attempt = 0; attempt <= partitioningParameters.grownHalves; attempt++) {
    const side = attempt === 0 ? halfByPull(halving, target) : grownHalf(halving, target, random.integer(vertexCount));
    refineHalving(halving, side, vertexCount, cancellation);
    const violation = violationOf(halving, firstLoad(halving, side));
    const cost = halvingCost(halving, side);
    if (best === undefined || violation < bestViolation || (violation === bestViolation && cost < bestCost)) {
      best = side;
      bestViolation = violation;
      bestCost = cost;
    }
  }
  return best!;
}

/** Tasks that the first half begins with: as many of them as of its room, where there is room to spare. */
function firstHalfTarget({ graph, minimum, maximum }: Halving): number {
  const total = totalSize(graph);
  const room = maximum + (total - minimum);
  return Math.max(minimum, Math.min(maximum, Math.round((total * maximum) / Math.max(1, room))));
}

/** The vertices most pulled to the first half. O(vertices · log). */
function halfByPull({ graph, pull }: Halving, target: number): Sides {
  const side = new Uint8Array(graph.vertexCount).fill(1);
  const heap = new IndexedHeap(pull);
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) heap.append(vertex);
  heap.order();
  for (let load = 0; load < target && heap.count > 0;) {
    const vertex = heap.top;
    heap.remove(vertex);
    if (load + intAt(graph.size, vertex) > target + (intAt(graph.size, vertex) >> 1)) continue;
    side[vertex] = 0;
    load += intAt(graph.size, vertex);
  }
  return side;
}

/** Grows the first half from `seed`: always the neighbour that cuts least and is pulled most. */
function grownHalf({ graph, pull }: Halving, target: number, seed: number): Sides {
  const { rowStart, neighbour, weight, size, vertexCount } = graph;
  const side = new Uint8Array(vertexCount).fill(1);
  const gain = pull.slice();
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    for (let edge = intAt(rowStart, vertex); edge < intAt(rowStart, vertex + 1); edge++)
      gain[vertex]! -= realAt(weight, edge);
  }
  const frontier = new IndexedHeap(gain);
  let next = seed;
  for (let load = 0, seen = 0; load < target && seen < vertexCount;) {
    if (frontier.count === 0) {
      // The part that was grown is complete: on with the next vertex outside it.
      while (side[next] === 0) next = next + 1 === vertexCount ? 0 : next + 1;
      frontier.add(next);
    }
    const vertex = frontier.top;
    frontier.remove(vertex);
    side[vertex] = 0;
    load += intAt(size, vertex);
    seen++;
    for (let edge = intAt(rowStart, vertex); edge < intAt(rowStart, vertex + 1); edge++) {
      const other = intAt(neighbour, edge);
      if (side[other] === 0) continue;
      gain[other]! += 2 * realAt(weight, edge);
      if (frontier.has(other)) frontier.update(other);
      else frontier.add(other);
    }
  }
  return side;
}

/** How far a halving is from its sizes, and what it costs next to where the refinement began. */
interface Standing {
  violation: number;
  cost: number;
}

const better = (one: Standing, other: Standing): boolean =>
  one.violation < other.violation || (one.violation === other.violation && one.cost < other.cost);

/**
 * Fiduccia and Mattheyses 1982 on `side`, in place: passes that move every vertex at most once, the
 * best one first, through worse halvings too, and go back to the best halving met. Sizes come
 * before cost; on the way they may be wrong by the largest vertex. A pass ends early after `patience`
 * moves that met nothing better. Ends when a pass improves nothing, or if cancelled: then with any halves.
 * O(edges · log) a pass.
 */
export function refineHalving(halving: Halving, side: Sides, patience: number, cancellation: Cancellation): void {
  const work = new WorkMeter(cancellation);
  const gain = gainsOf(halving, side, work);
  if (gain === undefined) return;
  const refinement = new Refinement(halving, side, gain, work);
  while (!cancellation.isCancelled() && refinement.pass(patience));
}

class Refinement {
  readonly #halving: Halving;
  readonly #side: Sides;
  readonly #gain: Float64Array;
  /** Vertices of each half that may still move. */
  readonly #heaps: readonly [IndexedHeap, IndexedHeap];
  readonly #moves: Int32Array;
  readonly #slack: number;
  readonly #work: WorkMeter;
  #load: number;

  constructor(halving: Halving, side: Sides, gain: Float64Array, work: WorkMeter) {
    const { graph } = halving;
    this.#halving = halving;
    this.#side = side;
    this.#work = work;
    this.#gain = gain;
    this.#heaps = [new IndexedHeap(this.#gain), new IndexedHeap(this.#gain)];
    this.#moves = new Int32Array(graph.vertexCount);
    this.#slack = largestSize(graph);
    this.#load = firstLoad(halving, side);
  }

  /** True where it improved; false if cancelled. */
  pass(patience: number): boolean {
    this.#fillHeaps();
    const start: Standing = { violation: violationOf(this.#halving, this.#load), cost: 0 };
    const now = { ...start };
    const best = { ...start };
    let moved = 0;
    let kept = 0;
    while (moved - kept < patience) {
      const vertex = this.#nextMove();
      if (vertex < 0) break;
      now.cost -= realAt(this.#gain, vertex);
      this.#moves[moved++] = vertex;
      this.#heaps[this.#side[vertex] as 0 | 1].remove(vertex);
      this.#move(vertex, true);
      if (this.#work.isCancelledAfter(degreeOf(this.#halving.graph, vertex))) return false;
      now.violation = violationOf(this.#halving, this.#load);
      if (better(now, best)) {
        best.violation = now.violation;
        best.cost = now.cost;
        kept = moved;
      }
    }
    while (moved > kept) {
      const vertex = intAt(this.#moves, --moved);
      this.#move(vertex, false);
      if (this.#work.isCancelledAfter(degreeOf(this.#halving.graph, vertex))) return false;
    }
    return better(best, start);
  }

  #fillHeaps(): void {
    const [first, second] = this.#heaps;
    first.clear();
    second.clear();
    for (let vertex = 0; vertex < this.#side.length; vertex++)
      (this.#side[vertex] === 0 ? first : second).append(vertex);
    first.order();
    second.order();
  }

  /** The vertex of most gain that the sizes let go; −1 where there is none. */
  #nextMove(): number {
    const [first, second] = this.#heaps;
    for (;;) {
      const leaving = first.top;
      const coming = second.top;
      const out = this.#violationAfter(leaving);
      const back = this.#violationAfter(coming);
      if (out < Infinity || back < Infinity) return this.#preferred(leaving, out, coming, back);
      if (leaving < 0 && coming < 0) return -1;
      // Neither may go, but smaller ones behind them may.
      if (leaving >= 0) first.remove(leaving);
      if (coming >= 0) second.remove(coming);
    }
  }

  /** Sizes that are wrong are put right first; else the larger gain decides. */
  #preferred(leaving: number, out: number, coming: number, back: number): number {
    if (out === Infinity || back === Infinity) return out < back ? leaving : coming;
    if (out !== back && violationOf(this.#halving, this.#load) > 0) return out < back ? leaving : coming;
    const difference = realAt(this.#gain, leaving) - realAt(this.#gain, coming);
    return difference > 0 || (difference === 0 && out <= back) ? leaving : coming;
  }

  /** By how much sizes are wrong after a move; Infinity where it must not be. */
  #violationAfter(vertex: number): number {
    if (vertex < 0) return Infinity;
    const size = this.#halving.graph.size[vertex]!;
    const after = violationOf(this.#halving, this.#load + (this.#side[vertex] === 0 ? -size : size));
    return after <= this.#slack || after < violationOf(this.#halving, this.#load) ? after : Infinity;
  }

  /** Moves a vertex over and brings the gains up to date, in the heaps too where a pass needs them. */
  #move(vertex: number, inPass: boolean): void {
    const { rowStart, neighbour, weight, size } = this.#halving.graph;
    const gain = this.#gain;
    const side = this.#side;
    const [first, second] = this.#heaps;
    const to = 1 - byteAt(side, vertex);
    side[vertex] = to;
    this.#load += to === 0 ? intAt(size, vertex) : -intAt(size, vertex);
    gain[vertex] = -realAt(gain, vertex);
    const end = rowStart[vertex + 1]!;
    for (let edge = rowStart[vertex]!; edge < end; edge++) {
      const other = neighbour[edge]!;
      gain[other]! += side[other] === to ? -2 * weight[edge]! : 2 * weight[edge]!;
      if (!inPass) continue;
      const heap = side[other] === 0 ? first : second;
      if (heap.has(other)) heap.update(other);
    }
  }
}

/** By how much the cost falls when each vertex goes over; undefined if cancelled. O(edges). */
function gainsOf({ graph, pull }: Halving, side: Sides, work: WorkMeter): Float64Array | undefined {
  const { rowStart, neighbour, weight, vertexCount } = graph;
  const gain = new Float64Array(vertexCount);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const own = side[vertex]!;
    let sum = own === 0 ? -pull[vertex]! : pull[vertex]!;
    for (let edge = rowStart[vertex]!; edge < rowStart[vertex + 1]!; edge++) {
      sum += side[neighbour[edge]!] === own ? -weight[edge]! : weight[edge]!;
    }
    gain[vertex] = sum;
    if (work.isCancelledAfter(degreeOf(graph, vertex))) return undefined;
  }
  return gain;
}
