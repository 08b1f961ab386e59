/** What circuits have come to, for a solver that is given the same ones again and again: {@link SolvedCircuits}. */
import { intAt, itemAt } from '../../numeric/elements.ts';

/** Circuits with fewer edges are as quickly solved as found. */
const fewestEdges = 12;
/** Numbers that remembered circuits take, 16 MB, and places of the table in which they are found, half of them used at most. */
const mostNumbers = 2 ** 22;
const tablePlaces = 2 ** 16;
/** Networks without any regularity: after so many questions one in eight must have been answered, else no more is asked. */
const trialQuestions = 4096;

/**
 * Circuits that have been solved, edge by edge as they were built: boxes of a grid come again wherever they are. The
 * same edges in the same order are solved by the same steps, so that what is remembered is to the last bit what would be found.
 */
export class SolvedCircuits {
  /** Two nodes and the conductance of each edge, circuit after circuit. */
  #numbers = new Int32Array(4096);
  #used = 0;
  readonly #start: number[] = [];
  readonly #value: number[] = [];
  /** Number of a circuit + 1, by its hash; 0 where there is none. */
  readonly #table = new Int32Array(tablePlaces);
  /** Place in the table for the circuit that was not found; −1 where it is not to be kept. */
  #place = -1;
  #asked = 0;
  #answered = 0;

  /** The resistance of a circuit of these halves, whose edges are pairs of them. O(edges). */
  find(other: Int32Array, conductance: Float64Array, halfCount: number): number | undefined {
    this.#place = -1;
    if (halfCount < 2 * fewestEdges || (this.#asked > trialQuestions && 8 * this.#answered < this.#asked))
      return undefined;
    this.#asked++;
    const edges = halfCount / 2;
    if (this.#used + 3 * edges > this.#numbers.length && this.#numbers.length < mostNumbers)
      this.#grow(this.#used + 3 * edges);
    const hasRoom = this.#used + 3 * edges <= this.#numbers.length && 2 * this.#value.length < tablePlaces;
    let hash = edges;
    for (let half = 0; half < halfCount; half += 2) {
      hash = Math.imul(hash ^ other[half]!, 0x85ebca6b);
      hash = Math.imul((hash ^ (hash >>> 15)) + other[half + 1]!, 0xc2b2ae35) + conductance[half]!;
    }
    let place = (hash ^ (hash >>> 13)) & (tablePlaces - 1);
    for (; this.#table[place] !== 0; place = (place + 1) & (tablePlaces - 1)) {
      const circuit = intAt(this.#table, place) - 1;
      if (!this.#isSame(circuit, other, conductance, halfCount)) continue;
      this.#answered++;
      return this.#value[circuit];
    }
    if (!hasRoom) return undefined;
    this.#place = place;
    const numbers = this.#numbers;
    for (let half = 0, at = this.#used; half < halfCount; half += 2) {
      numbers[at++] = other[half]!;
      numbers[at++] = other[half + 1]!;
      numbers[at++] = conductance[half]!;
    }
    this.#start.push(this.#used);
    this.#used += 3 * edges;
    return undefined;
  }

  /** What the circuit that was asked for last has come to. */
  keep(value: number): void {
    if (this.#place < 0) return;
    this.#value.push(value);
    this.#table[this.#place] = this.#value.length;
  }

  #grow(least: number): void {
    const larger = new Int32Array(Math.max(least, 2 * this.#numbers.length));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  #isSame(circuit: number, other: Int32Array, conductance: Float64Array, halfCount: number): boolean {
    const numbers = this.#numbers;
    let at = itemAt(this.#start, circuit);
    const end = this.#start[circuit + 1] ?? this.#used;
    if (end - at !== (3 * halfCount) / 2) return false;
    for (let half = 0; half < halfCount; half += 2, at += 3) {
      if (numbers[at] !== other[half] || numbers[at + 1] !== other[half + 1] || numbers[at + 2] !== conductance[half])
        return false;
    }
    return true;
  }
}
