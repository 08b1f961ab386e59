/**
 * The resistance of a circuit between two of its nodes: resistors in series and in parallel are put together, and what
 * is left is solved by elimination (`StarMesh`) where it is small, else by iteration (`ConjugateGradients`).
 */
import { intAt, realAt } from '../../numeric/elements.ts';
import { SolvedCircuits } from './solvedCircuits.ts';

/** The two ends between which the resistance is wanted are the first two nodes of a circuit. */
export const terminals = { from: 0, to: 1, count: 2 } as const;

/** Conductance of an edge that is gone. */
const dead = 0;

/** Up to this many nodes elimination is about as quick as iteration, measured on meshes and hypercubes. */
const eliminationLimit = 100;

/**
 * A network of resistors that is built, reduced and forgotten, millions of times over: its arrays
 * grow to the largest one and stay. An edge is two halves, one in the list of each of its nodes.
 * Resistors in series and in parallel are replaced by one; what is left goes to {@link StarMesh}, or
 * to {@link ConjugateGradients} where it is large.
 */
export class Circuit {
  nodeCount = 0;

  /** First half of each node's list, and the number of live halves in it. */
  #first = new Int32Array(64);
  #degree = new Int32Array(64);
  #halfCount = 0;
  /** Of each half: the next in its list, the node at the other end, the half in that node's list. */
  #next = new Int32Array(256);
  #other = new Int32Array(256);
  #twin = new Int32Array(256);
  /** Of each half, the same in both; `dead` where the edge is gone. */
  #conductance = new Float64Array(256);
  /** Nodes that may have become simple enough to be replaced. */
  #waiting = new Int32Array(256);
  #waitingCount = 0;
  readonly #starMesh = new StarMesh();
  readonly #conjugateGradients = new ConjugateGradients();
  readonly #solved = new SolvedCircuits();

  /** Forgets everything but the two terminals. */
  clear(): void {
    this.nodeCount = 0;
    this.#halfCount = 0;
    this.addNode();
    this.addNode();
  }

  addNode(): number {
    const node = this.nodeCount++;
    if (node >= this.#first.length) {
      this.#first = doubledRoom(this.#first);
      this.#degree = doubledRoom(this.#degree);
    }
    this.#first[node] = -1;
    this.#degree[node] = 0;
    return node;
  }

  addEdge(from: number, to: number, conductance: number): void {
    const half = this.#halfCount;
    if (half + 2 > this.#next.length) this.#growHalves();
    this.#halfCount += 2;
    this.#enter(half, from, to, conductance);
    this.#enter(half + 1, to, from, conductance);
    this.#twin[half] = half + 1;
    this.#twin[half + 1] = half;
  }

  /** Resistance between the terminals, which must be connected. Uses the circuit up. */
  resistance(): number {
    const known = this.#solved.find(this.#other, this.#conductance, this.#halfCount);
    if (known !== undefined) return known;
    this.#reduce();
    const only = this.#onlyEdge();
    const found = only === 0 ? this.#solveRest() : 1 / only;
    this.#solved.keep(found);
    return found;
  }

  #enter(half: number, node: number, other: number, conductance: number): void {
    this.#other[half] = other;
    this.#conductance[half] = conductance;
    this.#next[half] = intAt(this.#first, node);
    this.#first[node] = half;
    this.#degree[node] = intAt(this.#degree, node) + 1;
  }

