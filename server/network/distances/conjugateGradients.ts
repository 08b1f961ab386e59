import { terminals } from './starMesh.ts';

/** Part of the first residual's square at which the solution is good: the resistance errs by its order. */
const tolerance = 1e-24;

/**
 * Solves a large network of resistors by conjugate gradients (Hestenes and Stiefel 1952), scaled by
 * the diagonal: one ampere in at one terminal, the other one grounded. The resistance is the energy
 * of the solution, whose error is the square of the solution's: it is exact when potentials are to
 * half as many digits. A grid takes about as many rounds as its longest side is long, each
 * O(edges), where elimination would fill in.
 */
export class ConjugateGradients {
  #nodes = 0;
  #edges = 0;
  #from = new Int32Array(256);
  #to = new Int32Array(256);
  #conductance = new Float64Array(256);
  #diagonal = new Float64Array(0);
  #residual = new Float64Array(0);
  #direction = new Float64Array(0);
  #current = new Float64Array(0);

  clear(nodes: number): void {
    this.#nodes = nodes;
    this.#edges = 0;
    if (this.#diagonal.length < nodes) {
      const size = 2 * nodes;
      this.#diagonal = new Float64Array(size);
      this.#residual = new Float64Array(size);
      this.#direction = new Float64Array(size);
      this.#current = new Float64Array(size);
    }
    this.#diagonal.fill(0, 0, nodes);
  }

  add(from: number, to: number, conductance: number): void {
    const edge = this.#edges++;
    if (edge === this.#from.length) this.#grow();
    this.#from[edge] = from;
    this.#to[edge] = to;
    this.#conductance[edge] = conductance;
    this.#diagonal[from]! += conductance;
    this.#diagonal[to]! += conductance;
  }

  /** Resistance between the terminals, which must be connected, as must be all other nodes. */
  resistance(): number {
    const nodes = this.#nodes;
    const residual = this.#residual.fill(0, 0, nodes);
    const direction = this.#direction.fill(0, 0, nodes);
    residual[terminals.from] = 1;
    direction[terminals.from] = 1 / this.#diagonal[terminals.from]!;
    let square = direction[terminals.from]!;
    const enough = square * tolerance;
    let energy = 0;
    // In exact arithmetic as many rounds as there are nodes suffice.
    for (let round = 0; round < 2 * nodes && square > enough; round++) {
      const step = square / this.#flow();
      energy += step * square;
      const next = this.#advance(step);
      const turn = next / square;
      square = next;
      for (let node = 0; node < nodes; node++) {
        direction[node] = residual[node]! / this.#diagonal[node]! + turn * direction[node]!;
      }
      direction[terminals.to] = 0;
    }
    return energy;
  }

  /** Currents that the direction, taken as potentials, makes flow out of each node; returns their power. */
  #flow(): number {
    const nodes = this.#nodes;
    const current = this.#current;
    const direction = this.#direction;
    for (let node = 0; node < nodes; node++) current[node] = this.#diagonal[node]! * direction[node]!;
    const edges = this.#edges;
    for (let edge = 0; edge < edges; edge++) {
      const from = this.#from[edge]!;
      const to = this.#to[edge]!;
      const conductance = this.#conductance[edge]!;
      current[from]! -= conductance * direction[to]!;
      current[to]! -= conductance * direction[from]!;
    }
    let power = 0;
    for (let node = 0; node < nodes; node++) power += direction[node]! * current[node]!;
    return power;
  }

  /** Takes a step off the residual; returns its new scaled square. */
  #advance(step: number): number {
    const residual = this.#residual;
    let square = 0;
    for (let node = 0; node < this.#nodes; node++) {
      residual[node]! -= step * this.#current[node]!;
      if (node !== terminals.to) square += residual[node]! ** 2 / this.#diagonal[node]!;
    }
    return square;
  }

  #grow(): void {
    const [from, to, conductance] = [this.#from, this.#to, this.#conductance];
    this.#from = new Int32Array(2 * from.length);
    this.#to = new Int32Array(2 * from.length);
    this.#conductance = new Float64Array(2 * from.length);
    this.#from.set(from);
    this.#to.set(to);
    this.#conductance.set(conductance);
  }
}
