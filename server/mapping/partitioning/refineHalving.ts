import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { GainHeap } from './gainHeap.ts';
import type { Halving, Sides } from './halving.ts';
import { firstLoad, violationOf } from './halving.ts';
import { degreeOf, largestSize } from './weightedGraph.ts';

/** How far a halving is from its sizes, and what it costs next to where the refinement began. */
interface Standing {
  violation: number;
  cost: number;
}

const better = (one: Standing, other: Standing): boolean =>
  one.violation < other.violation || (one.violation === other.violation && one.cost < other.cost);

const mostPasses = 12;

/**
 * Fiduccia and Mattheyses 1982 on `side`, in place: passes that move every vertex at most once, the
 * best one first, through worse halvings too, and go back to the best halving met. Sizes come
 * before cost; on the way they may be wrong by the largest vertex. A pass ends early after `patience`
 * moves that met nothing better. Ends when a pass improves nothing, or where it was cancelled: then with any halves.
 * O(edges · log) a pass.
 */
export function refineHalving(halving: Halving, side: Sides, patience: number, cancellation: Cancellation): void {
  const work = new WorkMeter(cancellation);
  const gain = gainsOf(halving, side, work);
  if (gain === undefined) return;
  const refinement = new Refinement(halving, side, gain, work);
  for (let pass = 0; pass < mostPasses && !cancellation.isCancelled() && refinement.pass(patience); pass++);
}

class Refinement {
  readonly #halving: Halving;
  readonly #side: Sides;
  readonly #gain: Float64Array;
  /** Vertices of each half that may still move. */
  readonly #heaps: readonly [GainHeap, GainHeap];
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
    this.#heaps = [new GainHeap(this.#gain), new GainHeap(this.#gain)];
    this.#moves = new Int32Array(graph.vertexCount);
    this.#slack = largestSize(graph);
    this.#load = firstLoad(halving, side);
  }

  /** True where it improved; false where it was cancelled. */
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
      now.cost -= this.#gain[vertex]!;
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
      const vertex = this.#moves[--moved]!;
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
    const difference = this.#gain[leaving]! - this.#gain[coming]!;
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
    const to = 1 - side[vertex]!;
    side[vertex] = to;
    this.#load += to === 0 ? size[vertex]! : -size[vertex]!;
    gain[vertex] = -gain[vertex]!;
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

/** By how much the cost falls when each vertex goes over; undefined where it was cancelled. O(edges). */
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
