import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { halve, type Halving, firstLoad, halvingCost } from './halving.ts';
import { cliqueEdges, cliqueRing, exampleGraphs, graphOf, gridEdges, shuffled } from './testing/graphs.ts';
import { unitGraph } from './weightedGraph.ts';

function halvingOf(taskCount: number, edges: Parameters<typeof graphOf>[1], first: number): Halving {
  const graph = unitGraph(graphOf(taskCount, edges));
  return { graph, pull: new Float64Array(taskCount), minimum: first, maximum: first };
}

const halved = (halving: Halving, seed = 1): Uint8Array => halve(halving, seededRandom(seed), neverCancelled)!;

describe('halving a graph', () => {
  const optima: readonly (readonly [string, number, Parameters<typeof graphOf>[1], number])[] = [
    ['a grid across its short side', 512, gridEdges([64, 8]), 8],
    ['a square grid', 256, gridEdges([16, 16]), 16],
    ['a grid of three dimensions', 512, gridEdges([4, 8, 16]), 32],
    ['a grid with heavy edges', 512, gridEdges([8, 64], 2 ** 36), 8 * 2 ** 36],
    ['two cliques joined by an edge', 80, [...cliqueEdges(0, 40, 3), ...cliqueEdges(40, 40, 3), [0, 40, 7]], 7],
    ['a ring of cliques', 320, cliqueRing(40, 8), 2],
    ['a line', 100, gridEdges([100]), 1],
    ['a graph without edges', 90, [], 0],
  ];
  it.each(optima)(
    'cuts as little as can be with one of three seeds, little more with the others: %s',
    (_, taskCount, edges, cut) => {
      const costs = [1, 2, 3].map((seed) => {
        const halving = halvingOf(taskCount, shuffled(taskCount, edges, seed), taskCount / 2);
        const side = halved(halving, seed);
        expect(firstLoad(halving, side)).toBe(taskCount / 2);
        return halvingCost(halving, side);
      });
      expect(Math.min(...costs)).toBe(cut);
      expect(Math.max(...costs)).toBeLessThanOrEqual(1.25 * cut);
    },
  );

  it.each(exampleGraphs)('keeps sizes exactly and is no worse than random halves: %s', (_, taskCount, edges) => {
    for (const first of [0, 1, Math.floor(taskCount / 3), Math.ceil(taskCount / 2), taskCount]) {
      const halving = halvingOf(taskCount, edges, first);
      const side = halved(halving);
      expect(firstLoad(halving, side)).toBe(first);
      expect(halved(halving)).toEqual(side);
      const drawn = Array.from(side);
      for (const seed of [4, 5, 6]) {
        shuffle(drawn, seededRandom(seed));
        expect(halvingCost(halving, side)).toBeLessThanOrEqual(halvingCost(halving, Uint8Array.from(drawn)));
      }
    }
  });

  it('lets sizes be what is cheapest between their limits', () => {
    const edges = shuffled(100, [...cliqueEdges(0, 37, 1), ...cliqueEdges(37, 63, 1), [0, 99, 1]]);
    const halving = { ...halvingOf(100, edges, 0), minimum: 30, maximum: 45 };
    const side = halved(halving);
    expect(halvingCost(halving, side)).toBe(1);
    expect(firstLoad(halving, side)).toBe(37);
  });

  it('puts each task where it is pulled, as far as sizes allow', () => {
    const pull = Float64Array.from({ length: 200 }, (_, task) => (task % 2 === 0 ? 5 : -5));
    const side = halved({ ...halvingOf(200, [], 100), pull });
    expect([...side]).toEqual(Array.from(pull, (cost) => (cost > 0 ? 0 : 1)));
    // A line is pulled at its ends alone: it is cut once, and lies the way it is pulled.
    const ends = new Float64Array(128);
    ends[0] = -1;
    ends[127] = 1;
    const line = { ...halvingOf(128, gridEdges([128], 4), 64), pull: ends };
    expect([...halved(line)]).toEqual(Array.from(ends, (_, task) => (task < 64 ? 1 : 0)));
  });

  it('answers that it was cancelled, whenever it looks', () => {
    const halving = halvingOf(512, gridEdges([32, 16]), 256);
    let looks = 0;
    halve(halving, seededRandom(1), { isCancelled: () => ++looks < 0 });
    expect(looks).toBeGreaterThan(3);
    for (let allowed = 0; allowed < looks; allowed++) {
      let seen = 0;
      expect(halve(halving, seededRandom(1), { isCancelled: () => seen++ >= allowed })).toBeUndefined();
    }
  });
});
