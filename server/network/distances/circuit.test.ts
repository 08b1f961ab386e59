import { describe, expect, it } from 'vitest';
import { seededRandom, type RandomSource } from '../../model/random.ts';
import { Circuit, ConjugateGradients, StarMesh, terminals } from './circuit.ts';

type Edge = readonly [from: number, to: number, conductance: number];

/** A random tree of all nodes, and random edges besides; parallel ones among them. */
function randomNetwork(nodes: number, edges: number, random: RandomSource): Edge[] {
  const network: Edge[] = [];
  const conductance = () => 0.05 + 5 * random.fraction();
  for (let node = 1; node < nodes; node++) network.push([node, random.integer(node), conductance()]);
  while (network.length < edges) {
    const from = random.integer(nodes);
    network.push([from, (from + 1 + random.integer(nodes - 1)) % nodes, conductance()]);
  }
  return network;
}

interface Solver {
  clear(nodes: number): void;
  add(from: number, to: number, conductance: number): void;
  resistance(): number;
}

function solvedBy(solver: Solver, nodes: number, edges: readonly Edge[]): number {
  solver.clear(nodes);
  for (const edge of edges) solver.add(...edge);
  return solver.resistance();
}

function reduced(circuit: Circuit, nodes: number, edges: readonly Edge[]): number {
  circuit.clear();
  while (circuit.nodeCount < nodes) circuit.addNode();
  for (const edge of edges) circuit.addEdge(...edge);
  return circuit.resistance();
}

describe('ways to solve a circuit', () => {
  it('agree on random networks of all sizes, one after the other', () => {
    const random = seededRandom(1);
    const [circuit, starMesh, gradients] = [new Circuit(), new StarMesh(), new ConjugateGradients()];
    for (let round = 0; round < 150; round++) {
      const nodes = 2 + random.integer(round < 130 ? 40 : 300);
      const edges = randomNetwork(nodes, Math.floor(nodes * (0.5 + 3 * random.fraction())), random);
      const expected = solvedBy(starMesh, nodes, edges);
      expect(reduced(circuit, nodes, edges) / expected).toBeCloseTo(1, 12);
      expect(solvedBy(gradients, nodes, edges) / expected).toBeCloseTo(1, 12);
    }
  });

  it.each([
    { what: 'one', edges: [[0, 1, 4]] as Edge[], expected: 1 / 4 },
    {
      what: 'parallel ones',
      edges: [
        [0, 1, 4],
        [1, 0, 1],
      ] as Edge[],
      expected: 1 / 5,
    },
    {
      what: 'a row',
      edges: [
        [0, 2, 1],
        [2, 3, 2],
        [3, 1, 4],
      ] as Edge[],
      expected: 1.75,
    },
    {
      what: 'dead ends, and a loop at one',
      edges: [
        [0, 1, 1],
        [1, 2, 9],
        [2, 3, 9],
        [3, 4, 1],
        [4, 2, 1],
      ] as Edge[],
      expected: 1,
    },
    {
      what: 'a bridge',
      edges: [
        [0, 2, 1],
        [0, 3, 1],
        [2, 3, 1],
        [2, 1, 1],
        [3, 1, 1],
      ] as Edge[],
      expected: 1,
    },
    {
      what: 'a bridge out of balance',
      edges: [
        [0, 2, 1],
        [0, 3, 2],
        [2, 3, 1],
        [2, 1, 1],
        [3, 1, 1],
      ] as Edge[],
      expected: 11 / 13,
    },
  ])('$what', ({ edges, expected }) => {
    const nodes = terminals.count + new Set(edges.flatMap(([from, to]) => [from, to]).filter((node) => node > 1)).size;
    expect(reduced(new Circuit(), nodes, edges)).toBeCloseTo(expected, 14);
  });

  it('has the resistance of a hypercube from corner to corner', () => {
    // Σ 1/C(n−1, i) / n; 256 nodes, so the large way.
    const edges: Edge[] = [];
    const nodeOf = (corner: number) => (corner === 255 ? 1 : corner === 0 ? 0 : corner + 1);
    for (let corner = 0; corner < 256; corner++) {
      for (let bit = 1; bit < 256; bit *= 2)
        if ((corner & bit) === 0) edges.push([nodeOf(corner), nodeOf(corner | bit), 1]);
    }
    const binomials = [1, 7, 21, 35, 35, 21, 7, 1];
    const expected = binomials.reduce((sum, ways) => sum + 1 / ways, 0) / 8;
    expect(reduced(new Circuit(), 256, edges)).toBeCloseTo(expected, 14);
  });
});

describe('circuits that come again', () => {
  /** Several cables side by side have a whole conductance, as those of networks do. */
  const cablesOf = (nodes: number, edges: number, random: RandomSource): Edge[] =>
    randomNetwork(nodes, edges, random).map(([from, to]) => [from, to, 1 + random.integer(2)]);

  function solved(circuit: Circuit, nodes: number, edges: readonly Edge[]): number {
    circuit.clear();
    while (circuit.nodeCount < nodes) circuit.addNode();
    for (const edge of edges) circuit.addEdge(...edge);
    return circuit.resistance();
  }

  it('have the resistance that a circuit solved for the first time has, to the last bit', () => {
    const random = seededRandom(9);
    const nodes = 14;
    const networks = Array.from({ length: 40 }, () => cablesOf(nodes, 30, random));
    // Others that differ in one cable, so that nearly the same is told apart.
    const others = networks.map((edges) =>
      edges.map(([from, to, cables], at): Edge => [from, to, at === 29 ? 3 : cables]),
    );
    const circuit = new Circuit();
    for (let round = 0; round < 3; round++) {
      for (const edges of [...networks, ...others]) {
        expect(solved(circuit, nodes, edges)).toBe(solved(new Circuit(), nodes, edges));
      }
    }
  });
});