  /** Replaces nodes with at most two edges until there is none. */
  #reduce(): void {
    this.#waitingCount = 0;
    for (let node: number = terminals.count; node < this.nodeCount; node++) this.#queueIfSimple(node);
    while (this.#waitingCount > 0) {
      const node = intAt(this.#waiting, --this.#waitingCount);
      const degree = intAt(this.#degree, node);
      if (degree === 2) this.#replaceSeries(node);
      else if (degree === 1) this.#dropEdge(this.#firstLive(intAt(this.#first, node)));
    }
  }

  #queueIfSimple(node: number): void {
    if (node < terminals.count || intAt(this.#degree, node) > 2) return;
    if (this.#waitingCount === this.#waiting.length) this.#waiting = doubledRoom(this.#waiting);
    this.#waiting[this.#waitingCount++] = node;
  }

  /** The first half of a list, from `half` on, that is not dead. */
  #firstLive(half: number): number {
    let at = half;
    while (this.#conductance[at] === dead) at = this.#next[at]!;
    return at;
  }

  /** A node between two others goes; one edge takes its place, in the lists of the others. */
  #replaceSeries(node: number): void {
    const one = this.#firstLive(intAt(this.#first, node));
    const other = this.#firstLive(intAt(this.#next, one));
    const from = intAt(this.#other, one);
    const to = intAt(this.#other, other);
    if (from === to) {
      // A dead end: no current flows in it.
      this.#dropEdge(one);
      this.#dropEdge(other);
      return;
    }
    const first = realAt(this.#conductance, one);
    const second = realAt(this.#conductance, other);
    this.#degree[node] = 0;
    this.#join(intAt(this.#twin, one), intAt(this.#twin, other), from, to, (first * second) / (first + second));
  }

  /** Makes one edge of a half in the list of `from` and one in that of `to`, or adds it to one that is there. */
  #join(inFrom: number, inTo: number, from: number, to: number, conductance: number): void {
    const parallel = intAt(this.#degree, from) < intAt(this.#degree, to) ? this.#find(from, to) : this.#find(to, from);
    if (parallel === -1) {
      this.#other[inFrom] = to;
      this.#other[inTo] = from;
      this.#twin[inFrom] = inTo;
      this.#twin[inTo] = inFrom;
      this.#conductance[inFrom] = conductance;
      this.#conductance[inTo] = conductance;
      return;
    }
    this.#conductance[parallel] = realAt(this.#conductance, parallel) + conductance;
    this.#conductance[intAt(this.#twin, parallel)] =
      realAt(this.#conductance, intAt(this.#twin, parallel)) + conductance;
    this.#conductance[inFrom] = dead;
    this.#conductance[inTo] = dead;
    this.#lose(from);
    this.#lose(to);
  }

  /** The live half in the list of `node` whose other end is `wanted`, or −1. Takes dead ones out on its way. */
  #find(node: number, wanted: number): number {
    let before = -1;
    for (let half = this.#first[node]!; half !== -1; half = this.#next[half]!) {
      if (this.#conductance[half] === dead) {
        if (before === -1) this.#first[node] = this.#next[half]!;
        else this.#next[before] = this.#next[half]!;
        continue;
      }
      if (this.#other[half] === wanted) return half;
      before = half;
    }
    return -1;
  }

  #dropEdge(half: number): void {
    const twin = intAt(this.#twin, half);
    this.#conductance[half] = dead;
    this.#conductance[twin] = dead;
    this.#lose(intAt(this.#other, half));
    this.#lose(intAt(this.#other, twin));
  }

  #lose(node: number): void {
    this.#degree[node] = intAt(this.#degree, node) - 1;
    this.#queueIfSimple(node);
  }

  /** The conductance between the terminals if nothing else is left, else 0. */
  #onlyEdge(): number {
    if (this.#degree[terminals.from] !== 1 || this.#degree[terminals.to] !== 1) return 0;
    const half = this.#firstLive(intAt(this.#first, terminals.from));
    return this.#other[half] === terminals.to ? realAt(this.#conductance, half) : 0;
  }

  #solveRest(): number {
    const index =
      this.#waiting.length < this.nodeCount
        ? (this.#waiting = doubledRoom(this.#waiting, this.nodeCount))
        : this.#waiting;
    let left = 0;
    for (let node = 0; node < this.nodeCount; node++) {
      if (node < terminals.count || intAt(this.#degree, node) > 0) index[node] = left++;
    }
    const solver = left <= eliminationLimit ? this.#starMesh : this.#conjugateGradients;
    solver.clear(left);
    for (let node = 0; node < this.nodeCount; node++) {
      if (this.#degree[node] === 0) continue;
      for (let half = intAt(this.#first, node); half !== -1; half = intAt(this.#next, half)) {
        const conductance = realAt(this.#conductance, half);
        if (conductance !== dead && half < intAt(this.#twin, half)) {
          solver.add(intAt(index, node), intAt(index, intAt(this.#other, half)), conductance);
        }
      }
    }
    return solver.resistance();
  }

  #growHalves(): void {
    this.#next = doubledRoom(this.#next);
    this.#other = doubledRoom(this.#other);
    this.#twin = doubledRoom(this.#twin);
    const conductance = new Float64Array(this.#next.length);
    conductance.set(this.#conductance);
    this.#conductance = conductance;
  }
}

function doubledRoom(array: Int32Array, least = 0): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(least, 2 * array.length));
  larger.set(array);
  return larger;
}

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
    this.#diagonal[from] = realAt(this.#diagonal, from) + conductance;
    this.#diagonal[to] = realAt(this.#diagonal, to) + conductance;
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

/**
 * Solves a network of resistors by the star–mesh transform (Rosen 1924): a node goes, and each two
 * of its neighbours get a conductance g·g′/Σg between them. That is Gaussian elimination on the
 * Laplacian without a subtraction, so the result is exact to a few units in the last place. Always
 * the node with fewest neighbours goes next.
 */
export class StarMesh {
  #nodes = 0;
  /** Conductance between two nodes, nodes × nodes; symmetric, 0 where there is none. */
  #between = new Float64Array(0);
  /** Neighbours of each node. */
  #degree = new Int32Array(0);
  #neighbours = new Int32Array(0);
  #weights = new Float64Array(0);

  clear(nodes: number): void {
    this.#nodes = nodes;
    if (this.#degree.length < nodes) {
      const size = Math.max(16, 2 * nodes);
      this.#degree = new Int32Array(size);
      this.#neighbours = new Int32Array(size);
      this.#weights = new Float64Array(size);
      this.#between = new Float64Array(size * size);
    }
    this.#degree.fill(0, 0, nodes);
    this.#between.fill(0, 0, nodes * nodes);
  }

  add(from: number, to: number, conductance: number): void {
    if (from === to) return;
    const cell = from * this.#nodes + to;
    if (this.#between[cell] === 0) {
      this.#degree[from] = intAt(this.#degree, from) + 1;
      this.#degree[to] = intAt(this.#degree, to) + 1;
    }
    const sum = realAt(this.#between, cell) + conductance;
    this.#between[cell] = sum;
    this.#between[to * this.#nodes + from] = sum;
  }

  /** Resistance between the terminals. Uses the network up. O(nodes² + nodes · neighbours²). */
  resistance(): number {
    for (let left = this.#nodes - terminals.count; left > 0; left--) this.#remove(this.#simplest());
    return 1 / realAt(this.#between, terminals.from * this.#nodes + terminals.to);
  }

  /** Removed nodes have a degree below 0. */
  #simplest(): number {
    const degree = this.#degree;
    let best = -1;
    let fewest = this.#nodes;
    for (let node: number = terminals.count; node < this.#nodes; node++) {
      const neighbours = intAt(degree, node);
      if (neighbours < 0 || neighbours >= fewest) continue;
      best = node;
      fewest = neighbours;
    }
    return best;
  }

  #remove(node: number): void {
    const nodes = this.#nodes;
    const between = this.#between;
    const neighbours = this.#neighbours;
    const weights = this.#weights;
    const degree = this.#degree;
    degree[node] = -1;
    let count = 0;
    let sum = 0;
    for (let other = 0, cell = node * nodes; other < nodes; other++, cell++) {
      const conductance = realAt(between, cell);
      if (conductance === 0 || intAt(degree, other) < 0) continue;
      neighbours[count] = other;
      weights[count++] = conductance;
      sum += conductance;
    }
    for (let one = 0; one < count; one++) {
      const from = intAt(neighbours, one);
      const part = realAt(weights, one) / sum;
      const row = from * nodes;
      degree[from] = intAt(degree, from) - 1;
      for (let two = one + 1; two < count; two++) {
        const to = intAt(neighbours, two);
        const before = realAt(between, row + to);
        if (before === 0) {
          degree[from] = intAt(degree, from) + 1;
          degree[to] = intAt(degree, to) + 1;
        }
        const after = before + part * realAt(weights, two);
        between[row + to] = after;
        between[to * nodes + from] = after;
      }
    }
  }
}
